//! What the commits of a log changed, and how many rows that makes for current Weblate.

use std::ops::Range;

use super::commit_changes::{Changes, contains};
use super::entry_index::{ALWAYS, EntryIndex, state_change, string_of, translation_of};
use super::gaps::Gaps;
use crate::scan::Budget;
use crate::{ComponentSnapshot, TranslationSnapshot};
use gitglot_model::{Action, LogEntry, TextId};

/// The log of a component as current Weblate has it: what is known of it without its rows.
#[derive(Debug)]
pub(crate) struct CurrentLog {
    /// The commits with rows, oldest first.
    pub(super) groups: Vec<Group>,
    /// The indexes of the translations in the order of their rows: the source language, then the others by code.
    pub(super) order: Vec<u32>,
    /// Which entries concern which translation and string.
    pub(super) index: EntryIndex,
    gaps: Gaps,
}

/// The entries of a commit.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Indexes of the entries.
    pub(super) entries: Range<u32>,
    /// Index of the mainline commit, if the group is the first one of an update.
    pub(super) update: Option<u32>,
    /// The rows of this and all earlier groups, without those about updates of the repository.
    pub(super) rows: u64,
    /// The rows about updates of the repository up to this group.
    pub(super) updates: u64,
}

impl Group {
    /// Number of rows about the update of the repository. The first commit updates nothing.
    pub(super) fn update_rows(&self) -> u64 {
        match self.update {
            None => 0,
            Some(0) => 1,
            Some(_) => 2,
        }
    }
}

/// How a commit concerns a translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    /// It adds the translation.
    New,
    /// The translation was there before.
    Old,
    /// The translation did not exist yet.
    Absent,
}

impl CurrentLog {
    /// Reads the log of a component; `None` if the budget is exhausted.
    pub(crate) fn of(component: &ComponentSnapshot, budget: &Budget) -> Option<Self> {
        let log = &component.log;
        let mut own = Self {
            groups: Vec::new(),
            order: order(component),
            index: EntryIndex::empty(component),
            gaps: Gaps::default(),
        };
        let mut updates = (0..).zip(log.mainline.iter()).peekable();
        let (mut commit, mut starts_update) = (None, None);
        for (at, entry) in (0..).zip(log.iter()) {
            if !budget.spend(1) {
                return None;
            }
            own.index.take(component, at, &entry);
            let mut is_first = at == 0;
            while updates.next_if(|(_, row)| row.entries <= at).is_some() {
                is_first = true;
            }
            if is_first {
                // Entries after the last commit belong to no update.
                starts_update = updates.peek().map(|(index, _)| *index);
            }
            if commit != Some(entry.commit) || starts_update.is_some() {
                commit = Some(entry.commit);
                own.groups.push(Group {
                    entries: at..at,
                    update: starts_update.take(),
                    rows: 0,
                    updates: 0,
                });
            }
            if let Some(group) = own.groups.last_mut() {
                group.entries.end = at + 1;
            }
        }
        for change in component.log.state_changes() {
            if !budget.spend(1) {
                return None;
            }
            own.index.take_state(component, change);
        }
        own.index.sort();
        own.gaps = Gaps::of(component, &own.index, budget)?;
        own.count(component, budget)?;
        Some(own)
    }

    /// Counts the rows of the groups.
    fn count(&mut self, component: &ComponentSnapshot, budget: &Budget) -> Option<()> {
        let (mut rows, mut updates) = (0, 0);
        for at in 0..self.groups.len() {
            let group = self.groups.get(at)?.clone();
            let changes = self.changes(component, &group);
            // Rows that a translation lacks are looked for, too.
            let common = changes.added.len() + changes.sources.len() + changes.broken.len();
            for &index in &self.order {
                let own = self.rows_of(component, &group, &changes, index);
                if !budget.spend(1 + own + common as u64) {
                    return None;
                }
                rows += own + self.rereads(&group, &changes, index).count() as u64;
            }
            rows += changes.rows_of_component();
            updates += group.update_rows();
            if let Some(group) = self.groups.get_mut(at) {
                (group.rows, group.updates) = (rows, updates);
            }
        }
        Some(())
    }

    /// What a commit changed.
    pub(super) fn changes(&self, component: &ComponentSnapshot, group: &Group) -> Changes {
        let mut changes = Changes::default();
        let source = self.source(component);
        for at in group.entries.clone() {
            let Some(entry) = component.log.get(at as usize) else {
                continue;
            };
            let translation = translation_of(component, entry.lineage);
            let existing = translation.filter(|&translation| self.index.begin(translation) <= at);
            let exists = |string: u32| self.index.added(string) <= at;
            let string = string_of(component, &entry).filter(|&string| exists(string));
            match (entry.action, string, existing) {
                (Action::NewSourceString, Some(string), _) => changes.added.push((string, at)),
                (Action::SourceStringChanged, Some(string), _) => {
                    changes.sources.push((string, at));
                }
                (action, Some(string), Some(translation)) if action.sets_source() => {
                    changes.texts.push((translation, string, at));
                }
                (Action::ResourceUpdate | Action::CommittedChanges, _, Some(translation)) => {
                    changes.files.push((translation, at));
                    let states = (0..).map_while(|index| component.log.state_change_of(at, index));
                    let texts = states.filter_map(|change| state_change(component, change));
                    let texts = texts.filter(|(_, string, _)| exists(*string));
                    changes.texts.extend(texts);
                }
                (Action::RemovedTranslation, ..) => changes.removed.push(at),
                (Action::ParseError, ..) => {
                    let translation = broken_translation(component, &entry);
                    changes.broken.push((translation, at));
                }
                (Action::DuplicatedString | Action::DuplicatedLanguage, ..) => {
                    changes.alerts.push(at);
                }
                _ => {}
            }
        }
        changes.added.sort_unstable();
        changes.sources.sort_unstable();
        changes.sources.dedup_by_key(|(string, _)| *string);
        changes.texts.sort_unstable();
        changes.files.sort_unstable();
        // A string that returns with a different text is only added.
        let Changes { added, sources, .. } = &mut changes;
        sources.retain(|(string, _)| !contains(added, *string));
        let is_source = |(translation, _): &(u32, u32)| Some(*translation) == source;
        // Bilingual files have no common file of sources.
        let has_file = |index| {
            let translation = component.current_translation_at(index);
            translation.is_some_and(TranslationSnapshot::has_file)
        };
        changes.has_source = source.is_some_and(has_file)
            && (!changes.added.is_empty()
                || !changes.sources.is_empty()
                || changes.files.iter().any(is_source));
        changes
    }

    /// Number of rows of a commit about a translation, without [`Self::rereads`].
    pub(super) fn rows_of(
        &self,
        component: &ComponentSnapshot,
        group: &Group,
        changes: &Changes,
        index: u32,
    ) -> u64 {
        let Some(translation) = component.current_translation_at(index) else {
            return 0;
        };
        let has_unit = |string: u32| translation.unit_of(string).is_some();
        let texts = changes.texts_of(index).iter();
        let of_units = texts.filter(|(_, string, _)| has_unit(*string));
        let earlier = of_units.filter(|(.., at)| {
            component.log.earlier_source_of(*at).is_some() && Some(index) != self.source(component)
        });
        let rows = match self.presence(group, index) {
            Presence::Absent => 0,
            Presence::New => {
                let strings = 0..component.sources.len() as u32;
                let added = strings.filter(|&string| self.index.added(string) < group.entries.end);
                1 + added.filter(|&string| has_unit(string)).count() as u64
            }
            Presence::Old => {
                let added = changes.added.iter().filter(|(string, _)| has_unit(*string));
                let sources = changes.sources.iter().map(|&(string, _)| match () {
                    () if !has_unit(string) => 0,
                    () if self.is_replaced(component, group, index, string) => 2,
                    () => 1,
                });
                let is_own = |string: u32| {
                    !contains(&changes.added, string) && !contains(&changes.sources, string)
                };
                let texts = changes.texts_of(index).iter();
                let texts = texts.filter(|(_, string, _)| is_own(*string) && has_unit(*string));
                let file = u64::from(changes.has_file(index));
                added.count() as u64 + sources.sum::<u64>() + texts.count() as u64 + file
            }
        };
        rows + earlier.count() as u64
    }

    /// The strings of a translation that a commit does not change, but that have a row because their file is read again.
    pub(super) fn rereads(
        &self,
        group: &Group,
        changes: &Changes,
        index: u32,
    ) -> impl Iterator<Item = u32> {
        let is_read = changes.has_file(index);
        let found = is_read.then(|| self.gaps.around(&group.entries, index));
        let found = found.into_iter().flatten();
        found.filter(|string| !contains(&changes.sources, *string))
    }

    /// Whether a change of a source makes a text of a translation old.
    pub(super) fn is_replaced(
        &self,
        component: &ComponentSnapshot,
        group: &Group,
        index: u32,
        string: u32,
    ) -> bool {
        let start = group.entries.start;
        let text = || self.index.text_before(component, index, string, start);
        Some(index) != self.source(component)
            && text().is_some_and(|entry| entry.target != TextId::EMPTY)
    }

    /// How a commit concerns a translation.
    pub(super) fn presence(&self, group: &Group, index: u32) -> Presence {
        match self.index.begin(index) {
            // No entry adds a translation without a file.
            ALWAYS => Presence::Old,
            begin if begin < group.entries.start => Presence::Old,
            begin if begin < group.entries.end => Presence::New,
            _ => Presence::Absent,
        }
    }

    /// The index of the translation with the sources: the template, or that of the source language in bilingual files.
    pub(super) fn source(&self, component: &ComponentSnapshot) -> Option<u32> {
        let first = *self.order.first()?;
        let translation = component.current_translation_at(first)?;
        component.view_of(translation).is_source().then_some(first)
    }

    /// The index of a commit.
    pub(super) fn index_of(&self, group: &Group) -> u32 {
        let is_before = |other: &Group| other.entries.start < group.entries.start;
        self.groups.partition_point(is_before) as u32
    }
}

/// The indexes of translations: the source language, then the others by code.
fn order(component: &ComponentSnapshot) -> Vec<u32> {
    let count = component.current_translations().count() as u32;
    let mut order: Vec<u32> = (0..count).collect();
    order.sort_by_key(|&index| {
        let translation = component.current_translation_at(index)?;
        let is_source = component.view_of(translation).is_source();
        let code = &*translation.current_language().code;
        // A second file in the source language is a translation of the template.
        Some((!translation.is_template, !is_source, code))
    });
    order
}

/// The translation whose file an entry reports as broken, if one has that file.
fn broken_translation(component: &ComponentSnapshot, entry: &LogEntry) -> Option<u32> {
    let path = component.texts.get(entry.target);
    let mut translations = (0..).zip(&component.translations);
    let found = translations.find(|(_, translation)| &*translation.path == path)?;
    Some(found.0)
}
