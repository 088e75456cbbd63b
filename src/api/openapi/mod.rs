//! The OpenAPI document, made from the handlers.

mod additions;
pub(super) mod document;
pub(super) mod options;
pub(super) mod params;
pub(super) mod paths;
pub(super) mod yaml;
