//! Masks with `**`: a translation is a group of files (docs/spec/change-log.md#groups).
//!
//! The group of a language has the path of a file that git cannot have. Its directory is named after the patterns, so that
//! a reader of a repository needs nothing else to list it.

use std::borrow::Cow;

use super::language;
use super::repo_path::{PART, join_path};

/// The maximum length of a language code in a file name, in characters (`docs/spec/languages.md#generated-languages`).
pub const MAX_CODE_CHARS: usize = 20;

/// The most files of a group.
pub const MAX_GROUPED_FILES: usize = 20_000;

/// The most bytes of a file of a group. A larger one has no text.
pub const MAX_GROUPED_BYTES: usize = 1 << 20;

/// The most bytes of all files of a group.
pub const MAX_GROUP_BYTES: usize = 256 << 20;

/// Directories within directories that are searched for files of groups.
pub const MAX_GROUP_DEPTH: usize = 64;

/// Begins the name of a directory of groups, and separates the pattern of its files from that of files that it leaves out.
const MARK: char = '\0';

/// In place of `/` in the name of such a directory.
const SLASH: char = '\u{1}';

/// Ends a mask of strings files of Apple and the files for plurals next to them, whose paths start with theirs. The strings of
/// such a group are those of all files.
const TABLES: &str = ".strings**";
/// The ending that the file for plurals adds to the path of a strings file of Apple.
pub const PLURALS_ENDING: &str = "dict";

/// A pattern of paths: `**` matches any part, with directories, and `*` the code of a language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct GroupPattern {
    pieces: Box<[Piece]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Piece {
    Fixed(Box<str>),
    Language,
    Rest,
}

impl GroupPattern {
    /// Parses a pattern with one `**`, and at most one `*`, that a fixed text separates.
    fn new(text: &str) -> Option<Self> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, after) = match rest.find('*') {
                Some(0) => match rest.strip_prefix("**") {
                    Some(after) => (Piece::Rest, after),
                    None => (Piece::Language, &rest[1..]),
                },
                end => {
                    let (fixed, after) = rest.split_at(end.unwrap_or(rest.len()));
                    (Piece::Fixed(fixed.into()), after)
                }
            };
            rest = after;
            pieces.push(piece);
        }
        let count = |piece: &Piece| pieces.iter().filter(|other| *other == piece).count();
        let is_separated = pieces
            .windows(2)
            .all(|pair| pair.iter().any(|piece| matches!(piece, Piece::Fixed(_))));
        let fits = count(&Piece::Rest) == 1 && count(&Piece::Language) <= 1 && is_separated;
        (fits && !text.contains(['?', '['])).then_some(Self {
            pieces: pieces.into(),
        })
    }

    pub(super) fn has_language(&self) -> bool {
        self.pieces.contains(&Piece::Language)
    }

    pub(super) fn is_of_tables(&self) -> bool {
        let name = TABLES.trim_end_matches('*');
        matches!(&*self.pieces, [.., Piece::Fixed(it), Piece::Rest] if it.ends_with(name))
    }

    /// The code of the language in a path, `""` without one, and the path without the language.
    fn place<'p>(&self, path: &'p str) -> Option<(&'p str, Cow<'p, str>)> {
        if path.split('/').any(|name| name.starts_with('.')) {
            return None;
        }
        let (start, pieces) = match &*self.pieces {
            [Piece::Fixed(fixed), pieces @ ..] => (path.strip_prefix(&**fixed)?, pieces),
            pieces => (path, pieces),
        };
        let (code, key): (_, Cow<'p, str>) = match pieces {
            [Piece::Language, Piece::Fixed(middle), Piece::Rest, end @ ..] => {
                let (code, rest) = start.split_once(&**middle)?;
                rest.strip_suffix(fixed(end))?;
                (code, rest.into())
            }
            [Piece::Rest, Piece::Fixed(middle), Piece::Language, end @ ..] => {
                let (before, code) = start.strip_suffix(fixed(end))?.rsplit_once(&**middle)?;
                (
                    code,
                    [before, without_separator(middle), fixed(end)]
                        .concat()
                        .into(),
                )
            }
            [Piece::Rest, end @ ..] => {
                start.strip_suffix(fixed(end))?;
                ("", start.into())
            }
            _ => return None,
        };
        let is_language = code.is_empty() || is_language_code(code);
        let is_named = self.is_of_tables() || key.len() > fixed_end(pieces).len();
        let is_named = is_named && code.is_empty() != self.has_language();
        (is_language && is_named).then_some((code, key))
    }

    /// The path of a file, given its language and its path without the language.
    fn path(&self, code: &str, key: &str) -> String {
        let (start, pieces) = match &*self.pieces {
            [Piece::Fixed(fixed), pieces @ ..] => (&**fixed, pieces),
            pieces => ("", pieces),
        };
        match pieces {
            [Piece::Language, Piece::Fixed(middle), ..] => [start, code, middle, key].concat(),
            [Piece::Rest, Piece::Fixed(middle), Piece::Language, end @ ..] => {
                let ending = [without_separator(middle), fixed(end)].concat();
                let before = key.strip_suffix(&*ending).unwrap_or(key);
                [start, before, middle, code, fixed(end)].concat()
            }
            _ => [start, key].concat(),
        }
    }

    /// Whether a file below a directory can match.
    fn opens(&self, folder: &str) -> bool {
        let first = folder.split('/').next().unwrap_or_default();
        match &*self.pieces {
            [Piece::Language, Piece::Fixed(after), ..] => {
                let end = after.split('/').next().unwrap_or_default();
                first.strip_suffix(end).is_some_and(is_language_code)
            }
            _ => !folder
                .rsplit('/')
                .next()
                .is_some_and(|name| name.starts_with('.')),
        }
    }
}

fn fixed(end: &[Piece]) -> &str {
    match end {
        [Piece::Fixed(text)] => text,
        _ => "",
    }
}

/// What follows the name of a document: a path needs more than that.
fn fixed_end(pieces: &[Piece]) -> &str {
    pieces
        .split_last()
        .map_or("", |(last, _)| fixed(std::slice::from_ref(last)))
}

/// The text before a language without what separates both.
fn without_separator(text: &str) -> &str {
    text.strip_suffix(['.', '-', '_']).unwrap_or(text)
}

/// Whether a name is the code of a known language.
pub fn is_language_code(name: &str) -> bool {
    let is_subtag =
        |part: &str| part.len() <= 8 && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let base = name.split(['-', '_']).next().unwrap_or_default();
    let is_code = (2..=3).contains(&base.len())
        && name.len() <= MAX_CODE_CHARS
        && name.split(['-', '_']).all(is_subtag);
    is_code && language::resolve(&base.to_ascii_lowercase()).rank.is_some()
}

/// A path relative to a directory, `""` for the root; `None` if it is elsewhere.
fn inner_path<'p>(folder: &str, path: &'p str) -> Option<&'p str> {
    match folder {
        "" => Some(path),
        folder => path.strip_prefix(folder)?.strip_prefix('/'),
    }
}

/// A directory of groups: the files below its parent directory, by language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupFolder {
    pattern: GroupPattern,
    /// The files of translations among those of the source.
    excluded: Option<GroupPattern>,
}

impl GroupFolder {
    /// The directory with such a name, if it is one of groups.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.strip_prefix(MARK)?.replace(SLASH, "/");
        let (pattern, excluded) = match name.split_once(MARK) {
            Some((pattern, excluded)) => (pattern, Some(excluded)),
            None => (&*name, None),
        };
        Some(Self {
            pattern: GroupPattern::new(pattern)?,
            excluded: match excluded {
                Some(excluded) => Some(GroupPattern::new(excluded)?),
                None => None,
            },
        })
    }

    /// The language of a file, `""` of the source texts, and its path without the language. The path is relative to the
    /// parent directory.
    pub fn place<'p>(&self, path: &'p str) -> Option<(&'p str, Cow<'p, str>)> {
        let excludes = |it: &GroupPattern| it.place(path).is_some();
        let is_excluded = self.excluded.as_ref().is_some_and(excludes);
        self.pattern.place(path).filter(|_| !is_excluded)
    }

    /// Whether a directory, relative to the parent directory, can have files of a group.
    pub fn opens(&self, folder: &str) -> bool {
        self.pattern.opens(folder)
    }

    /// The name of the group of a language, `""` for the source texts.
    pub fn group_name(code: &str) -> String {
        match code {
            "" => MARK.to_string(),
            code => code.to_owned(),
        }
    }
}

/// Where groups are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupsAt {
    /// The parent directory, in which all files are; `""` for the root.
    pub base: String,
    /// The name of the directory of groups.
    pub name: String,
    /// What is in it.
    pub folder: GroupFolder,
}

impl GroupsAt {
    /// The directory of groups with that path.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        let (base, name) = path.rsplit_once('/').unwrap_or(("", path));
        Some(Self {
            base: base.to_owned(),
            name: name.to_owned(),
            folder: GroupFolder::of_name(name)?,
        })
    }

    /// A path relative to the parent directory; `None` if it is elsewhere.
    pub fn inner<'p>(&self, path: &'p str) -> Option<&'p str> {
        inner_path(&self.base, path)
    }

    /// The path of the group with that name.
    pub fn path(&self, group: &str) -> String {
        join_path(&join_path(&self.base, &self.name), group)
    }
}

/// What a mask with `**` names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct GroupMask {
    /// The directory that all files are in; `""` for the root.
    pub(super) base: Box<str>,
    text: Box<str>,
    pub(super) pattern: GroupPattern,
}

impl GroupMask {
    /// Parses a mask; `None` if its wildcards are no pattern of groups.
    pub(super) fn new(mask: &str) -> Option<Self> {
        let fixed = mask.find('*').and_then(|star| mask[..star].rfind('/'));
        let (base, text) = match fixed {
            Some(slash) => (&mask[..slash], &mask[slash + 1..]),
            None => ("", mask),
        };
        if base.contains(['?', '[']) {
            return None;
        }
        Some(Self {
            base: base.into(),
            text: text.into(),
            pattern: GroupPattern::new(text)?,
        })
    }

    /// The name of the directory of the groups.
    pub(super) fn folder_name(&self) -> String {
        format!("{MARK}{}", self.text.replace('/', &SLASH.to_string()))
    }

    /// The path of the directory of the groups.
    pub(super) fn folder(&self) -> String {
        join_path(&self.base, &self.folder_name())
    }

    /// The path of the group of a language.
    pub(super) fn group(&self, code: &str) -> String {
        join_path(&self.folder(), code)
    }

    /// The path of the group with the source texts, given a directory, or a pattern without a language.
    pub(super) fn source(&self, template: &str) -> String {
        let pattern = if template.contains('*') {
            template.to_owned()
        } else if self.pattern.is_of_tables() {
            [template, "**"].concat()
        } else {
            join_path(template, "**")
        };
        let mask = join_path(&self.base, &self.text);
        if let Some((before, after)) = around_language(&mask)
            && let Some(code) = pattern
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
            && is_language_code(code)
        {
            return self.group(code);
        }
        let Some(source) = Self::new(&pattern) else {
            return template.to_owned();
        };
        let mut name = source.folder_name();
        // The translations can be in a directory of the source.
        if let Some(inner) = inner_path(&source.base, &mask) {
            name.push(MARK);
            name.push_str(&inner.replace('/', &SLASH.to_string()));
        }
        let folder = join_path(&source.base, &name);
        join_path(&folder, &GroupFolder::group_name(""))
    }

    /// The language of a file, and its path without the language.
    pub(super) fn place<'p>(&self, path: &'p str) -> Option<(&'p str, Cow<'p, str>)> {
        self.pattern.place(inner_path(&self.base, path)?)
    }
}

/// What is before and after the only `*` that is the language.
fn around_language(pattern: &str) -> Option<(&str, &str)> {
    let bytes = pattern.as_bytes();
    let is_star = |at: usize| bytes.get(at) == Some(&b'*');
    let at = (0..bytes.len())
        .find(|&at| is_star(at) && !is_star(at + 1) && !(at > 0 && is_star(at - 1)))?;
    Some((&pattern[..at], &pattern[at + 1..]))
}

/// The base, the pattern, and the code of the path of a group.
fn parse(path: &str) -> Option<(&str, String, &str)> {
    let (base, rest) = match path.strip_prefix(MARK) {
        Some(rest) => ("", rest),
        None => path.split_once(PART)?,
    };
    let (name, code) = rest.split_once('/')?;
    let pattern = name.split(MARK).next().unwrap_or_default();
    Some((
        base,
        pattern.replace(SLASH, "/"),
        code.trim_start_matches(MARK),
    ))
}

/// The path of a group as people see it: the directory of its files, or their pattern.
pub(super) fn shown_group(path: &str) -> Option<String> {
    let (base, pattern, code) = parse(path)?;
    let named = match around_language(&pattern) {
        Some((before, after)) => [before, code, after].concat(),
        None => pattern,
    };
    let shown = join_path(base, &named);
    Some(match shown.strip_suffix("**") {
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None => shown,
    })
}

/// The path of the file of a string of a group; `None` if the path is not that of a group whose files are one string each.
pub fn file_of_group(path: &str, key: &str) -> Option<String> {
    let (base, pattern, code) = parse(path)?;
    let pattern = GroupPattern::new(&pattern).filter(|pattern| !pattern.is_of_tables())?;
    Some(join_path(base, &pattern.path(code, key)))
}

#[cfg(test)]
#[path = "group_tests.rs"]
mod tests;
