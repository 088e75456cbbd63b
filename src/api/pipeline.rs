//! What happens to a request before and after its operation: path, suffix, host, form, method and page are read
//! here and nowhere else.

use std::borrow::Cow;
use std::sync::Arc;

use dashmap::DashMap;
use percent_encoding::percent_decode_str;
use poem::endpoint::BoxEndpoint;
use poem::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use poem::http::{HeaderValue, Method, StatusCode, Uri};
use poem::{Endpoint, IntoEndpoint, IntoResponse, Request, Response, Result};

use crate::api::html;
use crate::api::openapi::document::{Pages, service};
use crate::api::openapi::options;
use crate::api::request::context::RequestContext;
use crate::api::request::negotiate::{Negotiated, Representation, negotiate};
use crate::api::request::pagination::{Pagination, RequestUrl, last};
use crate::api::response::api_response::{ApiResponse, EVENTS};
use crate::api::response::cache::{Cache, Key};
use crate::api::response::conditional::{CachedResponse, ConditionalHeaders, stamp};
use crate::api::response::content_encoding::ContentEncoding;
use crate::api::response::error::ApiError;
use crate::api::response::filter_cache::FilterCache;
use crate::api::response::links::{Links, encoded};
use crate::api::response::list_stream;
use crate::api::response::stream_etag::StreamEtags;
use crate::api::router::{Route, RouteKind, RouteMatch, find};
use crate::api::site;
use crate::api::{Exposed, State};
use crate::catalog::Snapshot;

/// Where the server tells of itself.
const METRICS: &str = "/metrics";

/// Everything under `/api`.
pub(super) struct Pipeline {
    state: Arc<State>,
    operations: BoxEndpoint<'static>,
    pages: Pages,
    matches: Arc<FilterCache>,
    cache: Cache,
    /// What depends on nothing that is read from repositories: by path and `Cache-Control`, in each coding.
    fixed: DashMap<(String, ContentEncoding), Arc<CachedResponse>>,
    tags: StreamEtags,
}

/// Bytes of path and query that are read; longer ones are answered with 414.
const LONGEST: usize = 8 << 10;

impl Pipeline {
    pub(super) fn new(state: Arc<State>) -> Self {
        let cache = Cache::new(state.cache_size).counted_by(state.cache_figures.clone());
        let (operations, pages) = (service().into_endpoint(), Pages::new());
        Self {
            state,
            operations,
            pages,
            matches: Arc::default(),
            cache,
            fixed: DashMap::new(),
            tags: StreamEtags::new(),
        }
    }

    /// The answer to a request: a kept one where there is one, else a new one, which is kept where that can be.
    async fn respond(&self, request: Request) -> Response {
        let head = request.method() == Method::HEAD;
        let conditions = ConditionalHeaders::of(request.headers());
        let coding = ContentEncoding::wanted(request.headers());
        let target = target(request.uri());
        let path = request.uri().path();
        let refused = |failure: ApiError| bodiless(ApiResponse::error(&failure, 0).into_response(), head);
        if target.len() > LONGEST {
            return refused(ApiError::TooLong(LONGEST)).await;
        }
        if path == METRICS
            && let Some(exposed) = &self.state.metrics
        {
            let made = self.exposed(&request, exposed.clone()).await.into_response();
            return match keep(made, None).await {
                Ok(kept) => kept.coded(coding).response(&conditions, head),
                Err(response) => bodiless(response, head).await,
            };
        }
        if let Some(fixed) = self.fixed(path, request.uri().query(), coding).await {
            return match fixed {
                Ok(kept) => kept.response(&conditions, head),
                Err(response) => bodiless(response, head).await,
            };
        }
        let base = match self.state.links.base(&request) {
            Ok(base) => base,
            Err(failure) => return refused(failure).await,
        };
        let Some(snapshot) = self.state.published.load() else {
            return match site::is_page(path) {
                true => bodiless(site::not_ready(&base).into_response(), head).await,
                false => refused(ApiError::NotReady).await,
            };
        };
        if !head && request.method() != Method::GET {
            return self.answer(request, snapshot, base).await.unwrap_or_else(ApiResponse::into_response);
        }
        let generation = snapshot.generation();
        // Pages for people show why components are behind, which changes without a new generation.
        let revision = if site::is_page(path) { snapshot.failures_revision() } else { 0 };
        let key = Key::new(&base, target, &accepts(&request), coding, revision);
        if let Some(kept) = self.cache.get(generation, &key) {
            return kept.response(&conditions, head);
        }
        let plain_key = key.coded(ContentEncoding::Identity);
        let known = if coding == ContentEncoding::Identity { None } else { self.cache.get(generation, &plain_key) };
        let plain = match known {
            Some(kept) => kept,
            None => {
                // Apart, so that what is given again does not carry what makes new answers.
                let made = Box::pin(self.answer(request, snapshot.clone(), base)).await;
                let made = made.unwrap_or_else(ApiResponse::into_response);
                match keep(made, snapshot.time()).await {
                    Ok(kept) => kept,
                    Err(response) => return self.unkept(response, &snapshot, &plain_key, &conditions, head).await,
                }
            }
        };
        let coded = plain.coded(coding);
        if !Arc::ptr_eq(&coded, &plain) {
            self.cache.put_aside(generation, plain_key, plain);
        }
        self.cache.put(generation, key, coded.clone());
        coded.response(&conditions, head)
    }

    /// What is there from the start, made once in each coding that somebody asks for: the page of the document is large.
    async fn fixed(
        &self,
        path: &str,
        query: Option<&str>,
        coding: ContentEncoding,
    ) -> Option<Result<Arc<CachedResponse>, Response>> {
        let root = self.state.links.base_url.as_deref().unwrap_or_default();
        let answer = match self.pages.find(path, root) {
            Some(page) => page,
            None => site::asset(path, query)?,
        };
        let made = answer.into_response();
        let cache = made.headers().get(CACHE_CONTROL).and_then(|cache| cache.to_str().ok()).unwrap_or_default();
        let key = ([path, "?", cache].concat(), coding);
        if let Some(kept) = self.fixed.get(&key) {
            return Some(Ok(kept.clone()));
        }
        Some(keep(made, None).await.map(|plain| {
            let kept = plain.coded(coding);
            self.fixed.insert(key, kept.clone());
            kept
        }))
    }

    /// What is made anew each time: a list on its way is known by its snapshot and address, anything else is as it is.
    async fn unkept(
        &self,
        mut response: Response,
        snapshot: &Arc<Snapshot>,
        key: &Key,
        conditions: &ConditionalHeaders,
        head: bool,
    ) -> Response {
        let media = response.headers().get(CONTENT_TYPE);
        let is_list = [Representation::NdJson, Representation::Csv]
            .iter()
            .any(|form| media.is_some_and(|it| it == form.content_type()));
        if response.status() == StatusCode::OK && is_list {
            stamp(response.headers_mut(), self.tags.of(snapshot.generation(), key), snapshot.time());
            if let Some(unchanged) = conditions.not_modified(response.headers()) {
                return unchanged;
            }
        }
        bodiless(response, head).await
    }

    /// What the server says of itself: from the start, to whoever may ask for anything else.
    async fn exposed(&self, request: &Request, exposed: Arc<Exposed>) -> ApiResponse {
        if let Err(failure) = self.state.links.base(request) {
            return ApiResponse::error(&failure, 0);
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return ApiResponse::error(&ApiError::Method(request.method().clone()), 0);
        }
        let media = exposed.media;
        match tokio::task::spawn_blocking(move || (exposed.text)()).await {
            Ok(text) => ApiResponse::exposed(text, media),
            Err(_) => ApiResponse::error(&ApiError::Unreadable, 0),
        }
    }

    async fn answer(
        &self,
        mut request: Request,
        snapshot: Arc<Snapshot>,
        base: String,
    ) -> Result<Response, ApiResponse> {
        let refused = |failure: ApiError| ApiResponse::error(&failure, 0);
        let path = percent_decode_str(request.uri().path()).decode_utf8().map_err(|_| ApiResponse::not_found(&base))?;
        let path = path.into_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        if path == "/api" {
            return Err(ApiResponse::with_slash(&base, &path, &query));
        }
        let Some(rest) = path.strip_prefix("/api/") else {
            return site::answer(&self.state, snapshot, base, &request, &path, &query).await;
        };
        let (route, suffix) = match find(rest) {
            RouteMatch::Route { route, suffix } => (route, suffix),
            RouteMatch::MissingSlash => return Err(ApiResponse::with_slash(&base, &path, &query)),
            RouteMatch::NotFound => return Err(ApiResponse::not_found(&base)),
        };
        let url = RequestUrl { base, path: path.clone(), query };
        let (pagination, format) = match url.query.is_empty() {
            true => (Pagination::default(), None),
            false => {
                let pairs = url.pairs();
                (Pagination::new(&pairs), last(&pairs, "format").map(str::to_owned))
            }
        };
        let accepted = form(&request, route, suffix.or(format.as_deref())).map_err(refused)?;
        match *request.method() {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Err(options::answer(route, accepted.indent)),
            _ => {
                let failure = ApiError::Method(request.method().clone());
                return Err(ApiResponse::error(&failure, accepted.indent));
            }
        }
        let handed_on = suffix.filter(|_| route.kind == RouteKind::Resource);
        let links = Links::new(&url.base, self.state.links.site_url.as_deref(), handed_on, format.as_deref());
        let format = suffix.map(str::to_owned).or(format);
        if suffix.is_some() || request.uri().path().contains('%') {
            *request.uri_mut() = plain(rest, suffix).ok_or_else(|| ApiResponse::not_found(&url.base))?;
        }
        request.set_method(Method::GET);
        let state = self.state.clone();
        let shown = (accepted.form == Representation::Html).then(|| url.clone());
        let (matches, form, indent) = (self.matches.clone(), accepted.form, accepted.indent);
        request.set_data(RequestContext { state, snapshot, links, pagination, url, matches, form, indent, format });
        let response = self.operations.get_response(request).await;
        Ok(match shown {
            Some(url) => html::page(route, &url, response).await,
            None => response,
        })
    }
}

/// Makes an answer with status 200 one that can be given again; gives back what is none or has no known length.
async fn keep(mut made: Response, modified: Option<i64>) -> Result<Arc<CachedResponse>, Response> {
    if made.status() != StatusCode::OK || !made.headers().contains_key(CONTENT_LENGTH) {
        return Err(made);
    }
    let headers = std::mem::take(made.headers_mut());
    match made.take_body().into_bytes().await {
        Ok(body) => Ok(Arc::new(CachedResponse::new(headers, body, modified))),
        Err(error) => {
            tracing::error!(%error, "an answer ended early");
            Err(ApiResponse::error(&ApiError::Unreadable, 0).into_response())
        }
    }
}

/// The answer to `HEAD`: the length stays that of the body that is left out.
async fn bodiless(mut response: Response, head: bool) -> Response {
    if head {
        let body = response.take_body();
        let is_endless = response.content_type() == Some(EVENTS);
        if !is_endless && !response.headers().contains_key(CONTENT_LENGTH) {
            let length = list_stream::length(body).await;
            response.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
    }
    response
}

/// All `Accept` headers, as they came.
fn accepts(request: &Request) -> Cow<'_, [u8]> {
    let mut all = request.headers().get_all(ACCEPT).iter().map(HeaderValue::as_bytes);
    let first = all.next().unwrap_or_default();
    all.fold(first.into(), |joined, next| [&joined, &b","[..], next].concat().into())
}

/// Path and query, as they came.
fn target(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", |target| target.as_str())
}

/// The form of the answer. Downloads are sent whatever the `Accept` header says.
fn form(request: &Request, route: &Route, format: Option<&str>) -> Result<Negotiated, ApiError> {
    if matches!(route.kind, RouteKind::Download | RouteKind::Stream) {
        return Ok(Negotiated::default());
    }
    let accepts = accepts(request);
    negotiate((!accepts.is_empty()).then(|| str::from_utf8(&accepts).unwrap_or("?")), format, route.forms())
}

/// The path of the route itself: without suffix, with its final slash, encoded in one way.
fn plain(rest: &str, suffix: Option<&str>) -> Option<Uri> {
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let stem = match suffix {
        Some(suffix) => rest.strip_suffix(suffix)?.strip_suffix('.')?,
        None => rest,
    };
    let slash = if stem.is_empty() { "" } else { "/" };
    ["/api/", &encoded(stem), slash].concat().parse().ok()
}

impl Endpoint for Pipeline {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let access = &self.state.access;
        if access.is_open() {
            return Ok(self.respond(request).await);
        }
        let (method, url) = (request.method().clone(), request.headers().clone());
        let mut response = match access.gate(request, &self.state.links).await {
            Ok(request) => self.respond(request).await,
            Err(response) => response,
        };
        access.finish(&method, &url, response.headers_mut());
        Ok(response)
    }
}
