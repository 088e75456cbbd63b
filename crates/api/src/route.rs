//! A route: a path pattern, its service, and how the API treats it.

use super::response::error::ApiError;
use super::response::methods::{FORM, METHODS};
use futures_util::future::BoxFuture;
use poem::http::Method;

use super::apis::PageSizes;
use super::profile::{Profile, Profiles};
use super::request::context::{Reply, RequestContext};
use super::response::media_type::Representation;
use super::schema::ObjectSchema;
use gitglot_web::PageRoute;

/// A path pattern and the service behind it.
#[derive(Clone, Copy)]
pub(super) struct Route {
    /// The path. `:name` matches one segment, a final `*` everything below.
    pub(super) pattern: &'static str,
    pub(super) service: RouteTarget,
    /// The profile of the API that the path is in; 3.4 outside of both.
    pub(super) profile: Profile,
    /// The name of the operation in the OpenAPI document and its summary. `None` for routes of the API, which have their
    /// own, and for paths that programs do not use.
    pub(super) operation: Option<(&'static str, &'static str)>,
}

#[derive(Clone, Copy)]
pub(super) enum RouteTarget {
    /// A handler of the API.
    Api(&'static ApiRoute),
    /// A page for people, or a picture that belongs to one.
    Page(&'static PageRoute),
    /// An export, a download, a redirect, a comparison or the page of a revision.
    Snapshot(SnapshotTarget),
    /// A service that is called before dispatch.
    PreDispatch(PreDispatchTarget),
}

/// A service outside of the API that needs the snapshot.
#[derive(Clone, Copy)]
pub(super) enum SnapshotTarget {
    /// The page of a comparison.
    Compare,
    /// The page of a project at a revision.
    Revision,
    /// The page of a project's health.
    ProjectHealth,
    /// The page of who wrote the translations of a release.
    Credits,
    /// The same as data.
    CreditsData,
    /// `/exports/stats/`.
    Stats,
    /// `/exports/rss/`.
    Rss,
    /// The file of a translation.
    Download,
    /// The redirect to the line of a string at the host of its repository.
    SourceLine,
}

/// A service that is called before dispatch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PreDispatchTarget {
    /// The OpenAPI document or its page.
    Document,
    /// A file that pages load.
    Asset,
    /// The form that asks for a token.
    SignIn,
    /// The end of a session.
    SignOut,
    Metrics,
    Health,
    /// Notifications of services that host repositories.
    Hooks,
}

/// A handler of the API, and how the OpenAPI document and `OPTIONS` describe it.
pub(super) struct ApiRoute {
    pub(super) pattern: &'static str,
    /// How the route treats suffixes and content negotiation.
    pub(super) kind: RouteKind,
    /// The bodies of responses with status 200, in the order of [`Profile::ALL`].
    bodies: [ResponseBody; 2],
    /// In the order of [`Profile::ALL`].
    pub(super) handlers: [Handler; 2],
    /// The query parameters, apart from those of pagination and format.
    pub(super) query: QueryParameters,
    /// `name` and `description` of the `OPTIONS` body.
    pub(super) options: [&'static str; 2],
    /// Who may read it in the current API.
    pub(super) access: ReadAccess,
    /// The methods that it has in the current API.
    pub(super) methods: &'static str,
    /// The profiles that have the route.
    pub(super) profiles: Profiles,
    /// Whether pages of the current API are large: 200 entries, at most 10,000.
    pub(super) has_large_pages: bool,
    /// The name of the operation in the document.
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: Option<&'static str>,
}

/// Who may read a resource of the current API (docs/spec/current-api.md#resources-without-content).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReadAccess {
    Everyone,
    /// Those with a permission, which nobody has on this server.
    Permission,
    /// Those with an account, which nobody has on this server.
    Account,
    /// Nobody: the resource only takes changes.
    Nobody,
}

impl ReadAccess {
    /// The error of a request for a resource that not everyone may read.
    pub(super) fn error(self) -> Option<ApiError> {
        match self {
            // Whether the object exists is checked first.
            Self::Everyone | Self::Permission => None,
            Self::Account => Some(ApiError::NotAuthenticated),
            Self::Nobody => Some(ApiError::Method(Method::GET)),
        }
    }
}

pub(super) type Handler = for<'a> fn(&'a RequestContext) -> BoxFuture<'a, Reply>;

/// The handlers of a route, in the order of [`Profile::ALL`]: a function with its arguments after the context, `<P>`
/// and a function that is generic over the API, or `legacy | current`.
macro_rules! handler {
    (<P> $($name:ident)::+ $(, $argument:expr)*) => {
        [
            |ctx| Box::pin($($name)::+::<$crate::apis::Legacy>(ctx $(, $argument)*)),
            |ctx| Box::pin($($name)::+::<$crate::apis::Current>(ctx $(, $argument)*)),
        ]
    };
    ($($legacy:ident)::+ | $($current:ident)::+ $(, $argument:expr)*) => {
        [
            |ctx| Box::pin($($legacy)::+(ctx $(, $argument)*)),
            |ctx| Box::pin($($current)::+(ctx $(, $argument)*)),
        ]
    };
    ($($name:ident)::+ $(, $argument:expr)*) => {
        $crate::route::handler!($($name)::+ | $($name)::+ $(, $argument)*)
    };
}
pub(super) use handler;

/// A table of routes: pattern, kind and body of each with its handlers (see [`handler`]), the name and description of the
/// `OPTIONS` body, the name and summary of the operation, and what differs from most routes. A description without its full
/// stop is the summary of those without one.
macro_rules! routes {
    ($($pattern:literal $kind:ident $body:expr => ($($handlers:tt)*)
        $name:literal $about:literal, $id:literal $($summary:literal)?
        $(.$method:ident($($argument:expr),*))*;)*) => {
        &[$($crate::route::api(
            $pattern,
            $crate::route::RouteKind::$kind,
            $body,
            $crate::route::handler!($($handlers)*),
        )
        .options($name, $about)
        .operation($id, $crate::route::summary($about, &[$($summary)?]))
        $(.$method($($argument),*))*),*]
    };
}
pub(super) use routes;

/// The summary of an operation: its `own` one, or the description without its full stop.
pub(super) const fn summary(about: &'static str, own: &[&'static str]) -> &'static str {
    match own {
        [own] => own,
        _ => {
            let (summary, stop) = about.split_at(about.len().saturating_sub(1));
            assert!(
                matches!(stop.as_bytes(), b"."),
                "a description ends with a full stop"
            );
            summary
        }
    }
}

/// The body of a response with status 200.
#[derive(Clone, Copy)]
pub(super) enum ResponseBody {
    Object(fn() -> ObjectSchema),
    /// A list in pages.
    Page(fn() -> ObjectSchema),
    /// A list in one array.
    Array(fn() -> ObjectSchema),
    /// A file of one of these types.
    File(&'static [&'static str]),
    Events,
}

/// The query parameters of a route, apart from those of pagination and format. `openapi::params` describes them.
#[derive(Clone, Copy)]
pub(super) enum QueryParameters {
    None,
    Units,
    /// The details of a unit.
    Unit,
    /// The set of checks.
    UnitChecks,
    /// The details of a component or translation.
    Details,
    Changes,
    /// Filters of streamed changes.
    Events,
    /// Filters of findings.
    Comparison,
    /// The language of a file.
    File,
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
    /// An action whose list the current API also sends as one array.
    Flat,
    /// Like `Plain`; the current API also sends it in the text format of OpenMetrics.
    Metrics,
}

/// The description of operations that 3.4 does not have.
const EXTENSION: &str = "Not in Weblate 3.4.";

/// Begins a route of the API.
pub(super) const fn api(
    pattern: &'static str,
    kind: RouteKind,
    body: ResponseBody,
    handlers: [Handler; 2],
) -> ApiRoute {
    ApiRoute {
        pattern,
        kind,
        bodies: [body; 2],
        handlers,
        query: QueryParameters::None,
        access: ReadAccess::Everyone,
        methods: METHODS,
        profiles: Profiles::Both,
        has_large_pages: false,
        options: [""; 2],
        id: "",
        summary: "",
        description: None,
    }
}

impl ApiRoute {
    /// The query parameters, apart from those of pagination and format.
    pub(super) const fn query(self, query: QueryParameters) -> Self {
        Self { query, ..self }
    }

    /// The body in the current API, if it differs from that in 3.4.
    pub(super) const fn current_body(mut self, body: ResponseBody) -> Self {
        self.bodies[Profile::Current as usize] = body;
        self
    }

    /// The body of a response with status 200 in a profile.
    pub(super) fn body_in(&self, profile: Profile) -> ResponseBody {
        self.bodies[profile as usize]
    }

    /// Whether it sends files with these media types.
    pub(super) fn sends(&self, media: &[&str]) -> bool {
        matches!(self.body_in(Profile::Legacy), ResponseBody::File(types) if types == media)
    }

    /// Sets who may read it in the current API.
    pub(super) const fn access(self, access: ReadAccess) -> Self {
        Self { access, ..self }
    }

    /// Sets the methods that it has in the current API, where it has others than those that read.
    pub(super) const fn writes(self, methods: &'static str) -> Self {
        Self { methods, ..self }
    }

    /// Whether the API of a profile has something to read there.
    pub(super) fn is_readable_in(&self, profile: Profile) -> bool {
        self.profiles.contain(profile) && self.access != ReadAccess::Nobody
    }

    pub(super) const fn legacy_only(mut self) -> Self {
        self.profiles = Profiles::Only(Profile::Legacy);
        self
    }

    pub(super) const fn current_only(mut self) -> Self {
        self.profiles = Profiles::Only(Profile::Current);
        self
    }

    /// A list whose pages are large in the current API.
    pub(super) const fn large_pages(mut self) -> Self {
        self.has_large_pages = true;
        self
    }

    /// The number of entries on a page of a list, and the most that a request can ask for.
    pub(super) fn page_sizes(&self, profile: Profile) -> PageSizes {
        profile.envelope().pages[usize::from(self.has_large_pages)]
    }

    /// `name` and `description` of the `OPTIONS` body.
    pub(super) const fn options(mut self, name: &'static str, description: &'static str) -> Self {
        self.options = [name, description];
        self
    }

    /// The name of the operation in the document, and its summary.
    pub(super) const fn operation(mut self, id: &'static str, summary: &'static str) -> Self {
        (self.id, self.summary) = (id, summary);
        self
    }

    /// The description of the operation in the document.
    pub(super) const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// An operation that no Weblate has.
    pub(super) const fn extension(self) -> Self {
        self.legacy_only().description(EXTENSION)
    }

    /// The schema of the entries of a list.
    pub(super) fn entry(&self) -> Option<fn() -> ObjectSchema> {
        match self.body_in(Profile::Legacy) {
            ResponseBody::Page(entry) | ResponseBody::Array(entry) => Some(entry),
            _ => None,
        }
    }

    /// The representations in order of preference. Empty for downloads and streams, which are not negotiated.
    pub(super) fn representations(&self, profile: Profile) -> &'static [Representation] {
        let own = &profile.envelope().representations;
        match self.kind {
            RouteKind::Download | RouteKind::Stream => &[],
            RouteKind::Flat => own.flat_lists,
            RouteKind::Metrics => own.metrics,
            _ if self.entry().is_some() => own.lists,
            _ => own.objects,
        }
    }
}

pub(super) const fn route(pattern: &'static str, service: RouteTarget) -> Route {
    Route {
        pattern,
        service,
        profile: Profile::Legacy,
        operation: None,
    }
}

impl Route {
    /// The name of the operation in the OpenAPI document, and its summary.
    pub(super) const fn operation(mut self, id: &'static str, summary: &'static str) -> Self {
        self.operation = Some((id, summary));
        self
    }

    /// Whether people see the response in a browser.
    pub(super) fn is_page(&self) -> bool {
        use PreDispatchTarget::{Asset, SignIn, SignOut};
        use SnapshotTarget::{Compare, Credits, Revision, SourceLine};
        match self.service {
            RouteTarget::Page(_) => true,
            RouteTarget::Snapshot(target) => {
                matches!(target, Compare | Credits | Revision | SourceLine)
            }
            RouteTarget::PreDispatch(target) => matches!(target, Asset | SignIn | SignOut),
            RouteTarget::Api(_) => false,
        }
    }

    /// The methods that the service takes; `None` if it decides that itself.
    pub(super) fn methods(&self) -> Option<&'static str> {
        use PreDispatchTarget::{Asset, Document, SignIn, SignOut};
        match self.service {
            RouteTarget::PreDispatch(SignIn | SignOut) => Some(FORM),
            RouteTarget::PreDispatch(Document | Asset) => Some(METHODS),
            _ => None,
        }
    }

    /// Whether the response needs no token: files that pages load, and badges where `badges` is set.
    pub(super) fn is_public(&self, badges: bool) -> bool {
        match self.service {
            RouteTarget::PreDispatch(PreDispatchTarget::Asset) => true,
            RouteTarget::Page(page) => badges && page.is_badge,
            _ => false,
        }
    }

    /// The handler, if this is a route of the API.
    pub(super) fn api(&self) -> Option<&'static ApiRoute> {
        match self.service {
            RouteTarget::Api(api) => Some(api),
            _ => None,
        }
    }
}
