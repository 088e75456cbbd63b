//! Finds strings that got a new key between two states (docs/spec/renames.md).
//!
//! Pure: compares what it is given, and knows neither files nor logs. Time and memory are linear in the texts of the
//! removed and added strings.

mod equal;
mod long;
mod previous;
mod similar;
mod similarity;

use gitglot_model::{RenameEvidence, SeededMap};

/// A string of which the key disappears or appears.
#[derive(Clone, Copy, Debug)]
pub struct RenameCandidate<'a> {
    /// The key as people see it.
    pub name: &'a str,
    /// A number of its source text: equal texts have equal numbers.
    pub source: u32,
    /// Of a key that exists in both states with different source texts: its index on the other side.
    pub twin: Option<usize>,
}

/// Which state a string belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RenameSide {
    /// The older state.
    Before,
    /// The newer state.
    After,
}

/// The strings that a change removes and adds, and their texts.
pub struct RenameInput<'a> {
    /// The removed strings in the order of the file, kept ones included.
    pub removed: &'a [RenameCandidate<'a>],
    /// The added strings in the order of the file, kept ones included.
    pub added: &'a [RenameCandidate<'a>],
    /// Number of languages, without the source language.
    pub languages: usize,
    /// The number of the text of a string, by its index, in a language; `None` if there is none.
    pub translation: &'a dyn Fn(RenameSide, usize, usize) -> Option<u32>,
    /// The number of the source text that the file of a language names as the earlier one of an added string.
    pub previous_source: &'a dyn Fn(usize, usize) -> Option<u32>,
    /// The text of a number.
    pub text: &'a dyn Fn(u32) -> &'a str,
    /// Whether the files are bilingual, so that tools carry texts to similar sources.
    pub is_bilingual: bool,
}

/// The numbers of texts: equal texts have equal numbers.
#[derive(Default)]
pub struct TextNumbers<'a> {
    numbers: SeededMap<&'a str, u32>,
    texts: Vec<&'a str>,
}

impl<'a> TextNumbers<'a> {
    /// The number of a text.
    pub fn number(&mut self, text: &'a str) -> u32 {
        *self.numbers.entry(text).or_insert_with(|| {
            self.texts.push(text);
            self.texts.len() as u32 - 1
        })
    }

    /// The text of a number from [`Self::number`].
    pub fn text(&self, number: u32) -> &'a str {
        self.texts[number as usize]
    }
}

/// The strings that a change removes or adds, with their texts.
#[derive(Default)]
pub struct CandidateTexts<'a> {
    /// The strings, in the order of the files.
    pub candidates: Vec<RenameCandidate<'a>>,
    /// The number of the text of each string in each language; `None` if there is none.
    pub texts: Vec<Vec<Option<u32>>>,
}

impl<'a> CandidateTexts<'a> {
    /// Finds those of the removed strings that have a new key among the added ones.
    pub fn renames(
        removed: &Self,
        added: &Self,
        numbers: &TextNumbers<'a>,
        is_bilingual: bool,
    ) -> Vec<StringRename> {
        let texts = removed.texts.iter().chain(&added.texts);
        find_string_renames(&RenameInput {
            removed: &removed.candidates,
            added: &added.candidates,
            languages: texts.map(Vec::len).max().unwrap_or_default(),
            translation: &|side, at, language| {
                let of = match side {
                    RenameSide::Before => removed,
                    RenameSide::After => added,
                };
                *of.texts.get(at)?.get(language)?
            },
            previous_source: &|_, _| None,
            text: &|number| numbers.text(number),
            is_bilingual,
        })
    }
}

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
    matching.match_equal_sources();
    matching.match_previous_sources();
    matching.match_long_sources();
    matching.match_similar_sources();
    matching.match_kept_keys();
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

/// Most texts that are compared to choose between pairs.
const MAX_COMPARED: usize = 16 << 20;

/// The renames found so far.
struct Matching<'a> {
    input: &'a RenameInput<'a>,
    /// The added string of each removed one.
    to: Vec<Option<usize>>,
    /// The removed string of each added one.
    from: Vec<Option<(usize, RenameEvidence)>>,
    /// Texts that may still be compared for pairs.
    budget: usize,
}

/// In how many languages two strings have equal and different texts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Agreement {
    equal: u32,
    different: u32,
}

impl Agreement {
    /// Whether texts speak for one string.
    fn supports(self) -> bool {
        self.equal > self.different
    }

    fn contradicts(self) -> bool {
        self.different > self.equal
    }
}

impl Matching<'_> {
    fn pair(&mut self, removed: usize, added: usize, evidence: RenameEvidence) {
        self.to[removed] = Some(added);
        self.from[added] = Some((removed, evidence));
    }

    fn agreement(&self, removed: usize, added: usize) -> Agreement {
        let mut found = Agreement::default();
        for language in 0..self.input.languages {
            let text = |side, at| (self.input.translation)(side, at, language);
            let texts = (
                text(RenameSide::Before, removed),
                text(RenameSide::After, added),
            );
            if let (Some(before), Some(after)) = texts {
                found.equal += u32::from(before == after);
                found.different += u32::from(before != after);
            }
        }
        found
    }

    /// Spends the budget for a number of pairs.
    fn can_compare(&mut self, pairs: usize) -> bool {
        self.can_compare_keys(pairs, 0)
    }

    /// Spends the budget for a number of pairs, of which also the keys are compared, up to this length.
    fn can_compare_keys(&mut self, pairs: usize, length: usize) -> bool {
        // Eight characters of a key take as long as a text, which is a number.
        let of_keys = length.min(similarity::MAX_COMPARED) / 8;
        let cost = pairs.saturating_mul(self.input.languages + 1 + of_keys);
        let can = cost <= self.budget;
        if can {
            self.budget -= cost;
        }
        can
    }

    /// Pairs keys that exist before and after but exchange their strings. Such a key is both renamed and the new name
    /// of a string, else it only has a new text.
    fn match_kept_keys(&mut self) {
        let input = self.input;
        let has_kept =
            |list: &[RenameCandidate<'_>]| list.iter().any(|candidate| candidate.twin.is_some());
        if !has_kept(input.removed) || !has_kept(input.added) {
            return;
        }
        self.match_exchanged();
        let mut unchecked: Vec<usize> = (0..input.added.len()).collect();
        while let Some(added) = unchecked.pop() {
            let Some((removed, _)) = self.from[added] else {
                continue;
            };
            let (old, new) = (input.removed[removed].twin, input.added[added].twin);
            let is_reused = old.is_none_or(|twin| self.from[twin].is_some());
            let is_renamed = new.is_none_or(|twin| self.to[twin].is_some());
            if is_reused && is_renamed {
                continue;
            }
            self.from[added] = None;
            self.to[removed] = None;
            // The renames that needed this one.
            unchecked.extend(old);
            unchecked.extend(new.and_then(|twin| self.to[twin]));
        }
    }
}

#[cfg(test)]
mod tests;
