//! What the windows of a step use: the strings of their commits, and the versions that later windows need again.

use std::ops::Range;

use super::files::trees::LanguageIndex;
use super::log::context::StepContext;
use super::versions::parsed::Vocabulary;
use super::versions::union::{UnionBuilder, Unions};
use gitglot_model::{BlobId, SeededSet};

/// The strings of all commits that a window of a component without a template compares.
pub fn unions(
    context: &StepContext<'_>,
    window: Range<usize>,
    builder: &mut UnionBuilder,
    vocabulary: &mut Vocabulary,
) -> Unions {
    let mut unions = Unions::default();
    for commit in &context.commits.graph.mainline[window] {
        let sides = commit.side_commits.iter();
        let sides = sides.flat_map(|&side| context.first_parent(side).into_iter().chain([side]));
        for node in commit.base.into_iter().chain(sides).chain([commit.node]) {
            if unions.contains_key(&node) {
                continue;
            }
            let set = context.set(Some(node));
            let files = set.map(|set| &*set.files).unwrap_or_default().iter();
            let version = |&(language, _): &(LanguageIndex, _)| {
                Some((language, context.version(Some(node), language)?.clone()))
            };
            let union = builder.union(files.filter_map(version).collect(), vocabulary);
            unions.extend(union.map(|union| (node, union)));
        }
    }
    unions
}

/// The versions that a window and those after it use again: those of the mainline commit before it, and all that
/// replace broken ones.
pub fn needed_later(context: &StepContext<'_>, next: usize) -> SeededSet<BlobId> {
    let mainline = &context.commits.graph.mainline;
    let base = mainline.get(next).and_then(|commit| commit.base);
    let files = context.set(base).map(|set| &*set.files).unwrap_or_default();
    let fallbacks = context.fallbacks.values().flatten().copied();
    let files = files.iter().map(|&(_, file)| context.blob(file));
    files.chain(fallbacks).collect()
}
