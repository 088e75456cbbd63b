//! What the commits of a log changed, and how many rows that makes for current Weblate.

use super::commit_changes::{Changes, contains};
use crate::component::ComponentSnapshot;
use crate::current_log::{ALWAYS, CurrentLog, Group};
use crate::scan::Budget;
use crate::translation::TranslationSnapshot;
use gitglot_model::{Action, LineageId, LogEntry, StateChange, TextId};

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

/// The log of a component with what is stored of it for current Weblate.
#[derive(Clone, Copy)]
pub(super) struct LogReader<'a> {
    pub(super) component: &'a ComponentSnapshot,
    pub(super) log: &'a CurrentLog,
}

impl<'a> LogReader<'a> {
    /// `None` if the log of the component is not known.
    pub(super) fn of(component: &'a ComponentSnapshot) -> Option<Self> {
        let log = component.current.log.get()?;
        Some(Self { component, log })
    }

    /// For each group, the number of rows up to it without those about updates of the repository, and of those about
    /// updates. `None` if the budget is exhausted.
    pub(super) fn counts(self, budget: &Budget) -> Option<Vec<(u64, u64)>> {
        let (mut rows, mut updates) = (0, 0);
        let count = |group: &Group| {
            let changes = self.changes(group);
            // Rows that a translation lacks are looked for, too.
            let common = changes.added.len() + changes.sources.len() + changes.broken.len();
            for &index in &self.log.order {
                let changed = self.row_count(group, &changes, index);
                if !budget.spend(1 + changed + common as u64) {
                    return None;
                }
                rows += changed + self.rereads(group, &changes, index).count() as u64;
            }
            rows += changes.rows_of_component();
            updates += group.update_rows();
            Some((rows, updates))
        };
        self.log.groups.iter().map(count).collect()
    }

    /// The entry at an index of the log.
    pub(super) fn entry(self, at: u32) -> Option<LogEntry> {
        self.component.log.get(at as usize)
    }

    /// What a commit changed.
    pub(super) fn changes(self, group: &Group) -> Changes {
        let (component, index) = (self.component, &self.log.index);
        let mut changes = Changes::default();
        let source = self.source();
        for at in group.entries.clone() {
            let Some(entry) = self.entry(at) else {
                continue;
            };
            let translation = translation_of(component, entry.lineage);
            let existing = translation.filter(|&translation| index.begin(translation) <= at);
            let exists = |string: u32| index.added(string) <= at;
            let string = component.string_of(&entry);
            let string = string.filter(|&string| exists(string));
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
    pub(super) fn row_count(self, group: &Group, changes: &Changes, index: u32) -> u64 {
        let component = self.component;
        let Some(translation) = component.current_translation_at(index) else {
            return 0;
        };
        let has_unit = |string: u32| translation.unit_of(string).is_some();
        let texts = changes.texts_of(index).iter();
        let of_units = texts.filter(|(_, string, _)| has_unit(*string));
        let earlier = of_units.filter(|(.., at)| {
            component.log.earlier_source_of(*at).is_some() && Some(index) != self.source()
        });
        let rows = match self.presence(group, index) {
            Presence::Absent => 0,
            Presence::New => {
                let added = self.strings_before(group.entries.end);
                1 + added.filter(|&string| has_unit(string)).count() as u64
            }
            Presence::Old => {
                let added = changes.added.iter().filter(|(string, _)| has_unit(*string));
                let sources = changes.sources.iter().map(|&(string, _)| match () {
                    () if !has_unit(string) => 0,
                    () if self.is_replaced(group, index, string) => 2,
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

    /// The strings that were there before an entry.
    pub(super) fn strings_before(self, entry: u32) -> impl Iterator<Item = u32> {
        let strings = 0..self.component.sources.len() as u32;
        strings.filter(move |&string| self.log.index.added(string) < entry)
    }

    /// The strings of a translation that a commit does not change, but that have a row because their file is read
    /// again.
    pub(super) fn rereads(
        self,
        group: &Group,
        changes: &Changes,
        index: u32,
    ) -> impl Iterator<Item = u32> {
        let is_read = changes.has_file(index);
        let gaps = is_read.then(|| self.log.gaps.around(&group.entries, index));
        let gaps = gaps.into_iter().flatten();
        gaps.filter(|string| !contains(&changes.sources, *string))
    }

    /// Whether a change of a source makes a text of a translation old.
    fn is_replaced(self, group: &Group, index: u32, string: u32) -> bool {
        let text = || self.text_before(index, string, group.entries.start);
        Some(index) != self.source() && text().is_some_and(|entry| entry.target != TextId::EMPTY)
    }

    /// How a commit concerns a translation.
    pub(super) fn presence(self, group: &Group, index: u32) -> Presence {
        match self.log.index.begin(index) {
            // No entry adds a translation without a file.
            ALWAYS => Presence::Old,
            begin if begin < group.entries.start => Presence::Old,
            begin if begin < group.entries.end => Presence::New,
            _ => Presence::Absent,
        }
    }

    /// The index of the translation with the sources: the template, or that of the source language in bilingual files.
    pub(super) fn source(self) -> Option<u32> {
        let first = *self.log.order.first()?;
        let translation = self.component.current_translation_at(first)?;
        let view = self.component.view_of(translation);
        view.is_source().then_some(first)
    }

    /// The index of a commit.
    pub(super) fn index_of(self, group: &Group) -> u32 {
        let is_before = |other: &Group| other.entries.start < group.entries.start;
        self.log.groups.partition_point(is_before) as u32
    }

    /// The last entry before another one that wrote a text of a unit.
    pub(super) fn text_before(self, index: u32, string: u32, before: u32) -> Option<LogEntry> {
        let at = self.log.index.text_before(index, string, before)?;
        text_at(self.component, string, at)
    }

    /// The source text of a string before an entry.
    pub(super) fn source_from(self, string: u32, from: u32) -> TextId {
        let component = self.component;
        let change = self.log.index.source_changes_from(string, from).next();
        let change = change.and_then(|at| self.entry(at));
        let now = || Some(component.sources.get(string as usize)?.source);
        let text = change.map(|entry| entry.previous).or_else(now);
        text.unwrap_or(TextId::EMPTY)
    }
}

/// The translation whose file an entry reports as broken, if one has that file.
fn broken_translation(component: &ComponentSnapshot, entry: &LogEntry) -> Option<u32> {
    let path = component.texts.get(entry.target);
    let mut translations = (0..).zip(&component.translations);
    let broken = translations.find(|(_, translation)| &*translation.path == path);
    broken.map(|(index, _)| index)
}

/// The index of the translation of an entry, if it exists.
pub(super) fn translation_of(
    component: &ComponentSnapshot,
    lineage: Option<LineageId>,
) -> Option<u32> {
    component.current_index(lineage?)
}

/// The entry about a text at an index of the log. That of a resource update is the state that it changed.
pub(super) fn text_at(component: &ComponentSnapshot, string: u32, at: u32) -> Option<LogEntry> {
    let entry = component.log.get(at as usize)?;
    if entry.action.sets_source() {
        return Some(entry);
    }
    let mut states = (0..).map_while(|index| component.log.state_change_of(at, index));
    let change = states.find(|state| component.row_of_key(state.key) == Some(string))?;
    let source = component.sources.get(string as usize)?.source;
    Some(LogEntry {
        source,
        ..change.as_entry(&entry)
    })
}

/// The translation, string and entry of a change of a state, if they exist.
pub(super) fn state_change(
    component: &ComponentSnapshot,
    change: StateChange,
) -> Option<(u32, u32, u32)> {
    let update = component.log.get(change.entry as usize)?;
    let translation = translation_of(component, update.lineage)?;
    let string = component.row_of_key(change.key)?;
    Some((translation, string, change.entry))
}
