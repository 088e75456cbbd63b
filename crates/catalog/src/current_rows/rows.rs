//! The rows of a commit: which strings and files it changed in which translation.

use std::ops::Range;

use super::changed_string::ChangedString;
use super::commit_changes::Changes;
use super::log_reader::{LogReader, Presence, text_at, translation_of};
use super::row::{CurrentChange, RowDetails, actions};
use super::row_ids;
use crate::current_log::Group;
use crate::current_state::CurrentState;
use crate::log::ChangeView;
use gitglot_model::{Action, LineageId, LogEntry, TextId};

/// Writes the rows of a commit.
pub(super) struct RowWriter<'a, 'c> {
    reader: LogReader<'a>,
    group: &'a Group,
    changes: &'c Changes,
    /// The first entry, whose time all rows have.
    first: LogEntry,
    rows: Vec<CurrentChange<'a>>,
}

impl<'a, 'c> RowWriter<'a, 'c> {
    /// `None` for a group that is not of the log.
    pub(super) fn new(
        reader: LogReader<'a>,
        group: &'a Group,
        changes: &'c Changes,
    ) -> Option<Self> {
        let log = &reader.component.log;
        Some(Self {
            reader,
            group,
            changes,
            first: log.get(group.entries.start as usize)?,
            rows: Vec::new(),
        })
    }

    /// Calls a function with the rows at some positions of the group, of all translations, newest first, until it returns
    /// `false`. Returns whether it always returned `true`. The rows of one translation are in memory at a time.
    pub(super) fn each(
        mut self,
        is_linked: bool,
        window: Range<u64>,
        mut with: impl FnMut(CurrentChange<'a>) -> bool,
    ) -> bool {
        let count = |&index: &u32| {
            let (reader, group, changes) = (self.reader, self.group, self.changes);
            let rereads = reader.rereads(group, changes, index).count() as u64;
            reader.row_count(group, changes, index) + rereads
        };
        let order = &self.reader.log.order;
        let counts: Vec<u64> = order.iter().map(count).collect();
        let updates = if is_linked {
            0
        } else {
            self.group.update_rows()
        };
        let rows = updates + counts.iter().sum::<u64>();
        let mut end = rows + self.changes.rows_of_component();
        self.add_component();
        if !self.take_rows(&mut end, &window, &mut with) {
            return false;
        }
        for (&index, count) in order.iter().zip(counts).rev() {
            let start = end.saturating_sub(count);
            if start < window.end && end > window.start {
                self.add_translation(index);
                if !self.take_rows(&mut end, &window, &mut with) {
                    return false;
                }
            }
            end = start;
        }
        if is_linked {
            return true;
        }
        self.add_update();
        self.take_rows(&mut end, &window, &mut with)
    }

    /// Takes the rows that were added last, which end before a position, newest first.
    fn take_rows(
        &mut self,
        end: &mut u64,
        window: &Range<u64>,
        with: &mut impl FnMut(CurrentChange<'a>) -> bool,
    ) -> bool {
        std::mem::take(&mut self.rows).into_iter().rev().all(|row| {
            *end = end.saturating_sub(1);
            !window.contains(end) || with(row)
        })
    }

    /// Finds a row, given its id and the entry that it comes from.
    pub(super) fn find(
        mut self,
        is_linked: bool,
        id: u64,
        entry: &LogEntry,
    ) -> Option<CurrentChange<'a>> {
        let lineages = [entry.lineage, row_ids::lineage(id)];
        let translations = lineages.map(|lineage| translation_of(self.reader.component, lineage));
        let source = self.reader.source();
        for index in translations.into_iter().chain([source]).flatten() {
            self.add_translation(index);
        }
        self.add_component();
        if !is_linked {
            self.add_update();
        }
        self.rows.into_iter().find(|row| row.id == id)
    }

    /// The rows of one translation.
    pub(super) fn rows_of(mut self, index: u32) -> Vec<CurrentChange<'a>> {
        self.add_translation(index);
        for &(of, at) in &self.changes.broken {
            if of == Some(index) {
                self.add_broken(of, at);
            }
        }
        self.rows
    }

    fn add(&mut self, id: u64, action: u8, entry: LogEntry, details: RowDetails<'a>) {
        let view = ChangeView {
            component: self.reader.component,
            // A row is no entry of the log.
            index: u32::MAX,
            entry: LogEntry {
                time: self.first.time,
                ..entry
            },
        };
        self.rows.push(CurrentChange {
            view,
            id,
            action,
            // The first commit is no update.
            has_account: self.group.update != Some(0),
            details,
        });
    }

    /// An entry without a string and a translation.
    fn bare(entry: LogEntry) -> LogEntry {
        LogEntry {
            lineage: None,
            key: None,
            target: TextId::EMPTY,
            previous: TextId::EMPTY,
            source: TextId::EMPTY,
            ..entry
        }
    }

    fn add_update(&mut self) {
        let Some(index) = self.group.update else {
            return;
        };
        let commit = |at: usize| Some(self.reader.component.log.mainline.get(at)?.commit);
        let Some(new) = commit(index as usize) else {
            return;
        };
        let old = (index as usize).checked_sub(1).and_then(commit);
        let entry = Self::bare(self.first);
        if let Some(old) = old {
            let details = RowDetails::Branch(old, new);
            let id = row_ids::part(entry.id, row_ids::REMOTE);
            self.add(id, actions::REMOTE_UPDATED, entry, details);
        }
        let details = RowDetails::Heads(old.unwrap_or(new), new);
        let id = row_ids::part(entry.id, row_ids::REBASED);
        self.add(id, actions::REPOSITORY_REBASED, entry, details);
    }

    fn without_account(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.has_account = false;
        }
    }

    fn add_translation(&mut self, index: u32) {
        let Some(translation) = self.reader.component.current_translation_at(index) else {
            return;
        };
        let lineage = translation.lineage;
        let presence = self.reader.presence(self.group, index);
        match presence {
            Presence::Absent => return,
            Presence::New => {
                for string in self.reader.strings_before(self.group.entries.end) {
                    self.add_string(index, lineage, string, presence);
                }
            }
            Presence::Old => {
                let changes = self.changes;
                let texts = changes.texts_of(index).iter().map(|(_, string, _)| *string);
                let strings = changes.added.iter().chain(&changes.sources);
                let strings = strings.map(|(string, _)| *string).chain(texts);
                let rereads = self.reader.rereads(self.group, changes, index);
                let rereads = rereads.map(|string| (string, true));
                let strings = strings.map(|string| (string, false));
                let mut strings: Vec<(u32, bool)> = strings.chain(rereads).collect();
                strings.sort_unstable();
                strings.dedup();
                for (string, is_reread) in strings {
                    if is_reread {
                        self.add_reread(index, string)
                    } else {
                        self.add_string(index, lineage, string, presence)
                    }
                }
            }
        }
        let own = self.changes.file_of(index);
        let is_new = presence == Presence::New;
        if !is_new && !self.changes.has_file(index) {
            return;
        }
        let entry = own.and_then(|at| self.reader.entry(at));
        let id = match entry {
            Some(entry) => entry.id.0.into(),
            None => row_ids::part(self.first.id, row_ids::file(lineage)),
        };
        let template = self.reader.source();
        let template =
            template.and_then(|index| self.reader.component.current_translation_at(index));
        let of = match template {
            Some(template) if own.is_none() && !is_new => template,
            _ => translation,
        };
        let entry = LogEntry {
            lineage: Some(lineage),
            ..Self::bare(entry.unwrap_or(self.first))
        };
        let details = RowDetails::File(&of.path, is_new);
        self.add(id, actions::RESOURCE_UPDATED, entry, details);
    }

    /// The row of an untranslated string with plural forms whose file is read again.
    fn add_reread(&mut self, index: u32, string: u32) {
        let (component, reader) = (self.reader.component, self.reader);
        let translation = component.translations.get(index as usize);
        let unit = translation
            .and_then(|translation| component.view_of(translation).unit_of_string(string));
        let (Some(unit), Some(key)) = (unit, component.key_of(string)) else {
            return;
        };
        let entry = LogEntry {
            lineage: Some(unit.translation.lineage),
            key: Some(key),
            source: reader.source_from(string, self.group.entries.end),
            ..Self::bare(self.first)
        };
        let id = row_ids::reread(reader.index_of(self.group), unit.unit.id);
        let details = RowDetails::States(CurrentState::Empty as i8, CurrentState::Empty as i8);
        self.add(id, actions::STRING_UPDATED, entry, details);
    }

    /// The rows of a string of a translation.
    fn add_string(&mut self, index: u32, lineage: LineageId, string: u32, presence: Presence) {
        let (reader, range) = (self.reader, &self.group.entries);
        let component = reader.component;
        let Some(translation) = component.current_translation_at(index) else {
            return;
        };
        let key = component.key_of(string);
        let Some(key) = key.filter(|_| translation.unit_of(string).is_some()) else {
            return;
        };
        let find = |list: &[(u32, u32)]| {
            let at = list.binary_search_by_key(&string, |(of, _)| *of).ok()?;
            component.log.get(list.get(at)?.1 as usize)
        };
        let added = find(&self.changes.added);
        let source = find(&self.changes.sources);
        let written = self.changes.texts_of_unit(index, string).last();
        let changed = ChangedString {
            lineage,
            key,
            key_part: row_ids::key(reader.log.index.key_number(key)),
            is_source: Some(index) == reader.source(),
            has_file: translation.has_file(),
            written: written.and_then(|&(.., at)| Some((at, text_at(component, string, at)?))),
            source_before: reader.source_from(string, range.start),
            source_after: reader.source_from(string, range.end),
        };
        if presence == Presence::New || added.is_some() {
            self.add_new_string(&changed, index, presence, added);
        } else if changed.is_source {
            self.add_changed_source(&changed, source);
        } else {
            let before = reader.text_before(index, string, range.start);
            self.add_changed_text(&changed, before, source);
        }
    }

    /// The rows of a string that the commit added, or all of whose translation it added.
    fn add_new_string(
        &mut self,
        string: &ChangedString,
        index: u32,
        presence: Presence,
        added: Option<LogEntry>,
    ) {
        let written = string.text_entry();
        let entry = written.or(added.filter(|_| string.is_source));
        let id = match (entry, added) {
            (Some(entry), _) => string.id_of(&entry),
            (None, Some(added)) if presence == Presence::Old => {
                row_ids::part(added.id, row_ids::string(string.lineage))
            }
            _ => row_ids::part(self.first_of(index).id, string.key_part),
        };
        let entry = entry.unwrap_or(self.first);
        let target = if string.is_source {
            string.source_after
        } else {
            written.map_or(TextId::EMPTY, |entry| entry.target)
        };
        let has_template = self.reader.component.shape.has_template();
        let action = if string.is_source && !has_template {
            actions::SOURCE_ADDED
        } else {
            actions::STRING_ADDED
        };
        if action == actions::SOURCE_ADDED && !string.has_file {
            let state = CurrentState::ReadOnly as i8;
            let details = RowDetails::States(state, state);
            self.add(id, action, string.row(entry, target, target), details);
            return;
        }
        let is_fuzzy = !string.is_source && written.is_some_and(|entry| entry.fuzzy);
        let source = string.source_after;
        let state = CurrentState::of(target, is_fuzzy, source, source) as i8;
        let details = RowDetails::States(state, -1);
        self.add_earlier_source(string, details);
        let row = string.row(entry, TextId::EMPTY, target);
        self.add(id, action, row, details);
    }

    /// The row of a changed text of the source language.
    fn add_changed_source(&mut self, string: &ChangedString, source: Option<LogEntry>) {
        let Some(entry) = source else { return };
        let texts = [string.source_after, string.source_before];
        let [new, old] = texts.map(|text| CurrentState::of(text, false, text, text) as i8);
        let row = string.row(entry, string.source_before, string.source_after);
        let details = RowDetails::States(new, old);
        self.add(entry.id.0.into(), actions::STRING_UPDATED, row, details);
    }

    /// The rows of a text that changed, or whose source did. `before` is the last entry that wrote it earlier.
    fn add_changed_text(
        &mut self,
        string: &ChangedString,
        before: Option<LogEntry>,
        source: Option<LogEntry>,
    ) {
        let written = string.text_entry();
        let nothing = (TextId::EMPTY, false, string.source_before);
        let stated = |entry: LogEntry| (entry.target, entry.fuzzy, entry.source);
        let before = before.map_or(nothing, stated);
        let (old_text, was_fuzzy, old_source) = before;
        let old = CurrentState::of(old_text, was_fuzzy, old_source, string.source_before);
        let (target, is_fuzzy, written_for) = written.map_or(before, stated);
        let new = CurrentState::of(target, is_fuzzy, written_for, string.source_after);
        let details = RowDetails::States(new as i8, old as i8);
        if let Some(entry) = source.filter(|_| old != CurrentState::Empty) {
            let id = row_ids::part(entry.id, row_ids::source(string.lineage));
            let row = string.row(entry, string.source_before, string.source_after);
            self.add(id, actions::SOURCE_CHANGED, row, details);
        }
        self.add_earlier_source(string, details);
        let Some(entry) = written.or(source) else {
            return;
        };
        let id = match written {
            Some(entry) => string.id_of(&entry),
            None => row_ids::part(entry.id, row_ids::string(string.lineage)),
        };
        let row = string.row(entry, old_text, target);
        self.add(id, actions::STRING_UPDATED, row, details);
    }

    /// The row of the earlier source that a file names for a text.
    fn add_earlier_source(&mut self, string: &ChangedString, details: RowDetails<'a>) {
        let Some((at, entry)) = string.written.filter(|_| !string.is_source) else {
            return;
        };
        if let Some(previous) = self.reader.component.log.earlier_source_of(at) {
            let id = row_ids::part(entry.id, row_ids::source(string.lineage));
            let row = string.row(entry, previous, string.source_after);
            self.add(id, actions::SOURCE_CHANGED, row, details);
        }
    }

    /// The entry that begins a translation.
    fn first_of(&self, index: u32) -> LogEntry {
        let own = self.reader.entry(self.reader.log.index.begin(index));
        own.unwrap_or(self.first)
    }

    /// The rows that are about no string and no existing translation.
    fn add_component(&mut self) {
        let reader = self.reader;
        let entry = |at: u32| reader.entry(at);
        let entries = |list: &[u32]| list.iter().filter_map(|at| entry(*at)).collect::<Vec<_>>();
        for entry in entries(&self.changes.removed) {
            let row = LogEntry {
                target: entry.target,
                ..Self::bare(entry)
            };
            let id = entry.id.0.into();
            self.add(id, actions::TRANSLATION_REMOVED, row, RowDetails::None);
        }
        for &(of, at) in &self.changes.broken {
            self.add_broken(of, at);
        }
        let last = self.changes.broken.last();
        if let Some(entry) = last.and_then(|(_, at)| entry(*at)) {
            let parts = [row_ids::ALERT, row_ids::LOCKED];
            let [alert, lock] = parts.map(|part| row_ids::part(entry.id, part));
            let (entry, details) = (Self::bare(entry), RowDetails::Alert("ParseError"));
            self.add(alert, actions::ALERT_TRIGGERED, entry, details);
            self.without_account();
            self.add(lock, actions::COMPONENT_LOCKED, entry, RowDetails::Locked);
            self.without_account();
        }
        for entry in entries(&self.changes.alerts) {
            let name = match entry.action {
                Action::DuplicatedLanguage => "DuplicateLanguage",
                _ => "DuplicateString",
            };
            let (id, details) = (entry.id.0.into(), RowDetails::Alert(name));
            self.add(id, actions::ALERT_TRIGGERED, Self::bare(entry), details);
            self.without_account();
        }
    }

    /// Adds the report of a file that does not parse, given its translation and the index of the entry.
    fn add_broken(&mut self, of: Option<u32>, at: u32) {
        let Some(entry) = self.reader.entry(at) else {
            return;
        };
        let translation = of.and_then(|of| self.reader.component.translations.get(of as usize));
        let row = LogEntry {
            lineage: translation.map(|translation| translation.lineage),
            ..Self::bare(entry)
        };
        let path = self.reader.component.texts.get(entry.target);
        let (id, details) = (entry.id.0.into(), RowDetails::Broken(path));
        self.add(id, actions::PARSING_FAILED, row, details);
        self.without_account();
    }
}
