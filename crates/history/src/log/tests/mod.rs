//! One rule of docs/spec/change-log.md each, with a small history. The reference log (`tests/reference_log`) compares
//! whole logs of random histories; these say which rule is broken.

mod authors;
mod changes;
mod diff;
mod emit;
mod fold;
mod key_renames;
mod merge_filter;
mod origins;
mod state;
