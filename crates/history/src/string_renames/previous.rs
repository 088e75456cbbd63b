//! Strings whose files name their earlier source text (docs/spec/renames.md#previous-source).

use super::matching::Matching;
use super::similarity::best_by_votes;
use gitglot_model::{RenameEvidence, SeededMap};

/// Pairs strings of bilingual files with the removed one that most of the files name.
pub(super) fn match_previous_sources(matching: &mut Matching<'_>) {
    let input = matching.input;
    if !input.is_bilingual {
        return;
    }
    // None if several strings have the source.
    let mut by_source: SeededMap<u32, Option<usize>> = SeededMap::default();
    let mut by_context: SeededMap<(u32, &str), Option<usize>> = SeededMap::default();
    for (at, it) in input.removed.iter().enumerate() {
        if matching.to[at].is_none() && it.twin.is_none() {
            let one_or_none = |known: &mut Option<usize>| *known = None;
            let of_source = by_source.entry(it.source);
            of_source.and_modify(one_or_none).or_insert(Some(at));
            let of_context = by_context.entry((it.source, it.name));
            of_context.and_modify(one_or_none).or_insert(Some(at));
        }
    }
    if by_source.is_empty() {
        return;
    }
    let mut votes: SeededMap<(usize, usize), u32> = SeededMap::default();
    for (added, it) in input.added.iter().enumerate() {
        if matching.from[added].is_some() || it.twin.is_some() {
            continue;
        }
        for language in 0..input.languages {
            let source = (input.previous_source)(added, language);
            let removed = source.and_then(|source| {
                let of_context = by_context.get(&(source, it.name));
                *of_context.or_else(|| by_source.get(&source))?
            });
            if let Some(removed) = removed {
                *votes.entry((removed, added)).or_default() += 1;
            }
        }
    }
    let votes = votes.into_iter();
    let mut votes: Vec<_> = votes.map(|((old, new), count)| (old, new, count)).collect();
    votes.sort_unstable();
    for (removed, added) in best_by_votes(&votes) {
        matching.pair(removed, added, RenameEvidence::PreviousSource);
    }
}
