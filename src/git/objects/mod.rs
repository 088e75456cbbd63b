//! Reading commits, trees and blobs.

pub(crate) mod checkout;
pub(super) mod exchange;
pub(crate) mod packs;
pub(crate) mod read_objects;
pub(crate) mod reader;
pub(crate) mod repository;
