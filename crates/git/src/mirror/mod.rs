//! Mirrors: bare repositories in the state directory, with the maintenance that gix does not offer.

mod cloning;
pub(crate) mod copy_objects;
pub(super) mod exchange;
pub(crate) mod fs_util;
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
