//! Tests of the API in process, over the test data of `testing`.

mod lists;
mod openapi;
mod protocol;
mod resources;
mod scans;
mod tables;
pub(crate) mod testing;
