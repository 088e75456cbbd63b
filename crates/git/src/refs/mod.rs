//! Branches, references that requests may name, and changes of the references of local repositories.

pub(crate) mod branch;
pub(crate) mod fingerprint;
pub(crate) mod named;
pub(crate) mod watch;
