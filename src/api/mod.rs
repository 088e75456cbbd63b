//! The read API of Weblate 3.4 over the published snapshot, described by an OpenAPI document that is made from
//! the code that serves it.
//!
//! A request is read in one place (`front`: path, suffix, host, form, page), handed to its operation
//! (`operations`), whose body is written straight into bytes in 3.4's field order (`bodies`); headers are written
//! in one place (`answer`), and finished answers are kept (`cache`, `kept`, `coding`). The types in `schema` only
//! describe the bodies; tests hold the two together.
//!
//! JSON is the form that operations write; `browse` puts it on a page for those who ask for HTML.
//!
//! Knows neither gix nor the disk: files come from a [`FileSource`].

mod access;
mod encode;
mod events;
mod files;
mod handlers;
mod html;
mod legacy;
mod openapi;
mod patterns;
mod pipeline;
mod request;
mod response;
mod router;
mod schema;
mod site;
mod views;

use std::sync::Arc;

use poem::Endpoint;

use crate::catalog::Published;

pub use access::{Access, Cors, Hosts, Network, RateLimit, Tokens};
pub use events::Streams;
pub use files::source::{FileError, FileSource, NoFiles};
pub use openapi::document::{document, document_yaml};
pub use patterns::{pattern_of, patterns};
pub use response::cache::CacheFigures;
pub use response::links::LinkConfig;

/// What the API is served from.
pub struct State {
    /// Where the current snapshot stands.
    pub published: Arc<Published>,
    /// Where links point.
    pub links: LinkConfig,
    /// Who may ask.
    pub access: Access,
    /// Where downloads come from.
    pub files: Arc<dyn FileSource>,
    /// The server's name in `/api/metrics/`.
    pub title: String,
    /// Bytes of answers that may be kept to be given again.
    pub cache_size: usize,
    /// Who listens to events.
    pub streams: Streams,
    /// How well keeping answers does.
    pub cache_figures: Arc<CacheFigures>,
    /// What stands at `/metrics`; nothing does without.
    pub metrics: Option<Arc<Exposed>>,
}

/// A text that is made anew each time somebody asks for it.
pub struct Exposed {
    /// Its content type.
    pub media: &'static str,
    /// Makes it. It may read what the system says of itself, so it is not called on an async thread.
    pub text: Box<dyn Fn() -> String + Send + Sync>,
}

/// Everything under `/api`: the API, its document at `/api/openapi.json` and `/api/openapi.yaml`, and a page that
/// shows it at `/api/docs/`. Beside it pages for people and what they load, and the exports and downloads that 3.4
/// has. Until the first snapshot is published everything but the document and its page has status 503.
///
/// Takes whole paths: hand it requests without stripping anything from them.
pub fn endpoint(state: State) -> impl Endpoint<Output = poem::Response> {
    pipeline::Pipeline::new(Arc::new(state))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::testing;
