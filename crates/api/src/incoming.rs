//! A request on its way through the pipeline: its parsed parts, and those that the last stage needs.

use std::sync::Arc;

use chrono::Utc;
use poem::Request;
use poem::http::{HeaderMap, Method};

use super::access::Identity;
use super::dispatch::accept;
use super::profile::Profile;
use super::response::cache::ResponseKey;
use super::response::conditional::ConditionalHeaders;
use super::response::content_encoding::ContentEncoding;
use super::response::error::ApiError;
use super::route::{PreDispatchTarget, RouteTarget};
use super::router::RouteMatch;
use super::state::ApiState;
use gitglot_catalog::Snapshot;
use gitglot_catalog::query::depends_on_day;
use gitglot_catalog::scan::Share;
use gitglot_model::limit_address;

/// A request and its parsed parts.
pub(super) struct Incoming {
    pub(super) request: Request,
    pub(super) route: Option<RouteMatch>,
    pub(super) encoding: ContentEncoding,
    /// The sender; an error until the access stage if it has none.
    pub(super) identity: Result<Identity, ApiError>,
    /// The base of links, from the host stage on.
    pub(super) base: String,
    /// The snapshot that the response is made from, from the snapshot stage on. The stages before it can wait for the
    /// client, which must not keep a snapshot in memory.
    pub(super) snapshot: Option<Arc<Snapshot>>,
}

/// The properties of a request that the last stage needs.
pub(super) struct Finish {
    pub(super) conditions: ConditionalHeaders,
    pub(super) head: bool,
    /// Whether the path is one of the API.
    pub(super) is_api: bool,
    /// The profile that the path is in.
    pub(super) profile: Profile,
    /// Whether the sender may not know anything about the data.
    pub(super) lacks_token: bool,
    /// Whose share of the scans a whole list uses.
    pub(super) share: Share,
    /// Method and headers, where the response depends on the sender.
    pub(super) sender: Option<(Method, HeaderMap)>,
}

impl Finish {
    pub(super) fn of(request: &Request, state: &ApiState, lacks_token: bool) -> Self {
        Self {
            conditions: ConditionalHeaders::of(request.headers()),
            head: request.method() == Method::HEAD,
            is_api: state.roots.is_api(request.uri().path()),
            profile: state.roots.split(request.uri().path()).0,
            lacks_token,
            share: Share {
                client: state.links.hosts.client(request).map(limit_address),
                project: String::new(),
            },
            sender: (!state.access.is_open())
                .then(|| (request.method().clone(), request.headers().clone())),
        }
    }
}

impl Incoming {
    /// Whether the method is `GET` or `HEAD`.
    pub(super) fn is_read(&self) -> bool {
        matches!(*self.request.method(), Method::GET | Method::HEAD)
    }

    /// Whether people expect a page, which they also do at most paths without a route.
    pub(super) fn is_page(&self) -> bool {
        match &self.route {
            Some(matched) => matched.route().is_page(),
            None => {
                let path = self.request.uri().path();
                let others = [
                    "/api",
                    "/current/api",
                    "/3.4/api",
                    "/exports/",
                    "/download/",
                ];
                !others.iter().any(|start| path.starts_with(start))
            }
        }
    }

    /// Path and query as they were sent.
    pub(super) fn target(&self) -> &str {
        let target = self.request.uri().path_and_query();
        target.map_or("/", |target| target.as_str())
    }

    /// The day since 1970 if the query has words such as `yesterday`, else 0: the response changes with the day.
    pub(super) fn day(&self) -> u64 {
        let query = self.request.uri().query().unwrap_or_default();
        let mut queries = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "q");
        if queries.any(|(_, value)| depends_on_day(&value)) {
            Utc::now().timestamp().unsigned_abs() / 86_400
        } else {
            0
        }
    }

    /// The key of the response in the cache.
    pub(super) fn key(&self, snapshot: &Snapshot) -> ResponseKey {
        // Pages show why components are behind, which changes within a generation.
        let revision = if self.is_page() {
            snapshot.failures_revision()
        } else {
            0
        };
        let revision = revision ^ self.day() << 32;
        let (accept, target) = (accept(&self.request), self.target());
        let revisions = [revision, snapshot.restriction()];
        ResponseKey::new(&self.base, target, &accept, self.encoding, revisions)
    }
}

/// The service of a route if it is called before dispatch.
pub(super) fn pre_dispatch(route: &Option<RouteMatch>) -> Option<PreDispatchTarget> {
    match route.as_ref()?.route().service {
        RouteTarget::PreDispatch(target) => Some(target),
        _ => None,
    }
}
