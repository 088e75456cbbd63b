//! The commits of a step: which are new, in which order they write, and when.
//!
//! Reads commits only; knows nothing of trees, files or the log.

pub mod clock_skew;
pub mod walk;
