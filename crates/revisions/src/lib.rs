//! The state of a component at any revision, and the comparison of two (docs/spec/revisions.md).
//!
//! [`Revisions`] finds the commit of a name, reads states and comparisons, and caches both within a limit of bytes.
//! All of it reads the repository, so callers run it on threads that may block. Never fetches.
//!
//! Must not depend on HTTP, the configuration or the state directory.
//!
//! ```
//! // No repository is open, so no component has a past state.
//! let revisions = gitglot_revisions::Revisions::new(Box::new(|_component| None), 1 << 20);
//! assert!(format!("{revisions:?}").starts_with("Revisions"));
//! ```

mod compare;
mod comparison;
mod component_at;
mod keys_in_code;
mod known;
mod log_position;
mod names;
mod reader;
mod revision;
mod siblings;
mod used_key;

pub use comparison::{Comparison, FindingFilter};
pub use log_position::{entries_at, entries_at_revision};
pub use names::{find, find_in_memory};
pub use reader::{OpenRepository, Revisions};
pub use revision::{Revision, RevisionProblem};
pub use used_key::UsedKey;

#[cfg(test)]
#[path = "../../catalog/src/test_snapshot.rs"]
#[allow(dead_code, reason = "these tests use a part of it")]
mod test_snapshot;
