//! The contents of language files: which versions a step reads, and their values by key.
//!
//! Knows nothing of the log and of who wrote a version.

pub mod fallbacks;
pub mod keys;
pub mod parsed;
pub mod read;
pub mod read_plan;
pub mod values;
