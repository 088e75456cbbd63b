//! The paths of the parts of files with several languages (docs/spec/change-log.md#parts).

use std::borrow::Cow;
use std::sync::Arc;

use super::group::shown_group;
use super::repo_path::PART;

/// The path that users see: that of the file of a part, of a group the directory of its files, else itself.
pub fn file_of_part(path: &str) -> Cow<'_, str> {
    if let Some(group) = shown_group(path) {
        return group.into();
    }
    path.split_once(PART).map_or(path, |(file, _)| file).into()
}

/// As [`file_of_part`], for shared paths.
pub fn shown_path(path: &Arc<str>) -> Arc<str> {
    match file_of_part(path) {
        Cow::Borrowed(file) if file.len() == path.len() => path.clone(),
        file => file.into(),
    }
}

/// A readable name of a path: as [`file_of_part`], for a part with its language.
pub fn name_of_part(path: &str) -> Cow<'_, str> {
    if let Some(group) = shown_group(path) {
        return group.into();
    }
    match path.split_once(PART) {
        Some((file, code)) => Cow::Owned(format!("{file} ({code})")),
        None => Cow::Borrowed(path),
    }
}
