//! Why a ledger cannot be used.

use std::io;
use std::path::Path;

use gitglot_store::StoreError;

/// The most components that a message names.
const MAX_NAMES: usize = 5;

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
    /// A batch is missing, although later ones exist.
    #[error(
        "the ledger at {address} is incomplete: batch {missing} is missing, but batch {found} exists; restore the \
         missing batch from a backup"
    )]
    Gap {
        /// The address of the store.
        address: String,
        /// The first missing batch.
        missing: u32,
        /// A later batch.
        found: u32,
    },
    /// The store lacks a batch that this replica has.
    #[error(
        "the ledger at {address} lacks batch {batch}, which the state directory {folder} contains: restore the store \
         from a backup, or copy the state directory to an empty store with gitglot ledger copy"
    )]
    Lost {
        /// The directory.
        folder: String,
        /// The address of the store.
        address: String,
        /// The missing batch.
        batch: u32,
    },
    /// A batch is listed and does not exist.
    #[error("batch {0} is listed, but cannot be read; restore it from a backup")]
    Unreadable(u32),
    /// The store ignores the condition that an object does not exist.
    #[error(
        "the store at {0} ignores the condition If-None-Match, so replicas would overwrite each other's batches: use \
         a store that supports conditional writes"
    )]
    Unconditional(String),
    /// The ledger lacks objects that readers need.
    #[error(
        "the ledger at {address} lacks the git objects of {components}: replicas with --follow false cannot serve \
         them; copy it again from a store that has the packs"
    )]
    WithoutObjects {
        /// The address of the store.
        address: String,
        /// The components.
        components: String,
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
    /// Whether the shared ledger is damaged. Otherwise it cannot be used at the moment.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Self::Damaged(_)
                | Self::CorruptObject { .. }
                | Self::Gap { .. }
                | Self::Lost { .. }
                | Self::Unreadable(_)
                | Self::Unconditional(_)
                | Self::Diverged { .. }
        )
    }

    /// The error of a ledger that lacks the git objects of these components; `None` without any.
    pub fn without_objects<'a>(
        address: &str,
        components: impl IntoIterator<Item = &'a str>,
    ) -> Option<Self> {
        let names: Vec<&str> = components.into_iter().collect();
        let (shown, others) = names.split_at(names.len().min(MAX_NAMES));
        let mut components = shown.join(", ");
        if !others.is_empty() {
            components += &format!(" and {} more", others.len());
        }
        (!names.is_empty()).then(|| Self::WithoutObjects {
            address: address.to_owned(),
            components,
        })
    }

    /// Converts an error of the system in a state directory.
    pub(super) fn io(folder: &Path) -> impl Fn(io::Error) -> Self + Copy + '_ {
        move |cause| Self::Io {
            folder: folder.display().to_string(),
            cause,
        }
    }
}
