//! Finds the texts of a query in one pass over a text.

use std::collections::HashMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::case_folding::CaseFolding;
use super::pattern::Pattern;
use super::syntax::Match;
use gitglot_model::PLURAL_SEPARATOR;

/// Slots of a query. One more bit of a set marks texts that were searched.
pub(super) const MAX_SLOTS: usize = 63;
/// Pattern bytes up to which the automaton is a table, which is faster and larger.
const TABLE_BYTES: usize = 4 << 10;

/// A set of slots. A slot is a bit that is set if a text fits one of its [`Match`]es.
pub(super) type Slots = u64;

/// Searches texts for the matches of all slots.
#[derive(Default, Debug)]
pub(super) struct Matcher {
    automaton: Option<AhoCorasick>,
    /// For each pattern of the automaton its slots.
    of_pattern: Vec<Slots>,
    /// The slots of all patterns.
    contained: Slots,
    /// Slots by a plural form.
    forms: HashMap<String, Slots>,
    /// Slots by the whole text.
    whole: HashMap<String, Slots>,
    patterns: Vec<(Pattern, Slots)>,
    /// Slots that every text fits.
    always: Slots,
}

impl Matcher {
    /// A matcher for these slots; `None` if they are too large for an automaton.
    pub(super) fn new(slots: &[Vec<Match>]) -> Option<Self> {
        let mut matcher = Self::default();
        let mut patterns: HashMap<String, Slots> = HashMap::new();
        for (slot, matches) in slots.iter().enumerate() {
            for wanted in matches {
                match wanted {
                    Match::Form(text) => {
                        *matcher.forms.entry(text.clone()).or_default() |= 1 << slot
                    }
                    Match::Whole(text) => {
                        *matcher.whole.entry(text.clone()).or_default() |= 1 << slot
                    }
                    Match::Pattern(pattern) => {
                        matcher.patterns.push((pattern.clone(), 1 << slot));
                    }
                    Match::Contains(text) if text.is_empty() => matcher.always |= 1 << slot,
                    Match::Contains(text) => {
                        let mut folded = String::new();
                        CaseFolding::get().fold_into(text, &mut folded);
                        *patterns.entry(folded).or_default() |= 1 << slot;
                    }
                }
            }
        }
        if !patterns.is_empty() {
            let is_small = patterns.keys().map(String::len).sum::<usize>() <= TABLE_BYTES;
            let kind = if is_small {
                AhoCorasickKind::DFA
            } else {
                AhoCorasickKind::ContiguousNFA
            };
            matcher.of_pattern = patterns.values().copied().collect();
            matcher.contained = matcher.of_pattern.iter().fold(0, |all, slots| all | slots);
            matcher.automaton = Some(
                AhoCorasick::builder()
                    .kind(Some(kind))
                    .build(patterns.keys())
                    .ok()?,
            );
        }
        Some(matcher)
    }

    /// The rows that a search of a text counts as, in addition to its length.
    pub(super) fn rows(&self, text: &str) -> u64 {
        let patterns = self.patterns.iter();
        patterns.map(|(pattern, _)| pattern.rows(text)).sum()
    }

    /// The slots that a text fits. `buffer` is scratch memory.
    pub(super) fn slots(&self, text: &str, buffer: &mut String) -> Slots {
        let mut found = self.always | self.whole.get(text).copied().unwrap_or_default();
        if !self.forms.is_empty() {
            let forms = text
                .split(PLURAL_SEPARATOR)
                .filter_map(|form| self.forms.get(form));
            found |= forms.fold(0, |all, slots| all | slots);
        }
        for (pattern, slots) in &self.patterns {
            if pattern.finds(text) {
                found |= slots;
            }
        }
        let Some(automaton) = &self.automaton else {
            return found;
        };
        CaseFolding::get().fold_into(text, buffer);
        for hit in automaton.find_overlapping_iter(&*buffer) {
            found |= self
                .of_pattern
                .get(hit.pattern().as_usize())
                .copied()
                .unwrap_or_default();
            if found & self.contained == self.contained {
                break;
            }
        }
        found
    }
}
