//! The interface of object stores, and their errors.

use std::fmt;
use std::time::SystemTime;

/// Named objects. Names consist of segments that `/` separates.
pub trait ObjectStore: Send + Sync + fmt::Debug {
    /// The content of an object; `None` if it does not exist.
    ///
    /// # Errors
    /// When the store cannot be reached or refuses the request.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Creates an object unless it exists. Readers see the whole object or none.
    ///
    /// # Errors
    /// As [`Self::get`]; then the object may exist or not.
    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError>;

    /// Creates or replaces an object.
    ///
    /// # Errors
    /// As [`Self::create`].
    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError>;

    /// The objects whose names start with these segments, sorted by name.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError>;

    /// Deletes an object, if it exists.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn delete(&self, name: &str) -> Result<(), StoreError>;
}

/// The result of [`ObjectStore::create`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creation {
    /// The object is new.
    Created,
    /// The object existed and is unchanged.
    Exists,
}

/// An object in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// The name.
    pub name: String,
    /// The size in bytes.
    pub size: u64,
    /// When it was written.
    pub modified: SystemTime,
}

/// Why a store cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The address is invalid.
    #[error(
        "'{0}' is not a store URL: use s3://, gs:// or az://, or file:// with an absolute path"
    )]
    Address(String),
    /// The program was built without cloud stores.
    #[error(
        "this gitglot was built without the cargo feature object-store, which {0} needs: use a release, or build with \
         --features object-store"
    )]
    MissingFeature(String),
    /// The store does not respond, or refuses a request.
    #[error("the store cannot be used: {0}; gitglot retries")]
    Unavailable(String),
}
