//! Branches, references that requests may name, and watching the references of local repositories.

pub(crate) mod branch;
pub(crate) mod named;
pub(crate) mod watch;
