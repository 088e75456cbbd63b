//! The language files of each commit's tree, through all their renames.
//!
//! Reads trees, and file contents only to compare renamed files; knows nothing of versions or the log.

pub mod ancestor_lookup;
pub mod layout;
pub mod listings;
mod older_mask;
pub mod parts;
pub mod renames;
mod similar_files;
pub mod trees;

#[cfg(test)]
mod moved_tests;
