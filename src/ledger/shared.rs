//! A ledger that several replicas share: one immutable object per batch in an object store.
//! Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::batch_lines::BatchLines;
use super::error::LedgerError;
use crate::store::{Creation, ObjectStore, StoreError};

/// Version of the format of batch objects.
const FORMAT: u32 = 1;
/// The directory of checkpoints.
pub(super) const CHECKPOINTS: &str = "checkpoints";
/// The directory of packs.
pub(super) const PACKS: &str = "packs";
/// Length of the hash at the end of a batch object, as hexadecimal digits.
const HASH: usize = 64;

/// The part of a batch that a replica needs and the files of a state directory do not record.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct BatchDetails {
    /// The branch of each component that moved.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub branches: BTreeMap<String, String>,
    /// The names of packs with the git objects of the batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<String>,
}

/// The first line of a batch object.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    #[serde(flatten)]
    details: BatchDetails,
}

/// The content of a batch object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredBatch {
    /// The branches and packs.
    pub details: BatchDetails,
    /// The lines of the files.
    pub lines: BatchLines,
}

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
        let newest = self.progress.newest.load(Ordering::Relaxed);
        newest.saturating_sub(self.progress.applied.load(Ordering::Relaxed))
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
    pub fn has_news(&self) -> Result<bool, StoreError> {
        let number = self.progress.applied.load(Ordering::Relaxed) + 1;
        if let Some((ahead, _)) = &*self.progress.ahead.lock()
            && *ahead == number
        {
            return Ok(true);
        }
        let Some(content) = self.store.get(&name(number))? else {
            return Ok(false);
        };
        self.progress.newest.fetch_max(number, Ordering::Relaxed);
        *self.progress.ahead.lock() = Some((number, content));
        Ok(true)
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
        let pack = self.store.get(name)?;
        if pack.as_ref().is_some_and(|pack| pack_name(pack) != name) {
            return Err(self.corrupt(name, "its hash does not match its name"));
        }
        Ok(pack)
    }

    pub(super) fn corrupt(&self, object: &str, reason: &str) -> LedgerError {
        let (address, object) = (self.address.to_string(), object.to_owned());
        LedgerError::CorruptObject {
            address,
            object,
            reason: reason.to_owned(),
        }
    }
}

impl BatchLog for SharedLedger {
    fn read(&self, number: u32) -> Result<Option<StoredBatch>, LedgerError> {
        let ahead = self
            .progress
            .ahead
            .lock()
            .take()
            .filter(|(ahead, _)| *ahead == number);
        let content = match ahead {
            Some((_, content)) => Some(content),
            None => self.store.get(&name(number))?,
        };
        let Some(content) = content else {
            return Ok(None);
        };
        self.progress.newest.fetch_max(number, Ordering::Relaxed);
        decode(&content)
            .map(Some)
            .map_err(|reason| self.corrupt(&name(number), reason))
    }

    fn append(&self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        let content = encode(batch);
        match self.store.create(&name(number), &content)? {
            Creation::Created => Ok(Appended::Recorded),
            // A repeated request finds its own batch.
            Creation::Exists if self.store.get(&name(number))?.as_deref() == Some(&content) => {
                Ok(Appended::Recorded)
            }
            Creation::Exists => {
                self.progress.lost.fetch_add(1, Ordering::Relaxed);
                Ok(Appended::Lost)
            }
        }
    }
}

/// The name of the object of a batch.
pub(super) fn name(number: u32) -> String {
    format!("batches/{number:010}")
}

/// The name of a pack contains its hash.
fn pack_name(pack: &[u8]) -> String {
    let hash = blake3::hash(pack).to_hex();
    format!("{PACKS}/{}.pack", hash.get(..40).unwrap_or_default())
}

/// Encodes a batch object: a line with the details, the two lines of the batch, and a hash of all.
pub(super) fn encode(batch: &StoredBatch) -> Vec<u8> {
    let header = Header {
        format: FORMAT,
        details: batch.details.clone(),
    };
    // Strings and numbers always serialize.
    let header = serde_json::to_string(&header).unwrap_or_default();
    let mut text = format!("{header}\n{}\n{}\n", batch.lines.ids, batch.lines.moves);
    let hash = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(&hash);
    text.push('\n');
    text.into_bytes()
}

pub(super) fn decode(content: &[u8]) -> Result<StoredBatch, &'static str> {
    let text = std::str::from_utf8(content).map_err(|_| "it is not text")?;
    let end = text.len().saturating_sub(HASH + 1);
    let (signed, hash) = text.split_at_checked(end).ok_or("it is too short")?;
    if blake3::hash(signed.as_bytes()).to_hex().as_str() != hash.trim_end_matches('\n') {
        return Err("its hash does not match its content");
    }
    let mut lines = signed.lines();
    let mut next = || lines.next().ok_or("a line is missing");
    let (header, ids, moves) = (next()?, next()?, next()?);
    let header: Header = serde_json::from_str(header).map_err(|_| "its first line is invalid")?;
    if header.format != FORMAT {
        return Err("a newer version wrote it");
    }
    Ok(StoredBatch {
        details: header.details,
        lines: BatchLines {
            ids: ids.to_owned(),
            moves: moves.to_owned(),
        },
    })
}
