//! Reads every version of the language files that a step needs, each distinct blob once, on all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::keys::Keys;
use super::values::{Value, Values};
use crate::formats::{Outline, Part, RawEntry, Reader};
use crate::git::{GitError, ObjectReader, Repository};
use crate::model::{BlobId, KeyId, TextId, TextPool};

/// One version of a file.
#[derive(Clone, Debug)]
pub(super) enum Version {
    /// It parses.
    Good(Arc<Good>),
    /// It does not.
    Broken,
}

/// What a version that parses holds.
#[derive(Debug)]
pub(super) struct Good {
    /// Its blob.
    pub blob: BlobId,
    /// The value of each key: the last, where a key stands twice.
    pub(super) values: Values,
    /// The note of each key, as a value; absent for `""`.
    pub(super) notes: Values,
    /// The first entry of each key that stands twice.
    pub(super) doubles: Box<[Item]>,
    /// The keys in file order; only of files that served as template.
    pub(super) order: Option<Order>,
}

impl Good {
    /// The text that the file has for a key, as a translation.
    pub fn value(&self, key: KeyId) -> Value {
        self.values.get(key)
    }

    /// The file's note for a key, as a translation.
    pub fn note(&self, key: KeyId) -> TextId {
        self.notes.get(key).text()
    }

    /// The text that the file has for a key, as the template (`units.md` 4: the first one counts).
    pub fn source(&self, key: KeyId) -> Value {
        match self.doubles.iter().find(|double| double.key == key) {
            Some(first) => first.value,
            None => self.values.get(key),
        }
    }

    /// The file's note for a key, as the template.
    pub fn source_note(&self, key: KeyId) -> TextId {
        match self.doubles.iter().find(|double| double.key == key) {
            Some(first) => first.note.text(),
            None => self.note(key),
        }
    }

    /// Keys that two paths of the file flatten to.
    pub fn doubles(&self) -> impl Iterator<Item = KeyId> {
        self.doubles.iter().map(|double| double.key)
    }

    /// Calls `found` for each key that may differ between two versions.
    pub fn diff(&self, other: &Self, found: &mut impl FnMut(KeyId)) {
        if std::ptr::eq(self, other) {
            return;
        }
        self.values.diff(&other.values, &mut |key, _, _| found(key));
        for key in self.doubles().chain(other.doubles()) {
            if self.value(key) == other.value(key) && self.source(key) != other.source(key) {
                found(key);
            }
        }
    }

    /// Calls `found` for each key of the file; by ascending key.
    pub fn each(&self, found: &mut impl FnMut(KeyId)) {
        self.values.each(&mut |key, _| found(key));
    }

    /// Whether it knows the order of its keys.
    pub fn has_order(&self) -> bool {
        self.order.is_some()
    }

    /// The keys in file order, each once; none for a file that never was a template.
    pub fn order(&self) -> impl Iterator<Item = KeyId> {
        self.positions().map(|(_, key)| key)
    }

    /// The keys in file order, each once, with the place of the first entry that has it, 1-based; every entry
    /// takes a place. None for a file that never was a template.
    pub fn positions(&self) -> impl Iterator<Item = (u32, KeyId)> {
        let doubles: FxHashSet<KeyId> = self.doubles().collect();
        let mut told = FxHashSet::default();
        let entries = self.order.iter().flat_map(|order| order.pieces.iter()).flat_map(|piece| piece.iter().copied());
        (1..).zip(entries).filter(move |&(_, key)| !doubles.contains(&key) || told.insert(key))
    }
}

/// One entry of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Item {
    pub key: KeyId,
    pub value: Value,
    /// The note, as a value; absent for `""`.
    pub note: Value,
}

/// The keys of a file's entries, in pieces that versions share. Where a piece ends is told by the keys
/// themselves, so that an insertion changes one piece only.
#[derive(Clone, Default, Debug)]
pub(super) struct Order {
    pub(super) pieces: Vec<Arc<[KeyId]>>,
}

impl Order {
    pub(super) fn new(keys: &[KeyId], before: Option<&Self>) -> Self {
        let mut old = before.map_or(&[][..], |order| &order.pieces).iter();
        let pieces = keys
            .chunk_by(|key, _| key.0.wrapping_mul(0x9E37_79B1) >> 27 != 0)
            .map(|piece| {
                // Pieces come in the same order as before, so the search goes on where it ended.
                let ahead = old.clone();
                match old.find(|there| ***there == *piece) {
                    Some(there) => there.clone(),
                    None => {
                        old = ahead;
                        piece.into()
                    }
                }
            })
            .collect();
        Self { pieces }
    }
}

/// The versions of one file, in the order in which they are to be read.
pub(super) struct Job {
    pub blobs: Vec<BlobId>,
    /// Whether the file serves as template in some tree.
    pub is_template: bool,
}

/// The texts and keys of a component while several threads add to them.
#[derive(Default, Debug)]
pub(super) struct Vocabulary {
    pub texts: TextPool,
    pub keys: Keys,
}

/// Bytes of versions that a thread keeps, as bases of others: a pack stores a version as its difference from a
/// later one, fifty deep.
const HISTORY_CACHE: usize = 16 << 20;

/// So few versions are read without further threads.
const FEW: usize = 8;

/// Reads all versions. `done` is told of each version that was read.
///
/// # Errors
/// When a blob is missing or damaged. In a repository that was cloned anew that counts as a version that cannot be read.
pub(super) fn read(
    repository: &Repository,
    format: &dyn Reader,
    mut jobs: Vec<Job>,
    vocabulary: &mut Vocabulary,
    done: &(dyn Fn() + Sync),
) -> Result<FxHashMap<BlobId, Version>, GitError> {
    jobs.sort_by_key(|job| std::cmp::Reverse(job.blobs.len()));
    let total: usize = jobs.iter().map(|job| job.blobs.len()).sum();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len()).max(1);
    let shared = Mutex::new(std::mem::take(vocabulary));
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = Worker {
            reader: repository.reader_for_histories(HISTORY_CACHE),
            format,
            shared: &shared,
            staged: Staged::default(),
            found: Vec::new(),
            bears_damage: repository.is_cloned_anew(),
        };
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            worker.read_file(job, done)?;
        }
        Ok(worker.found)
    };
    let found: Result<Vec<_>, GitError> = if total < FEW {
        work()
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let read = workers.into_iter().map(|worker| match worker.join() {
                Ok(read) => read,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            read.collect::<Result<Vec<_>, _>>().map(|found| found.into_iter().flatten().collect())
        })
    };
    *vocabulary = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(found?.into_iter().collect())
}

struct Worker<'a> {
    reader: ObjectReader,
    format: &'a dyn Reader,
    shared: &'a Mutex<Vocabulary>,
    staged: Staged,
    found: Vec<(BlobId, Version)>,
    bears_damage: bool,
}

/// The parts of a new version, before its texts have names.
#[derive(Default)]
struct Staged {
    bytes: String,
    parts: Vec<StagedPart>,
}

enum StagedPart {
    Kept(Range<usize>),
    New { context: Range<usize>, text: Range<usize>, note: Range<usize>, translated: bool },
}

impl Staged {
    fn put(&mut self, text: &str) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.push_str(text);
        start..self.bytes.len()
    }

    fn entry(&mut self, entry: RawEntry<'_>) {
        let (context, text, note) = (self.put(entry.context), self.put(entry.text), self.put(entry.note));
        self.parts.push(StagedPart::New { context, text, note, translated: entry.translated });
    }
}

/// A file version that the next one is read against.
#[derive(Default)]
struct Current {
    bytes: Vec<u8>,
    outline: Outline,
    entries: Vec<Item>,
    /// How often each key stands in `entries`.
    counts: FxHashMap<KeyId, u32>,
    /// How many keys stand more than once.
    doubles: usize,
    values: Values,
    notes: Values,
    order: Option<Order>,
    any: bool,
}

impl Worker<'_> {
    fn read_file(&mut self, job: &Job, done: &(dyn Fn() + Sync)) -> Result<(), GitError> {
        let mut current = Current::default();
        let mut bytes = Vec::new();
        for &blob in &job.blobs {
            let version = match self.reader.blob(blob, &mut bytes) {
                Ok(()) => self.read_version(blob, &mut current, &mut bytes, job.is_template),
                Err(error) if error.is_damage() && !self.bears_damage => return Err(error),
                Err(_) => Version::Broken,
            };
            self.found.push((blob, version));
            done();
        }
        Ok(())
    }

    /// Reads a version against the last good one, and puts it in its place.
    fn read_version(&mut self, blob: BlobId, current: &mut Current, bytes: &mut Vec<u8>, is_template: bool) -> Version {
        let staged = &mut self.staged;
        staged.bytes.clear();
        staged.parts.clear();
        let read = if current.any {
            self.format.reparse(&current.bytes, &mut current.outline, bytes, &mut |part| match part {
                Part::Kept(range) => staged.parts.push(StagedPart::Kept(range)),
                Part::Entry(entry) => staged.entry(entry),
            })
        } else {
            self.format.read(bytes, &mut current.outline, &mut |entry| staged.entry(entry))
        };
        if read.is_err() {
            return Version::Broken;
        }
        current.any = true;
        std::mem::swap(&mut current.bytes, bytes);
        let had_doubles = current.doubles > 0;
        let (gone, fresh) = self.splice(current);
        if had_doubles || current.doubles > 0 {
            current.settle_slowly();
        } else {
            for key in gone {
                if current.counts.get(&key) == Some(&0) {
                    current.values.set(key, Value::ABSENT);
                    current.notes.set(key, Value::ABSENT);
                }
            }
            for item in fresh {
                current.values.set(item.key, item.value);
                current.notes.set(item.key, item.note);
            }
        }
        if is_template {
            let keys: Vec<_> = current.entries.iter().map(|item| item.key).collect();
            current.order = Some(Order::new(&keys, current.order.as_ref()));
        }
        Version::Good(Arc::new(Good {
            blob,
            values: current.values.clone(),
            notes: current.notes.clone(),
            doubles: current.first_items(),
            order: current.order.clone(),
        }))
    }

    /// Makes the list of entries that of the staged version; gives the keys that it lost and the entries it gained.
    fn splice(&mut self, current: &mut Current) -> (Vec<KeyId>, Vec<Item>) {
        let (mut gone, mut fresh) = (Vec::new(), Vec::new());
        let mut entries = Vec::with_capacity(current.entries.len() + self.staged.parts.len());
        let old = std::mem::take(&mut current.entries);
        let mut shared = None;
        let mut next_old = 0;
        for part in &self.staged.parts {
            match part {
                StagedPart::Kept(range) => {
                    for &Item { key, .. } in old.get(next_old..range.start).unwrap_or(&[]) {
                        current.count(key, false);
                        gone.push(key);
                    }
                    entries.extend_from_slice(old.get(range.clone()).unwrap_or(&[]));
                    next_old = range.end;
                }
                StagedPart::New { context, text, note, translated } => {
                    let vocabulary =
                        shared.get_or_insert_with(|| self.shared.lock().unwrap_or_else(PoisonError::into_inner));
                    let Vocabulary { texts, keys } = &mut **vocabulary;
                    let key = keys.of(texts.intern(&self.staged.bytes[context.clone()]));
                    let value = Value::new(texts.intern(&self.staged.bytes[text.clone()]), *translated);
                    let note = match note.is_empty() {
                        true => Value::ABSENT,
                        false => Value::new(texts.intern(&self.staged.bytes[note.clone()]), true),
                    };
                    let item = Item { key, value, note };
                    entries.push(item);
                    current.count(key, true);
                    fresh.push(item);
                }
            }
        }
        drop(shared);
        for &Item { key, .. } in old.get(next_old..).unwrap_or(&[]) {
            current.count(key, false);
            gone.push(key);
        }
        current.entries = entries;
        (gone, fresh)
    }
}

impl Current {
    fn count(&mut self, key: KeyId, more: bool) {
        let count = self.counts.entry(key).or_insert(0);
        if more {
            *count += 1;
            self.doubles += usize::from(*count == 2);
        } else {
            *count = count.saturating_sub(1);
            self.doubles -= usize::from(*count == 1).min(self.doubles);
        }
    }

    /// Makes `values` those of `entries` where keys stand twice: the last entry of a key wins.
    fn settle_slowly(&mut self) {
        let last: FxHashMap<KeyId, Item> = self.entries.iter().map(|item| (item.key, *item)).collect();
        let mut gone = Vec::new();
        self.values.each(&mut |key, _| {
            if !last.contains_key(&key) {
                gone.push(key);
            }
        });
        for key in gone {
            self.values.set(key, Value::ABSENT);
            self.notes.set(key, Value::ABSENT);
        }
        for (key, item) in last {
            self.values.set(key, item.value);
            self.notes.set(key, item.note);
        }
    }

    fn first_items(&self) -> Box<[Item]> {
        if self.doubles == 0 {
            return Box::default();
        }
        let mut firsts: Vec<Item> = Vec::new();
        for item in &self.entries {
            let twice = self.counts.get(&item.key).is_some_and(|&count| count > 1);
            if twice && !firsts.iter().any(|first| first.key == item.key) {
                firsts.push(*item);
            }
        }
        firsts.into()
    }
}
