//! The change log of one component, kept in columns so that an entry costs 35 bytes.

use super::{Action, ChangeId, CommitId, Moment, OffsetTime, TextRef};

/// A key of a component: the place of its context in the component's key table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyIx(pub u32);

/// A translation of a component through all its renames.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineageIx(pub u16);

/// A person in the component's table of people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PersonIx(pub u32);

impl PersonIx {
    /// Nobody: the author of a commit that no entry names.
    pub const NOBODY: Self = Self(u32::MAX);
}

/// One entry of the log, as the log's readers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number, unique in the whole server.
    pub id: ChangeId,
    /// When it reached the mainline (`log.md` 4).
    pub time: Moment,
    /// What happened.
    pub action: Action,
    /// The translation it belongs to, if any.
    pub lineage: Option<LineageIx>,
    /// The key it belongs to, if any.
    pub key: Option<KeyIx>,
    /// The new text, path or description.
    pub target: TextRef,
    /// The text before, for details.
    pub previous: TextRef,
    /// The source that `target` was written for; `""` for other entries than a translation's texts.
    pub source: TextRef,
    /// The commit that wrote it: its place in [`Log::commits`].
    pub commit: u32,
}

/// What the log keeps of a commit that wrote an entry.
#[derive(Clone, Debug)]
pub struct CommitRow {
    /// The commit.
    pub id: CommitId,
    /// First line of its message.
    pub subject: TextRef,
    /// Who is named as author (`log.md` 5).
    pub author: PersonIx,
    /// Author's name as written in the commit.
    pub author_name: TextRef,
    /// Author's time.
    pub authored: OffsetTime,
    /// Committer's time.
    pub committed: OffsetTime,
}

/// What the log keeps of a translation, so that entries can name it when it is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineageRow {
    /// Code of its language.
    pub language: TextRef,
    /// The last path it had, from the repository's root.
    pub path: TextRef,
}

/// The log of one component, oldest entry first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    ids: Vec<u32>,
    times: Vec<i64>,
    actions: Vec<u8>,
    lineage_of: Vec<u16>,
    key_of: Vec<u32>,
    targets: Vec<u32>,
    previous: Vec<u32>,
    sources: Vec<u32>,
    commit_of: Vec<u32>,
    /// The commits that wrote entries.
    pub commits: Vec<CommitRow>,
    /// The context of each key, by [`KeyIx`]; keys that are gone too.
    pub keys: Vec<TextRef>,
    /// Each translation, by [`LineageIx`]; those that are gone too.
    pub lineages: Vec<LineageRow>,
}

const NO_LINEAGE: u16 = u16::MAX;
const NO_KEY: u32 = u32::MAX;

impl Log {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether nothing happened yet.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The entry at that place, 0-based, oldest first.
    pub fn get(&self, at: usize) -> Option<Entry> {
        Some(Entry {
            id: ChangeId(*self.ids.get(at)?),
            time: Moment(self.times[at]),
            action: Action::from_code(self.actions[at])?,
            lineage: (self.lineage_of[at] != NO_LINEAGE).then_some(LineageIx(self.lineage_of[at])),
            key: (self.key_of[at] != NO_KEY).then_some(KeyIx(self.key_of[at])),
            target: TextRef(self.targets[at]),
            previous: TextRef(self.previous[at]),
            source: TextRef(self.sources[at]),
            commit: self.commit_of[at],
        })
    }

    /// Numbers the entries from a place on, in order.
    pub fn set_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        for (slot, id) in self.ids.iter_mut().skip(from).zip(ids) {
            *slot = id.0;
        }
    }

    /// The times of the entries from a place on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Moment> + '_ {
        self.times.iter().skip(from).map(|&time| Moment(time))
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: Entry) {
        self.ids.push(entry.id.0);
        self.times.push(entry.time.0);
        self.actions.push(entry.action.code());
        self.lineage_of.push(entry.lineage.map_or(NO_LINEAGE, |lineage| lineage.0));
        self.key_of.push(entry.key.map_or(NO_KEY, |key| key.0));
        self.targets.push(entry.target.0);
        self.previous.push(entry.previous.0);
        self.sources.push(entry.source.0);
        self.commit_of.push(entry.commit);
    }
}
