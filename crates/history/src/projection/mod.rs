//! The state of a component at its tip, as rows for the catalog.
//!
//! Knows no ids and no HTTP.

pub mod bilingual;
pub mod expected;
pub mod guide;
pub mod missing;
mod notes;
pub mod row_cache;
pub mod rows;
pub mod states;
pub mod template_age;
#[cfg(test)]
mod tests;
pub mod tip;
pub mod tip_file;
pub mod unknown_names;
