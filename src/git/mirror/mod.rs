//! Mirrors: bare repositories in the state directory, with the maintenance that gix does not offer.

pub(crate) mod copy_objects;
pub(crate) mod fs_util;
pub(crate) mod fsck;
pub(crate) mod link_objects;
pub(crate) mod local;
#[expect(
    clippy::module_inception,
    reason = "the type Mirror, next to the files about mirrors"
)]
pub(crate) mod mirror;
pub(crate) mod repack;
