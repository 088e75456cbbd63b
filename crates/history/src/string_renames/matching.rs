//! The removed and added strings that are compared, and their pairs.

use super::similarity::MAX_COMPARED_CHARS;
use gitglot_model::RenameEvidence;

/// Most texts that are compared to choose between pairs.
pub(super) const MAX_COMPARED: usize = 16 << 20;

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

/// The renames found so far.
pub(super) struct Matching<'a> {
    pub(super) input: &'a RenameInput<'a>,
    /// The added string of each removed one.
    pub(super) to: Vec<Option<usize>>,
    /// The removed string of each added one.
    pub(super) from: Vec<Option<(usize, RenameEvidence)>>,
    /// Texts that may still be compared for pairs.
    pub(super) budget: usize,
}

/// In how many languages two strings have equal and different texts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Agreement {
    pub(super) equal: u32,
    pub(super) different: u32,
}

impl Agreement {
    /// Whether texts speak for one string.
    pub(super) fn supports(self) -> bool {
        self.equal > self.different
    }

    pub(super) fn contradicts(self) -> bool {
        self.different > self.equal
    }
}

impl Matching<'_> {
    pub(super) fn pair(&mut self, removed: usize, added: usize, evidence: RenameEvidence) {
        self.to[removed] = Some(added);
        self.from[added] = Some((removed, evidence));
    }

    pub(super) fn agreement(&self, removed: usize, added: usize) -> Agreement {
        let mut found = Agreement::default();
        for language in 0..self.input.languages {
            let text = |side, at| (self.input.translation)(side, at, language);
            let before = text(RenameSide::Before, removed);
            if let (Some(before), Some(after)) = (before, text(RenameSide::After, added)) {
                found.equal += u32::from(before == after);
                found.different += u32::from(before != after);
            }
        }
        found
    }

    /// Spends the budget for a number of pairs.
    pub(super) fn can_compare(&mut self, pairs: usize) -> bool {
        self.can_compare_keys(pairs, 0)
    }

    /// Spends the budget for a number of pairs, of which also the keys are compared, up to this length.
    pub(super) fn can_compare_keys(&mut self, pairs: usize, length: usize) -> bool {
        // Eight characters of a key take as long as a text, which is a number.
        let of_keys = length.min(MAX_COMPARED_CHARS) / 8;
        let cost = pairs.saturating_mul(self.input.languages + 1 + of_keys);
        let can = cost <= self.budget;
        if can {
            self.budget -= cost;
        }
        can
    }
}
