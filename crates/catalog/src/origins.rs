//! Who wrote the texts of a translation (docs/spec/origins.md).

use super::{Count, TranslationView};
use crate::current::is_of_source;
use crate::scan::Budget;
use gitglot_model::{Action, LogEntry, Origin, TextId};
use parking_lot::Mutex;

/// Numbers of texts and source words by origin, in the order of [`Origin::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OriginCounts([Count; Origin::ALL.len()]);

/// The counts of a translation, once they were asked for, with the number of texts that came from other components: which
/// ones did can become known later.
pub(super) type OriginCell = Mutex<Option<(usize, OriginCounts)>>;

impl OriginCounts {
    /// The counts of a translation's units; nothing if the budget is exhausted.
    pub fn of_translation(view: TranslationView<'_>, budget: &Budget) -> Self {
        let arrived = view.component.arrivals().moved_count();
        let known = *view.translation.origins.lock();
        if let Some((_, counts)) = known.filter(|known| known.0 == arrived) {
            return counts;
        }
        let mut counts = Self::default();
        let origins = origins(view, budget);
        let is_complete = origins.len() == view.translation.unit_count();
        for (unit, origin) in view.units_from(0).zip(origins) {
            if let Some(origin) = origin {
                counts.add(origin, unit.source.words);
            }
        }
        if !is_complete {
            return Self::default();
        }
        *view.translation.origins.lock() = Some((arrived, counts));
        counts
    }

    /// The number of texts and words with an origin.
    pub fn of(&self, origin: Origin) -> Count {
        let counts = Origin::ALL.into_iter().zip(self.0);
        let own = counts.filter(|(of, _)| *of == origin);
        own.map(|(_, count)| count).sum()
    }

    /// All texts.
    pub fn all(&self) -> Count {
        self.0.into_iter().sum()
    }

    /// The texts of which commits show that no person has touched them.
    pub fn untouched(&self) -> Count {
        let origins = [Origin::Platform, Origin::Machine].into_iter();
        origins.map(|origin| self.of(origin)).sum()
    }

    fn add(&mut self, origin: Origin, words: u32) {
        for (of, count) in Origin::ALL.into_iter().zip(&mut self.0) {
            if of == origin {
                *count += Count {
                    units: 1,
                    words: u64::from(words),
                };
            }
        }
    }
}

impl std::iter::Sum for OriginCounts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut sum = Self::default();
        for part in parts {
            for (own, other) in sum.0.iter_mut().zip(part.0) {
                *own += other;
            }
        }
        sum
    }
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
        if !(entry.action.sets_source() || is_source && is_of_source(entry.action)) {
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
    let string = *component.row_of_key.get(key.0 as usize)?;
    view.translation.unit_of(string)
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
