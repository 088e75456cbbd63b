//! Why a ledger cannot be used.

use std::io;
use std::path::Path;

use crate::store::StoreError;

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
        "the state directory {0} was removed, replaced or changed while gitglot used it; restore it, or restart \
         gitglot to use its current content"
    )]
    Replaced(String),
    /// A line was written by a newer gitglot.
    #[error(
        "the ledger was written by a newer gitglot (rules version {0}): use that version, or a different --state-dir"
    )]
    Newer(u32),
    /// The shared ledger cannot be reached.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An object of the shared ledger is invalid.
    #[error(
        "the ledger at {address} is corrupt: {object}: {reason}; restore the object from a backup"
    )]
    CorruptObject {
        /// The address of the store.
        address: String,
        /// The name of the object.
        object: String,
        /// The problem.
        reason: String,
    },
    /// Two ledgers differ in a batch.
    #[error(
        "the ledgers differ in batch {0}, nothing was copied: choose an empty directory or prefix"
    )]
    Different(u32),
    /// The state directory contains a different ledger than the store.
    #[error(
        "the state directory {folder} contains a different ledger than {address} (batch {batch} differs): choose a \
         different --state-dir, or copy one ledger over the other with gitglot ledger copy"
    )]
    Diverged {
        /// The directory.
        folder: String,
        /// The address of the store.
        address: String,
        /// The first batch that was compared and differs.
        batch: u32,
    },
}

impl LedgerError {
    /// Converts an error of the system in a state directory.
    pub(super) fn io(folder: &Path) -> impl Fn(io::Error) -> Self + Copy + '_ {
        move |cause| Self::Io {
            folder: folder.display().to_string(),
            cause,
        }
    }
}
