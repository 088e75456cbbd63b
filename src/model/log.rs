//! The change log of one component: 36 bytes per entry. Copies of a log share memory.

use std::sync::Arc;

use super::binary_codec::{Reader, Writer};
use super::{Action, ChangeId, CommitId, OffsetTime, PersistentVec, TextId, Timestamp};

/// A key of a component: the index of its context in the component's key table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyId(pub u32);

/// A translation of a component through all its renames.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineageId(pub u16);

/// A person in the component's table of people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PersonId(pub u32);

impl PersonId {
    /// The author of a commit whose author no entry names.
    pub const NOBODY: Self = Self(u32::MAX);
}

/// One entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Unique across all components.
    pub id: ChangeId,
    /// When it reached the mainline (docs/spec/change-log.md#timestamps).
    pub time: Timestamp,
    /// The kind of change.
    pub action: Action,
    /// The translation it belongs to, if any.
    pub lineage: Option<LineageId>,
    /// The key it belongs to, if any.
    pub key: Option<KeyId>,
    /// The new text, path or description.
    pub target: TextId,
    /// The text before, for details.
    pub previous: TextId,
    /// The source that a translation's text was written for; `""` in other entries.
    pub source: TextId,
    /// Index of its commit in [`Log::commits`].
    pub commit: u32,
}

/// A commit that wrote an entry.
#[derive(Clone, Debug)]
pub struct CommitRow {
    /// The commit.
    pub id: CommitId,
    /// First line of its message.
    pub subject: TextId,
    /// The author (docs/spec/change-log.md#authors).
    pub author: PersonId,
    /// Author's name as written in the commit.
    pub author_name: TextId,
    /// Author's time.
    pub authored: OffsetTime,
    /// Committer's time.
    pub committed: OffsetTime,
}

/// A string that left the template. Removals are no entries, so that they change neither ids nor pages of a log
/// (docs/spec/change-log.md#removed-strings).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Removal {
    /// Index of the entry that the removal belongs to. It may be the next one to be written.
    pub entry: u32,
    /// The string's key.
    pub key: KeyId,
    /// Its last source text.
    pub source: TextId,
}

/// A translation, present or removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineageRow {
    /// Code of its language.
    pub language: TextId,
    /// The last path it had, from the repository's root.
    pub path: TextId,
}

/// An entry in memory. No field needs an alignment of more than four bytes.
#[derive(Clone, Copy, Debug)]
struct Row {
    id: u32,
    /// The time's upper and lower half.
    time: [u32; 2],
    target: u32,
    previous: u32,
    source: u32,
    commit: u32,
    key: u32,
    lineage: u16,
    action: u8,
}

const NO_LINEAGE: u16 = u16::MAX;
const NO_KEY: u32 = u32::MAX;

impl Row {
    fn new(entry: &Entry) -> Self {
        let time = entry.time.0 as u64;
        Self {
            id: entry.id.0,
            time: [(time >> 32) as u32, time as u32],
            target: entry.target.0,
            previous: entry.previous.0,
            source: entry.source.0,
            commit: entry.commit,
            key: entry.key.map_or(NO_KEY, |key| key.0),
            lineage: entry.lineage.map_or(NO_LINEAGE, |lineage| lineage.0),
            action: entry.action.code(),
        }
    }

    fn time(&self) -> Timestamp {
        Timestamp((u64::from(self.time[0]) << 32 | u64::from(self.time[1])) as i64)
    }

    fn entry(&self) -> Option<Entry> {
        Some(Entry {
            id: ChangeId(self.id),
            time: self.time(),
            action: Action::from_code(self.action)?,
            lineage: (self.lineage != NO_LINEAGE).then_some(LineageId(self.lineage)),
            key: (self.key != NO_KEY).then_some(KeyId(self.key)),
            target: TextId(self.target),
            previous: TextId(self.previous),
            source: TextId(self.source),
            commit: self.commit,
        })
    }
}

/// The log of one component, oldest entry first. Cheap to copy; copies do not see each other's new entries.
#[derive(Clone, Debug, Default)]
pub struct Log {
    rows: PersistentVec<Row>,
    /// Sorted indexes of the entries of each translation, by [`LineageId`].
    by_lineage: Vec<PersistentVec<u32>>,
    /// In the order of their entries.
    removals: PersistentVec<Removal>,
    /// The commits that wrote entries.
    pub commits: PersistentVec<CommitRow>,
    /// The context of each key, present or removed, by [`KeyId`].
    pub keys: PersistentVec<TextId>,
    /// Each translation, present or removed, by [`LineageId`].
    pub lineages: Vec<LineageRow>,
    /// Identifies the copies of one log.
    origin: Arc<()>,
}

impl Log {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The entry at an index, oldest first.
    pub fn get(&self, at: usize) -> Option<Entry> {
        self.rows.get(at)?.entry()
    }

    /// The entries in order. Faster than [`Self::get`] for each.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.rows.iter().filter_map(Row::entry)
    }

    /// The sorted indexes of a translation's entries; `None` if it has none.
    pub fn of_lineage(&self, lineage: LineageId) -> Option<&PersistentVec<u32>> {
        self.by_lineage.get(usize::from(lineage.0))
    }

    /// Whether this log is a copy of an older one, perhaps with more entries.
    pub fn continues(&self, older: &Self) -> bool {
        Arc::ptr_eq(&self.origin, &older.origin) && self.len() >= older.len()
    }

    /// Sets the ids of the entries from an index on, in order.
    pub fn set_ids(&mut self, from: usize, ids: impl IntoIterator<Item = ChangeId>) {
        for (at, id) in (from..self.rows.len()).zip(ids) {
            if let Some(row) = self.rows.get_mut(at) {
                row.id = id.0;
            }
        }
    }

    /// The times of the entries from an index on.
    pub fn times_from(&self, from: usize) -> impl Iterator<Item = Timestamp> + '_ {
        self.rows.iter_from(from).map(Row::time)
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: Entry) {
        self.add(Row::new(&entry));
    }

    /// Appends a removal. Its entry is not before that of the previous removal.
    pub fn push_removal(&mut self, removal: Removal) {
        self.removals.push(removal);
    }

    /// The removals that belong to entries of the log, in order.
    pub fn removals(&self) -> impl Iterator<Item = Removal> + '_ {
        self.removals.iter().copied().take_while(|removal| (removal.entry as usize) < self.len())
    }

    /// The removal at an index among those that belong to the entry with an id.
    pub fn removal_of(&self, id: ChangeId, index: usize) -> Option<Removal> {
        let id_of = |removal: &Removal| self.rows.get(removal.entry as usize).map_or(u32::MAX, |row| row.id);
        let first = self.removals.partition_point(|removal| id_of(removal) < id.0);
        self.removals.get(first.checked_add(index)?).copied().filter(|removal| id_of(removal) == id.0)
    }

    fn add(&mut self, row: Row) {
        if row.lineage != NO_LINEAGE {
            let at = usize::from(row.lineage);
            if self.by_lineage.len() <= at {
                self.by_lineage.resize_with(at + 1, PersistentVec::default);
            }
            self.by_lineage[at].push(self.rows.len() as u32);
        }
        self.rows.push(row);
    }

    /// Writes the log to a checkpoint.
    pub fn save(&self, out: &mut Writer<'_>) {
        out.len(self.rows.len());
        for row in self.rows.iter() {
            let [high, low] = row.time;
            let numbers = [row.id, high, low, row.target, row.previous, row.source, row.commit, row.key];
            numbers.into_iter().for_each(|number| out.u32(number));
            out.u32(u32::from(row.lineage) << 8 | u32::from(row.action));
        }
        out.len(self.commits.len());
        for commit in self.commits.iter() {
            out.id(&commit.id.0);
            [commit.subject.0, commit.author.0, commit.author_name.0].into_iter().for_each(|number| out.u32(number));
            for time in [commit.authored, commit.committed] {
                out.i64(time.seconds);
                out.u32(time.offset as u32);
            }
        }
        out.len(self.keys.len());
        self.keys.iter().for_each(|key| out.u32(key.0));
        out.list(self.lineages.iter(), |out, lineage| {
            out.u32(lineage.language.0);
            out.u32(lineage.path.0);
        });
        out.len(self.removals.len());
        for removal in self.removals.iter() {
            [removal.entry, removal.key.0, removal.source.0].into_iter().for_each(|number| out.u32(number));
        }
    }

    /// Reads a log that [`Self::save`] wrote; `None` if it is invalid or refers to a text, key or translation beyond
    /// the given counts.
    pub fn load(from: &mut Reader<'_>, texts: usize, keys: usize, lineages: usize) -> Option<Self> {
        let text = |name: u32| ((name as usize) < texts).then_some(TextId(name));
        let count = from.len(36)?;
        let mut numbers = from.numbers(count * 9)?;
        let mut log = Self::default();
        let mut commits = 0;
        for _ in 0..count {
            let mut next = || numbers.next();
            let (id, time) = (next()?, [next()?, next()?]);
            let (target, previous, source) = (next()?, next()?, next()?);
            let (commit, key, rest) = (next()?, next()?, next()?);
            let row = Row {
                id,
                time,
                target,
                previous,
                source,
                commit,
                key,
                lineage: u16::try_from(rest >> 8).ok()?,
                action: rest as u8,
            };
            text(target.max(previous).max(source))?;
            let in_lineage = row.lineage == NO_LINEAGE || usize::from(row.lineage) < lineages;
            let in_keys = key == NO_KEY || (key as usize) < keys;
            if !in_lineage || !in_keys || Action::from_code(row.action).is_none() {
                return None;
            }
            commits = commits.max(commit as usize + 1);
            log.add(row);
        }
        for _ in 0..from.len(56)? {
            let id = CommitId(from.id()?);
            let (subject, author, author_name) = (text(from.u32()?)?, PersonId(from.u32()?), text(from.u32()?)?);
            let mut time = || Some(OffsetTime { seconds: from.i64()?, offset: from.u32()? as i32 });
            let (authored, committed) = (time()?, time()?);
            log.commits.push(CommitRow { id, subject, author, author_name, authored, committed });
        }
        log.keys = from.u32s()?.map(TextId).collect();
        log.lineages =
            from.list(8, |from| Some(LineageRow { language: text(from.u32()?)?, path: text(from.u32()?)? }))?;
        for _ in 0..from.len(12)? {
            let (entry, key, source) = (from.u32()?, KeyId(from.u32()?), text(from.u32()?)?);
            if entry as usize > count || key.0 as usize >= keys {
                return None;
            }
            log.removals.push(Removal { entry, key, source });
        }
        let fits = commits <= log.commits.len() && log.keys.iter().all(|key| text(key.0).is_some());
        fits.then_some(log)
    }
}
