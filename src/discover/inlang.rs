//! The settings of an inlang project, `project.inlang/settings.json` (`docs/spec/formats.md#inlang`).

use serde_json::Value;

use super::content::ContentCache;
use super::tree_file::{FileLookup, folders_above, split};

/// The place of the settings in the folder from which their patterns begin.
const SETTINGS: &str = "project.inlang/settings.json";

/// The most bytes of the settings that are read.
const MAX_SETTINGS: usize = 64 << 10;

/// The plugin that reads messages of inlang itself; others read other formats.
const MESSAGE_FORMAT: &str = "plugin.inlang.messageFormat";

/// What settings say about the files of a mask.
pub(super) struct InlangFiles {
    /// The language of the template.
    pub(super) base: String,
    /// Whether the files have the format `inlang`.
    pub(super) has_messages: bool,
}

/// The settings of the nearest project above the files of a mask, if one of its patterns is the mask.
pub(super) fn of(
    mask: &str,
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Option<InlangFiles> {
    let (folder, _) = split(mask.split_once('*')?.0);
    let place = |folder: &str| [folder, SETTINGS].concat();
    let mut places = folders_above(folder);
    let (folder, file) = places.find_map(|folder| Some((folder, files.get(&place(folder))?)))?;
    let settings = contents.json(file, MAX_SETTINGS)?;
    let names = ["baseLocale", "sourceLanguageTag"];
    let base = names.iter().find_map(|name| settings.get(name)?.as_str())?;
    let is_mask = |pattern: &str| {
        let pattern = pattern.trim_start_matches("./");
        let pattern = ["{locale}", "{languageTag}"]
            .iter()
            .fold(pattern.to_owned(), |pattern, name| {
                pattern.replace(name, "*")
            });
        mask.strip_prefix(folder) == Some(&*pattern)
    };
    let members = settings.as_object()?.iter();
    let mut plugins = members.filter_map(|(name, plugin)| Some((name, plugin.get("pathPattern")?)));
    let (name, _) = plugins.find(|(_, patterns)| {
        let all: Vec<&Value> = match patterns {
            Value::Array(list) => list.iter().collect(),
            Value::Object(of_names) => of_names.values().collect(),
            single => vec![single],
        };
        all.into_iter().filter_map(Value::as_str).any(is_mask)
    })?;
    Some(InlangFiles {
        base: base.to_owned(),
        has_messages: name == MESSAGE_FORMAT,
    })
}
