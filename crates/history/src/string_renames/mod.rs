//! Finds strings that got a new key between two states (docs/spec/renames.md).
//!
//! Pure: compares what it is given, and knows neither files nor logs. Time and memory are linear in the texts of the
//! removed and added strings.

mod equal;
mod long;
mod matching;
mod previous;
mod similar;
mod similarity;

use equal::{match_equal_sources, match_exchanged};
use long::match_long_sources;
use matching::{MAX_COMPARED, Matching};
pub use matching::{RenameCandidate, RenameInput, RenameSide};
use previous::match_previous_sources;
use similar::match_similar_sources;

use gitglot_model::RenameEvidence;

/// A removed and an added string that are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StringRename {
    /// Index of the removed string.
    pub removed: usize,
    /// Index of the added string.
    pub added: usize,
    /// Why.
    pub evidence: RenameEvidence,
    /// Number of languages in which the new key has the text of the old one.
    pub languages: u32,
}

/// Finds renamed strings, in the order of the added ones.
pub fn find_string_renames<'a>(input: &'a RenameInput<'a>) -> Vec<StringRename> {
    let mut matching = Matching {
        input,
        to: vec![None; input.removed.len()],
        from: vec![None; input.added.len()],
        budget: MAX_COMPARED,
    };
    match_equal_sources(&mut matching);
    match_previous_sources(&mut matching);
    match_long_sources(&mut matching);
    match_similar_sources(&mut matching);
    match_kept_keys(&mut matching);
    let pairs = matching.from.iter().enumerate();
    let pairs = pairs.filter_map(|(added, from)| from.map(|(removed, why)| (removed, added, why)));
    let rename = |(removed, added, evidence)| StringRename {
        removed,
        added,
        evidence,
        languages: matching.agreement(removed, added).equal,
    };
    pairs.map(rename).collect()
}

/// Pairs keys that exist before and after but exchange their strings. Such a key is both renamed and the new name
/// of a string, else it only has a new text.
fn match_kept_keys(matching: &mut Matching<'_>) {
    let input = matching.input;
    let has_kept = |list: &[RenameCandidate<'_>]| list.iter().any(|string| string.twin.is_some());
    if !has_kept(input.removed) || !has_kept(input.added) {
        return;
    }
    match_exchanged(matching);
    let mut unchecked: Vec<usize> = (0..input.added.len()).collect();
    while let Some(added) = unchecked.pop() {
        let Some((removed, _)) = matching.from[added] else {
            continue;
        };
        let (old, new) = (input.removed[removed].twin, input.added[added].twin);
        let is_reused = old.is_none_or(|twin| matching.from[twin].is_some());
        let is_renamed = new.is_none_or(|twin| matching.to[twin].is_some());
        if is_reused && is_renamed {
            continue;
        }
        matching.from[added] = None;
        matching.to[removed] = None;
        // The renames that needed this one.
        unchecked.extend(old);
        unchecked.extend(new.and_then(|twin| matching.to[twin]));
    }
}

#[cfg(test)]
mod tests;
