//! Mirrors: bare repositories in the state directory, with the maintenance that gix does not offer.
//!
//! - `mirror` is one mirror and its updates, `local` that of a local repository, `references` what it has under `refs/`.
//! - `cloning` makes and replaces its directory: `copy_objects` takes over the objects that the ledger needs,
//!   `link_objects` those of a repository on the same disk, `fsck` repairs what a crash left.
//! - `repack` and `pack_writer` keep it small; `exchange` shares objects with other replicas.

mod cloning;
pub(crate) mod copy_objects;
pub(super) mod exchange;
pub(crate) mod fsck;
pub(crate) mod link_objects;
pub(crate) mod local;
#[expect(
    clippy::module_inception,
    reason = "the type Mirror, next to the files about mirrors"
)]
pub(crate) mod mirror;
mod pack_writer;
pub(crate) mod references;
pub(crate) mod repack;
#[cfg(test)]
mod tests;
