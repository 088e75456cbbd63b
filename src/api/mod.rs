//! The read API of Weblate 3.4 over the published snapshot, described by an OpenAPI document that is made from
//! the code that serves it.
//!
//! A request is read in one place (`front`: path, suffix, host, form, page), handed to its operation
//! (`operations`), whose body is written straight into bytes in 3.4's field order (`bodies`); headers are written
//! in one place (`answer`). The types in `schema` only describe the bodies; tests hold the two together.
//!
//! JSON is the only form that is sent: who asks for HTML alone (`Accept: text/html`, `?format=api`) gets 406.
//!
//! Knows neither gix nor the disk: files come from a [`FileSource`].

mod answer;
mod bodies;
mod call;
mod document;
mod download;
mod errors;
mod files;
mod front;
mod json;
mod links;
mod negotiate;
mod operations;
mod options;
mod paging;
mod params;
mod privacy;
mod python;
mod reply;
mod routes;
mod schema;
mod wire;
mod yaml;

use std::sync::Arc;

use poem::Endpoint;

use crate::catalog::Published;

pub use document::{document, document_yaml};
pub use files::{FileError, FileSource, NoFiles};
pub use links::LinkConfig;

/// What the API is served from.
pub struct State {
    /// Where the current snapshot stands.
    pub published: Arc<Published>,
    /// Where links point.
    pub links: LinkConfig,
    /// Where downloads come from.
    pub files: Arc<dyn FileSource>,
    /// The server's name in `/api/metrics/`.
    pub title: String,
}

/// Everything under `/api`: the API, its document at `/api/openapi.json` and `/api/openapi.yaml`, and a page that
/// shows it at `/api/docs/`. Until the first snapshot is published every answer has status 503.
///
/// Takes whole paths: hand it requests without stripping `/api` from them.
pub fn endpoint(state: State) -> impl Endpoint<Output = poem::Response> {
    front::Front::new(Arc::new(state))
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
