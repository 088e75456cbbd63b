//! Sequences of batches: the files of a state directory, and the objects of a store. Verifies, copies and compacts
//! them. Source: `docs/spec/ids-and-ledger.md#shared-ledger`.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::batch_lines::{BatchLines, LedgerHead, VerifiedBatch};
use super::batch_object::{BatchDetails, StoredBatch};
use super::error::LedgerError;
use super::files::LedgerFiles;
use super::shared::{Appended, BatchLog, CHECKPOINTS, PACKS, SharedLedger};

/// Objects that no batch refers to are removed at this age: the batch of a younger one may be on its way.
const UNUSED_AGE: Duration = Duration::from_secs(24 * 3600);
/// Checkpoints are removed at this age if the component has a newer one.
const CHECKPOINT_AGE: Duration = Duration::from_secs(7 * 24 * 3600);

/// The packs of this many newest batches remain.
const RECENT: u32 = 16;

/// The batches of a state directory, which is locked.
#[derive(Debug)]
pub struct DirectoryLog(RefCell<(LedgerFiles, Vec<BatchLines>)>);

impl DirectoryLog {
    /// Opens and locks a state directory, which is created if necessary.
    ///
    /// # Errors
    /// When it cannot be used, or lines are missing.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        std::fs::create_dir_all(folder).map_err(LedgerError::io(folder))?;
        let mut files = LedgerFiles::open(folder)?;
        let batches = files.read()?;
        Ok(Self(RefCell::new((files, batches))))
    }
}

impl BatchLog for DirectoryLog {
    fn count(&self) -> Result<u32, LedgerError> {
        Ok(self.0.borrow().1.len() as u32)
    }

    fn read(&self, number: u32) -> Result<Option<StoredBatch>, LedgerError> {
        let at = number.checked_sub(1);
        let lines = at.and_then(|at| self.0.borrow().1.get(at as usize).cloned());
        Ok(lines.map(|lines| StoredBatch {
            details: BatchDetails::default(),
            lines,
        }))
    }

    fn append(&self, number: u32, batch: &StoredBatch) -> Result<Appended, LedgerError> {
        let (files, batches) = &mut *self.0.borrow_mut();
        if number as usize != batches.len() + 1 {
            return Ok(Appended::Lost);
        }
        files.truncate()?;
        files.append(&batch.lines)?;
        batches.push(batch.lines.clone());
        Ok(Appended::Recorded)
    }
}

/// Verifies all batches, and calls `each` with each of them.
///
/// # Errors
/// When a batch is missing, cannot be read or is corrupt.
pub fn verify(
    log: &dyn BatchLog,
    each: &mut dyn FnMut(&VerifiedBatch, &StoredBatch) -> Result<(), LedgerError>,
) -> Result<LedgerHead, LedgerError> {
    let mut verified = LedgerHead::default();
    for number in 1..=log.count()? {
        let stored = log.read(number)?.ok_or(LedgerError::Unreadable(number))?;
        let batch = stored.lines.decode(verified.checksum, number)?;
        each(&batch, &stored)?;
        verified = LedgerHead {
            batches: number,
            checksum: batch.checksum,
        };
    }
    Ok(verified)
}

/// Verifies the packs that batches name. Returns their size in bytes.
///
/// # Errors
/// When a pack is missing or corrupt, or the store cannot be read.
pub fn verify_packs(shared: &SharedLedger, packs: &BTreeSet<String>) -> Result<u64, LedgerError> {
    let packs = packs.iter().map(|name| needed_pack(shared, name));
    packs.map(|pack| Ok(pack?.len() as u64)).sum()
}

fn needed_pack(shared: &SharedLedger, name: &str) -> Result<Vec<u8>, LedgerError> {
    let pack = shared.pack(name)?;
    pack.ok_or_else(|| shared.corrupt(name, "it is missing"))
}

/// Copies the batches that `to` lacks. Returns their number.
///
/// # Errors
/// When a batch is corrupt or cannot be copied, or the ledgers differ: then [`LedgerError::Different`].
pub fn copy(from: &dyn BatchLog, to: &dyn BatchLog) -> Result<u32, LedgerError> {
    let (present, mut copied) = (to.count()?, 0);
    verify(from, &mut |batch, stored| {
        let number = batch.batch.batch;
        // Lines without checksums get them.
        let lines = batch.upgraded.as_ref().unwrap_or(&stored.lines).clone();
        if number <= present {
            let known = to.read(number)?.ok_or(LedgerError::Unreadable(number))?;
            let is_same = known.lines == lines;
            return is_same.then_some(()).ok_or(LedgerError::Different(number));
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

/// Copies the packs that readers need from store to store. Returns the needed and other packs. Checkpoints are caches,
/// which replicas write again.
///
/// # Errors
/// When a batch or pack is missing or corrupt, or a store cannot be used.
pub fn copy_packs(from: &SharedLedger, to: &SharedLedger) -> Result<NamedPacks, LedgerError> {
    let named = named_packs(from)?;
    for name in &named.needed {
        to.put_pack(&needed_pack(from, name)?)?;
    }
    Ok(named)
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
    /// The newest batch.
    pub head: LedgerHead,
    /// Those that a replica may need.
    pub needed: BTreeSet<String>,
    /// All of them.
    pub all: BTreeSet<String>,
    /// The components of which a batch has no git objects: it was copied from a state directory, which has none.
    pub without_objects: BTreeSet<String>,
}

impl NamedPacks {
    /// Checks that a replica can serve all components without access to their repositories.
    ///
    /// # Errors
    /// When it cannot: then [`LedgerError::WithoutObjects`].
    pub fn check_complete(&self, shared: &SharedLedger) -> Result<(), LedgerError> {
        let components = self.without_objects.iter().map(|component| &**component);
        LedgerError::without_objects(shared.address(), components).map_or(Ok(()), Err)
    }
}

/// Finds the packs that batches name. A replica does not need those of a log that was rebuilt.
///
/// # Errors
/// When a batch is missing or corrupt, or the store cannot be read.
pub fn named_packs(shared: &SharedLedger) -> Result<NamedPacks, LedgerError> {
    // The batch in which the current log of each component begins.
    let mut begins: BTreeMap<String, u32> = BTreeMap::new();
    let mut batches: Vec<(u32, Vec<String>, BatchDetails)> = Vec::new();
    let head = verify(shared, &mut |batch, stored| {
        let (number, moves) = (batch.batch.batch, &batch.batch.moves);
        for begin in moves.iter().filter(|moved| moved.from.is_none()) {
            begins.insert(begin.component.clone(), number);
        }
        let components = moves.iter().map(|moved| moved.component.clone()).collect();
        batches.push((number, components, stored.details.clone()));
        Ok(())
    })?;
    let mut named = NamedPacks {
        head,
        ..NamedPacks::default()
    };
    for (number, components, details) in batches {
        let is_current = |name: &String| begins.get(name).is_none_or(|begin| *begin <= number);
        let current: Vec<String> = components.into_iter().filter(is_current).collect();
        // A replica that has not read the newest batches yet may be replaying older ones.
        if !current.is_empty() || head.batches - number < RECENT {
            named.needed.extend(details.packs.iter().cloned());
        }
        named.all.extend(details.packs);
        let has_objects = |name: &String| details.branches.contains_key(name);
        let without = current.into_iter().filter(|name| !has_objects(name));
        named.without_objects.extend(without);
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
    let mut unused = packs;
    unused.retain(|pack| {
        let is_named = named.all.contains(&pack.name);
        !named.needed.contains(&pack.name) && (is_named || is_old(pack.modified, UNUSED_AGE))
    });
    let mut checkpoints = shared.store().list(CHECKPOINTS)?;
    let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let mut newest = BTreeMap::new();
    for checkpoint in &checkpoints {
        let newest = newest.entry(folder(&checkpoint.name));
        let newest = newest.or_insert(checkpoint.modified);
        *newest = checkpoint.modified.max(*newest);
    }
    checkpoints.retain(|checkpoint| {
        let is_replaced = newest.get(&folder(&checkpoint.name)) > Some(&checkpoint.modified);
        is_replaced && is_old(checkpoint.modified, CHECKPOINT_AGE)
    });
    unused.extend(checkpoints);
    let mut compacted = Compacted::default();
    for object in unused {
        shared.store().delete(&object.name)?;
        compacted.objects += 1;
        compacted.bytes += object.size;
    }
    Ok(compacted)
}
