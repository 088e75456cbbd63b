//! The OpenAPI document, made from the route table.

pub mod document;
mod event_types;
mod operations;
pub(super) mod options;
pub(super) mod params;
mod reference;
mod schemas;
mod yaml;
