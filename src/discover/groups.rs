//! Detects directories of languages whose files are one string each: texts of app stores.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates;
use super::codes::most_certain_template;
use super::component::DetectedComponent;
use super::content::ContentCache;
use super::error::DiscoverError;
use super::tree_file::{TreeFile, split};
use gitglot_model::{FileFormat, FileMask, GroupsAt, PLURALS_ENDING, is_language_code};

/// Names of files that only texts of app stores have.
const STORE_TEXTS: [&str; 8] = [
    "title.txt",
    "short_description.txt",
    "full_description.txt",
    "description.txt",
    "name.txt",
    "subtitle.txt",
    "keywords.txt",
    "release_notes.txt",
];

/// The components of directories with texts of app stores. The source texts are English.
pub(super) fn components(
    files: &[TreeFile],
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let mut languages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        if let Some((folder, code)) = store_folder(&file.path) {
            languages.entry(folder).or_default().insert(code);
        }
    }
    let found = languages.into_iter().filter_map(|(folder, codes)| {
        let mask = [folder, "/*/**"].concat();
        let Some(source) = most_certain_template(codes.iter().copied()) else {
            let reason =
                "left out: it has no directory with English texts, such as en-US; set the template";
            contents.leave_out(mask, reason.to_owned());
            return None;
        };
        if codes.len() < 2 {
            let reason = "left out: it has only the source language";
            contents.leave_out(mask, reason.to_owned());
            return None;
        }
        Some(DetectedComponent::new(
            FileMask::new(&mask).ok()?,
            [folder, "/", source].concat(),
            FileFormat::AppStore,
        ))
    });
    found.collect()
}

/// Adds files for plurals to the components of the strings files that they are next to.
pub(super) fn add_plurals(found: &mut Vec<DetectedComponent>, files: &[TreeFile]) {
    let endings = [FileFormat::AppleStrings, FileFormat::Stringsdict].map(FileFormat::extension);
    // By directory and by name: the asterisk of a mask is in one of them.
    let mut by_part: BTreeMap<&str, Vec<&TreeFile>> = BTreeMap::new();
    for file in files {
        if endings.iter().any(|ending| file.path.ends_with(ending)) {
            let (folder, name) = split(&file.path);
            for part in [folder, name] {
                by_part.entry(part).or_default().push(file);
            }
        }
    }
    let near = |mask: &FileMask| {
        let (folder, name) = split(mask.as_str());
        let part = if name.contains('*') { folder } else { name };
        by_part.get(part).map_or(&[][..], Vec::as_slice)
    };
    let mut taken = BTreeSet::new();
    let tables = found.iter_mut();
    for component in tables.filter(|component| component.file_format == FileFormat::AppleStrings) {
        let mask = component.filemask.as_str();
        let (Ok(next), Ok(both)) = (
            FileMask::new(&[mask, PLURALS_ENDING].concat()),
            FileMask::new(&[mask, "**"].concat()),
        ) else {
            continue;
        };
        let has_plurals = |file: &&TreeFile| next.matches(&file.path).is_some();
        // Groups have codes of languages only. Files in `Base.lproj` have no language.
        let is_kept = |file: &&TreeFile| {
            let code = component.filemask.matches(&file.path);
            code.is_none_or(|code| code == "Base" || is_language_code(code))
        };
        if near(&next).iter().any(has_plurals)
            && both.check_format(component.file_format).is_ok()
            && near(&component.filemask).iter().all(is_kept)
        {
            taken.insert(next.as_str().to_owned());
            component.filemask = both;
        }
    }
    found.retain(|component| !taken.contains(component.filemask.as_str()));
}

/// The directory with a directory for each language that a file is in, and its language, if it is a text of an app store.
fn store_folder(path: &str) -> Option<(&str, &str)> {
    let (folders, name) = path.rsplit_once('/')?;
    let (folder, code) = folders.rsplit_once('/')?;
    let is_text = STORE_TEXTS.contains(&name) && is_language_code(code);
    (is_text && candidates::is_literal(path)).then_some((folder, code))
}

/// The component of a mask with groups.
pub(super) fn of_mask(
    mask: &FileMask,
    template: Option<&str>,
    format: Option<FileFormat>,
    files: &[TreeFile],
) -> Result<DetectedComponent, DiscoverError> {
    let file_format = format.unwrap_or(if mask.has_tables() {
        FileFormat::AppleStrings
    } else {
        FileFormat::Document
    });
    let mask = mask.of_format(file_format);
    mask.check_format(file_format)?;
    let codes_of = |groups: &GroupsAt| -> BTreeSet<String> {
        let place = |file: &TreeFile| {
            let (code, _) = groups.folder.place(groups.inner(&file.path)?)?;
            file_format.has_name(&file.path).then(|| code.to_owned())
        };
        files.iter().filter_map(place).collect()
    };
    let found =
        |template: &str| DetectedComponent::new(mask.clone(), template.to_owned(), file_format);
    let groups = mask.groups("");
    let codes: BTreeSet<String> = groups.iter().take(1).flat_map(codes_of).collect();
    if codes.is_empty() {
        return Err(DiscoverError::NoFile(mask.as_str().to_owned()));
    }
    if let Some(template) = template {
        let source = mask.groups(template);
        let code = mask.source_path(template);
        let is_there = match mask.matches(&code) {
            Some(code) => codes.contains(code),
            None => source.last().is_some_and(|name| !codes_of(name).is_empty()),
        };
        return if is_there {
            Ok(found(template))
        } else {
            Err(DiscoverError::NoTemplate(template.to_owned()))
        };
    }
    let Some(source) = most_certain_template(codes.iter().map(String::as_str)) else {
        return Err(DiscoverError::TemplateUnknown(mask.as_str().to_owned()));
    };
    Ok(found(&gitglot_model::file_of_part(&mask.with_code(source))))
}
