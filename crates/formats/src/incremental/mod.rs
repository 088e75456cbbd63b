//! Versions of bilingual files: an entry whose bytes an earlier version has is not parsed again.
//!
//! A reader records each entry as a [`Block`] of bytes. When it reads the next version, it asks a [`Comparison`] at the
//! start of each entry whether the earlier version has the same one. What an entry depends on besides its bytes is its
//! [`Scope`]: the number of plural forms that the header declares, or the elements around it.

mod block;
mod comparison;
#[cfg(test)]
mod test_support;
mod version;

pub(crate) use block::{Block, BlockKind, Scope, Scopes, are_ambiguous, folded};
pub(crate) use comparison::{Boundaries, Comparison, Place};
#[cfg(test)]
pub(crate) use test_support::{Edit, check, edit};
pub(crate) use version::Version;
