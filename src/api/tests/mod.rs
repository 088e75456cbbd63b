mod lists;
mod openapi;
mod protocol;
mod resources;
pub(crate) mod testing;
