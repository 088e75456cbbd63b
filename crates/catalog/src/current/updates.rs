//! When units last changed: their sources, texts or states (docs/spec/current-api.md#units). The log has no index by
//! unit, so what it says of a component and of a translation is stored once it was asked for.

use std::sync::OnceLock;

use crate::component::ComponentSnapshot;
use crate::current_cache::Times;
use crate::scan::Budget;
use crate::views::{TranslationView, UnitView};
use gitglot_model::{Action, LogEntry, TextId, Timestamp};

impl UnitView<'_> {
    /// When its source, text or state last changed.
    pub fn last_updated(self) -> Timestamp {
        let view = self.of();
        let own = unit_changes(view).and_then(|times| times.get(self.row as usize));
        own.copied().unwrap_or(self.source.since)
    }

    /// Since when it is stale, a draft or missing; `None` if it is translated, or the log does not know.
    pub fn state_since(self, budget: &Budget) -> Option<Timestamp> {
        let (unit, component) = (self.unit, self.component);
        if unit.translated() {
            return None;
        }
        let may_read = |entries: u64| budget.spend(entries).then_some(());
        let time = if !unit.fuzzy() {
            self.source.since
        } else if self.translation.is_bilingual() {
            may_read(unread_changes(self.of()))?;
            self.last_updated()
        } else {
            may_read(unread(component, &component.current.replaced))?;
            let previous = self.translation.previous_source(self.row);
            match replaced(component, self.string(), previous) {
                Some(replaced) => replaced,
                None => {
                    may_read(unread_source_changes(component))?;
                    self.source_updated()
                }
            }
        };
        (time > Timestamp::default()).then_some(time)
    }

    /// When its source last changed.
    pub(crate) fn source_updated(self) -> Timestamp {
        let sources = source_changes(self.component);
        let own = sources.get(self.string() as usize);
        own.copied().unwrap_or(self.source.since)
    }
}

/// The number of entries to read until the last changes of a component's sources are known.
pub(crate) fn unread_source_changes(component: &ComponentSnapshot) -> u64 {
    unread(component, &component.current.sources_changed)
}

/// The number of entries to read until a result of the whole log is known.
fn unread<T>(component: &ComponentSnapshot, result: &OnceLock<T>) -> u64 {
    match result.get() {
        Some(_) => 0,
        None => component.log.len() as u64,
    }
}

/// When each source was last added or changed.
fn source_changes(component: &ComponentSnapshot) -> &[Timestamp] {
    component.current.sources_changed.get_or_init(|| {
        let sources = component.sources.iter();
        let mut times: Box<[Timestamp]> = sources.map(|source| source.since).collect();
        let entries = component.log.iter();
        for entry in entries.filter(|entry| entry.action.is_about_source()) {
            let string = component.string_of(&entry);
            if let Some(time) = string.and_then(|string| times.get_mut(string as usize)) {
                *time = entry.time.max(*time);
            }
        }
        times
    })
}

/// When a source last changed from a text to a different one.
fn replaced(component: &ComponentSnapshot, string: u32, text: TextId) -> Option<Timestamp> {
    let known = component.current.replaced.get_or_init(|| {
        let entries = component.log.iter();
        let changes = entries.filter(|entry| entry.action == Action::SourceStringChanged);
        let of_string = |entry: LogEntry| {
            let string = component.string_of(&entry)?;
            Some(((string, entry.previous), entry.time))
        };
        // The last one counts.
        changes.filter_map(of_string).collect()
    });
    known.get(&(string, text)).copied()
}

/// When each unit last changed.
fn unit_changes(view: TranslationView<'_>) -> Option<&[Timestamp]> {
    let component = view.component;
    let changes = component.current.units_changed.get_or_init(|| {
        let translations = component.current_translations();
        translations.map(|_| Times::new()).collect()
    });
    let index = view.index()?;
    let of_translation = changes.get(index as usize)?;
    Some(of_translation.get_or_init(|| read_unit_changes(view)))
}

fn read_unit_changes(view: TranslationView<'_>) -> Box<[Timestamp]> {
    let (component, of) = (view.component, view.translation);
    let sources = source_changes(component);
    let rows = 0..of.unit_count() as u32;
    let of_source = |row| sources.get(of.string_of(row) as usize).copied();
    let mut times: Box<[Timestamp]> = rows.map(|row| of_source(row).unwrap_or_default()).collect();
    let mut changed = |entry: &LogEntry| {
        let row = view.row_of_entry(entry);
        if let Some(time) = row.and_then(|row| times.get_mut(row as usize)) {
            *time = entry.time.max(*time);
        }
    };
    let log = &component.log;
    let of_file = log.of_lineage(of.lineage).into_iter();
    for &at in of_file.flat_map(|entries| entries.iter()) {
        let Some(entry) = log.get(at as usize) else {
            continue;
        };
        match entry.action {
            action if action.sets_source() => changed(&entry),
            Action::ResourceUpdate | Action::CommittedChanges => {
                let states = (0..).map_while(|index| log.state_change_of(at, index));
                states.for_each(|state| changed(&state.as_entry(&entry)));
            }
            _ => {}
        }
    }
    times
}

/// The number of entries to read until the last changes of a translation's units are known.
pub(crate) fn unread_changes(view: TranslationView<'_>) -> u64 {
    let known = view.component.current.units_changed.get();
    let own = known.and_then(|known| known.get(view.index()? as usize)?.get());
    let entries = view.component.log.of_lineage(view.translation.lineage);
    match own {
        Some(_) => 0,
        None => unread_source_changes(view.component) + entries.map_or(0, |own| own.len() as u64),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use crate::scan::{Budget, ScanLimits};
    use crate::test_snapshot::snapshot_with;
    use gitglot_model::Timestamp;

    #[test]
    fn the_log_is_paid_for_once_for_many_stale_texts() {
        let snapshot = snapshot_with(20_000);
        let unit = snapshot
            .units_from(0)
            .find(|unit| unit.unit.fuzzy())
            .unwrap();
        let limits = ScanLimits {
            concurrent: 1,
            queued: 0,
            rows: 50_000,
            time: Duration::MAX,
        };
        let budget = Budget::new(&limits, Arc::default());
        let changed = Some(Timestamp(1_590_000_100_000_003));
        (0..10).for_each(|_| assert_eq!(unit.state_since(&budget), changed));
    }
}
