//! Reading commits, trees and blobs.

pub(crate) mod ancestors;
pub(crate) mod checkout;
mod delta;
pub(crate) mod packs;
pub(crate) mod reader;
pub(crate) mod repository;
