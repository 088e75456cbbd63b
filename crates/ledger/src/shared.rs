//! A ledger that several replicas share: one immutable object per batch in an object store.
//! Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;

use super::batch_object::{BatchObject, StoredBatch, encode};
use super::error::LedgerError;
use gitglot_store::{Creation, ObjectStore, StoreError};

/// The directory of batches.
const BATCHES: &str = "batches";
/// The directory of checkpoints.
pub(super) const CHECKPOINTS: &str = "checkpoints";
/// The directory of packs.
pub(super) const PACKS: &str = "packs";
/// The object that shows whether the store creates objects only once.
const PROBE: &str = "conditional-creation";
/// The largest batch in bytes. The first one of ten million units has a tenth of it.
const MAX_BATCH: u64 = 256 << 20;
/// The largest pack or checkpoint in bytes.
pub const MAX_PACK: u64 = 2 << 30;

/// The result of appending a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// The batch is recorded.
    Recorded,
    /// A different batch has this number: another replica was faster.
    Lost,
}

/// A sequence of batches, numbered from 1.
pub trait BatchLog {
    /// The number of batches.
    ///
    /// # Errors
    /// When a batch is missing, or they cannot be listed.
    fn count(&self) -> Result<u32, LedgerError>;

    /// Reads a batch; `None` if it does not exist yet.
    ///
    /// # Errors
    /// When it cannot be read, or is corrupt.
    fn read(&self, number: u32) -> Result<Option<StoredBatch>, LedgerError>;

    /// Appends a batch, unless a different one has its number.
    ///
    /// # Errors
    /// When it cannot be written; then it may be recorded or not.
    fn append(&self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError>;
}

/// The batches of an object store. Clones share their state.
#[derive(Clone, Debug)]
pub struct SharedLedger {
    store: Arc<dyn ObjectStore>,
    address: Arc<str>,
    progress: Arc<Progress>,
}

#[derive(Default, Debug)]
struct Progress {
    /// The number of batches that this replica has applied.
    applied: AtomicU32,
    /// The highest number that was seen in the store.
    newest: AtomicU32,
    /// The number of lost races.
    lost: AtomicU32,
    /// A batch that was read ahead.
    ahead: Mutex<Option<(u32, Vec<u8>)>>,
    /// The number of the batch that was read or written last, and the hash of its object.
    last: Mutex<Option<(u32, String)>>,
    /// Whether the store has created an object only once.
    is_conditional: AtomicBool,
}

impl SharedLedger {
    /// The ledger in a store; `address` is for messages.
    pub fn new(store: Arc<dyn ObjectStore>, address: &str) -> Self {
        Self {
            store,
            address: address.into(),
            progress: Arc::default(),
        }
    }

    /// The address of the store.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The store.
    pub fn store(&self) -> &dyn ObjectStore {
        &*self.store
    }

    /// The number of batches that the store is known to have and that are not applied.
    pub fn batches_behind(&self) -> u32 {
        let applied = self.progress.applied.load(Ordering::Relaxed);
        self.newest().saturating_sub(applied)
    }

    /// The newest batch that the store is known to have.
    pub(super) fn newest(&self) -> u32 {
        self.progress.newest.load(Ordering::Relaxed)
    }

    /// How often another replica was faster.
    pub fn lost_races(&self) -> u32 {
        self.progress.lost.load(Ordering::Relaxed)
    }

    /// Notes that all batches up to this number are applied.
    pub(super) fn set_applied(&self, number: u32) {
        self.progress.applied.store(number, Ordering::Relaxed);
        self.progress.newest.fetch_max(number, Ordering::Relaxed);
    }

    /// Whether the store has a batch that is not applied. Keeps it for the next [`Self::read`].
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn has_news(&self) -> Result<bool, LedgerError> {
        let number = self.progress.applied.load(Ordering::Relaxed) + 1;
        if let Some((ahead, _)) = &*self.progress.ahead.lock()
            && *ahead == number
        {
            return Ok(true);
        }
        let Some(content) = self.get(&name(number), MAX_BATCH)? else {
            return Ok(false);
        };
        *self.progress.ahead.lock() = Some((number, content));
        Ok(true)
    }

    /// Checks that the store creates an object only once. Otherwise replicas overwrite each other's batches. The object
    /// that this creates remains, so that another replica that checks at the same time gets the same result.
    ///
    /// # Errors
    /// When the store creates the object twice, or cannot be written.
    pub fn check_conditional(&self) -> Result<(), LedgerError> {
        if self.progress.is_conditional.load(Ordering::Relaxed) {
            return Ok(());
        }
        for _ in 0..2 {
            let content = b"It must not be possible to create this object twice.\n";
            if self.store.create(PROBE, content)? == Creation::Exists {
                self.progress.is_conditional.store(true, Ordering::Relaxed);
                return Ok(());
            }
        }
        Err(LedgerError::Unconditional(self.address.to_string()))
    }

    /// Checks that none of the next batches is missing. Returns the last number of those that were listed: a store lists
    /// many objects in parts. `None` if there are no more batches.
    ///
    /// # Errors
    /// When there is a batch whose predecessor is missing, or the store cannot be read.
    pub fn check_after(&self, number: u32) -> Result<Option<u32>, LedgerError> {
        let mut last = number;
        for object in self.store.list_after(BATCHES, &name(number))? {
            let Some(found) = number_of(&object) else {
                continue;
            };
            while found.saturating_sub(last) > 1 {
                // A list can lack an object that is created meanwhile.
                if self.get(&name(last + 1), MAX_BATCH)?.is_none() {
                    return Err(LedgerError::Gap {
                        address: self.address.to_string(),
                        missing: last + 1,
                        found,
                    });
                }
                last += 1;
            }
            last = found;
        }
        self.progress.newest.fetch_max(last, Ordering::Relaxed);
        Ok((last > number).then_some(last))
    }

    /// Appends a batch while other replicas may append, unless the store loses batches.
    ///
    /// # Errors
    /// As [`BatchLog::append`], and when the store has later batches or does not create objects only once.
    pub(super) fn record(&self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        self.check_conditional()?;
        self.check_after(number.saturating_sub(1))?;
        self.append(number, batch)
    }

    /// Stores a pack. Returns its name.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn put_pack(&self, pack: &[u8]) -> Result<String, LedgerError> {
        let name = pack_name(pack);
        self.store.create(&name, pack)?;
        Ok(name)
    }

    /// Reads a pack; `None` if the store does not have it.
    ///
    /// # Errors
    /// When the store cannot be read, or the pack is corrupt.
    pub fn pack(&self, name: &str) -> Result<Option<Vec<u8>>, LedgerError> {
        let pack = self.get(name, MAX_PACK)?;
        if pack.as_ref().is_some_and(|pack| pack_name(pack) != name) {
            return Err(self.corrupt(name, "its hash does not match its name"));
        }
        Ok(pack)
    }

    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, LedgerError> {
        self.store.get(name, max).map_err(|error| match error {
            StoreError::Invalid { name, reason } => self.corrupt(&name, &reason),
            error => error.into(),
        })
    }

    pub(super) fn corrupt(&self, object: &str, reason: &str) -> LedgerError {
        LedgerError::CorruptObject {
            address: self.address.to_string(),
            object: object.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

impl BatchLog for SharedLedger {
    fn count(&self) -> Result<u32, LedgerError> {
        let mut count = 0;
        while let Some(more) = self.check_after(count)? {
            count = more;
        }
        // What the store had before does not count: it may have been restored.
        self.progress.newest.store(count, Ordering::Relaxed);
        Ok(count)
    }

    fn read(&self, number: u32) -> Result<Option<StoredBatch>, LedgerError> {
        let ahead = self.progress.ahead.lock().take();
        let content = match ahead.filter(|(ahead, _)| *ahead == number) {
            Some((_, content)) => Some(content),
            None => self.get(&name(number), MAX_BATCH)?,
        };
        let Some(content) = content else {
            return Ok(None);
        };
        let object = BatchObject::decode(&content);
        let object = object.map_err(|error| self.corrupt(&name(number), &error.to_string()))?;
        self.progress.newest.fetch_max(number, Ordering::Relaxed);
        let mut last = self.progress.last.lock();
        if let (Some((before, hash)), Some(previous)) = (&*last, &object.previous)
            && before + 1 == number
            && hash != previous
        {
            return Err(self.corrupt(&name(number), "it continues a different batch"));
        }
        *last = Some((number, object.hash));
        Ok(Some(object.batch))
    }

    /// Reads the batch back: a store can lose what it has accepted.
    fn append(&self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        let last = self.progress.last.lock().clone();
        let previous = last.filter(|(before, _)| before + 1 == number);
        let (content, hash) = encode(batch, previous.map(|(_, hash)| hash));
        let object = name(number);
        if content.len() as u64 > MAX_BATCH {
            return Err(self.corrupt(&object, "it would be too large"));
        }
        let created = self.store.create(&object, &content)?;
        match self.get(&object, MAX_BATCH)? {
            // A repeated request finds its own batch.
            Some(stored) if stored == content => {
                *self.progress.last.lock() = Some((number, hash));
                Ok(Appended::Recorded)
            }
            Some(_) if created == Creation::Exists => {
                self.progress.lost.fetch_add(1, Ordering::Relaxed);
                Ok(Appended::Lost)
            }
            Some(_) => Err(self.corrupt(&object, "the store returns it differently than written")),
            None => Err(self.corrupt(&object, "the store accepted it, but does not return it")),
        }
    }
}

/// The name of the object of a batch.
pub(super) fn name(number: u32) -> String {
    format!("{BATCHES}/{number:010}")
}

/// The number of the batch in an object; `None` for other objects.
fn number_of(object: &str) -> Option<u32> {
    let number = object.rsplit('/').next()?.parse().ok()?;
    (name(number) == object).then_some(number)
}

/// The name of a pack contains its hash.
fn pack_name(pack: &[u8]) -> String {
    let hash = blake3::hash(pack).to_hex();
    format!("{PACKS}/{}.pack", hash.get(..40).unwrap_or_default())
}
