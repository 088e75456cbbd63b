//! A route: a path pattern, its service, and how the API treats it.

use super::response::media_type::Representation;
use crate::web::PageHandler;

/// A path pattern and the service behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// The path. `:name` matches one segment, a final `*` everything below.
    pub(super) pattern: &'static str,
    /// The service.
    pub(super) service: RouteTarget,
}

/// The service behind a route.
#[derive(Clone, Copy, Debug)]
pub(super) enum RouteTarget {
    /// A handler of the API.
    Api(ApiRoute),
    /// The OpenAPI document or its page.
    Document,
    /// An HTML page, or an image of one.
    Page(PageHandler),
    /// A file that pages load.
    Asset,
    /// The page of a comparison.
    Compare,
    /// The page of a project at a revision.
    Revision,
    /// `/exports/stats/`.
    Stats,
    /// `/exports/rss/`.
    Rss,
    /// The file of a translation.
    Download,
    /// The redirect to the line of a string at the host of its repository.
    SourceLine,
    /// The form that asks for a token.
    SignIn,
    /// The end of a session.
    SignOut,
    /// The server's metrics.
    Metrics,
    /// The health endpoints.
    Health,
    /// Notifications of services that host repositories.
    Hooks,
}

/// A handler of the API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ApiRoute {
    /// How the route treats suffixes and content negotiation.
    pub(super) kind: RouteKind,
    /// `name` of the `OPTIONS` body.
    pub(super) name: &'static str,
    /// `description` of the `OPTIONS` body.
    pub(super) about: &'static str,
}

/// How a route of the API treats suffixes and content negotiation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RouteKind {
    /// The root, a list or one object: links in the body repeat the suffix of the request.
    Resource,
    /// Something below an object: links in the body end with a slash.
    Action,
    /// A file below an object, sent as it is but negotiated like a resource.
    Attachment,
    /// A file that is sent regardless of `Accept`.
    Download,
    /// A stream that is sent regardless of `Accept`; it has no suffix.
    Stream,
    /// Like an action, but without a suffix.
    Plain,
}

impl Route {
    /// The handler, if this is a route of the API.
    pub(super) fn api(&self) -> Option<&ApiRoute> {
        match &self.service {
            RouteTarget::Api(api) => Some(api),
            _ => None,
        }
    }

    /// The segments of the pattern below `/api/`.
    pub(super) fn below_api(&self) -> impl DoubleEndedIterator<Item = &'static str> {
        let below = self.pattern.strip_prefix("/api/").unwrap_or_default();
        below.trim_end_matches('/').split('/')
    }

    /// Whether a route of the API serves a paged list.
    pub(super) fn is_list(&self) -> bool {
        // The statistics of a project are an array.
        let is_array = self.pattern == "/api/projects/:project/statistics/";
        self.representations().contains(&Representation::NdJson) && !is_array
    }

    /// The representations of a route of the API in order of preference. Empty for downloads and streams, which are not
    /// negotiated.
    pub(super) fn representations(&self) -> &'static [Representation] {
        use Representation::{Csv, Html, Json, NdJson, Parquet};
        let Some(api) = self.api() else { return &[] };
        let is_statistics_of_translation = self.pattern.starts_with("/api/translations/:");
        match self.below_api().next_back().unwrap_or_default() {
            _ if matches!(api.kind, RouteKind::Download | RouteKind::Stream) => &[],
            "statistics" if is_statistics_of_translation => &[Json, Html],
            "projects" | "components" | "translations" | "languages" | "sources" | "units"
            | "changes" | "statistics" | "screenshots" | "users" | "problems" | "checks" => {
                &[Json, Html, NdJson, Csv, Parquet]
            }
            _ => &[Json, Html],
        }
    }
}
