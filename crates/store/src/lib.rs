//! Object stores: named objects that several processes share, in a directory or in a cloud.
//!
//! The ledger needs six operations, one of which creates an object only if it does not exist. Must not interpret the
//! objects. Cloud stores need the cargo feature `object-store`.
//!
//! ```
//! use gitglot_store::{Creation, open};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let store = open(&format!("file://{}", folder.path().display())).unwrap();
//! assert_eq!(store.create("batches/1", b"one").unwrap(), Creation::Created);
//! assert_eq!(store.create("batches/1", b"two").unwrap(), Creation::Exists);
//! ```

#[cfg(feature = "object-store")]
mod cloud;
mod file;
mod metered;
mod object_store;
mod regular_file;
#[cfg(feature = "object-store")]
mod response_limit;

use std::path::PathBuf;
use std::sync::Arc;

pub use file::DirectoryStore;
pub use metered::{MeteredStore, StoreCounters, StoreRequests};
pub use object_store::{Creation, ObjectInfo, ObjectStore, StoreError};
pub use regular_file::{open_regular, read_regular};

/// Opens the store at an address: `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX`, `az://CONTAINER/PREFIX` or
/// `file:///DIRECTORY`.
///
/// # Errors
/// When the address is invalid or needs a feature that this program lacks.
pub fn open(address: &str) -> Result<Arc<dyn ObjectStore>, StoreError> {
    let invalid = || StoreError::Address(address.to_owned());
    let (scheme, rest) = address.split_once("://").ok_or_else(invalid)?;
    match scheme {
        "file" if rest.starts_with('/') => {
            let folder = percent_encoding::percent_decode_str(rest).decode_utf8();
            let folder = PathBuf::from(folder.map_err(|_| invalid())?.as_ref());
            Ok(Arc::new(DirectoryStore::new(folder)))
        }
        #[cfg(feature = "object-store")]
        "s3" | "gs" | "az" => Ok(Arc::new(cloud::CloudStore::open(address)?)),
        #[cfg(not(feature = "object-store"))]
        "s3" | "gs" | "az" => Err(StoreError::MissingFeature(format!("{scheme}://"))),
        _ => Err(invalid()),
    }
}

#[cfg(test)]
#[cfg(feature = "object-store")]
mod cloud_tests;
