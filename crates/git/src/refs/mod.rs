//! Branches, and changes of the references of local repositories.

pub(crate) mod branch;
pub(crate) mod fingerprint;
pub(crate) mod watch;
