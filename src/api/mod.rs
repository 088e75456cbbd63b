//! The HTTP interface: the read API of Weblate 3.4 over the published snapshot, its OpenAPI document, and everything that
//! is served next to it.
//!
//! A request passes the stages of `pipeline`. `router` finds the service of a path in `route_table`, and `dispatch` calls
//! it. Handlers of the API (`handlers`) write JSON in the field order of 3.4 (`views`) straight into bytes; types that only
//! describe these bodies (`schema`) and the handlers make the OpenAPI document (`openapi`). `request` reads the parameters of
//! handlers, `revision` reads revisions other than the tip, `response` writes headers and stores responses, `access`
//! refuses requests. `html` shows JSON on a
//! page, `files` sends and converts files of the repository, `legacy` serves the exports that 3.4 has outside of its API.
//!
//! Depends on neither gix nor the disk: a [`FileSource`] reads files.

mod access;
mod dispatch;
mod encode;
mod events;
mod files;
mod handlers;
mod html;
mod legacy;
mod openapi;
mod pipeline;
mod request;
mod response;
mod route;
mod route_table;
mod router;
mod schema;
mod table;
mod views;

use std::sync::Arc;

use poem::endpoint::BoxEndpoint;
use poem::{Endpoint, Response};

use crate::catalog::Published;
use crate::observe::HttpMetrics;
use crate::revisions::Revisions;
use crate::scan::Scans;

pub use access::{AccessControl, Cors, Hosts, LinkConfig, RateLimit, Tokens};
pub use events::Streams;
pub use files::source::{FileError, FileSource, NoFiles};
pub use openapi::document::{document, document_yaml};
pub use response::cache::CacheCounters;
pub use router::route_labels;
pub use table::{EXPORTS, Export, schema_page};

/// The data and settings for all requests.
pub struct ApiState {
    /// The current snapshot.
    pub published: Arc<Published>,
    /// Where links point, and which hosts are served.
    pub links: LinkConfig,
    /// The access rules.
    pub access: AccessControl,
    /// Reads files of the repositories.
    pub files: Arc<dyn FileSource>,
    /// Reads other revisions than the tips.
    pub revisions: Arc<Revisions>,
    /// The name of the server.
    pub title: String,
    /// The maximum size of the cache in bytes.
    pub cache_size: usize,
    /// Runs work whose cost grows with the data.
    pub scans: Scans,
    /// The clients that receive events.
    pub streams: Streams,
    /// Statistics of the cache.
    pub cache_counters: Arc<CacheCounters>,
    /// Serves `/metrics`, if it is served.
    pub metrics: Option<Arc<Exposed>>,
    /// Counts requests by the index of their route in [`route_labels`].
    pub requests: Option<Arc<HttpMetrics>>,
    /// Serves the health endpoints.
    pub health: Option<BoxEndpoint<'static, Response>>,
    /// Serves everything below `/hooks/`.
    pub hooks: Option<BoxEndpoint<'static, Response>>,
}

impl ApiState {
    /// Serves a snapshot and no files, to everybody, without a cache, events, metrics, health endpoints and hooks.
    pub fn new(published: Arc<Published>) -> Self {
        Self {
            published,
            links: LinkConfig::default(),
            access: AccessControl::default(),
            files: Arc::new(NoFiles),
            revisions: Arc::new(Revisions::new(Box::new(|_| None), 0)),
            title: "gitglot".to_owned(),
            cache_size: 0,
            scans: Scans::default(),
            streams: Streams::new(0),
            cache_counters: Arc::default(),
            metrics: None,
            requests: None,
            health: None,
            hooks: None,
        }
    }
}

/// A text that is written for each request.
pub struct Exposed {
    /// Its content type.
    pub media: &'static str,
    /// Writes it. It may read files of the system, so it is called on a thread that may block.
    pub text: Box<dyn Fn() -> String + Send + Sync>,
}

/// Serves all requests. Paths must be complete: nothing may be stripped from them.
pub fn endpoint(state: ApiState) -> impl Endpoint<Output = Response> {
    pipeline::Pipeline::new(Arc::new(state))
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::testing;
