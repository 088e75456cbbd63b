//! What is stored of the log of current Weblate: which entries of a component's log concern which translation and
//! string, and the numbers of rows.

use std::ops::Range;

use gitglot_model::{Action, KeyId, LogEntry, Timestamp};

/// The entry of something that no entry has added.
pub(super) const NEVER: u32 = u32::MAX;
/// The entry of something that was there before the log.
pub(super) const ALWAYS: u32 = NEVER - 1;

/// The log of a component as current Weblate has it: what is known of it without its rows.
#[derive(Debug)]
pub(super) struct CurrentLog {
    /// The commits with rows, oldest first.
    pub(super) groups: Vec<Group>,
    /// The indexes of the translations in the order of their rows: the source language, then the others by code.
    pub(super) order: Vec<u32>,
    /// Which entries concern which translation and string.
    pub(super) index: EntryIndex,
    pub(super) gaps: Gaps,
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

/// The untranslated strings with plural forms of a component: index of the translation, row of the string, and the
/// entries between which it has no text; ascending.
#[derive(Default, Debug)]
pub(super) struct Gaps(pub(super) Vec<(u32, u32, Range<u32>)>);

/// The rows of a commit in a list of rows, which begins with the oldest commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowsOfCommit {
    pub(super) time: Timestamp,
    /// The index of its component.
    pub(super) component: u32,
    /// The index of its group.
    pub(super) group: u32,
    /// The rows of this and all earlier commits of the list.
    pub(super) end: u64,
}

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

impl EntryIndex {
    /// The index of a log before any entry is read, given the entries that [`begin`](Self::begin) its translations,
    /// and the numbers of strings and keys.
    pub(super) fn new(begins: Vec<u32>, strings: usize, keys: usize) -> Self {
        Self {
            begins,
            added: vec![0; strings],
            texts: Vec::new(),
            sources: Vec::new(),
            key_numbers: vec![NEVER; keys],
            next_key: 0,
        }
    }

    /// Takes an entry into account, which is about that translation and string.
    pub(super) fn take(
        &mut self,
        at: u32,
        entry: &LogEntry,
        translation: Option<u32>,
        string: Option<u32>,
    ) {
        if let Some(key) = entry.key
            && let Some(number @ &mut NEVER) = self.key_numbers.get_mut(key.0 as usize)
        {
            *number = self.next_key;
            self.next_key += 1;
        }
        if let Some(begin) = translation.and_then(|index| self.begins.get_mut(index as usize)) {
            match entry.action {
                Action::RemovedTranslation => *begin = NEVER,
                _ if *begin == NEVER => *begin = at,
                _ => {}
            }
        }
        let Some(string) = string else {
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

    /// Takes the change of a state into account: index of the translation, row of the string, and entry.
    pub(super) fn take_state(&mut self, change: (u32, u32, u32)) {
        self.texts.push(change);
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
    pub(super) fn text_before(&self, index: u32, string: u32, before: u32) -> Option<u32> {
        let is_earlier = |text: &(u32, u32, u32)| *text < (index, string, before);
        let at = self.texts.partition_point(is_earlier).checked_sub(1)?;
        let &(of, text, entry) = self.texts.get(at)?;
        ((of, text) == (index, string) && entry >= self.added(string)).then_some(entry)
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

    /// The entries from another one on that changed a source.
    pub(super) fn source_changes_from(&self, string: u32, from: u32) -> impl Iterator<Item = u32> {
        let is_earlier = |change: &(u32, u32)| *change < (string, from);
        let first = self.sources.partition_point(is_earlier);
        let changes = self.sources.iter().skip(first);
        let own = changes.take_while(move |(of, _)| *of == string);
        own.map(|(_, at)| *at)
    }
}

impl Gaps {
    /// The strings of a translation that lack a text before, during and after the entries of a commit.
    pub(super) fn around(&self, entries: &Range<u32>, index: u32) -> impl Iterator<Item = u32> {
        let start = self.0.partition_point(|(of, ..)| *of < index);
        let end = self.0.partition_point(|(of, ..)| *of <= index);
        let entries = entries.clone();
        let own = self.0.get(start..end).unwrap_or_default().iter();
        let lacks = move |span: &Range<u32>| span.start < entries.start && span.end >= entries.end;
        own.filter_map(move |(_, string, span)| lacks(span).then_some(*string))
    }
}
