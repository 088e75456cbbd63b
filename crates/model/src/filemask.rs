//! Which paths a mask names, and the language code in each (docs/spec/units.md#files).

use super::android::{has_values_folder, is_android_locale};
use super::component::FileFormat;
use super::mask_segment::MaskSegment;
use super::parts::{PART, part_name};
use super::repo_path::{is_git_directory, is_name};

/// The maximum length of a language code in a file name, in characters (`docs/spec/languages.md#generated-languages`).
pub const MAX_CODE_CHARS: usize = 20;

/// The start of the names of files with the texts of R code, which are next to those of C code in R packages: `R-cs.po` next to
/// `cs.po`. No language.
pub const R_DOMAIN: &str = "R-";

/// A shell-like path pattern with `*` for the language code.
///
/// `*`, `?` and `[…]` match within one directory or file name, and never match a leading dot. A mask without `*` is the
/// path of one file with all languages, whose parts it matches.
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
    /// It has a `*`, but each file has all languages.
    #[error(
        "the file mask '{0}' has a wildcard, but a file of the format {1} has all languages: write the path of one file"
    )]
    Wildcard(String, &'static str),
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
    /// If it has placeholders, other wildcards than `*` only, or does not name files of a repository.
    pub fn new(mask: &str) -> Result<Self, FileMaskError> {
        if mask.contains(LANGUAGE) || mask.contains(NAME) {
            return Err(FileMaskError::Placeholders(mask.to_owned()));
        }
        if !mask.contains('*') && mask.contains(['?', '[']) {
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
        let part = (!mask.contains('*')).then(|| part_name("*"));
        let levels = mask.split('/').chain(part.as_deref());
        Self {
            mask: mask.into(),
            levels: levels.map(MaskSegment::new).collect(),
            is_android: mask.matches('*').count() == 1 && has_values_folder(mask, "*"),
        }
    }

    /// The mask as written.
    pub fn as_str(&self) -> &str {
        &self.mask
    }

    /// Whether it is the path of one file with all languages.
    pub fn has_parts(&self) -> bool {
        !self.mask.contains('*')
    }

    /// Whether a file of a repository is one of the component.
    pub fn has_file(&self, path: &str) -> bool {
        self.matches(path).is_some() || self.has_parts() && *self.mask == *path
    }

    /// Checks that a format has such files.
    ///
    /// # Errors
    /// If files of the format have all languages and the mask has a `*`, or the other way round.
    pub fn check_format(&self, format: FileFormat) -> Result<(), FileMaskError> {
        match (self.has_parts(), format.has_parts()) {
            (true, false) => Err(FileMaskError::NoStar(self.mask.to_string())),
            (false, true) => Err(FileMaskError::Wildcard(
                self.mask.to_string(),
                format.name(),
            )),
            _ => Ok(()),
        }
    }

    /// The path of the file with the source texts, given the template of the component.
    pub fn source_path(&self, template: &str) -> String {
        match self.has_parts() {
            true => [&self.mask, PART].concat(),
            false => template.to_owned(),
        }
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
    /// for `*.json`; the file itself if it has all languages.
    pub fn folder(&self) -> &str {
        if self.has_parts() {
            return &self.mask;
        }
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
        match self.has_parts() {
            true => [&self.mask, PART, code].concat(),
            false => self.mask.replace('*', code),
        }
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
#[path = "filemask_tests.rs"]
mod tests;
