mod lists;
mod openapi;
mod protocol;
mod resources;
mod scans;
pub(crate) mod testing;
