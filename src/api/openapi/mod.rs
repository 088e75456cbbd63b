//! The OpenAPI document, made from the route table.

mod additions;
pub(super) mod document;
mod operations;
pub(super) mod options;
pub(super) mod params;
mod schemas;
mod yaml;
