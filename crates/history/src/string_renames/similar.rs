//! Strings with similar source texts and equal translations (docs/spec/renames.md#similar-source).

use super::matching::{Matching, RenameCandidate, RenameSide};
use super::similarity::{best_by_votes, similarity};
use gitglot_model::{RenameEvidence, SeededMap};

/// Least number of languages with equal texts; one is enough where a new source text makes a new key: in bilingual files, whose
/// tools carry a text only to a similar source, and if the keys are the source texts.
const MIN_LANGUAGES: u32 = 2;
const MIN_LANGUAGES_OF_SOURCES: u32 = 1;
/// Least similarity of two source texts.
const MIN_SIMILARITY: f64 = 0.5;
/// Texts that more strings of a language have are no evidence.
const MAX_EQUAL_TEXTS: usize = 4;
/// Most pairs of strings with equal texts that are considered.
const MAX_PAIRS: usize = 1 << 20;

/// Pairs strings without an equal source, of which the keys exist in one state only.
pub(super) fn match_similar_sources(matching: &mut Matching<'_>) {
    let votes = votes(matching);
    let input = matching.input;
    let is_source = |it: &RenameCandidate<'_>| it.name == (input.text)(it.source);
    let mut supported = Vec::new();
    for (removed, added, count) in votes {
        let are_sources = || is_source(&input.removed[removed]) && is_source(&input.added[added]);
        let min_languages = if input.is_bilingual || are_sources() {
            MIN_LANGUAGES_OF_SOURCES
        } else {
            MIN_LANGUAGES
        };
        let can = count >= min_languages && matching.can_compare(1);
        // In bilingual files, other languages may have texts for the new source already.
        if can && (input.is_bilingual || matching.agreement(removed, added).supports()) {
            supported.push((removed, added, count));
        }
    }
    for (removed, added) in best_by_votes(&supported) {
        if has_similar_sources(matching, removed, added) {
            matching.pair(removed, added, RenameEvidence::Translations);
        }
    }
}

/// The pairs of strings that have equal texts, each with the number of languages, in order.
fn votes(matching: &Matching<'_>) -> Vec<(usize, usize, u32)> {
    let input = matching.input;
    let is_free_removed =
        |at: &usize| matching.to[*at].is_none() && input.removed[*at].twin.is_none();
    let is_free_added =
        |at: &usize| matching.from[*at].is_none() && input.added[*at].twin.is_none();
    let free_removed: Vec<usize> = (0..input.removed.len()).filter(is_free_removed).collect();
    let free_added: Vec<usize> = (0..input.added.len()).filter(is_free_added).collect();
    let mut counts: SeededMap<(usize, usize), u32> = SeededMap::default();
    if free_removed.is_empty() || free_added.is_empty() {
        return Vec::new();
    }
    for language in 0..input.languages {
        // A copy of the source is no evidence.
        let text = |side, at: usize, source: u32| {
            (input.translation)(side, at, language).filter(|&text| text != source)
        };
        let mut by_text: SeededMap<u32, Vec<usize>> = SeededMap::default();
        for &added in &free_added {
            if let Some(text) = text(RenameSide::After, added, input.added[added].source) {
                by_text.entry(text).or_default().push(added);
            }
        }
        let mut uses: SeededMap<u32, usize> = SeededMap::default();
        let removed_text = |at: usize| text(RenameSide::Before, at, input.removed[at].source);
        for text in free_removed.iter().filter_map(|&at| removed_text(at)) {
            *uses.entry(text).or_default() += 1;
        }
        for &removed in &free_removed {
            let Some(text) = removed_text(removed) else {
                continue;
            };
            let is_rare = uses
                .get(&text)
                .is_some_and(|&count| count <= MAX_EQUAL_TEXTS);
            let candidates = by_text.get(&text).filter(|_| is_rare);
            let found = candidates.filter(|candidates| candidates.len() <= MAX_EQUAL_TEXTS);
            for &added in found.into_iter().flatten() {
                if counts.len() < MAX_PAIRS || counts.contains_key(&(removed, added)) {
                    *counts.entry((removed, added)).or_default() += 1;
                }
            }
        }
    }
    let votes = counts.into_iter();
    let votes = votes.map(|((removed, added), count)| (removed, added, count));
    let mut votes: Vec<_> = votes.collect();
    votes.sort_unstable();
    votes
}

fn has_similar_sources(matching: &Matching<'_>, removed: usize, added: usize) -> bool {
    let source = |it: &RenameCandidate<'_>| (matching.input.text)(it.source);
    let before = source(&matching.input.removed[removed]);
    similarity(before, source(&matching.input.added[added])) >= MIN_SIMILARITY
}
