//! Sequences of batches: the files of a state directory, and the objects of a store. Verifies, copies and compacts
//! them. Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::batch_lines::{BatchLines, Checksum, VerifiedBatch};
use super::files::LedgerFiles;
use super::shared::{CHECKPOINTS, PACKS, StoredBatch};
use super::{Appended, BatchDetails, LedgerError, SharedLedger};

/// Objects that no batch refers to are removed at this age: the batch of a younger one may be on its way.
const UNUSED_AGE: Duration = Duration::from_secs(24 * 3600);
/// Checkpoints are removed at this age if the component has a newer one.
const CHECKPOINT_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The packs of this many newest batches remain.
const RECENT: u32 = 16;

/// A sequence of batches, numbered from 1.
pub trait BatchLog {
    /// Reads a batch; `None` if it does not exist yet.
    ///
    /// # Errors
    /// When it cannot be read, or is corrupt.
    fn read(&mut self, number: u32) -> Result<Option<StoredBatch>, LedgerError>;

    /// Appends a batch, unless a different one has its number.
    ///
    /// # Errors
    /// When it cannot be written; then it may be recorded or not.
    fn append(&mut self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError>;
}

impl BatchLog for SharedLedger {
    fn read(&mut self, number: u32) -> Result<Option<StoredBatch>, LedgerError> {
        SharedLedger::read(self, number)
    }

    fn append(&mut self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        SharedLedger::append(self, number, batch)
    }
}

/// The batches of a state directory, which is locked.
#[derive(Debug)]
pub struct DirectoryLog {
    files: LedgerFiles,
    batches: Vec<BatchLines>,
}

impl DirectoryLog {
    /// Opens and locks a state directory, which is created if necessary.
    ///
    /// # Errors
    /// When it cannot be used, or lines are missing.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        std::fs::create_dir_all(folder).map_err(|cause| LedgerError::Io {
            folder: folder.display().to_string(),
            cause,
        })?;
        let mut files = LedgerFiles::open(folder)?;
        let batches = files.read()?;
        Ok(Self { files, batches })
    }
}

impl BatchLog for DirectoryLog {
    fn read(&mut self, number: u32) -> Result<Option<StoredBatch>, LedgerError> {
        let at = number.checked_sub(1).map(|at| at as usize);
        let lines = at.and_then(|at| self.batches.get(at)).cloned();
        Ok(lines.map(|lines| StoredBatch {
            details: BatchDetails::default(),
            lines,
        }))
    }

    fn append(&mut self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        if number as usize != self.batches.len() + 1 {
            return Ok(Appended::Lost);
        }
        self.files.truncate()?;
        self.files.append(&batch.lines)?;
        self.batches.push(batch.lines.clone());
        Ok(Appended::Recorded)
    }
}

/// The result of verifying a ledger.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    /// The number of batches.
    pub batches: u32,
    /// The checksum of the last batch.
    pub checksum: Checksum,
}

/// Verifies all batches, and calls `each` with each of them.
///
/// # Errors
/// When a batch cannot be read or is corrupt.
pub fn verify(
    log: &mut dyn BatchLog,
    each: &mut dyn FnMut(&VerifiedBatch, &StoredBatch) -> Result<(), LedgerError>,
) -> Result<Verified, LedgerError> {
    let mut verified = Verified::default();
    while let Some(stored) = log.read(verified.batches + 1)? {
        let number = verified.batches + 1;
        let batch = stored.lines.decode(verified.checksum, number)?;
        each(&batch, &stored)?;
        (verified.batches, verified.checksum) = (number, batch.checksum);
    }
    Ok(verified)
}

/// Verifies the packs that batches name. Returns their size in bytes.
///
/// # Errors
/// When a pack is missing or corrupt, or the store cannot be read.
pub fn verify_packs(shared: &SharedLedger, packs: &BTreeSet<String>) -> Result<u64, LedgerError> {
    let mut size = 0;
    for name in packs {
        let pack = shared
            .pack(name)?
            .ok_or_else(|| LedgerError::CorruptObject {
                address: shared.address().to_owned(),
                object: name.clone(),
                reason: "it is missing".to_owned(),
            })?;
        size += pack.len() as u64;
    }
    Ok(size)
}

/// Copies the batches that `to` lacks. Returns their number.
///
/// # Errors
/// When a batch is corrupt or cannot be copied, or the ledgers differ: then [`LedgerError::Different`].
pub fn copy(from: &mut dyn BatchLog, to: &mut dyn BatchLog) -> Result<u32, LedgerError> {
    let mut copied = 0;
    verify(from, &mut |batch, stored| {
        let number = batch.batch.batch;
        // Lines without checksums get them.
        let lines = batch.upgraded.as_ref().unwrap_or(&stored.lines).clone();
        match to.read(number)? {
            Some(known) if known.lines == lines => return Ok(()),
            Some(_) => return Err(LedgerError::Different(number)),
            None => {}
        }
        let stored = StoredBatch {
            details: stored.details.clone(),
            lines,
        };
        match to.append(number, &stored)? {
            Appended::Recorded => copied += 1,
            Appended::Lost => return Err(LedgerError::Different(number)),
        }
        Ok(())
    })?;
    Ok(copied)
}

/// Copies the packs that replicas may need from store to store. Returns their number.
///
/// # Errors
/// When a pack is missing or corrupt, or a store cannot be used.
pub fn copy_packs(from: &SharedLedger, to: &SharedLedger) -> Result<usize, LedgerError> {
    let mut copied = 0;
    for name in named_packs(from)?.needed {
        if let Some(pack) = from.pack(&name)? {
            to.put_pack(&pack)?;
            copied += 1;
        }
    }
    Ok(copied)
}

/// The result of [`compact`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Compacted {
    /// The number of removed objects.
    pub objects: usize,
    /// Their size in bytes.
    pub bytes: u64,
}

/// The packs that batches name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NamedPacks {
    /// Those that a replica may need.
    pub needed: BTreeSet<String>,
    /// All of them.
    pub all: BTreeSet<String>,
}

/// Finds the packs that batches name. A replica does not need those of a log that was rebuilt.
///
/// # Errors
/// When a batch is corrupt, or the store cannot be read.
pub fn named_packs(shared: &SharedLedger) -> Result<NamedPacks, LedgerError> {
    // The batch in which the current log of each component begins.
    let mut begins: BTreeMap<String, u32> = BTreeMap::new();
    let mut batches: Vec<(u32, Vec<String>, Vec<String>)> = Vec::new();
    verify(&mut shared.clone(), &mut |batch, stored| {
        let (number, moves) = (batch.batch.batch, &batch.batch.moves);
        for begin in moves.iter().filter(|it| it.from.is_none()) {
            begins.insert(begin.component.clone(), number);
        }
        let components = moves.iter().map(|it| it.component.clone()).collect();
        batches.push((number, components, stored.details.packs.clone()));
        Ok(())
    })?;
    let newest = batches.last().map_or(0, |(number, ..)| *number);
    let mut named = NamedPacks::default();
    for (number, components, packs) in batches {
        let is_current = |name: &String| begins.get(name).is_none_or(|begin| *begin <= number);
        // A replica that has not read the newest batches yet may be replaying older ones.
        if components.iter().any(is_current) || newest - number < RECENT {
            named.needed.extend(packs.iter().cloned());
        }
        named.all.extend(packs);
    }
    Ok(named)
}

/// Removes packs of logs that were rebuilt, packs that no batch refers to, and superseded checkpoints. Replicas may run.
/// Keeps all batches.
///
/// # Errors
/// When a batch is corrupt, or the store cannot be used.
pub fn compact(shared: &SharedLedger, now: SystemTime) -> Result<Compacted, LedgerError> {
    // Before the batches: a pack that appears later is not listed.
    let packs = shared.store().list(PACKS)?;
    let named = named_packs(shared)?;
    let is_old = |modified: SystemTime, age: Duration| {
        now.duration_since(modified).is_ok_and(|since| since > age)
    };
    let mut unused = Vec::new();
    for pack in packs {
        let is_named = named.all.contains(&pack.name);
        if !named.needed.contains(&pack.name) && (is_named || is_old(pack.modified, UNUSED_AGE)) {
            unused.push(pack);
        }
    }
    let checkpoints = shared.store().list(CHECKPOINTS)?;
    for checkpoint in &checkpoints {
        let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let is_replaced = checkpoints.iter().any(|other| {
            folder(&other.name) == folder(&checkpoint.name) && other.modified > checkpoint.modified
        });
        if is_replaced && is_old(checkpoint.modified, CHECKPOINT_AGE) {
            unused.push(checkpoint.clone());
        }
    }
    let mut compacted = Compacted::default();
    for object in unused {
        shared.store().delete(&object.name)?;
        compacted.objects += 1;
        compacted.bytes += object.size;
    }
    Ok(compacted)
}
