//! The data and settings that all requests share.

use std::sync::Arc;

use poem::Response;
use poem::endpoint::BoxEndpoint;

use super::access::{AccessControl, LinkConfig};
use super::file_source::{FileSource, NoFiles};
use super::profile::Roots;
use super::response::cache::CacheCounters;
use super::streams::Streams;
use gitglot_catalog::Published;
use gitglot_catalog::scan::Scans;
use gitglot_metrics::HttpMetrics;
use gitglot_revisions::Revisions;
use gitglot_web::Hosting;

/// The data and settings for all requests.
pub struct ApiState {
    /// The current snapshot.
    pub published: Arc<Published>,
    /// Where links point, and which hosts are served.
    pub links: LinkConfig,
    /// Where the APIs are.
    pub roots: Roots,
    /// The access rules.
    pub access: AccessControl,
    /// Reads files of the repositories.
    pub files: Arc<dyn FileSource>,
    /// Reads other revisions than the tips.
    pub revisions: Arc<Revisions>,
    /// The name of the server.
    pub title: String,
    /// The build of the program. Entity tags of two builds differ, because they can write different responses.
    pub build: String,
    /// The maximum size of the cache in bytes.
    pub cache_size: usize,
    /// Runs work whose cost grows with the data.
    pub scans: Scans,
    /// The clients that receive events.
    pub streams: Streams,
    /// Statistics of the cache.
    pub cache_counters: Arc<CacheCounters>,
    /// Serves `/metrics`, if it is served.
    pub metrics: Option<Arc<MetricsText>>,
    /// Counts requests by the index of their route in [`super::route_labels`].
    pub requests: Option<Arc<HttpMetrics>>,
    /// Serves the health endpoints.
    pub health: Option<BoxEndpoint<'static, Response>>,
    /// Where pages are published.
    pub hosting: Hosting,
    /// Serves the paths of hooks.
    pub hooks: Option<BoxEndpoint<'static, Response>>,
}

impl ApiState {
    /// Serves a snapshot and no files, to everybody, without a cache, events, metrics, health endpoints and hooks.
    pub fn new(published: Arc<Published>) -> Self {
        Self {
            published,
            links: LinkConfig::default(),
            roots: Roots::default(),
            access: AccessControl::default(),
            files: Arc::new(NoFiles),
            revisions: Arc::new(Revisions::new(Box::new(|_| None), 0)),
            title: "gitglot".to_owned(),
            build: String::new(),
            cache_size: 0,
            scans: Scans::default(),
            streams: Streams::new(0),
            cache_counters: Arc::default(),
            metrics: None,
            requests: None,
            health: None,
            hosting: Hosting::Server,
            hooks: None,
        }
    }
}

/// A text that is written for each request.
pub struct MetricsText {
    /// Its content type.
    pub media: &'static str,
    /// Writes it. It may read files of the system, so it is called on a thread that may block.
    pub text: Box<dyn Fn() -> String + Send + Sync>,
}
