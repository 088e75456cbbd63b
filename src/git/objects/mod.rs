//! Reading commits, trees and blobs.

pub(crate) mod checkout;
pub(crate) mod packs;
pub(crate) mod reader;
pub(crate) mod repository;
