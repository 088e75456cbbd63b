//! Reading the people and texts of commits.

pub(crate) mod mailmap;
pub(crate) mod signature;
