//! Reading commits, trees and blobs.

pub mod ancestors;
pub(crate) mod checkout;
mod delta;
pub(crate) mod packs;
pub(crate) mod raw;
pub(crate) mod reader;
pub(crate) mod repository;
pub(crate) mod work_tree;
pub(crate) mod work_tree_filter;
