//! Detects the translation files of a tree: file masks, templates and formats.
//!
//! Tries `*` in place of each part of each path. A mask makes a component if `*` matches language codes and one of
//! the files is the source of the others. Must not depend on git or HTTP: gets paths, and a closure that reads blobs.

mod candidates;
mod codes;
mod content;
mod describe;
mod dialect;
mod expand;
mod report;
mod survey;
mod template;

use std::collections::HashSet;

pub use content::UnreadableFiles;
pub use describe::{DiscoverError, describe};
pub use expand::expand;
pub use report::{DiscoverReport, report};
pub use survey::Survey;

use crate::model::{BlobId, FileFormat, FileMask};
use candidates::Candidate;
use content::ContentCache;

/// Limit on files to examine. A small repository can have a huge tree of repeated directories.
const MAX_FILES: usize = 100_000;

/// A regular file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeFile {
    /// The path from the repository's root.
    pub path: String,
    /// Its content.
    pub blob: BlobId,
}

/// Returns the bytes of a blob; `None` if it cannot be read.
pub type ReadBlob<'a> = &'a mut dyn FnMut(BlobId) -> Option<Vec<u8>>;

/// A detected component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DetectedComponent {
    /// The pattern of its files.
    pub filemask: FileMask,
    /// The path of the template.
    pub template: String,
    /// The format of its files.
    pub file_format: FileFormat,
    /// Number of languages, including the source language.
    pub languages: usize,
}

/// Detects components, ordered by mask. No file is part of two components.
pub fn find(files: &[TreeFile], read: ReadBlob<'_>) -> Vec<DetectedComponent> {
    survey(files, read).0
}

/// Detects components as [`find`] does, and reports the other files.
pub fn survey(files: &[TreeFile], read: ReadBlob<'_>) -> (Vec<DetectedComponent>, Survey) {
    let mut contents = ContentCache::new(read);
    let found = find_with(files, &mut contents);
    let broken = std::mem::take(&mut contents.broken_templates);
    let unreadable = std::mem::take(&mut contents.unreadable)
        .into_iter()
        .filter(|(path, _)| in_masks(path, &found) || broken.contains(path));
    let survey = Survey::of(files, unreadable.collect());
    (found, survey)
}

/// Whether a broken file matters: it belongs to a component, or nothing was found.
fn in_masks(path: &str, found: &[DetectedComponent]) -> bool {
    found.is_empty()
        || found
            .iter()
            .any(|it| it.filemask.matches(path).is_some() || it.template == path)
}

fn find_with(files: &[TreeFile], contents: &mut ContentCache<'_>) -> Vec<DetectedComponent> {
    let sources = find_among(files, candidates::is_source, contents);
    if !sources.is_empty() {
        return sources;
    }
    // Without sources, use the files of build directories.
    find_among(files, candidates::is_own, contents)
}

fn find_among(
    files: &[TreeFile],
    counts: fn(&str) -> bool,
    contents: &mut ContentCache<'_>,
) -> Vec<DetectedComponent> {
    let files: Vec<&TreeFile> = files
        .iter()
        .filter(|file| counts(&file.path))
        .take(MAX_FILES)
        .collect();
    let mut candidates = candidates::of(&files);
    // If a path fits several masks, the mask with most languages wins.
    candidates.sort_by(|a, b| {
        b.languages
            .cmp(&a.languages)
            .then_with(|| a.mask.cmp(&b.mask))
    });
    let mut taken: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for candidate in candidates {
        let free = candidate
            .members
            .iter()
            .all(|member| !taken.contains(&member.file));
        if !free {
            continue;
        }
        if let Some(component) = component(&candidate, &files, contents) {
            taken.extend(candidate.members.iter().map(|member| member.file));
            found.push(component);
        }
    }
    found.sort_by(|a, b| a.filemask.as_str().cmp(b.filemask.as_str()));
    found
}

fn component(
    candidate: &Candidate,
    files: &[&TreeFile],
    contents: &mut ContentCache<'_>,
) -> Option<DetectedComponent> {
    let filemask = FileMask::new(&candidate.mask).ok()?;
    let members: Vec<_> = candidate
        .members
        .iter()
        .filter_map(|member| Some((*files.get(member.file)?, member.code)))
        .collect();
    let unnamed = candidates::unnamed_template(&candidate.mask);
    let unnamed = unnamed.and_then(|path| files.iter().copied().find(|file| file.path == path));
    let template = template::choose(&members, unnamed, candidate.in_locale_folder, contents)?;
    let file_format = format_of(template, &members, contents)?;
    let others = members
        .iter()
        .map(|(file, _)| *file)
        .filter(|file| file.path != template.path);
    if candidate.languages < 2 && !candidate.in_locale_folder && unnamed.is_none() {
        return None;
    }
    template::is_translated_by(template, others, contents).then(|| DetectedComponent {
        filemask,
        template: template.path.clone(),
        file_format,
        languages: candidate.languages,
    })
}

/// The format of a template. Its encoding may show only in a translation.
fn format_of(
    template: &TreeFile,
    members: &[(&TreeFile, &str)],
    contents: &mut ContentCache<'_>,
) -> Option<FileFormat> {
    let format = contents.of(template)?.format;
    if format != FileFormat::Properties {
        return Some(format);
    }
    let mut formats = members
        .iter()
        .take(template::SAMPLE)
        .filter_map(|(file, _)| Some(contents.of(file)?.format));
    Some(
        formats
            .find(|format| *format == FileFormat::PropertiesUtf8)
            .unwrap_or(format),
    )
}

#[cfg(test)]
mod layout_tests;
#[cfg(test)]
mod tests;
