//! The open ledger of a state directory.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::batch_lines::{BatchLines, Checksum, LedgerHead, VerifiedBatch};
use super::batch_object::{BatchDetails, StoredBatch};
use super::checkpoint::Checkpoints;
use super::error::LedgerError;
use super::files::LedgerFiles;
use super::id_registry::IdRegistry;
use super::move_index::MoveIndex;
use super::record::{Assignments, Batch};
use super::shared::{Appended, BatchLog, SharedLedger};
use gitglot_model::CommitId;

/// The details of this many batches are kept; those of others are read again from the store if they are needed.
const MAX_DETAILS: usize = 1000;

/// The open ledger of a state directory; one process at a time.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    files: LedgerFiles,
    /// The checksum of each batch.
    checksums: Vec<Checksum>,
    /// All batches.
    pub batches: Vec<Batch>,
    index: MoveIndex,
    /// All ids.
    pub ids: IdRegistry,
    /// The ledger of which this one is a copy.
    shared: Option<SharedLedger>,
    /// The details of the newest batches that this process has read from the shared ledger.
    details: BTreeMap<u32, BatchDetails>,
    /// Whether the whole shared ledger was checked.
    is_checked: bool,
    /// The batch up to which [`Self::recheck`] has looked for missing ones.
    rechecked: u32,
    /// A newer gitglot has written batches that this one cannot read.
    newer: Option<String>,
    /// Why no batch may be written.
    read_only: Option<String>,
}

impl Ledger {
    /// Opens the ledger of a state directory, which is created if necessary, and locks the directory.
    ///
    /// # Errors
    /// When the directory cannot be written, another process has locked it, or a file is corrupt.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        fs::create_dir_all(folder).map_err(LedgerError::io(folder))?;
        let mut files = LedgerFiles::open(folder)?;
        let mut lines = files.read()?;
        let (mut ids, mut batches, mut checksums) = (IdRegistry::default(), Vec::new(), Vec::new());
        let mut index = MoveIndex::default();
        let mut last = Checksum::default();
        let mut is_upgraded = false;
        for (number, lines) in (1..).zip(&mut lines) {
            let VerifiedBatch {
                batch,
                ids: assignments,
                checksum,
                upgraded,
            } = lines.decode(last, number)?;
            ids.apply(&assignments)?;
            index.push(&batch, &assignments);
            batches.push(batch);
            checksums.push(checksum);
            last = checksum;
            is_upgraded |= upgraded.is_some();
            *lines = upgraded.unwrap_or_else(|| std::mem::take(lines));
        }
        if is_upgraded {
            files.replace(&lines)?;
            tracing::info!("added checksums to the ledger in {}", folder.display());
        } else {
            files.truncate()?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            files,
            checksums,
            batches,
            index,
            ids,
            shared: None,
            details: BTreeMap::new(),
            is_checked: false,
            rechecked: 0,
            newer: None,
            read_only: None,
        })
    }

    /// Opens the ledger again after an error.
    ///
    /// # Errors
    /// As [`Self::open`], and when the ledger lacks the batches up to `head`, which were published.
    pub fn reopen(folder: &Path, head: LedgerHead) -> Result<Self, LedgerError> {
        let replaced = || LedgerError::Replaced(folder.display().to_string());
        if head.batches > 0 && !folder.join("ledger.jsonl").exists() {
            return Err(replaced());
        }
        let ledger = Self::open(folder)?;
        let last = head.batches.checked_sub(1);
        let known = last.map(|last| ledger.checksums.get(last as usize));
        let is_same = known.is_none_or(|known| known == Some(&head.checksum));
        is_same.then_some(ledger).ok_or_else(replaced)
    }

    /// The newest batch.
    pub fn head(&self) -> LedgerHead {
        LedgerHead {
            batches: self.checksums.len() as u32,
            checksum: self.checksums.last().copied().unwrap_or_default(),
        }
    }

    /// Checks that the state directory is still the one that was opened.
    ///
    /// # Errors
    /// When it was removed, replaced or changed.
    pub fn check_in_place(&self) -> Result<(), LedgerError> {
        self.files.check_in_place()
    }

    /// The checkpoints of the state directory.
    pub fn checkpoints(&self) -> Checkpoints {
        Checkpoints::new(&self.folder, self.shared.clone())
    }

    /// Identifies the ledger: a hash of its first batch, as 16 hexadecimal digits. `None` before the first batch.
    pub fn id(&self) -> Option<String> {
        let first = self.batches.first()?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&first.seen.to_le_bytes());
        for it in &first.moves {
            hasher.update(it.component.as_bytes());
            hasher.update(it.to.as_bytes());
        }
        Some(hasher.finalize().to_hex().chars().take(16).collect())
    }

    /// The number of the next batch.
    pub fn next_batch(&self) -> u32 {
        self.batches.len() as u32 + 1
    }

    /// Whether the ledger records a move of the component `project/component`.
    pub fn has_moves_of(&self, component: &str) -> bool {
        !self.index.moves_of(component).is_empty()
    }

    /// The moves of the component `project/component`, oldest first: the indexes of the batch in [`Self::batches`] and of
    /// the move in the batch.
    pub fn moves_of(
        &self,
        component: &str,
    ) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<'_> {
        let moves = self.index.moves_of(component).iter();
        moves.map(|&(batch, nth)| (batch as usize, nth as usize))
    }

    /// The runs of change ids of a move, by the indexes of batch and move.
    pub fn changes_of(&self, batch: usize, nth: usize) -> &[Range<u32>] {
        self.index.changes_of(batch, nth)
    }

    /// Every commit that a component moved to.
    pub fn commits(&self) -> Vec<CommitId> {
        let moves = self.batches.iter().flat_map(|batch| &batch.moves);
        moves.filter_map(|moved| moved.to.parse().ok()).collect()
    }

    /// Makes this ledger a copy of a shared one. [`Self::sync`] reads the batches that it lacks.
    pub fn share(&mut self, shared: SharedLedger) {
        shared.set_applied(self.batches.len() as u32);
        self.shared = Some(shared);
    }

    /// The shared ledger of which this is a copy.
    pub fn shared(&self) -> Option<&SharedLedger> {
        self.shared.as_ref()
    }

    /// The branches and packs of a batch; `None` if the ledger is not shared.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn details(&self, number: u32) -> Result<Option<BatchDetails>, LedgerError> {
        match (self.details.get(&number), &self.shared) {
            (Some(known), _) => Ok(Some(known.clone())),
            (None, Some(shared)) => Ok(shared.read(number)?.map(|stored| stored.details)),
            (None, None) => Ok(None),
        }
    }

    /// The state directory.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Why no batch may be written: an outage of the store, or a newer gitglot writes the ledger.
    pub fn read_only(&self) -> Option<&str> {
        self.newer.as_deref().or(self.read_only.as_deref())
    }

    /// The reason if a newer gitglot writes the ledger.
    pub fn newer(&self) -> Option<&str> {
        self.newer.as_deref()
    }

    /// Sets or clears the reason why no batch may be written.
    pub fn set_read_only(&mut self, reason: Option<String>) {
        self.read_only = reason;
    }

    /// Whether [`Self::check`] has succeeded.
    pub fn is_checked(&self) -> bool {
        self.is_checked
    }

    /// Checks the shared ledger: no batch is missing, it contains this copy, and, for a replica that writes, the store
    /// creates objects only once.
    ///
    /// # Errors
    /// When that is not the case, or the store cannot be used.
    pub fn check(&mut self, is_writer: bool) -> Result<(), LedgerError> {
        let Some(shared) = &self.shared else {
            return Ok(());
        };
        if is_writer {
            shared.check_conditional()?;
        }
        self.check_newest()?;
        shared.count()?;
        self.is_checked = true;
        Ok(())
    }

    /// Checks the newest batch of this copy, and a part of the others, a different one each time.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn recheck(&mut self) -> Result<(), LedgerError> {
        if let Some(shared) = &self.shared {
            self.check_newest()?;
            let last = shared.check_after(self.rechecked)?;
            let known = self.checksums.len() as u32;
            self.rechecked = last.filter(|last| *last < known).unwrap_or(0);
        }
        Ok(())
    }

    /// Checks that the newest batch is also in the shared ledger.
    fn check_newest(&self) -> Result<(), LedgerError> {
        let (Some(shared), [before @ .., last]) = (&self.shared, &self.checksums[..]) else {
            return Ok(());
        };
        let batch = self.checksums.len() as u32;
        let before = before.last().copied().unwrap_or_default();
        let (folder, address) = (self.folder.display().to_string(), shared.address().into());
        match shared.read(batch)? {
            Some(stored) if stored.lines.checksum(before) == Some(*last) => Ok(()),
            Some(_) => Err(LedgerError::Diverged {
                folder,
                address,
                batch,
            }),
            None => Err(LedgerError::Lost {
                folder,
                address,
                batch,
            }),
        }
    }

    /// Reads the new batches of the shared ledger. Returns their number. Stops before a batch that a newer gitglot
    /// wrote; from then on, this ledger is read-only.
    ///
    /// # Errors
    /// When the store cannot be read, an object is corrupt, or the copy cannot be written.
    pub fn sync(&mut self) -> Result<u32, LedgerError> {
        let Some(shared) = self.shared.clone() else {
            return Ok(0);
        };
        let mut count = 0;
        loop {
            let number = self.next_batch();
            let Some(stored) = shared.read(number)? else {
                let count = (number > shared.newest()).then_some(count);
                return count.ok_or(LedgerError::Unreadable(number));
            };
            let verified = match stored.lines.decode(self.head().checksum, number) {
                Err(newer @ LedgerError::Newer(_)) => {
                    self.newer = Some(newer.to_string());
                    return Ok(count);
                }
                verified => verified?,
            };
            self.ids.apply(&verified.ids)?;
            self.files.append(&stored.lines)?;
            self.details.insert(number, stored.details);
            if self.details.len() > MAX_DETAILS {
                self.details.pop_first();
            }
            self.checksums.push(verified.checksum);
            self.index.push(&verified.batch, &verified.ids);
            self.batches.push(verified.batch);
            shared.set_applied(number);
            count += 1;
        }
    }

    /// Appends a batch and its ids, and syncs both files. A shared ledger is written first; `details` are for it alone.
    ///
    /// # Errors
    /// When a file or the store cannot be written, or the state directory was removed or replaced; then nothing that
    /// depends on the batch may be published.
    pub fn append(
        &mut self,
        batch: Batch,
        ids: Assignments,
        details: BatchDetails,
    ) -> Result<Appended, LedgerError> {
        let number = self.next_batch();
        let encoded = BatchLines::encode(self.head().checksum, &batch, &ids);
        let encoded = encoded.map_err(std::io::Error::from);
        let (lines, checksum) = encoded.map_err(LedgerError::io(&self.folder))?;
        let stored = StoredBatch { details, lines };
        if let Some(shared) = &self.shared {
            self.files.check_in_place()?;
            // The store may have lost the batch that this one continues.
            self.check_newest()?;
            if shared.record(number, &stored)? == Appended::Lost {
                return Ok(Appended::Lost);
            }
        }
        self.files.append(&stored.lines)?;
        self.checksums.push(checksum);
        self.index.push(&batch, &ids);
        self.batches.push(batch);
        if let Some(shared) = &self.shared {
            shared.set_applied(number);
        }
        Ok(Appended::Recorded)
    }
}
