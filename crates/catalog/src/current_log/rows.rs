//! The rows of a commit: which strings and files it changed in which translation.

use std::borrow::Cow;
use std::ops::Range;

use super::groups::{Changes, CurrentLog, Group, Presence, text_at, translation_of};
use crate::current::CurrentState;
use crate::{ChangeView, ComponentSnapshot, TranslationView};
use gitglot_model::{
    Action, ChangeId, CommitId, LineageId, LogEntry, PLURAL_SEPARATOR, Shape, TextId,
};

/// The actions of rows, as numbers of current Weblate.
pub mod actions {
    /// A file changed.
    pub const RESOURCE_UPDATED: u8 = 0;
    /// The component no longer takes changes.
    pub const COMPONENT_LOCKED: u8 = 14;
    /// The branch was read.
    pub const REPOSITORY_REBASED: u8 = 21;
    /// A file does not parse.
    pub const PARSING_FAILED: u8 = 24;
    /// A file was removed.
    pub const TRANSLATION_REMOVED: u8 = 25;
    /// The source text of a translated string changed.
    pub const SOURCE_CHANGED: u8 = 30;
    /// Something is wrong with the files.
    pub const ALERT_TRIGGERED: u8 = 47;
    /// A text changed.
    pub const STRING_UPDATED: u8 = 59;
    /// A string was added.
    pub const STRING_ADDED: u8 = 71;
    /// A source was added to a bilingual file.
    pub const SOURCE_ADDED: u8 = 90;
    /// The branch has new commits.
    pub const REMOTE_UPDATED: u8 = 101;
}

/// A row of the log of current Weblate.
#[derive(Clone, Copy, Debug)]
pub struct CurrentChange<'a> {
    /// Where and when: the entry of the log that the row comes from, with the translation and string of the row.
    pub view: ChangeView<'a>,
    /// The id. That of the entry, if it has one row.
    pub id: u64,
    /// The number of the action in current Weblate.
    pub action: u8,
    /// Whether the account for updates of the repository did it.
    pub has_account: bool,
    /// More about it.
    pub details: RowDetails<'a>,
}

/// What a row says beyond its texts.
#[derive(Clone, Copy, Debug)]
pub enum RowDetails<'a> {
    /// Nothing.
    None,
    /// The states of a string after and before, as numbers of current Weblate; -1 if it did not exist.
    States(i8, i8),
    /// The path of a file, and whether it is new.
    File(&'a str, bool),
    /// The path of a file that does not parse.
    Broken(&'a str),
    /// The name of an alert.
    Alert(&'static str),
    /// The component was locked.
    Locked,
    /// The commits before and after.
    Heads(CommitId, CommitId),
    /// The same, of the branch.
    Branch(CommitId, CommitId),
}

/// Numbers of rows that do not have the id of their entry: the upper half of the id.
mod parts {
    use gitglot_model::{KeyId, LineageId};

    pub(super) const REMOTE: u64 = 1;
    pub(super) const REBASED: u64 = 2;
    pub(super) const ALERT: u64 = 3;
    pub(super) const LOCKED: u64 = 4;
    /// Rows about a translation: of a new or updated string, of a changed source, and of the file.
    const FIRST_OF_TRANSLATION: u64 = 8;
    /// Rows about the strings of a new translation.
    const FIRST_OF_KEY: u64 = FIRST_OF_TRANSLATION + 3 * (1 << 16);

    pub(super) fn string(of: LineageId) -> u64 {
        FIRST_OF_TRANSLATION + 3 * u64::from(of.0)
    }

    pub(super) fn source(of: LineageId) -> u64 {
        string(of) + 1
    }

    pub(super) fn file(of: LineageId) -> u64 {
        string(of) + 2
    }

    /// The translation of a part, if it names one.
    pub(super) fn lineage(part: u64) -> Option<LineageId> {
        let own = part.checked_sub(FIRST_OF_TRANSLATION)? / 3;
        u16::try_from(own).ok().map(LineageId)
    }

    pub(super) fn key(key: KeyId) -> u64 {
        FIRST_OF_KEY + u64::from(key.0)
    }
}

/// Bits of an entry's id in the id of a row.
pub(super) const ENTRY_BITS: u32 = 32;

/// Writes the rows of a commit.
pub(super) struct RowWriter<'a> {
    component: &'a ComponentSnapshot,
    log: &'a CurrentLog,
    group: &'a Group,
    changes: Changes,
    /// The first entry, whose time all rows have.
    first: LogEntry,
    rows: Vec<CurrentChange<'a>>,
}

impl<'a> RowWriter<'a> {
    /// `None` for a group that is not of the log.
    pub(super) fn new(
        component: &'a ComponentSnapshot,
        log: &'a CurrentLog,
        group: &'a Group,
    ) -> Option<Self> {
        Some(Self {
            component,
            log,
            group,
            changes: log.changes(component, group),
            first: component.log.get(group.entries.start as usize)?,
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
            self.log
                .rows_of(self.component, self.group, &self.changes, index)
        };
        let counts: Vec<u64> = self.log.order.iter().map(count).collect();
        let updates = if is_linked {
            0
        } else {
            self.group.update_rows()
        };
        let mut end = updates + counts.iter().sum::<u64>() + self.changes.rows_of_component();
        self.add_component();
        if !self.take_rows(&mut end, &window, &mut with) {
            return false;
        }
        let log = self.log;
        for (&index, count) in log.order.iter().zip(counts).rev() {
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
        let lineages = [entry.lineage, parts::lineage(id >> ENTRY_BITS)];
        let translations = lineages.map(|it| translation_of(self.component, it));
        let source = self.log.source(self.component);
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
        let broken = std::mem::take(&mut self.changes.broken);
        for (of, at) in broken {
            if of == Some(index) {
                self.add_broken(of, at);
            }
        }
        self.rows
    }

    fn add(&mut self, id: u64, action: u8, entry: LogEntry, details: RowDetails<'a>) {
        let view = ChangeView {
            component: self.component,
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
        let commit = |at: usize| Some(self.component.log.mainline.get(at)?.commit);
        let Some(new) = commit(index as usize) else {
            return;
        };
        let old = (index as usize).checked_sub(1).and_then(commit);
        let entry = Self::bare(self.first);
        if let Some(old) = old {
            let details = RowDetails::Branch(old, new);
            let id = part(entry.id, parts::REMOTE);
            self.add(id, actions::REMOTE_UPDATED, entry, details);
        }
        let details = RowDetails::Heads(old.unwrap_or(new), new);
        let id = part(entry.id, parts::REBASED);
        self.add(id, actions::REPOSITORY_REBASED, entry, details);
    }

    fn without_account(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.has_account = false;
        }
    }

    fn add_translation(&mut self, index: u32) {
        let Some(translation) = self.component.translations.get(index as usize) else {
            return;
        };
        let lineage = translation.lineage;
        let presence = self.log.presence(self.group, index);
        match presence {
            Presence::Absent => return,
            Presence::New => {
                for string in 0..self.component.sources.len() as u32 {
                    if self.log.added(string) < self.group.entries.end {
                        self.add_string(index, lineage, string, presence);
                    }
                }
            }
            Presence::Old => {
                let changes = &self.changes;
                let texts = changes.texts_of(index).iter().map(|(_, string, _)| *string);
                let strings = changes.added.iter().chain(&changes.sources);
                let mut strings: Vec<u32> = strings.map(|it| it.0).chain(texts).collect();
                strings.sort_unstable();
                strings.dedup();
                for string in strings {
                    self.add_string(index, lineage, string, presence);
                }
            }
        }
        let own = self.changes.file_of(index);
        let is_new = presence == Presence::New;
        if !is_new && !self.changes.has_file(index) {
            return;
        }
        let entry = own.and_then(|at| self.component.log.get(at as usize));
        let id = entry.map_or_else(
            || part(self.first.id, parts::file(lineage)),
            |entry| entry.id.0.into(),
        );
        let template = self.log.source(self.component);
        let template = template.and_then(|it| self.component.translations.get(it as usize));
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

    /// The rows of a string of a translation.
    fn add_string(&mut self, index: u32, lineage: LineageId, string: u32, presence: Presence) {
        let (component, log, range) = (self.component, self.log, self.group.entries.clone());
        let Some(translation) = component.translations.get(index as usize) else {
            return;
        };
        let Some(key) = component.strings.get(string as usize).map(|it| it.key) else {
            return;
        };
        if translation.unit_of(string).is_none() {
            return;
        }
        let find = |list: &[(u32, u32)]| {
            let at = list.binary_search_by_key(&string, |(of, _)| *of).ok()?;
            component.log.get(list.get(at)?.1 as usize)
        };
        let texts = self.changes.texts_of_unit(index, string);
        let own = texts.iter().rfind(|(_, of, _)| *of == string);
        let own = own.and_then(|(.., at)| text_at(component, string, *at));
        // The file has the id of the resource update.
        let id_of = |own: &LogEntry| match own.action {
            Action::ChangedState => part(own.id, parts::key(key)),
            _ => own.id.0.into(),
        };
        let added = find(&self.changes.added);
        let source = find(&self.changes.sources);
        let is_source = Some(index) == log.source(component);
        let [source_before, source_after] =
            [range.start, range.end].map(|from| self.source_at(string, from));
        let row = |entry: LogEntry, previous: TextId, target: TextId| LogEntry {
            lineage: Some(lineage),
            key: Some(key),
            target,
            previous,
            source: source_after,
            ..entry
        };
        let state = |text: TextId, is_fuzzy: bool, of: TextId, now: TextId| match text {
            _ if text == TextId::EMPTY => CurrentState::Empty,
            _ if is_fuzzy => CurrentState::NeedsEditing,
            _ if of == now => CurrentState::Translated,
            _ => CurrentState::NeedsRewriting,
        };
        let number = |state: CurrentState| state as i8;
        if presence == Presence::New || added.is_some() {
            let target = match is_source {
                true => source_after,
                false => own.map_or(TextId::EMPTY, |own| own.target),
            };
            let entry = own.or(added.filter(|_| is_source));
            let id = match (entry, added) {
                (Some(entry), _) => id_of(&entry),
                (None, Some(added)) if presence == Presence::Old => {
                    part(added.id, parts::string(lineage))
                }
                _ => part(self.first_of(index).id, parts::key(key)),
            };
            let entry = row(entry.unwrap_or(self.first), TextId::EMPTY, target);
            let action = match component.component.file_format.shape() {
                Shape::Bilingual if is_source => actions::SOURCE_ADDED,
                _ => actions::STRING_ADDED,
            };
            let is_fuzzy = !is_source && own.is_some_and(|own| own.fuzzy);
            let new = state(target, is_fuzzy, source_after, source_after);
            self.add(id, action, entry, RowDetails::States(number(new), -1));
            return;
        }
        if is_source {
            let Some(entry) = source else { return };
            let states =
                [source_after, source_before].map(|text| number(state(text, false, text, text)));
            let row = row(entry, source_before, source_after);
            let details = RowDetails::States(states[0], states[1]);
            self.add(entry.id.0.into(), actions::STRING_UPDATED, row, details);
            return;
        }
        let before = log.text_before(component, index, string, range.start);
        let nothing = (TextId::EMPTY, false, source_before);
        let stated = |it: LogEntry| (it.target, it.fuzzy, it.source);
        let (text, was_fuzzy, of) = before.map_or(nothing, stated);
        let old = state(text, was_fuzzy, of, source_before);
        let (target, is_fuzzy, written_for) = own.map_or((text, was_fuzzy, of), stated);
        let new = state(target, is_fuzzy, written_for, source_after);
        let details = RowDetails::States(number(new), number(old));
        if let Some(entry) = source.filter(|_| old != CurrentState::Empty) {
            let id = part(entry.id, parts::source(lineage));
            let row = row(entry, source_before, source_after);
            self.add(id, actions::SOURCE_CHANGED, row, details);
        }
        let Some(entry) = own.or(source) else { return };
        let id = match own {
            Some(own) => id_of(&own),
            None => part(entry.id, parts::string(lineage)),
        };
        let row = row(entry, text, target);
        self.add(id, actions::STRING_UPDATED, row, details);
    }

    /// The entry that begins a translation.
    fn first_of(&self, index: u32) -> LogEntry {
        let own = self.component.log.get(self.log.begin(index) as usize);
        own.unwrap_or(self.first)
    }

    /// The source text of a string before an entry.
    fn source_at(&self, string: u32, before: u32) -> TextId {
        let change = self.log.source_change_from(self.component, string, before);
        let now = self.component.sources.get(string as usize);
        change.map_or_else(
            || now.map_or(TextId::EMPTY, |row| row.source),
            |entry| entry.previous,
        )
    }

    /// The rows that are about no string and no existing translation.
    fn add_component(&mut self) {
        let entry = |at: u32| self.component.log.get(at as usize);
        let entries = |list: &[u32]| list.iter().filter_map(|at| entry(*at)).collect::<Vec<_>>();
        let removed = entries(&self.changes.removed);
        let broken = self.changes.broken.clone();
        let alerts = entries(&self.changes.alerts);
        for entry in removed {
            let row = LogEntry {
                target: entry.target,
                ..Self::bare(entry)
            };
            let id = entry.id.0.into();
            self.add(id, actions::TRANSLATION_REMOVED, row, RowDetails::None);
        }
        let last = broken.last().and_then(|(_, at)| entry(*at));
        for (of, at) in broken {
            self.add_broken(of, at);
        }
        if let Some(entry) = last {
            let (alert, lock) = (part(entry.id, parts::ALERT), part(entry.id, parts::LOCKED));
            let details = RowDetails::Alert("ParseError");
            self.add(alert, actions::ALERT_TRIGGERED, Self::bare(entry), details);
            self.without_account();
            let entry = Self::bare(entry);
            self.add(lock, actions::COMPONENT_LOCKED, entry, RowDetails::Locked);
            self.without_account();
        }
        for entry in alerts {
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
        let Some(entry) = self.component.log.get(at as usize) else {
            return;
        };
        let translation = of.and_then(|of| self.component.translations.get(of as usize));
        let row = LogEntry {
            lineage: translation.map(|it| it.lineage),
            ..Self::bare(entry)
        };
        let path = self.component.texts.get(entry.target);
        let (id, details) = (entry.id.0.into(), RowDetails::Broken(path));
        self.add(id, actions::PARSING_FAILED, row, details);
        self.without_account();
    }
}

/// The id of a row that is not the only one of its entry.
fn part(entry: ChangeId, part: u64) -> u64 {
    part << ENTRY_BITS | u64::from(entry.0)
}

impl<'a> CurrentChange<'a> {
    /// The text after the change.
    pub fn target(&self) -> Cow<'a, str> {
        self.shown(self.view.entry.target)
    }

    /// The text before the change; `""` if the string did not exist.
    pub fn old(&self) -> Cow<'a, str> {
        match self.details {
            RowDetails::States(_, -1) => Cow::default(),
            _ => self.shown(self.view.entry.previous),
        }
    }

    /// The source text after the change.
    pub fn source(&self) -> &'a str {
        self.view.component.texts.get(self.view.entry.source)
    }

    /// A text; a translation of plural forms has as many as the language.
    fn shown(&self, text: TextId) -> Cow<'a, str> {
        let texts = &self.view.component.texts;
        let is_plural = [text, self.view.entry.source]
            .iter()
            .any(|&it| texts.is_plural(it));
        let is_translation = self.action != actions::SOURCE_CHANGED && is_plural;
        match self.view.translation().filter(|_| is_translation) {
            Some(view) if !view.is_source() => {
                view.fitted_forms(text).join(PLURAL_SEPARATOR).into()
            }
            _ => texts.get(text).into(),
        }
    }
}

impl TranslationView<'_> {
    /// Its index in the component.
    pub(super) fn index(self) -> Option<u32> {
        let lineage = usize::from(self.translation.lineage.0);
        self.component.translation_of_lineage.get(lineage).copied()
    }
}
