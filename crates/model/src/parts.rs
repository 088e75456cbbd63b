//! The paths of the parts of files with several languages (docs/spec/change-log.md#parts).

use std::borrow::Cow;
use std::sync::Arc;

/// What follows the path of a file with several languages in the paths of its parts (docs/spec/change-log.md#parts), before
/// the code of the language. No name in git has a NUL.
pub(super) const PART: &str = "/\0";

/// The path of the file that a path is in: itself, unless it is that of a part.
pub fn file_of_part(path: &str) -> &str {
    path.split_once(PART).map_or(path, |(file, _)| file)
}

/// As [`file_of_part`], for shared paths.
pub fn shown_path(path: &Arc<str>) -> Arc<str> {
    match file_of_part(path) {
        file if file.len() < path.len() => file.into(),
        _ => path.clone(),
    }
}

/// A readable name of a path: itself, or that of a file with the language of the part.
pub fn name_of_part(path: &str) -> Cow<'_, str> {
    match path.split_once(PART) {
        Some((file, code)) => Cow::Owned(format!("{file} ({code})")),
        None => Cow::Borrowed(path),
    }
}

/// The name of the part of a language, `""` for that of the source texts.
pub fn part_name(code: &str) -> String {
    [&PART[1..], code].concat()
}
