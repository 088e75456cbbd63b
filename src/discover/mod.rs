//! Which files of a tree are translations: masks, templates and formats, found out from names and content.
//!
//! Every path is tried with `*` in place of each of its parts; a mask is a component when what `*` stands for are
//! languages and one of its files is what the others are translated from. Knows neither git nor HTTP: it is given
//! paths, and reads blobs through a closure.

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

/// JSON files that are looked at. Nobody has so many translations, but folders that stand within each other many times
/// can be written down in a few bytes.
const MOST_FILES: usize = 100_000;

/// A regular file of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The path from the repository's root.
    pub path: String,
    /// What is in it.
    pub blob: BlobId,
}

/// Gives the bytes of a blob; `None` when it cannot be read.
pub type ReadBlob<'a> = &'a mut dyn FnMut(BlobId) -> Option<Vec<u8>>;

/// Files that belong together as one component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Which files.
    pub filemask: FileMask,
    /// The file with the source texts.
    pub template: String,
    /// How they are written.
    pub file_format: FileFormat,
    /// How many languages there are, the source language included.
    pub languages: usize,
}

/// The components that the files make, ordered by mask. No file stands in two of them.
pub fn find(files: &[File], read: ReadBlob<'_>) -> Vec<Found> {
    let mut contents = Contents::new(read);
    let sources = find_among(files, candidates::is_source, &mut contents);
    if !sources.is_empty() {
        return sources;
    }
    // What a build made is worth serving when there is nothing that it was made from.
    find_among(files, candidates::is_own, &mut contents)
}

fn find_among(files: &[File], counts: fn(&str) -> bool, contents: &mut Contents<'_>) -> Vec<Found> {
    let files: Vec<&File> = files.iter().filter(|file| counts(&file.path)).take(MOST_FILES).collect();
    let mut candidates = candidates::of(&files);
    // A path can be read in several ways; the one that makes most languages is right.
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
    let beside = candidates::file_beside(&candidate.mask);
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
