//! The contents of language files: which versions a step reads, and their values by key.
//!
//! Must not depend on the log or on authors.

pub mod fallbacks;
mod groups;
pub mod keys;
pub mod parsed;
pub mod read;
pub mod read_plan;
pub mod union;
pub mod values;
