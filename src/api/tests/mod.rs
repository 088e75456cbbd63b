mod lists;
mod openapi;
mod protocol;
mod resources;
mod scans;
mod tables;
pub(crate) mod testing;
