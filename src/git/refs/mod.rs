//! Branches, and watching the references of local repositories.

pub(crate) mod branch;
pub(crate) mod watch;
