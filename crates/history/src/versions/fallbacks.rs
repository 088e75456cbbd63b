//! Finds the version that is used in place of a broken one (docs/spec/change-log.md#broken-files).

use std::ops::Range;

use super::parsed::{Version, Versions};
use crate::files::ancestor_lookup::AncestorLookup;
use crate::files::trees::{FileSetIndex, LanguageIndex};
use crate::graph::walk::{Graph, NodeIndex};
use gitglot_git::GitError;
use gitglot_model::{BlobId, SeededMap, SeededSet};

/// For each commit and language whose file is broken: the blob of the version that replaces it, if any.
pub type Fallbacks = SeededMap<(NodeIndex, LanguageIndex), Option<BlobId>>;

/// The broken versions of a step so far, and their replacements.
#[derive(Default)]
pub struct BrokenVersions {
    blobs: SeededSet<BlobId>,
    pub fallbacks: Fallbacks,
}

/// Adds the fallbacks of a window of mainline commits, given all versions that the window compares.
///
/// A broken file keeps the version of the first parent; at a merge, of the first parent that has the same blob.
pub fn find(
    graph: &Graph,
    window: Range<usize>,
    sets: &[Option<FileSetIndex>],
    versions: &Versions,
    lookup: &mut AncestorLookup<'_>,
    broken: &mut BrokenVersions,
) -> Result<(), GitError> {
    let BrokenVersions { blobs, fallbacks } = broken;
    let before = blobs.len();
    let in_window = versions.iter();
    let in_window = in_window.filter(|(_, version)| matches!(version, Version::Broken));
    blobs.extend(in_window.map(|(blob, _)| *blob));
    if blobs.is_empty() {
        return Ok(());
    }
    // Commits of earlier windows may have the blobs that turned out to be broken now.
    let has_more = blobs.len() > before;
    let first = if has_more { 0 } else { window.start };
    let known_commits = graph.new_count as NodeIndex..graph.nodes.len() as NodeIndex;
    for node in known_commits.chain(graph.writing_order_of(first..window.end)) {
        let Some(set) = sets[node as usize] else {
            continue;
        };
        for (language, file) in lookup.trees.sets[set as usize].files.clone() {
            let blob = lookup.trees.files[file as usize].blob;
            if !blobs.contains(&blob) || fallbacks.contains_key(&(node, language)) {
                continue;
            }
            let fallback = if graph.is_new(node) {
                let blob_at = |node: NodeIndex| {
                    let file = lookup.trees.sets[sets[node as usize]? as usize].file(language)?;
                    Some(lookup.trees.files[file as usize].blob)
                };
                let parents = &graph.node(node).parents;
                let mut with_same = parents.iter();
                let same = with_same.find(|&&parent| blob_at(parent) == Some(blob));
                let parent = same.or(parents.first());
                parent.and_then(|&parent| match blob_at(parent)? {
                    broken if blobs.contains(&broken) => {
                        fallbacks.get(&(parent, language)).copied().flatten()
                    }
                    readable => Some(readable),
                })
            } else {
                lookup.last_readable(graph.node(node).commit.id, language)?
            };
            fallbacks.insert((node, language), fallback);
        }
    }
    Ok(())
}
