//! Detects the translation files of a tree: file masks, templates and formats.
//!
//! Tries `*` in place of each part of each path. A mask makes a component if `*` matches language codes and one of
//! the files is the source of the others. Must not depend on git or HTTP: gets paths, and a closure that reads blobs.

mod candidates;
mod codes;
mod content;
mod describe;
mod template;

use std::collections::HashSet;

pub use describe::{DiscoverError, describe};

use crate::model::{BlobId, FileFormat, FileMask};
use candidates::Candidate;
use content::Contents;

/// Limit on files to examine. A small repository can have a huge tree of repeated directories.
const MAX_FILES: usize = 100_000;

/// A regular file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The path from the repository's root.
    pub path: String,
    /// Its content.
    pub blob: BlobId,
}

/// Returns the bytes of a blob; `None` if it cannot be read.
pub type ReadBlob<'a> = &'a mut dyn FnMut(BlobId) -> Option<Vec<u8>>;

/// A detected component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
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
pub fn find(files: &[File], read: ReadBlob<'_>) -> Vec<Found> {
    let mut contents = Contents::new(read);
    let sources = find_among(files, candidates::is_source, &mut contents);
    if !sources.is_empty() {
        return sources;
    }
    // Without sources, use the files of build directories.
    find_among(files, candidates::is_own, &mut contents)
}

fn find_among(files: &[File], counts: fn(&str) -> bool, contents: &mut Contents<'_>) -> Vec<Found> {
    let files: Vec<&File> = files.iter().filter(|file| counts(&file.path)).take(MAX_FILES).collect();
    let mut candidates = candidates::of(&files);
    // If a path fits several masks, the mask with most languages wins.
    candidates.sort_by(|a, b| b.languages.cmp(&a.languages).then_with(|| a.mask.cmp(&b.mask)));
    let mut taken: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for candidate in candidates {
        let free = candidate.members.iter().all(|member| !taken.contains(&member.file));
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

fn component(candidate: &Candidate, files: &[&File], contents: &mut Contents<'_>) -> Option<Found> {
    let filemask = FileMask::new(&candidate.mask).ok()?;
    let members: Vec<_> =
        candidate.members.iter().filter_map(|member| Some((*files.get(member.file)?, member.code))).collect();
    let beside = candidates::unnamed_template(&candidate.mask);
    let beside = beside.and_then(|path| files.iter().copied().find(|file| file.path == path));
    let template = template::choose(&members, beside, candidate.in_locale_folder, contents)?;
    let file_format = contents.of(template.blob)?.format;
    let others = members.iter().map(|(file, _)| *file).filter(|file| file.path != template.path);
    if candidate.languages < 2 && !candidate.in_locale_folder && beside.is_none() {
        return None;
    }
    template::is_translated_by(template, others, contents).then(|| Found {
        filemask,
        template: template.path.clone(),
        file_format,
        languages: candidate.languages,
    })
}

#[cfg(test)]
mod tests;
