//! Mirrors: bare repositories in the state directory, with the maintenance that gix does not offer.

pub(crate) mod copy_objects;
pub(crate) mod fs_util;
pub(crate) mod fsck;
pub(crate) mod local;
pub(crate) mod mirror;
pub(crate) mod repack;
