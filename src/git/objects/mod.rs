//! Reading commits, trees and blobs.

pub(crate) mod packs;
pub(crate) mod reader;
pub(crate) mod repository;
