//! Which paths a mask names, and the language code in each (docs/spec/units.md#files).

use super::android::{has_values_folder, is_android_locale};
use super::mask_segment::MaskSegment;
use super::repo_path::{is_git_directory, is_name};

/// The maximum length of a language code in a file name, in characters (`docs/spec/languages.md#generated-languages`).
pub const MAX_CODE_CHARS: usize = 20;

/// The start of the names of files with the texts of R code, which are next to those of C code in R packages: `R-cs.po` next to
/// `cs.po`. No language.
pub const R_DOMAIN: &str = "R-";

/// A shell-like path pattern with `*` for the language code.
///
/// `*`, `?` and `[…]` match within one directory or file name, and never match a leading dot.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileMask {
    mask: Box<str>,
    levels: Box<[MaskSegment]>,
    /// Whether the only `*` is the language of an Android directory.
    is_android: bool,
}

/// An invalid file mask.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileMaskError {
    /// It has no `*`.
    #[error(
        "the file mask '{0}' has no '*': use one for the language code, as in 'locales/*.json'"
    )]
    NoStar(String),
    /// It does not name files of a repository.
    #[error(
        "the file mask '{0}' is not a path relative to the root of the repository: remove '.', '..' and empty segments, as in 'locales/*.json'"
    )]
    NoPath(String),
    /// It names git's own directory.
    #[error(
        "the file mask '{0}' leads into git's own directory, which gitglot does not read: choose a different one"
    )]
    GitDirectory(String),
    /// It has placeholders.
    #[error(
        "the file mask '{0}' has placeholders, which are valid only in the file mask of a component: use '*'"
    )]
    Placeholders(String),
    /// `{language}` is not there exactly once, or a `*` is.
    #[error(
        "the file mask '{0}' must have {{language}} once, {{name}} for all other parts, and no '*'"
    )]
    BadPlaceholders(String),
}

/// The placeholders of a [`MaskPattern`].
pub(super) const LANGUAGE: &str = "{language}";
pub(super) const NAME: &str = "{name}";

impl std::str::FromStr for FileMask {
    type Err = FileMaskError;

    fn from_str(text: &str) -> Result<Self, FileMaskError> {
        Self::new(text)
    }
}

impl FileMask {
    /// Parses a mask.
    ///
    /// # Errors
    /// If it has no `*`, or placeholders, or does not name files of a repository.
    pub fn new(mask: &str) -> Result<Self, FileMaskError> {
        if mask.contains(LANGUAGE) || mask.contains(NAME) {
            return Err(FileMaskError::Placeholders(mask.to_owned()));
        }
        if !mask.contains('*') {
            return Err(FileMaskError::NoStar(mask.to_owned()));
        }
        if !mask.split('/').all(is_name) {
            return Err(FileMaskError::NoPath(mask.to_owned()));
        }
        if mask.split('/').any(is_git_directory) {
            return Err(FileMaskError::GitDirectory(mask.to_owned()));
        }
        Ok(Self::unchecked(mask))
    }

    /// A mask whose placeholders and braces are literal.
    pub(super) fn unchecked(mask: &str) -> Self {
        Self {
            mask: mask.into(),
            levels: mask.split('/').map(MaskSegment::new).collect(),
            is_android: mask.matches('*').count() == 1 && has_values_folder(mask, "*"),
        }
    }

    /// The mask as written.
    pub fn as_str(&self) -> &str {
        &self.mask
    }

    /// The language code in `path`, when the mask names that path (docs/spec/units.md#files).
    ///
    /// `None` also for names that are no language: `source` and a few other words, a code with a dot or without a character, one that
    /// starts with [`R_DOMAIN`], and one of more than [`MAX_CODE_CHARS`] (see [`FileMask::overlong_code`]).
    pub fn matches<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.code(path).filter(|code| is_short(code))
    }

    /// The language code in `path` if only its length excludes the file. Such files are reported.
    pub fn overlong_code<'p>(&self, path: &'p str) -> Option<&'p str> {
        self.code(path).filter(|code| !is_short(code))
    }

    /// The texts that the `*` match, from left to right; greedy.
    pub fn captures<'p>(&self, path: &'p str) -> Option<Vec<&'p str>> {
        let mut captures = Vec::new();
        self.visit(path, |capture| captures.push(capture))
            .then_some(captures)
    }

    /// The fixed directory that all matching paths start with: `src/_locales` for `src/_locales/*/messages.json`, `""`
    /// for `*.json`.
    pub fn folder(&self) -> &str {
        let fixed = self
            .levels
            .iter()
            .take_while(|level| matches!(level, MaskSegment::Fixed(_)))
            .count();
        let mut slashes = self.mask.match_indices('/').map(|(at, _)| at);
        let end = fixed.checked_sub(1).and_then(|last| slashes.nth(last));
        end.map_or("", |end| &self.mask[..end])
    }

    /// Number of path segments: 3 for `src/*/messages.json`.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Whether `name` matches the path segment at `level`, from 0. For walking trees.
    pub fn matches_level(&self, level: usize, name: &str) -> bool {
        self.levels
            .get(level)
            .is_some_and(|level| level.visit(name, &mut |_| ()))
    }

    /// The path of a language's file: the mask with `code` for every `*`.
    pub fn with_code(&self, code: &str) -> String {
        self.mask.replace('*', code)
    }

    /// Whether two paths can have the same language code: the mask has several `*`.
    pub fn is_ambiguous(&self) -> bool {
        self.mask.matches('*').count() > 1
    }

    /// Two paths that have the same language code because the mask has several `*`, and the code. Of a mask with one
    /// `*`, no two paths have the same code.
    pub fn clash<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Option<(String, String, String)> {
        if !self.is_ambiguous() {
            return None;
        }
        let mut seen = std::collections::HashMap::new();
        paths
            .filter_map(|path| Some((self.matches(path)?, path)))
            .find_map(|(code, path)| {
                let first = *seen.entry(code).or_insert(path);
                (first != path).then(|| (first.to_owned(), path.to_owned(), code.to_owned()))
            })
    }

    fn code<'p>(&self, path: &'p str) -> Option<&'p str> {
        let mut longest: Option<&str> = None;
        let named = self.visit(path, |capture| {
            // Ties go to the first.
            if longest.is_none_or(|seen| char_count(capture) > char_count(seen)) {
                longest = Some(capture);
            }
        });
        let code = without_encoding(longest.filter(|_| named)?);
        is_language(code).then_some(code)
    }

    fn visit<'p>(&self, path: &'p str, mut capture: impl FnMut(&'p str)) -> bool {
        // The last segment is checked first: most paths fail there.
        if let Some(MaskSegment::Fixed(name)) = self.levels.last()
            && !path.ends_with(&**name)
        {
            return false;
        }
        let mut names = path.split('/');
        let mut is_language = true;
        let mut visit_capture = |code: &'p str| {
            is_language &= !self.is_android || is_android_locale(code);
            capture(code);
        };
        let named = self.levels.iter().all(|level| {
            names
                .next()
                .is_some_and(|name| level.visit(name, &mut visit_capture))
        });
        named && is_language && names.next().is_none()
    }
}

fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// Names of files of all languages that are next to those of each language, such as `intl_messages.arb` or `index.json`; `qqq`
/// documents the messages.
const NO_LANGUAGES: [&str; 6] = ["source", "qqq", "common", "index", "languages", "messages"];

/// Whether a name can be a language.
fn is_language(code: &str) -> bool {
    !code.is_empty()
        && !NO_LANGUAGES.contains(&code)
        && !code.contains('.')
        && !code.starts_with(R_DOMAIN)
}

fn is_short(code: &str) -> bool {
    char_count(code) <= MAX_CODE_CHARS
}

/// Removes an encoding such as `.UTF-8`, with everything after the first dot.
fn without_encoding(code: &str) -> &str {
    let Some((language, rest)) = code.split_once('.') else {
        return code;
    };
    let rest = rest.to_ascii_lowercase();
    let begins_encoding = |part: &str| part.starts_with("utf") || part.starts_with("iso");
    match rest.split('.').any(begins_encoding) {
        true => language,
        false => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(text: &str) -> FileMask {
        FileMask::new(text).unwrap()
    }

    #[test]
    fn the_star_matches_the_language_code() {
        assert_eq!(
            mask("src/_locales/*/messages.json").matches("src/_locales/pt_BR/messages.json"),
            Some("pt_BR")
        );
        assert_eq!(
            mask("data/web/lang/lang.*.json").matches("data/web/lang/lang.en-gb.json"),
            Some("en-gb")
        );
        assert_eq!(mask("*.json").matches("cs.json"), Some("cs"));
    }

    #[test]
    fn texts_of_r_code_are_no_language() {
        assert_eq!(mask("po/*.po").matches("po/de.po"), Some("de"));
        assert_eq!(mask("po/*.po").matches("po/R-de.po"), None);
        assert_eq!(mask("po/R-*.po").matches("po/R-de.po"), Some("de"));
    }

    #[test]
    fn files_of_all_languages_are_no_language() {
        assert_eq!(
            mask("l10n/intl_*.arb").matches("l10n/intl_messages.arb"),
            None
        );
        for name in ["common", "index", "languages"] {
            assert_eq!(
                mask("i18n/*.json").matches(&format!("i18n/{name}.json")),
                None
            );
        }
    }

    #[test]
    fn other_paths_have_no_code() {
        let mask = mask("src/_locales/*/messages.json");
        for path in [
            "src/_locales/cs/messages.json~",
            "src/_locales/cs/strings.json",
            "src/_locales/messages.json",
            "src/_locales/a/b/messages.json",
            "_locales/cs/messages.json",
            "src/_locales/cs",
            "src/_locales/cs/messages.json/x",
            "",
        ] {
            assert_eq!(mask.matches(path), None, "{path}");
        }
    }

    #[test]
    fn a_mask_without_a_star_is_an_error() {
        let error = FileMask::new("locales/en.json").unwrap_err();
        assert!(error.to_string().contains("use one for the language code"));
    }

    #[test]
    fn hidden_names_need_an_explicit_dot() {
        assert_eq!(mask("*/x.json").matches(".git/x.json"), None);
        assert_eq!(mask("[.]*/x.json").matches(".git/x.json"), None);
        assert_eq!(mask(".?*/x.json").captures(".git/x.json"), Some(vec!["it"]));
        assert_eq!(
            mask(".github/*.json").matches(".github/cs.json"),
            Some("cs")
        );
    }

    #[test]
    fn the_longest_capture_is_the_code() {
        assert_eq!(
            mask("*/locale/*/messages.json").matches("app/locale/pt_BR/messages.json"),
            Some("pt_BR")
        );
        assert_eq!(mask("*/*.json").matches("cs/de.json"), Some("cs"));
        assert_eq!(
            mask("a*b*c.json").captures("axbybzc.json"),
            Some(vec!["xby", "z"])
        );
    }

    #[test]
    fn question_marks_and_classes_work_as_in_a_shell() {
        assert_eq!(mask("v?/*.json").matches("v2/cs.json"), Some("cs"));
        assert_eq!(mask("v[0-9]/*.json").matches("vx/cs.json"), None);
        assert_eq!(mask("v[!0-9]/*.json").matches("vx/cs.json"), Some("cs"));
        assert_eq!(mask("v[]x]/*.json").matches("v]/cs.json"), Some("cs"));
        assert_eq!(mask("v[x/*.json").matches("v[x/cs.json"), Some("cs"));
    }

    #[test]
    fn many_stars_do_not_take_exponential_time() {
        let stars = "*a".repeat(200);
        assert_eq!(
            mask(&stars).captures(&"a".repeat(400)).map(|all| all.len()),
            Some(200)
        );
        assert_eq!(
            mask(&stars).captures(&format!("{}b", "a".repeat(400))),
            None
        );
        assert_eq!(mask("*?*.json").captures("ěšč.json"), Some(vec!["ěš", ""]));
    }

    #[test]
    fn an_encoding_in_the_code_is_removed() {
        assert_eq!(
            mask("*/a.json").matches("cs_CZ.UTF-8/a.json"),
            Some("cs_CZ")
        );
        assert_eq!(
            mask("*/a.json").matches("cs.x.iso-8859-2/a.json"),
            Some("cs")
        );
        assert_eq!(mask("*/a.json").matches("cs.x/a.json"), None);
    }

    #[test]
    fn other_captures_are_not_languages() {
        assert_eq!(mask("*.json").matches("source.json"), None);
        assert_eq!(mask("*.json").matches("Source.json"), Some("Source"));
        assert_eq!(mask("lang.*.json").matches("lang..json"), None);
        assert_eq!(mask("*.json").matches("en.old.json"), None);
    }

    #[test]
    fn a_mask_is_a_path_in_the_repository() {
        for text in [
            "/l/*.json",
            "../*.json",
            "./*.json",
            "a/../*.json",
            "a//*.json",
            "*/",
        ] {
            assert!(FileMask::new(text).is_err(), "{text}");
        }
        for text in [".git/con*", "a/.GIT/*", "git~1/*", "a/.git./*.json"] {
            let error = FileMask::new(text).unwrap_err();
            assert!(matches!(error, FileMaskError::GitDirectory(_)), "{text}");
        }
    }

    #[test]
    fn folders_of_android_variants_are_not_languages() {
        let res = mask("res/values-*/strings.xml");
        let path = |code: &str| format!("res/values-{code}/strings.xml");
        for code in ["cs", "fil", "pt-rBR", "es-r419", "b+sr+Latn"] {
            assert_eq!(res.matches(&path(code)), Some(code));
        }
        for code in ["night", "cs-land", "sw600dp-land-xlarge-v21"] {
            let path = path(code);
            assert_eq!(
                (res.matches(&path), res.overlong_code(&path)),
                (None, None),
                "{code}"
            );
            assert_eq!(res.captures(&path), None, "{code}");
        }
        assert_eq!(
            mask("values-*.json").matches("values-night.json"),
            Some("night")
        );
    }

    #[test]
    fn codes_over_twenty_characters_are_ignored_but_reported() {
        let mask = mask("*.json");
        assert_eq!(
            mask.matches("aaaaaaaaaabbbbbbbbbb.json"),
            Some("aaaaaaaaaabbbbbbbbbb")
        );
        assert_eq!(mask.overlong_code("aaaaaaaaaabbbbbbbbbb.json"), None);
        assert_eq!(mask.matches("aaaaaaaaaabbbbbbbbbbc.json"), None);
        assert_eq!(
            mask.overlong_code("aaaaaaaaaabbbbbbbbbbc.json"),
            Some("aaaaaaaaaabbbbbbbbbbc")
        );
    }

    #[test]
    fn fixed_directories_and_levels_restrict_tree_walks() {
        assert_eq!(
            mask("src/_locales/*/messages.json").folder(),
            "src/_locales"
        );
        assert_eq!(mask("a/b*/c/d.json").folder(), "a");
        assert_eq!(mask("*.json").folder(), "");
        assert_eq!(mask("a/[b]/*.json").folder(), "a");
        let mask = mask("src/_locales/*/messages.json");
        assert_eq!(mask.depth(), 4);
        assert!(
            mask.matches_level(0, "src")
                && mask.matches_level(2, "cs")
                && mask.matches_level(3, "messages.json")
        );
        assert!(
            !mask.matches_level(1, "src")
                && !mask.matches_level(2, ".git")
                && !mask.matches_level(4, "x")
        );
    }

    #[test]
    fn a_language_has_its_path_from_the_mask() {
        assert_eq!(
            mask("src/_locales/*/messages.json").with_code("cs"),
            "src/_locales/cs/messages.json"
        );
    }
}
