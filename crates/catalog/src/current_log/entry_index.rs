//! Which entries of the log of a component concern which translation and string.

use crate::{ComponentSnapshot, TranslationView};
use gitglot_model::{Action, KeyId, LineageId, LogEntry, StateChange, TextId};

/// The entry of something that no entry has added.
pub(super) const NEVER: u32 = u32::MAX;
/// The entry of something that was there before the log.
pub(super) const ALWAYS: u32 = NEVER - 1;

/// The entries of a log by translation and string.
#[derive(Debug)]
pub(super) struct EntryIndex {
    /// The entry that begins each translation, by its index.
    begins: Vec<u32>,
    /// The entry that added each string, by its row; 0 if it was there before the log.
    added: Vec<u32>,
    /// The entries that wrote a text, and the resource updates that changed the state of one: index of the translation,
    /// row of the string, and entry; ascending.
    texts: Vec<(u32, u32, u32)>,
    /// The entries that changed a source: row of the string, and entry; ascending.
    sources: Vec<(u32, u32)>,
    /// The number of each key, by the order of their first entries, or [`NEVER`].
    key_numbers: Vec<u32>,
    /// The number of the next key.
    next_key: u32,
}

/// The entry that begins a translation, before any is read.
fn begin(view: TranslationView<'_>) -> u32 {
    if view.translation.has_file() {
        NEVER
    } else {
        ALWAYS
    }
}

impl EntryIndex {
    /// The index of a log without entries.
    pub(super) fn empty(component: &ComponentSnapshot) -> Self {
        Self {
            begins: component.current_translations().map(begin).collect(),
            added: vec![0; component.sources.len()],
            texts: Vec::new(),
            sources: Vec::new(),
            key_numbers: vec![NEVER; component.log.keys.len()],
            next_key: 0,
        }
    }

    /// Takes an entry into account.
    pub(super) fn take(&mut self, component: &ComponentSnapshot, at: u32, entry: &LogEntry) {
        if let Some(key) = entry.key
            && let Some(number @ &mut NEVER) = self.key_numbers.get_mut(key.0 as usize)
        {
            *number = self.next_key;
            self.next_key += 1;
        }
        let translation = translation_of(component, entry.lineage);
        if let Some(begin) = translation.and_then(|index| self.begins.get_mut(index as usize)) {
            match entry.action {
                Action::RemovedTranslation => *begin = NEVER,
                _ if *begin == NEVER => *begin = at,
                _ => {}
            }
        }
        let Some(string) = string_of(component, entry) else {
            return;
        };
        match entry.action {
            Action::NewSourceString => {
                if let Some(added) = self.added.get_mut(string as usize) {
                    *added = at;
                }
            }
            Action::SourceStringChanged => self.sources.push((string, at)),
            action if action.sets_source() => {
                let text = translation.map(|translation| (translation, string, at));
                self.texts.extend(text);
            }
            _ => {}
        }
    }

    /// Takes the change of a state into account.
    pub(super) fn take_state(&mut self, component: &ComponentSnapshot, change: StateChange) {
        self.texts.extend(state_change(component, change));
    }

    /// Sorts the entries; call it after the last one.
    pub(super) fn sort(&mut self) {
        self.texts.sort_unstable();
        self.sources.sort_unstable();
    }

    /// The number of a key, which is the same in each replay of the log.
    pub(super) fn key_number(&self, key: KeyId) -> u32 {
        let number = self.key_numbers.get(key.0 as usize);
        number.copied().unwrap_or(NEVER)
    }

    /// The entry that begins a translation.
    pub(super) fn begin(&self, index: u32) -> u32 {
        self.begins.get(index as usize).copied().unwrap_or(NEVER)
    }

    /// The entry that added a string.
    pub(super) fn added(&self, string: u32) -> u32 {
        self.added.get(string as usize).copied().unwrap_or(NEVER)
    }

    /// The last entry before another one that wrote a text of a unit.
    pub(super) fn text_before(
        &self,
        component: &ComponentSnapshot,
        index: u32,
        string: u32,
        before: u32,
    ) -> Option<LogEntry> {
        let is_earlier = |text: &(u32, u32, u32)| *text < (index, string, before);
        let at = self.texts.partition_point(is_earlier).checked_sub(1)?;
        let &(of, text, entry) = self.texts.get(at)?;
        let is_own = (of, text) == (index, string) && entry >= self.added(string);
        text_at(component, string, is_own.then_some(entry)?)
    }

    /// The entries from another one on that wrote a text of a unit.
    pub(super) fn texts_from(
        &self,
        index: u32,
        string: u32,
        from: u32,
    ) -> impl Iterator<Item = u32> {
        let is_earlier = |text: &(u32, u32, u32)| *text < (index, string, from);
        let first = self.texts.partition_point(is_earlier);
        let texts = self.texts.iter().skip(first);
        let own = texts.take_while(move |(of, text, _)| (*of, *text) == (index, string));
        own.map(|(.., at)| *at)
    }

    /// The entries that changed a source.
    pub(super) fn source_changes(&self, string: u32) -> impl Iterator<Item = u32> {
        let first = self.sources.partition_point(|(of, _)| *of < string);
        let changes = self.sources.iter().skip(first);
        let own = changes.take_while(move |(of, _)| *of == string);
        own.map(|(_, at)| *at)
    }

    /// The source text of a string before an entry.
    pub(super) fn source_from(
        &self,
        component: &ComponentSnapshot,
        string: u32,
        from: u32,
    ) -> TextId {
        let is_earlier = |change: &(u32, u32)| *change < (string, from);
        let at = self.sources.partition_point(is_earlier);
        let change = self.sources.get(at).filter(|(of, _)| *of == string);
        let change = change.and_then(|(_, entry)| component.log.get(*entry as usize));
        let now = || Some(component.sources.get(string as usize)?.source);
        let text = change.map(|entry| entry.previous).or_else(now);
        text.unwrap_or(TextId::EMPTY)
    }
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
    let change = states.find(|state| row_of(component, state.key) == Some(string))?;
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
    Some((translation, row_of(component, change.key)?, change.entry))
}

/// The row of the string of an entry, if it exists.
pub(crate) fn string_of(component: &ComponentSnapshot, entry: &LogEntry) -> Option<u32> {
    row_of(component, entry.key?)
}

/// The row of the unit that an entry is about, in a translation.
pub(crate) fn unit_row(view: TranslationView<'_>, entry: &LogEntry) -> Option<u32> {
    let string = string_of(view.component, entry)?;
    view.translation.unit_of(string)
}

fn row_of(component: &ComponentSnapshot, key: KeyId) -> Option<u32> {
    let string = *component.row_of_key.get(key.0 as usize)?;
    ((string as usize) < component.sources.len()).then_some(string)
}
