//! Untranslated strings with plural forms. Whenever Weblate reads a file that lacks them, or the template of that file, it
//! logs an update of them that changes nothing (docs/spec/current-api.md#changes).

use std::ops::Range;

use super::entry_index::{EntryIndex, NEVER, text_at};
use crate::ComponentSnapshot;
use crate::scan::Budget;
use gitglot_model::TextId;

/// The untranslated strings with plural forms of a component: index of the translation, row of the string, and the entries
/// between which it has no text; ascending.
#[derive(Default, Debug)]
pub(super) struct Gaps(Vec<(u32, u32, Range<u32>)>);

impl Gaps {
    /// Finds them in the entries of a log; `None` if the budget is exhausted.
    pub(super) fn of(
        component: &ComponentSnapshot,
        log: &EntryIndex,
        budget: &Budget,
    ) -> Option<Self> {
        let mut gaps = Self::default();
        // Bilingual files have the sources of their untranslated strings.
        if !component.component.file_format.shape().has_template() {
            return Some(gaps);
        }
        let strings = 0..component.sources.len() as u32;
        let plurals = strings.map(|string| (string, plural_spans(component, log, string)));
        let plurals: Vec<_> = plurals.filter(|(_, spans)| !spans.is_empty()).collect();
        for (index, translation) in (0..).zip(&component.translations) {
            let view = component.view_of(translation);
            if view.is_source() || view.current_plural().0 == 1 {
                continue;
            }
            for (string, plural) in &plurals {
                if !budget.spend(1) {
                    return None;
                }
                if translation.unit_of(*string).is_none() {
                    continue;
                }
                for empty in empty_spans(component, log, index, *string) {
                    let both =
                        |span: &Range<u32>| span.start.max(empty.start)..span.end.min(empty.end);
                    let both = plural.iter().map(both).filter(|span| !span.is_empty());
                    gaps.0.extend(both.map(|span| (index, *string, span)));
                }
            }
        }
        Some(gaps)
    }

    /// The strings of a translation that lack a text before, during and after the entries of a commit.
    pub(super) fn around(&self, entries: &Range<u32>, index: u32) -> impl Iterator<Item = u32> {
        let start = self.0.partition_point(|(of, ..)| *of < index);
        let end = self.0.partition_point(|(of, ..)| *of <= index);
        let entries = entries.clone();
        let own = self.0.get(start..end).unwrap_or_default().iter();
        let lacks = move |span: &Range<u32>| span.start < entries.start && span.end >= entries.end;
        own.filter_map(move |(_, string, span)| lacks(span).then_some(*string))
    }
}

/// The entries between which a source has plural forms.
fn plural_spans(component: &ComponentSnapshot, log: &EntryIndex, string: u32) -> Vec<Range<u32>> {
    let added = log.added(string);
    let texts = &component.texts;
    let is_plural = |from| texts.is_plural(log.source_from(component, string, from));
    let changes = log.source_changes(string).filter(|at| *at >= added);
    let changes = changes.map(|at| (at, is_plural(at + 1)));
    spans(added, is_plural(added), changes)
}

/// The entries between which a translation lacks the text of a string.
fn empty_spans(
    component: &ComponentSnapshot,
    log: &EntryIndex,
    index: u32,
    string: u32,
) -> Vec<Range<u32>> {
    let begin = log.begin(index).max(log.added(string));
    let texts = log.texts_from(index, string, begin);
    let is_empty = |at| Some(text_at(component, string, at)?.target == TextId::EMPTY);
    let texts = texts.filter_map(|at| Some((at, is_empty(at)?)));
    spans(begin, true, texts)
}

/// The spans of entries in which a flag is set, given where it begins, its first value, and the entries that set it.
fn spans(
    mut from: u32,
    mut is_set: bool,
    changes: impl Iterator<Item = (u32, bool)>,
) -> Vec<Range<u32>> {
    let mut found = Vec::new();
    for (at, now) in changes.chain([(NEVER, false)]) {
        match (is_set, now) {
            (true, false) => found.push(from..at),
            (false, true) => from = at,
            _ => {}
        }
        is_set = now;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_those_where_a_flag_is_set() {
        let of = |first, changes: &[(u32, bool)]| {
            let found = spans(2, first, changes.iter().copied()).into_iter();
            found.map(|span| (span.start, span.end)).collect::<Vec<_>>()
        };
        assert_eq!(of(true, &[]), [(2, NEVER)]);
        assert_eq!(of(false, &[]), []);
        assert_eq!(of(true, &[(5, false), (7, true)]), [(2, 5), (7, NEVER)]);
        let later = [(5, true), (6, true), (9, false)];
        assert_eq!(of(false, &later), [(5, 9)]);
    }
}
