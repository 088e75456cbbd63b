//! The last row of a translation in the log of current Weblate, and the number of rows by content shortly before it
//! (docs/spec/current-api.md#statistics). They are found at the end of the log, which need not be known as a whole.

use std::collections::HashSet;

use crate::component::ComponentSnapshot;
use crate::views::TranslationView;
use gitglot_model::{Action, LineageId, LogEntry, TextId};

/// The time in which changes are recent, in microseconds: six hours.
const RECENT: i64 = 6 * 3600 * 1_000_000;

/// The changes of sources in [`RECENT`] before the last one: index and entry, newest first.
fn recent_sources(component: &ComponentSnapshot) -> &[(u32, LogEntry)] {
    component.current.recent_sources.get_or_init(|| {
        let entries = (0..component.log.len()).rev();
        let entries = entries.filter_map(|at| Some((at as u32, component.log.get(at)?)));
        let mut recent: Vec<(u32, LogEntry)> = Vec::new();
        for (at, entry) in entries {
            let newest = recent.first().map(|(_, newest)| newest.time.0);
            if newest.is_some_and(|newest| entry.time.0 < newest.saturating_sub(RECENT)) {
                break;
            }
            if entry.action == Action::SourceStringChanged {
                recent.push((at, entry));
            }
        }
        recent.into()
    })
}

/// The last entry about a file.
fn last_of(component: &ComponentSnapshot, lineage: LineageId) -> Option<(u32, LogEntry)> {
    let entries = component.log.of_lineage(lineage)?;
    let at = *entries.get(entries.len().checked_sub(1)?)?;
    Some((at, component.log.get(at as usize)?))
}

/// The number of new fuzzy texts of a translation since a time, for which the file names an earlier source.
fn recent_earlier_sources(view: TranslationView<'_>, from: i64) -> u64 {
    let log = &view.component.log;
    let Some(of_file) = log.of_lineage(view.translation.lineage) else {
        return 0;
    };
    let entries = (0..of_file.len())
        .rev()
        .filter_map(|index| of_file.get(index));
    let entries = entries.map_while(|&at| {
        let entry = log.get(at as usize)?;
        (entry.time.0 >= from).then_some((at, entry))
    });
    let named = entries.filter(|(at, entry)| {
        log.earlier_source_of(*at).is_some() && view.row_of_entry(entry).is_some()
    });
    named.count() as u64
}

/// The number of translated strings of a translation whose source changed since a time.
fn recent_source_changes(view: TranslationView<'_>, from: i64) -> u64 {
    let log = &view.component.log;
    let sources = recent_sources(view.component);
    let Some((oldest, _)) = sources.last() else {
        return 0;
    };
    let Some(of_file) = log.of_lineage(view.translation.lineage) else {
        return 0;
    };
    // The texts that were written since the oldest change, newest first.
    let later = (0..of_file.len())
        .rev()
        .filter_map(|index| of_file.get(index));
    let later = later.take_while(|at| *at > oldest);
    let later = later.filter_map(|&at| Some((at, log.get(at as usize)?)));
    let later = later.filter(|(_, entry)| entry.action.writes_text());
    let later: Vec<_> = later.collect();
    let mut counted = HashSet::new();
    let recent = sources.iter().filter(|(at, source)| {
        let row = view.row_of_entry(source);
        let unit = row.and_then(|row| view.unit(row));
        let Some(unit) = unit.filter(|_| source.time.0 >= from) else {
            return false;
        };
        let is_later = |(of, entry): &&(u32, LogEntry)| {
            entry.key == source.key && (of > at || entry.commit == source.commit)
        };
        let next = later.iter().rfind(is_later);
        let before = next.map_or(unit.unit.target, |(_, entry)| entry.previous);
        before != TextId::EMPTY && counted.insert((source.key, source.commit))
    });
    recent.count() as u64
}

/// The last entry that added a source which still exists.
fn last_source(component: &ComponentSnapshot) -> Option<LogEntry> {
    let find = || {
        let log = &component.log;
        let entries = (0..log.len()).rev().filter_map(|at| log.get(at));
        let mut added = entries.filter(|entry| entry.action == Action::NewSourceString);
        added.find(|entry| component.string_of(entry).is_some())
    };
    *component.current.last_source.get_or_init(find)
}

/// The last entry about the file of a translation, or about its template, which is also about its strings.
pub fn current_last_entry(view: TranslationView<'_>) -> Option<LogEntry> {
    if !view.translation.has_file() {
        return last_source(view.component);
    }
    let of_file = last_of(view.component, view.translation.lineage);
    let template = view.component.source_translation();
    let template = template.filter(|view| view.translation.is_template);
    let template = template.and_then(|view| last_of(view.component, view.translation.lineage));
    let last = of_file
        .into_iter()
        .chain(template)
        .max_by_key(|(at, _)| *at);
    last.map(|(_, entry)| entry)
}

/// The number of rows by content of a translation in [`RECENT`] before the last one. From git, they are those of
/// translated strings whose source changed, and of new fuzzy ones whose file names an earlier source.
pub fn recent_changes(view: TranslationView<'_>) -> u64 {
    if view.is_source() {
        return 0;
    }
    let Some(last) = current_last_entry(view) else {
        return 0;
    };
    let from = last.time.0.saturating_sub(RECENT);
    if view.component.shape.has_template() {
        recent_source_changes(view, from)
    } else {
        recent_earlier_sources(view, from)
    }
}
