//! The interface of object stores, and their errors.

use std::fmt;
use std::time::SystemTime;

/// Named objects. Names consist of segments that `/` separates.
pub trait ObjectStore: Send + Sync + fmt::Debug {
    /// The content of an object of at most `max` bytes; `None` if it does not exist.
    ///
    /// # Errors
    /// When the store cannot be reached or refuses the request, or the object is larger.
    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, StoreError>;

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

    /// The names in a folder that follow `after`, sorted. Not necessarily all of them, but the first ones; none only if
    /// there are no more.
    ///
    /// # Errors
    /// As [`Self::get`].
    fn list_after(&self, folder: &str, after: &str) -> Result<Vec<String>, StoreError>;

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

impl StoreError {
    /// An object with this name is larger than a reader accepts.
    pub fn too_large(name: &str, max: u64) -> Self {
        Self::Invalid {
            name: name.to_owned(),
            reason: format!("it is larger than {max} bytes"),
        }
    }
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
    /// What has the name of an object cannot be one.
    #[error("the object {name} cannot be used: {reason}; restore it from a backup")]
    Invalid {
        /// The name of the object.
        name: String,
        /// The problem.
        reason: String,
    },
}
