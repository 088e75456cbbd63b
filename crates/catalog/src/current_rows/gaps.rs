//! Untranslated strings with plural forms. Whenever Weblate reads a file that lacks them, or the template of that
//! file, it logs an update of them that changes nothing (docs/spec/current-api.md#changes).

use std::ops::Range;

use super::log_reader::{LogReader, text_at};
use crate::current_log::{Gaps, NEVER};
use crate::scan::Budget;
use gitglot_model::TextId;

/// Finds the untranslated strings with plural forms in a log; `None` if the budget is exhausted.
pub(super) fn gaps(reader: LogReader<'_>, budget: &Budget) -> Option<Gaps> {
    let component = reader.component;
    let mut gaps = Gaps::default();
    // Bilingual files have the sources of their untranslated strings.
    if !component.shape.has_template() {
        return Some(gaps);
    }
    let strings = 0..component.sources.len() as u32;
    let plurals = strings.map(|string| (string, plural_spans(reader, string)));
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
            for empty in empty_spans(reader, index, *string) {
                let both = |span: &Range<u32>| span.start.max(empty.start)..span.end.min(empty.end);
                let both = plural.iter().map(both).filter(|span| !span.is_empty());
                gaps.0.extend(both.map(|span| (index, *string, span)));
            }
        }
    }
    Some(gaps)
}

/// The entries between which a source has plural forms.
fn plural_spans(reader: LogReader<'_>, string: u32) -> Vec<Range<u32>> {
    let added = reader.log.index.added(string);
    let is_plural = |from| {
        let source = reader.source_from(string, from);
        reader.component.texts.is_plural(source)
    };
    let changes = reader.log.index.source_changes_from(string, added);
    let changes = changes.map(|at| (at, is_plural(at + 1)));
    spans(added, is_plural(added), changes)
}

/// The entries between which a translation lacks the text of a string.
fn empty_spans(reader: LogReader<'_>, index: u32, string: u32) -> Vec<Range<u32>> {
    let entries = &reader.log.index;
    let begin = entries.begin(index).max(entries.added(string));
    let texts = entries.texts_from(index, string, begin);
    let is_empty = |at| Some(text_at(reader.component, string, at)?.target == TextId::EMPTY);
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
