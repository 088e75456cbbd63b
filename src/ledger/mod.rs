//! The persistent record of tips and ids: `ledger.jsonl` and `ids.jsonl` in the state directory, and checkpoints.
//!
//! The format and the rules are in `docs/spec/ids-and-ledger.md`. Must not depend on git or HTTP.

mod batch_lines;
mod checkpoint;
mod files;
mod id_registry;
mod record;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::batch_lines::{BatchLines, Checksum, VerifiedBatch};
use self::files::LedgerFiles;
pub use checkpoint::{Checkpoint, CheckpointError, Checkpoints};
pub use id_registry::IdRegistry;
pub use record::{Assignments, Batch, ComponentIds, KeyRun, Move, NamedId, TranslationIds};

use crate::model::CommitId;

/// Version of the rules that produce change logs. A new version rebuilds every log. Checkpoints have their own version.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
pub const RULES: u32 = 5;

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The directory or a file in it cannot be read or written.
    #[error(
        "the state directory {folder} cannot be used: {cause}; choose a different one with --state-dir"
    )]
    Io {
        /// The directory.
        folder: String,
        /// The error of the system.
        cause: io::Error,
    },
    /// Another process has the lock.
    #[error(
        "another gitglot uses the state directory {0}: stop it, or choose a different directory with --state-dir"
    )]
    Locked(String),
    /// A line is invalid.
    #[error(
        "the ledger is corrupt: {0}; restore ids.jsonl and ledger.jsonl from the same backup, or move the state \
         directory away to start over with new ids"
    )]
    Damaged(String),
    /// The directory or a file in it was removed, replaced or changed at runtime.
    #[error(
        "the state directory {0} was removed, replaced or changed while gitglot used it; put it back, or restart \
         gitglot to use its present content"
    )]
    Replaced(String),
    /// A line was written by a newer gitglot.
    #[error(
        "the ledger was written by a newer gitglot (rules version {0}): use that version, or a different --state-dir"
    )]
    Newer(u32),
}

/// The open ledger of a state directory; one process at a time.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    files: LedgerFiles,
    /// The checksum of each batch.
    checksums: Vec<Checksum>,
    /// All batches.
    pub batches: Vec<(Batch, Assignments)>,
    /// All ids.
    pub ids: IdRegistry,
}

/// The newest batch of a ledger: identifies its whole content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LedgerHead {
    batches: usize,
    checksum: Checksum,
}

impl Ledger {
    /// Opens the ledger of a state directory, which is created if necessary, and locks the directory.
    ///
    /// # Errors
    /// When the directory cannot be written, another process has locked it, or a file is corrupt.
    pub fn open(folder: &Path) -> Result<Self, LedgerError> {
        fs::create_dir_all(folder).map_err(|cause| LedgerError::Io {
            folder: folder.display().to_string(),
            cause,
        })?;
        Self::open_existing(folder)
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
        if head.batches == 0 || ledger.checksums.get(head.batches - 1) == Some(&head.checksum) {
            Ok(ledger)
        } else {
            Err(replaced())
        }
    }

    fn open_existing(folder: &Path) -> Result<Self, LedgerError> {
        let mut files = LedgerFiles::open(folder)?;
        let mut lines = files.read()?;
        let (mut ids, mut batches, mut checksums) = (IdRegistry::default(), Vec::new(), Vec::new());
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
            batches.push((batch, assignments));
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
            ids,
        })
    }

    /// The newest batch.
    pub fn head(&self) -> LedgerHead {
        LedgerHead {
            batches: self.checksums.len(),
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
        Checkpoints::new(&self.folder)
    }

    /// Identifies the ledger: a hash of its first batch, as 16 hexadecimal digits. `None` before the first batch.
    pub fn id(&self) -> Option<String> {
        let (first, _) = self.batches.first()?;
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
        self.batches
            .iter()
            .any(|(batch, _)| batch.moves.iter().any(|it| it.component == component))
    }

    /// Every commit that a component moved to.
    pub fn commits(&self) -> Vec<CommitId> {
        let moves = self.batches.iter().flat_map(|(batch, _)| &batch.moves);
        moves.filter_map(|it| it.to.parse().ok()).collect()
    }

    /// Appends a batch and its ids, and syncs both files.
    ///
    /// # Errors
    /// When a file cannot be written, or the state directory was removed or replaced; then nothing that depends on the
    /// batch may be published.
    pub fn append(&mut self, batch: Batch, ids: Assignments) -> Result<(), LedgerError> {
        let lines = BatchLines::encode(self.head().checksum, &batch, &ids);
        let (lines, checksum) = lines.map_err(|error| self.files.io(error.into()))?;
        self.files.append(&lines)?;
        self.checksums.push(checksum);
        self.batches.push((batch, ids));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
