//! Reading commits, trees and blobs.

mod abbreviated;
pub mod ancestors;
pub(crate) mod checkout;
mod delta;
pub(crate) mod groups;
pub(crate) mod packs;
pub(crate) mod parts;
mod raw;
pub(crate) mod reader;
pub(crate) mod repository;
pub(crate) mod tree_index;
pub(crate) mod work_tree;
pub(crate) mod work_tree_filter;
