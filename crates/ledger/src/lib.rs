//! The persistent record of tips and ids: `ledger.jsonl` and `ids.jsonl` in the state directory, and checkpoints.
//! Replicas share a ledger in an object store; their state directories contain a copy.
//!
//! The format and the rules are in `docs/spec/ids-and-ledger.md`. Must not depend on git or HTTP.
//!
//! ```
//! let folder = tempfile::tempdir().unwrap();
//! let ledger = gitglot_ledger::Ledger::open(folder.path()).unwrap();
//! assert_eq!(ledger.next_batch(), 1);
//! ```

mod batch_lines;
mod batch_log;
mod batch_object;
mod checkpoint;
mod error;
mod files;
mod id_registry;
mod move_index;
mod open_ledger;
mod record;
mod registered;
mod shared;
#[cfg(test)]
mod shared_faults_tests;
#[cfg(test)]
mod shared_tests;
#[cfg(test)]
mod tests;

pub use batch_lines::LedgerHead;
pub use batch_log::{
    Compacted, DirectoryLog, NamedPacks, compact, copy, copy_packs, named_packs, verify,
    verify_packs,
};
pub use batch_object::BatchDetails;
pub use checkpoint::{Checkpoint, CheckpointError, Checkpoints};
pub use error::LedgerError;
pub use id_registry::IdRegistry;
pub use open_ledger::Ledger;
pub use record::{Assignments, Batch, ComponentIds, KeyRun, Move, NamedId, RULES, TranslationIds};
pub use shared::{Appended, BatchLog, MAX_PACK, SharedLedger};
