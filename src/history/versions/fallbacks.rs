//! Finds the version that is used in place of a broken one (docs/spec/change-log.md#broken-files).

use rustc_hash::FxHashMap;

use super::parsed::{Version, Versions};
use crate::git::GitError;
use crate::history::files::ancestor_lookup::AncestorLookup;
use crate::history::files::trees::{FileSetIndex, LanguageIndex};
use crate::history::graph::walk::{Graph, NodeIndex};
use crate::model::BlobId;

/// For each commit and language whose file is broken: the blob of the version that replaces it, if any.
pub type Fallbacks = FxHashMap<(NodeIndex, LanguageIndex), Option<BlobId>>;

/// Finds the fallbacks of a step, given all versions that the step compares.
///
/// A broken file keeps the version of the first parent; at a merge, of the first parent that has the same blob.
pub fn find(
    graph: &Graph,
    sets: &[Option<FileSetIndex>],
    versions: &Versions,
    lookup: &mut AncestorLookup<'_>,
) -> Result<Fallbacks, GitError> {
    let mut fallbacks = Fallbacks::default();
    if !versions
        .values()
        .any(|version| matches!(version, Version::Broken))
    {
        return Ok(fallbacks);
    }
    let known_commits = graph.new_count as NodeIndex..graph.nodes.len() as NodeIndex;
    for node in known_commits.chain(graph.writing_order()) {
        let Some(set) = sets[node as usize] else {
            continue;
        };
        for (language, file) in lookup.trees.sets[set as usize].files.clone() {
            let blob = lookup.trees.files[file as usize].blob;
            if !matches!(versions.get(&blob), Some(Version::Broken)) {
                continue;
            }
            let fallback = if graph.is_new(node) {
                let blob_at = |node: NodeIndex| {
                    let file = lookup.trees.sets[sets[node as usize]? as usize].file(language)?;
                    Some(lookup.trees.files[file as usize].blob)
                };
                let parents = &graph.node(node).parents;
                let same = parents
                    .iter()
                    .find(|&&parent| blob_at(parent) == Some(blob));
                same.or(parents.first())
                    .and_then(|&parent| match versions.get(&blob_at(parent)?) {
                        Some(Version::Parsed(_)) => blob_at(parent),
                        _ => fallbacks.get(&(parent, language)).copied().flatten(),
                    })
            } else {
                lookup.last_readable(graph.node(node).commit.id, language)?
            };
            fallbacks.insert((node, language), fallback);
        }
    }
    Ok(fallbacks)
}
