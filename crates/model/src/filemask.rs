//! Which paths a mask names, and the language code in each (docs/spec/units.md#files).

use super::android::{has_values_folder, is_android_locale};
use super::file_format::FileFormat;
use super::group::{GroupMask, GroupsAt, MAX_CODE_CHARS};
use super::mask_segment::MaskSegment;
use super::repo_path::{PART, is_git_directory, is_name, part_name};

/// The start of the names of files with the texts of R code, which are next to those of C code in R packages: `R-cs.po` next to
/// `cs.po`. No language.
pub const R_DOMAIN: &str = "R-";

/// A shell-like path pattern with `*` for the language code.
///
/// `*`, `?` and `[…]` match within one directory or file name, and never match a leading dot. A mask without `*` is the
/// path of one file with all languages, whose parts it matches. A mask with `**` matches groups of files
/// (docs/spec/change-log.md#groups).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FileMask {
    mask: Box<str>,
    levels: Box<[MaskSegment]>,
    /// Whether the only `*` is the language of an Android directory.
    is_android: bool,
    group: Option<Box<GroupMask>>,
    /// See [`FileMask::folder`].
    folder: Box<str>,
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
    /// It has `**`, but does not name groups of files.
    #[error(
        "the file mask '{0}' must have one '*' for the language and one '**' for the rest of the path, with '/' or '.' between them, as in 'docs/*/**'"
    )]
    BadGroup(String),
    /// A file of the format is no part of a group, or only that.
    #[error("the file mask '{0}' does not fit the format {1}: {2}")]
    Group(String, &'static str, &'static str),
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
        let is_group = |mask: GroupMask| mask.pattern.has_language();
        if mask.contains("**") && !GroupMask::new(mask).is_some_and(is_group) {
            return Err(FileMaskError::BadGroup(mask.to_owned()));
        }
        Ok(Self::unchecked(mask))
    }

    /// A mask whose placeholders and braces are literal.
    pub(super) fn unchecked(mask: &str) -> Self {
        let group = if mask.contains("**") {
            GroupMask::new(mask)
        } else {
            None
        };
        let part = (!mask.contains('*')).then(|| part_name("*"));
        let levels: Vec<MaskSegment> = match &group {
            Some(group) => {
                let fixed = group.base.split('/').filter(|name| !name.is_empty());
                let folder = MaskSegment::Fixed(group.folder_name().into());
                let levels = fixed.map(MaskSegment::new);
                levels.chain([folder, MaskSegment::new("*")]).collect()
            }
            None => mask
                .split('/')
                .chain(part.as_deref())
                .map(MaskSegment::new)
                .collect(),
        };
        Self {
            mask: mask.into(),
            folder: match &group {
                Some(group) => group.folder().into(),
                None => fixed_folder(mask, &levels).into(),
            },
            levels: levels.into(),
            group: group.map(Box::new),
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
        let in_group = |group: &GroupMask| group.place(path).is_some();
        self.matches(path).is_some()
            || self.has_parts() && *self.mask == *path
            || self.group.as_deref().is_some_and(in_group)
    }

    /// Whether it matches groups of files.
    pub fn has_groups(&self) -> bool {
        self.group.is_some()
    }

    /// Whether its groups are strings files with the files for plurals next to them.
    pub fn has_tables(&self) -> bool {
        let group = self.group.as_deref();
        group.is_some_and(|group| group.pattern.is_of_tables())
    }

    /// Whether there is a file with the path of a translation, not only a directory or a pattern.
    pub fn names_files(&self) -> bool {
        !self.has_groups() || self.has_tables()
    }

    /// The mask of the files that the paths of translations name.
    pub fn first_files(&self) -> &str {
        if self.has_tables() {
            self.mask.trim_end_matches('*')
        } else {
            &self.mask
        }
    }

    /// The directories with the groups of translations, and of the source texts, given the template; none without groups.
    pub fn groups(&self, template: &str) -> Vec<GroupsAt> {
        if !self.has_groups() {
            return Vec::new();
        }
        let source = self.source_path(template);
        let source = source.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut folders = vec![self.folder(), source];
        folders.dedup();
        folders.into_iter().filter_map(GroupsAt::of_path).collect()
    }

    /// The mask, with `/**` if files of the format are in a directory for each language only, as Weblate leaves out.
    pub fn of_format(&self, format: FileFormat) -> Self {
        let lacks_groups = format.has_groups() && !format.has_single_files() && !self.has_groups();
        if lacks_groups && self.mask.ends_with('*') {
            Self::unchecked(&[&self.mask, "/**"].concat())
        } else {
            self.clone()
        }
    }

    /// Checks that a format has such files.
    ///
    /// # Errors
    /// If files of the format have all languages and the mask has a `*`, or the other way round.
    pub fn check_format(&self, format: FileFormat) -> Result<(), FileMaskError> {
        let group = |step| {
            let mask = self.mask.to_string();
            Err(FileMaskError::Group(mask, format.name(), step))
        };
        let has_tables = self.has_tables() && format.next_to().is_some();
        if self.has_tables() && !has_tables {
            return group("'.strings**' is for strings files of Apple");
        }
        if self.has_groups() && !format.has_groups() && !has_tables {
            return group("each file of it is a translation, so use '*' only");
        }
        if !self.has_groups() && format.has_groups() && !format.has_single_files() {
            return group("a language has a directory, so end the mask in '/*/**'");
        }
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
        if let Some(group) = &self.group {
            return group.source(template);
        }
        if self.has_parts() {
            [&self.mask, PART].concat()
        } else {
            template.to_owned()
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
    /// for `*.json`; the file itself if it has all languages; the directory of the groups.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Number of path segments of the directory: 1 for `src/*/messages.json`.
    pub fn folder_level(&self) -> usize {
        match &*self.folder {
            "" => 0,
            folder => folder.split('/').count(),
        }
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

    /// The text that all names begin with that match the path segment at `level`.
    pub fn level_prefix(&self, level: usize) -> &str {
        self.levels.get(level).map_or("", MaskSegment::prefix)
    }

    /// The path of a language's file: the mask with `code` for every `*`.
    pub fn with_code(&self, code: &str) -> String {
        if let Some(group) = &self.group {
            return group.group(code);
        }
        if self.has_parts() {
            [&self.mask, PART, code].concat()
        } else {
            self.mask.replace('*', code)
        }
    }

    /// Whether two paths can have the same language code: the mask has several `*`.
    pub fn is_ambiguous(&self) -> bool {
        self.mask.matches('*').count() > 1 && !self.has_groups()
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

/// The fixed directory of a mask without groups.
fn fixed_folder<'m>(mask: &'m str, levels: &[MaskSegment]) -> &'m str {
    if !mask.contains('*') {
        return mask;
    }
    let is_fixed = |level: &&MaskSegment| matches!(level, MaskSegment::Fixed(_));
    let fixed = levels.iter().take_while(is_fixed).count();
    let mut slashes = mask.match_indices('/').map(|(at, _)| at);
    let end = fixed.checked_sub(1).and_then(|last| slashes.nth(last));
    end.map_or("", |end| &mask[..end])
}

fn char_count(text: &str) -> usize {
    text.chars().count()
}

/// The name of the file in place of a language that documents the messages of MediaWiki.
pub const DOCUMENTATION: &str = "qqq";

/// Names of files of all languages that are next to those of each language, such as `intl_messages.arb` or `index.json`.
const NO_LANGUAGES: [&str; 6] = [
    "source",
    DOCUMENTATION,
    "common",
    "index",
    "languages",
    "messages",
];

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
    if rest.split('.').any(begins_encoding) {
        language
    } else {
        code
    }
}

#[cfg(test)]
#[path = "filemask_tests.rs"]
mod tests;
