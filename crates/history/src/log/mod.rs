//! The change log: the entries of each commit, their authors and times (docs/spec/change-log.md).
//!
//! `fold` visits the commits of a step in order. For each, `diff` compares the commit with its parent and with the
//! log's state (`text_diff` does the texts), `key_renames` finds strings with new keys, `merge_filter` restricts side
//! commits to changes that their merge keeps, `acknowledge` adds what people say is right, and `emit` writes the entries. `context` is all that was read for the step
//! and never changes; `state` is the sum of all entries and is changed by the fold alone. Nothing here reads the
//! repository.

mod acknowledge;
pub mod authors;
pub mod changes;
pub mod context;
pub mod diff;
mod document_marks;
pub mod emit;
pub mod fold;
pub mod key_renames;
pub mod merge_filter;
pub mod origins;
pub mod state;
#[cfg(test)]
mod tests;
mod text_diff;
pub mod text_sources;
