//! Dispatch: from a route to the response of its handler, page or file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;

use poem::Request;
use poem::http::header::ACCEPT;
use poem::http::{HeaderValue, Method, StatusCode};

use super::access::Identity;
use super::apis::PageSizes;
use super::encode::csv::CsvText;
use super::events::LAST_EVENT_ID;
use super::files::{download, source_line};
use super::handlers::revisions::pages;
use super::html;
use super::legacy::{rss, stats};
use super::links::Links;
use super::openapi::{options, params};
use super::profile::Roots;
use super::request::context::{Reply, RequestContext, wants_details};
use super::request::negotiate::{Negotiated, negotiate};
use super::request::pagination::{Pagination, RequestUrl, last};
use super::response::api_response::ApiResponse;
use super::response::error::ApiError;
use super::response::flat;
use super::response::media_type::{JSON, Representation};
use super::route::{ApiRoute, ReadAccess, RouteKind, RouteTarget, SnapshotTarget};
use super::route_table::ROUTES;
use super::router::{RouteMatch, decoded_path};
use super::state::ApiState;
use super::table::HAS_PARQUET;
use gitglot_catalog::scan::{Budget, FilterCache, Share};
use gitglot_catalog::{Snapshot, current_checks_are_known};
use gitglot_model::limit_address;
use gitglot_web::{PageCache, PageLayout, PageRequest, PageResponse, PageRoute};

pub(super) struct Dispatcher {
    state: Arc<ApiState>,
    /// The query parameters of the API, by index of their route.
    parameters: Vec<Vec<&'static str>>,
    filter_cache: Arc<FilterCache>,
    page_cache: Arc<PageCache>,
}

struct Dispatched {
    request: Request,
    matched: RouteMatch,
    identity: Identity,
    snapshot: Arc<Snapshot>,
    url: RequestUrl,
    /// The client, as its shares of limits count it.
    client: Option<IpAddr>,
}

impl Dispatcher {
    /// `differences` is the size limit of the rendered differences of texts that pages share, in bytes.
    pub fn new(state: Arc<ApiState>, differences: usize) -> Self {
        let parameters = ROUTES
            .iter()
            .map(|route| {
                let names = |api| params::names(api, route.profile);
                route.api().map_or(Vec::new(), names)
            })
            .collect();
        let filter_cache = Arc::<FilterCache>::default();
        Self {
            state,
            parameters,
            page_cache: Arc::new(PageCache::new(filter_cache.clone(), differences)),
            filter_cache,
        }
    }

    /// The response of a route. `snapshot` is the part that the reader may see.
    pub(super) async fn respond(
        &self,
        request: Request,
        route: Option<RouteMatch>,
        identity: Identity,
        snapshot: Arc<Snapshot>,
        base: String,
    ) -> ApiResponse {
        let path = decoded_path(&request).map(|path| path.into_owned());
        let (Some(path), Some(matched)) = (path, route) else {
            return unknown_path(&request, self.state.roots, &base);
        };
        let query = request.uri().query().unwrap_or_default().to_owned();
        let url = RequestUrl { base, path, query };
        let service = matched.route().service;
        let client = self.state.links.hosts.client(&request);
        let client = client.map(limit_address);
        let dispatched = Dispatched {
            request,
            matched,
            identity,
            snapshot,
            url,
            client,
        };
        match service {
            RouteTarget::Api(route) => {
                let profile = dispatched.matched.route().profile;
                let response = self.api(dispatched, route).await;
                if profile.envelope().has_accounts {
                    return response.allowing(route.methods);
                }
                response
            }
            RouteTarget::Page(page) => self.page(dispatched, page).await,
            RouteTarget::Snapshot(target) => self.read_snapshot(dispatched, target).await,
            RouteTarget::PreDispatch(_) => dispatched.not_found(),
        }
    }

    /// The response of a handler of the API.
    async fn api(&self, of: Dispatched, route: &'static ApiRoute) -> ApiResponse {
        let profile = of.matched.route().profile;
        let envelope = profile.envelope();
        if of.matched.missing_slash {
            return if envelope.adds_slashes {
                of.with_slash()
            } else {
                of.not_found()
            };
        }
        let pairs = of.url.pairs();
        let (suffix, format) = (of.matched.suffix.as_deref(), last(&pairs, "format"));
        let negotiated = match of.negotiated(route, suffix.or(format)) {
            Ok(negotiated) => negotiated,
            Err(error) => return ApiResponse::error(&error, 0),
        };
        let (representation, indent) = (negotiated.representation, negotiated.indent);
        if let Some(response) = of.without_handler(route, indent) {
            return match representation {
                Representation::OpenMetrics => flat::open_metrics(response),
                _ => response,
            };
        }
        let known = self.parameters.get(of.matched.index);
        let known = known.map_or(&[][..], Vec::as_slice);
        let details = match wants_details(&pairs, known.contains(&"expand")) {
            Ok(details) => details,
            Err(error) => return ApiResponse::error(&error, indent),
        };
        // Linked resources lack the representations of whole lists.
        let repeats = !representation.is_whole_list();
        let repeated = suffix.filter(|_| repeats && route.kind == RouteKind::Resource);
        let repeated_format = format.filter(|_| repeats);
        let last_event_id = of.request.headers().get(LAST_EVENT_ID);
        let ctx = RequestContext {
            representation,
            indent,
            details,
            entry: route.entry(),
            last_event_id: last_event_id.map(|id| id.to_str().unwrap_or("?").to_owned()),
            ..self.context(&of, &pairs, repeated, repeated_format)
        };
        let response = route.handlers[profile as usize](&ctx)
            .await
            .unwrap_or_else(|error| ApiResponse::error(&error, indent));
        let needs_permission = envelope.has_accounts && route.access == ReadAccess::Permission;
        let mut response = if needs_permission && response.head.status.is_success() {
            ApiResponse::error(&ApiError::Forbidden, indent)
        } else {
            response
        };
        response = response.with_error_body(envelope.error_body);
        if envelope.has_own_headers {
            let ignored = ignored_parameters(&pairs, known, representation);
            response = response.with_ignored_parameters(&ignored);
        }
        match representation {
            Representation::CurrentCsv => flat::csv(response),
            Representation::JsonFlat => flat::entries(response),
            Representation::OpenMetrics => flat::open_metrics(response),
            Representation::Html => self.browsable(route, of.url.clone(), response).await,
            _ => response,
        }
    }

    /// The page of the browsable API that shows a response.
    async fn browsable(
        &self,
        route: &'static ApiRoute,
        url: RequestUrl,
        response: ApiResponse,
    ) -> ApiResponse {
        let roots = self.state.roots;
        let show = move || html::page(route, &url, roots, response);
        let page = self.state.scans.run_short(show).await;
        page.unwrap_or_else(|_| ApiResponse::error(&ApiError::Unreadable, 0))
    }

    /// Exports, downloads, redirects and pages of revisions. They are sent regardless of `Accept`.
    async fn read_snapshot(&self, of: Dispatched, target: SnapshotTarget) -> ApiResponse {
        if of.matched.missing_slash {
            return of.with_slash();
        }
        if let Some(error) = of.unsupported_method() {
            return ApiResponse::error(&error, 0);
        }
        let ctx = self.context(&of, &of.url.pairs(), None, None);
        let reply = match target {
            SnapshotTarget::Compare => pages::comparison(&ctx).await,
            SnapshotTarget::Revision => pages::revision(&ctx).await,
            SnapshotTarget::ProjectHealth => pages::health(&ctx).await,
            SnapshotTarget::Credits => pages::credits(&ctx, false).await,
            SnapshotTarget::CreditsData => pages::credits(&ctx, true).await,
            SnapshotTarget::Download => download::translation(&ctx).await,
            SnapshotTarget::SourceLine => {
                source_line::response(&ctx).await.ok_or(ApiError::NotFound)
            }
            SnapshotTarget::Stats => self.export(&ctx, stats::response).await,
            SnapshotTarget::Rss => self.export(&ctx, rss::response).await,
        };
        reply.unwrap_or_else(|error| match error {
            // Outside of the API a missing object is a page.
            ApiError::NotFound => of.not_found(),
            ApiError::NoRevision(reason) => {
                let layout = PageLayout::below(&of.url.base);
                let page = gitglot_web::no_revision(layout, &reason);
                ApiResponse::page(StatusCode::NOT_FOUND, page)
            }
            error => ApiResponse::error(&error, 0),
        })
    }

    /// An export of statistics or changes.
    async fn export(
        &self,
        ctx: &RequestContext,
        export: fn(&RequestContext, &Budget) -> Option<ApiResponse>,
    ) -> Reply {
        let own = ctx.clone();
        let found = ctx.scan(move |budget| export(&own, budget)).await?;
        found.ok_or(ApiError::NotFound)
    }

    /// The context of a request that is not negotiated. `suffix` and `format` are repeated in links.
    fn context(
        &self,
        of: &Dispatched,
        pairs: &[(Cow<'_, str>, Cow<'_, str>)],
        suffix: Option<&str>,
        format: Option<&str>,
    ) -> RequestContext {
        let profile = of.matched.route().profile;
        let sizes = of.matched.route().api();
        let sizes = sizes.map_or(PageSizes::LEGACY, |route| route.page_sizes(profile));
        let root = self.state.roots.root(profile);
        let site = self.state.links.site_url.as_deref();
        RequestContext {
            state: self.state.clone(),
            links: Links::new(&of.url.base, root, profile, site, suffix, format).into(),
            entry: None,
            params: of.matched.params(&of.url.path),
            pagination: Pagination::new(pairs, sizes),
            filter_cache: self.filter_cache.clone(),
            representation: Representation::Json,
            indent: 0,
            details: false,
            csv_text: CsvText::read(last(pairs, "csv")),
            format: (of.matched.suffix.as_deref())
                .or(last(pairs, "format"))
                .map(str::to_owned),
            last_event_id: None,
            client: of.client,
            identity: of.identity.clone(),
            snapshot: of.snapshot.clone(),
            url: of.url.clone(),
        }
    }

    /// An HTML page. Pages are rendered outside the async threads.
    async fn page(&self, of: Dispatched, page: &'static PageRoute) -> ApiResponse {
        // The method counts before what the path names, as for data.
        let error = of.unsupported_method();
        if let Some(error) = error.filter(|_| !of.matched.missing_slash) {
            return ApiResponse::error(&error, 0);
        }
        let (snapshot, url) = (of.snapshot.clone(), of.url.clone());
        let params = of.matched.params(&of.url.path);
        let hosting = self.state.hosting;
        let cache = self.page_cache.clone();
        let render = move |budget: &Budget| {
            let values: Vec<&str> = params.iter().map(|(_, value)| value.as_str()).collect();
            (page.handler)(
                &PageRequest::new(&snapshot, &url.base, &url.path, &url.pairs(), budget)
                    .hosted(hosting)
                    .cached(&cache),
                &values,
            )
        };
        let is_scan =
            page.is_scan || (page.reads_checks && !current_checks_are_known(&of.snapshot));
        let scans = &self.state.scans;
        let rendered = if is_scan {
            scans.run(of.share(), render).await
        } else {
            let render = move || render(&Budget::unlimited());
            scans.run_short(render).await
        };
        match rendered {
            Ok(Some(found)) => of.page(found),
            Ok(None) => of.not_found(),
            Err(refused) => ApiResponse::error(&ApiError::refused(refused, scans), 0),
        }
    }
}

impl Dispatched {
    /// Whose share of the scans the request uses.
    fn share(&self) -> Share {
        let params = self.matched.params(&self.url.path);
        let project = params.into_iter().find(|(name, _)| *name == "project");
        Share {
            client: self.client,
            project: project.map(|(_, project)| project).unwrap_or_default(),
        }
    }

    fn not_found(&self) -> ApiResponse {
        ApiResponse::not_found(&self.url.base)
    }

    fn with_slash(&self) -> ApiResponse {
        ApiResponse::with_slash(&self.url.base, &self.url.path, &self.url.query)
    }

    /// The response of a route of the API to a method that needs no handler.
    fn without_handler(&self, route: &ApiRoute, indent: usize) -> Option<ApiResponse> {
        let profile = self.matched.route().profile;
        let has_accounts = profile.envelope().has_accounts;
        if *self.request.method() == Method::OPTIONS {
            return Some(match route.access {
                ReadAccess::Account if has_accounts => {
                    ApiResponse::error(&ApiError::NotAuthenticated, indent)
                }
                _ => ApiResponse::json(options::body(route, profile), indent),
            });
        }
        let error = match self.unsupported_method() {
            Some(_) if has_accounts => ApiError::NotAuthenticated,
            Some(error) => error,
            None if has_accounts => route.access.error()?,
            None => return None,
        };
        Some(ApiResponse::error(&error, indent))
    }

    /// The representation of the response. Downloads and streams are not negotiated.
    fn negotiated(&self, route: &ApiRoute, format: Option<&str>) -> Result<Negotiated, ApiError> {
        if matches!(route.kind, RouteKind::Download | RouteKind::Stream) {
            return Ok(Negotiated::default());
        }
        let accept = accept(&self.request);
        let accept = (!accept.is_empty()).then(|| str::from_utf8(&accept).unwrap_or("?"));
        let profile = self.matched.route().profile;
        let negotiated = negotiate(accept, format, route.representations(profile))?;
        match negotiated.representation {
            Representation::Parquet if !HAS_PARQUET => Err(ApiError::NoParquet),
            _ => Ok(negotiated),
        }
    }

    /// The response with a page, a badge or a redirect.
    fn page(&self, found: PageResponse) -> ApiResponse {
        if self.matched.missing_slash {
            return self.with_slash();
        }
        match found {
            PageResponse::Html(page) => ApiResponse::page(StatusCode::OK, page),
            PageResponse::File(bytes, content_type) => {
                ApiResponse::outside(StatusCode::OK, content_type, bytes)
            }
            PageResponse::Redirect(to) => {
                ApiResponse::moved_permanently(&self.url.base, &to, &self.url.query)
            }
        }
    }

    fn unsupported_method(&self) -> Option<ApiError> {
        let method = self.request.method();
        (!matches!(*method, Method::GET | Method::HEAD)).then(|| ApiError::Method(method.clone()))
    }
}

/// The names of the query parameters that have no effect on a response, each once.
fn ignored_parameters(
    pairs: &[(Cow<'_, str>, Cow<'_, str>)],
    known: &[&str],
    representation: Representation,
) -> Vec<String> {
    let is_ignored = |name: &str| match name {
        "page" | "page_size" if representation.is_whole_list() => true,
        "csv" if representation != Representation::Csv => true,
        name => !known.contains(&name),
    };
    let mut seen = HashSet::new();
    let names = pairs.iter().map(|(name, _)| &**name);
    let ignored = names.filter(|name| is_ignored(name) && seen.insert(*name));
    ignored.map(str::to_owned).collect()
}

/// The response of a path without a route: a page as in 3.4, unless a client of the API asks for JSON.
fn unknown_path(request: &Request, roots: Roots, base: &str) -> ApiResponse {
    let path = request.uri().path();
    let (profile, root) = roots.split(path);
    let path = path.get(root..).unwrap_or_default();
    let accept = String::from_utf8_lossy(&accept(request)).to_ascii_lowercase();
    let wants_json = accept.contains(JSON) && !accept.contains("text/html");
    let describes = profile.envelope().describes_unknown_paths;
    if wants_json && describes && path.starts_with("/api/") {
        return ApiResponse::error(&ApiError::NotFound, 0);
    }
    ApiResponse::not_found(base)
}

/// The response until the first snapshot is published: a page where people expect one.
pub(super) fn not_ready(is_page: bool, base: &str) -> ApiResponse {
    let error = ApiError::NotReady;
    if !is_page {
        return ApiResponse::error(&error, 0);
    }
    let page = gitglot_web::loading(PageLayout::below(base));
    ApiResponse::page(error.status(), page).with(|head| head.retry_after = error.retry_after())
}

/// All `Accept` headers as they were sent.
pub(super) fn accept(request: &Request) -> Cow<'_, [u8]> {
    let all = request.headers().get_all(ACCEPT).iter();
    let mut all = all.map(HeaderValue::as_bytes);
    let first = all.next().unwrap_or_default();
    all.fold(first.into(), |joined, next| {
        [&joined, &b","[..], next].concat().into()
    })
}
