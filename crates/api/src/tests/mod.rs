//! Tests of the API in process, over the test data of `testing`.

mod addresses;
mod current;
mod lists;
mod openapi;
mod protocol;
mod resources;
mod scans;
mod search;
mod tables;
pub mod testing;
mod whole_lists;

use poem::Endpoint;

use self::testing::{serving, snapshot};
use super::LinkConfig;

/// An API with the test data.
pub(crate) fn api() -> impl Endpoint {
    serving(Some(snapshot()), LinkConfig::default())
}
