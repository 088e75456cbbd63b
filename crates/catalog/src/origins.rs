//! Who wrote the texts of a translation (docs/spec/origins.md).

use crate::scan::Budget;
use crate::statistics::OriginCounts;
use crate::views::TranslationView;
use gitglot_model::{Action, LogEntry, Origin, TextId};

/// The numbers of texts of a translation by origin; nothing if the budget is exhausted.
pub fn origin_counts(view: TranslationView<'_>, budget: &Budget) -> OriginCounts {
    let arrived = view.component.arrivals().moved_count();
    let known = *view.translation.origins.lock();
    if let Some((_, counts)) = known.filter(|known| known.0 == arrived) {
        return counts;
    }
    let origins = origins(view, budget);
    if origins.len() != view.translation.unit_count() {
        return OriginCounts::default();
    }
    let mut counts = OriginCounts::default();
    for (unit, origin) in view.units_from(0).zip(origins) {
        if let Some(origin) = origin {
            counts.add(origin, unit.source.words);
        }
    }
    *view.translation.origins.lock() = Some((arrived, counts));
    counts
}

/// The origin of each unit, by row; nothing for units without a text. Empty if the budget is exhausted.
pub(crate) fn origins(view: TranslationView<'_>, budget: &Budget) -> Vec<Option<Origin>> {
    let (component, translation) = (view.component, view.translation);
    let mut found = vec![None; translation.unit_count()];
    let is_source = view.is_source();
    let entries = component.log.of_lineage(translation.lineage);
    for &at in entries.into_iter().flat_map(|entries| entries.iter()) {
        if !budget.spend(1) {
            return Vec::new();
        }
        let Some(entry) = component.log.get(at as usize) else {
            continue;
        };
        if !(entry.action.sets_source() || is_source && entry.action.is_about_source()) {
            continue;
        }
        let slot = current_row(view, at, &entry).and_then(|row| found.get_mut(row as usize));
        if let Some(slot) = slot {
            *slot = origin_after(view, at, &entry, *slot);
        }
    }
    for (slot, unit) in found.iter_mut().zip(translation.unit_rows()) {
        let has_text = unit.target != TextId::EMPTY;
        *slot = has_text.then(|| slot.unwrap_or_default());
    }
    found
}

/// The row of the unit that has the string of an entry today.
fn current_row(view: TranslationView<'_>, at: u32, entry: &LogEntry) -> Option<u32> {
    let component = view.component;
    let key = component.renames().newest_key(at, entry.key?);
    view.translation.unit_of(component.row_of_key(key)?)
}

/// The origin of a text after an entry, given the one before.
fn origin_after(
    view: TranslationView<'_>,
    at: u32,
    entry: &LogEntry,
    before: Option<Origin>,
) -> Option<Origin> {
    let component = view.component;
    let commit = component.log.commits.get(entry.commit as usize);
    let origin = commit.map(|row| row.origin);
    let words = |text| component.texts.get(text).split_whitespace();
    // An ignored commit says nothing about single texts.
    let is_ignored = commit.is_some_and(|row| row.is_ignored);
    match entry.action {
        Action::TranslationApproved if origin != Some(Origin::Human) || is_ignored => before,
        Action::TranslationApproved => origin,
        // The text was there under another key.
        _ if entry.moved || component.arrivals().has_moved(at) => before,
        _ if before.is_some() && words(entry.previous).eq(words(entry.target)) => before,
        _ => origin,
    }
}
