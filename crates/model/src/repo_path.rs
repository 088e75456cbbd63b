//! Paths of files in a repository (docs/spec/units.md#paths).

use std::ops::Deref;
use std::str::FromStr;

/// What follows the path of a file with several languages in the paths of its parts (docs/spec/change-log.md#parts), before
/// the code of the language. No name in git has a NUL.
pub(super) const PART: &str = "/\0";

/// A path from the root of a repository to a file, without `.`, `..` and git's own directory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RepoPath(String);

/// A path does not name a file of a repository.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RepoPathError {
    /// It is empty.
    #[error("the value is empty: set it or remove the key")]
    Empty,
    /// It is absolute, or leads out of the repository.
    #[error(
        "the path '{0}' is not relative to the root of the repository: remove '.', '..' and empty segments, as in \
         'locales/en.json'"
    )]
    NotRelative(String),
    /// It leads into git's own directory.
    #[error(
        "the path '{0}' leads into git's own directory, which gitglot does not read: choose a different path"
    )]
    GitDirectory(String),
}

impl RepoPath {
    /// The path of a file.
    ///
    /// # Errors
    /// If it does not name a file of a repository.
    pub fn new(path: &str) -> Result<Self, RepoPathError> {
        if path.is_empty() {
            return Err(RepoPathError::Empty);
        }
        if !path.split('/').all(is_name) {
            return Err(RepoPathError::NotRelative(path.to_owned()));
        }
        if path.split('/').any(is_git_directory) {
            return Err(RepoPathError::GitDirectory(path.to_owned()));
        }
        Ok(Self(path.to_owned()))
    }
}

impl FromStr for RepoPath {
    type Err = RepoPathError;

    fn from_str(path: &str) -> Result<Self, RepoPathError> {
        Self::new(path)
    }
}

impl Deref for RepoPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Whether a segment of a path is the name of a file or directory.
pub(super) fn is_name(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..") && !segment.contains('\0')
}

/// Whether a file system could open `.git` under this name, as git's `core.protectHFS` and `core.protectNTFS` decide
/// it: without regard to case and invisible characters, with dots, spaces or a stream after it, or as `git~1`.
pub fn is_git_directory(name: &str) -> bool {
    let is_visible = |c: &char| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}');
    // NTFS reads a backslash as a separator, and the rest after a colon as a stream.
    name.split('\\').any(|part| {
        let part = part.split(':').next().unwrap_or_default();
        let part: String = part.chars().filter(is_visible).collect();
        let part = part.trim_end_matches(['.', ' ']);
        part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case("git~1")
    })
}

/// The folders that a path is in, the nearest first; `""` is the root.
pub(super) fn parent_folders(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    std::iter::from_fn(move || {
        let parent = rest?.rsplit_once('/').map(|(parent, _)| parent);
        rest = parent;
        Some(parent.unwrap_or_default())
    })
}

/// Joins a directory, `""` for the root, and a name.
pub fn join_path(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => [folder, "/", name].concat(),
    }
}

/// The name of the part of a language, `""` for that of the source texts.
pub fn part_name(code: &str) -> String {
    [&PART[1..], code].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_in_the_repository() {
        for path in ["en.json", "a/b/en.json", "a/..b/c", ".github/x", "a b/c."] {
            assert_eq!(&*RepoPath::new(path).unwrap(), path);
        }
        assert_eq!(RepoPath::new(""), Err(RepoPathError::Empty));
        for path in [
            "/proc/self/environ",
            "../en.json",
            "a/../../en.json",
            "./a",
            "a//b",
            "a/",
            "a\0b",
        ] {
            let error = RepoPath::new(path).unwrap_err();
            assert!(matches!(error, RepoPathError::NotRelative(_)), "{path:?}");
        }
    }

    #[test]
    fn no_spelling_of_gits_directory_is_a_path() {
        for name in GIT_DIRECTORIES {
            assert!(is_git_directory(name), "{name:?}");
            let error = RepoPath::new(&format!("a/{name}/config")).unwrap_err();
            assert!(matches!(error, RepoPathError::GitDirectory(_)), "{name:?}");
        }
        for name in [
            ".github",
            ".gitignore",
            "git",
            "git~2",
            "x.git",
            ".git2",
            "a.git.",
        ] {
            assert!(!is_git_directory(name), "{name:?}");
        }
    }

    const GIT_DIRECTORIES: [&str; 12] = [
        ".git",
        ".GIT",
        ".Git",
        "git~1",
        "GIT~1",
        ".git.",
        ".git ",
        ".git . .",
        ".git::$INDEX_ALLOCATION",
        ".git\\config",
        ".g\u{200c}it",
        "\u{feff}.git",
    ];
}
