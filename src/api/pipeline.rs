//! The stages that every request passes, in order: limits, access, fixed responses, cache, dispatch, finish.
//!
//! A stage either hands the request on or ends it with an [`StageOutcome`]. Health endpoints and hooks are served before the
//! first stage, by endpoints that belong to other modules. The rules of each stage: docs/spec/http.md#processing-order.

use std::sync::Arc;
use std::time::{Duration, Instant};

use dashmap::DashMap;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode};
use poem::{Endpoint, Request, Response, Result};

use super::access::{RequestOrigin, sign_in, sign_out};
use super::dispatch::{Dispatcher, accept, is_page, not_ready};
use super::openapi::document::Documents;
use super::response::StageOutcome;
use super::response::api_response::ApiResponse;
use super::response::cache::{Cache, Key};
use super::response::conditional::{CachedResponse, ConditionalHeaders};
use super::response::content_encoding::ContentEncoding;
use super::response::error::ApiError;
use super::response::stream_etag::StreamEtags;
use super::route::RouteTarget;
use super::route_table::ROUTES;
use super::router::{RouteMatch, decoded_path, find};
use super::{ApiState, Exposed};
use crate::catalog::Snapshot;
use crate::health::HideDetails;
use crate::web;

/// Longest path and query in bytes; longer ones get status 414.
const MAX_TARGET: usize = 8 << 10;

/// The most fixed responses that are stored.
const MAX_FIXED: usize = 64;
/// The header with the id of the ledger (docs/spec/http.md#response-headers).
const LEDGER: &str = "gitglot-ledger";
/// The header with the batch that a response contains, and the one with the batch that a request needs
/// (docs/spec/http.md#batches).
const BATCH: &str = "gitglot-batch";
const MIN_BATCH: &str = "gitglot-min-batch";
/// How long a request waits for a batch.
const BATCH_WAIT: Duration = Duration::from_secs(5);

/// Serves all requests.
pub(super) struct Pipeline {
    state: Arc<ApiState>,
    dispatcher: Dispatcher,
    documents: Documents,
    cache: Cache,
    /// Responses that do not depend on repositories, by URL, `Cache-Control` and content encoding.
    fixed: DashMap<(String, String, ContentEncoding), Arc<CachedResponse>>,
    stream_etags: StreamEtags,
}

/// A request and its parsed parts.
struct Incoming {
    request: Request,
    route: Option<RouteMatch>,
    origin: Result<RequestOrigin, ApiError>,
    encoding: ContentEncoding,
}

impl Endpoint for Pipeline {
    type Output = Response;

    /// Counts a request and passes it to the service of its route.
    async fn call(&self, mut request: Request) -> Result<Response> {
        let started = Instant::now();
        let method = self
            .state
            .requests
            .is_some()
            .then(|| request.method().clone());
        let route = decoded_path(&request).and_then(|path| find(&path));
        let label = route.as_ref().map_or(ROUTES.len(), |route| route.index);
        let response = match (service_of(&route), &self.state.health, &self.state.hooks) {
            (Some(RouteTarget::Health), Some(health), _) => {
                if self.state.access.lacks_token(request.headers()) {
                    request.set_data(HideDetails);
                }
                health.get_response(request).await
            }
            (Some(RouteTarget::Hooks), _, Some(hooks)) => hooks.get_response(request).await,
            _ => self.respond(request, route).await,
        };
        if let (Some(requests), Some(method)) = (&self.state.requests, method) {
            requests.record(label, &method, response.status(), started.elapsed());
        }
        Ok(response)
    }
}

impl Pipeline {
    pub(super) fn new(state: Arc<ApiState>) -> Self {
        let cache = Cache::new(state.cache_size, state.cache_counters.clone());
        Self {
            dispatcher: Dispatcher::new(state.clone()),
            documents: Documents::new(state.access.tokens.is_some()),
            cache,
            fixed: DashMap::new(),
            stream_etags: StreamEtags::new(),
            state,
        }
    }

    async fn respond(&self, request: Request, route: Option<RouteMatch>) -> Response {
        let mut finish = Finish::of(&request, &self.state);
        let origin = self.state.links.origin(&request);
        let encoding = ContentEncoding::wanted(request.headers());
        let outcome = self
            .stages(
                Incoming {
                    request,
                    route,
                    origin,
                    encoding,
                },
                &mut finish.batch,
            )
            .await;
        self.finish(finish, outcome).await
    }

    /// All stages but the last one. Futures that most requests do not need are boxed, which keeps this one small. Sets
    /// the batch of the snapshot that the response is made from.
    async fn stages(&self, mut incoming: Incoming, batch: &mut u32) -> StageOutcome {
        if let Some(refusal) = self.limits(&incoming) {
            return refusal;
        }
        if let Some(outcome) = self.access(&mut incoming).await {
            return outcome;
        }
        if let Some(response) = self.fixed(&incoming).await {
            return response;
        }
        let origin = match &incoming.origin {
            Ok(origin) => origin.clone(),
            Err(error) => return error.clone().into(),
        };
        if let Some(wanted) = incoming.request.headers().get(MIN_BATCH)
            && let Err(error) = Box::pin(self.wait_for_batch(wanted.clone())).await
        {
            return error.into();
        }
        let Some(snapshot) = self.state.published.load() else {
            return not_ready(incoming.request.uri().path(), &origin.base).into();
        };
        *batch = snapshot.batch();
        if !incoming.is_read() {
            return Box::pin(self.dispatch(incoming, &snapshot, origin))
                .await
                .into();
        }
        let key = incoming.key(&origin, &snapshot);
        if let Some(cached) = self.cached(&snapshot, &key, incoming.encoding) {
            return StageOutcome::Cached(cached);
        }
        let encoding = incoming.encoding;
        let response = Box::pin(self.dispatch(incoming, &snapshot, origin)).await;
        self.store(response, &snapshot, key, encoding)
    }

    /// Waits until a batch is published, with a time limit.
    async fn wait_for_batch(&self, wanted: HeaderValue) -> Result<(), ApiError> {
        let number = wanted.to_str().ok().and_then(|text| text.parse().ok());
        let number: u32 = number.ok_or(ApiError::BadMinBatch)?;
        let mut news = self.state.published.listen();
        let is_published = || {
            let snapshot = self.state.published.load();
            snapshot.is_some_and(|snapshot| snapshot.batch() >= number)
        };
        let published = async {
            while !is_published() {
                if news.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(BATCH_WAIT, published).await;
        if is_published() {
            Ok(())
        } else {
            Err(ApiError::BatchMissing(number))
        }
    }

    /// Limits: requests per client, and the length of the target.
    fn limits(&self, incoming: &Incoming) -> Option<StageOutcome> {
        if let (Some(limit), Some(client)) = (
            &self.state.access.rate,
            self.state.links.hosts.client(&incoming.request),
        ) && let Err(seconds) = limit.check(client)
        {
            return Some(ApiError::RateLimited(seconds).into());
        }
        (incoming.target().len() > MAX_TARGET).then(|| ApiError::TooLong(MAX_TARGET).into())
    }

    /// Access: tokens, and signing in and out where tokens are needed.
    async fn access(&self, incoming: &mut Incoming) -> Option<StageOutcome> {
        let access = &self.state.access;
        if !access.needs_token(&incoming.request) {
            return None;
        }
        let base = match &incoming.origin {
            Ok(origin) => &origin.base,
            Err(error) => return Some(error.clone().into()),
        };
        match service_of(&incoming.route) {
            Some(RouteTarget::SignIn) => {
                Some(Box::pin(sign_in(access, &mut incoming.request, base)).await)
            }
            Some(RouteTarget::SignOut) => Some(sign_out(base)),
            _ => access
                .refuse(&incoming.request, base)
                .map(StageOutcome::Fresh),
        }
    }

    /// Fixed responses, which need no snapshot: metrics, the OpenAPI document, and files that pages load.
    async fn fixed(&self, incoming: &Incoming) -> Option<StageOutcome> {
        let (path, query) = (
            incoming.request.uri().path(),
            incoming.request.uri().query().unwrap_or_default(),
        );
        let base = match (&incoming.origin, service_of(&incoming.route)?) {
            (Ok(origin), RouteTarget::Document) => origin.base.as_str(),
            (Err(error), RouteTarget::Document) => return Some(error.clone().into()),
            _ => "",
        };
        let response = match service_of(&incoming.route)? {
            RouteTarget::Metrics => {
                return Some(Box::pin(self.metrics(incoming, self.state.metrics.clone()?)).await);
            }
            RouteTarget::Document => self.documents.find(path, base)?,
            RouteTarget::Asset => ApiResponse::asset(&web::asset(path, query)?),
            _ => return None,
        };
        if response.status() != StatusCode::OK {
            return Some(response.into());
        }
        let key = (
            [base, path].concat(),
            response.cache_control().to_owned(),
            incoming.encoding,
        );
        if let Some(known) = self.fixed.get(&key) {
            return Some(StageOutcome::Cached(known.clone()));
        }
        Some(match response.into_cacheable(None) {
            Ok(plain) => {
                let encoded = plain.encoded(incoming.encoding);
                // Clients choose the base of documents.
                if self.fixed.len() < MAX_FIXED {
                    self.fixed.insert(key, encoded.clone());
                }
                StageOutcome::Cached(encoded)
            }
            Err(response) => response.into(),
        })
    }

    /// The metrics of the server itself. They are served before the first snapshot is published.
    async fn metrics(&self, incoming: &Incoming, exposed: Arc<Exposed>) -> StageOutcome {
        if let Err(error) = &incoming.origin {
            return error.clone().into();
        }
        if !incoming.is_read() {
            return ApiError::Method(incoming.request.method().clone()).into();
        }
        let content_type = exposed.media;
        let Ok(text) = tokio::task::spawn_blocking(move || (exposed.text)()).await else {
            return ApiError::Unreadable.into();
        };
        match ApiResponse::metrics(text, content_type).into_cacheable(None) {
            Ok(plain) => StageOutcome::Cached(plain.encoded(incoming.encoding)),
            Err(response) => response.into(),
        }
    }

    /// Cache: a stored response, or one that only has to be encoded.
    fn cached(
        &self,
        snapshot: &Arc<Snapshot>,
        key: &Key,
        encoding: ContentEncoding,
    ) -> Option<Arc<CachedResponse>> {
        if let Some(cached) = self.cache.get(snapshot.generation(), key) {
            return Some(cached);
        }
        if encoding == ContentEncoding::Identity {
            return None;
        }
        let plain = self.cache.get(
            snapshot.generation(),
            &key.encoded(ContentEncoding::Identity),
        )?;
        Some(self.store_encoded(plain, snapshot, key.clone(), encoding))
    }

    /// Dispatch: the response of the route.
    async fn dispatch(
        &self,
        incoming: Incoming,
        snapshot: &Arc<Snapshot>,
        origin: RequestOrigin,
    ) -> ApiResponse {
        self.dispatcher
            .respond(incoming.request, incoming.route, snapshot.clone(), origin)
            .await
    }

    /// Cache: stores a response if it can be sent again.
    fn store(
        &self,
        response: ApiResponse,
        snapshot: &Arc<Snapshot>,
        key: Key,
        encoding: ContentEncoding,
    ) -> StageOutcome {
        if response.is_volatile() {
            // References move without a new snapshot.
            return match response.encoded_stream(encoding).into_cacheable(None) {
                Ok(plain) => StageOutcome::Cached(plain.encoded(encoding)),
                Err(response) => StageOutcome::Fresh(response),
            };
        }
        if response.is_list_stream() {
            let tag = self.stream_etags.of(snapshot.generation(), &key);
            return StageOutcome::Fresh(
                response
                    .encoded_stream(encoding)
                    .with_validators(tag, snapshot.time()),
            );
        }
        match response.into_cacheable(snapshot.time()) {
            Ok(plain) => StageOutcome::Cached(self.store_encoded(plain, snapshot, key, encoding)),
            Err(response) => StageOutcome::Fresh(response),
        }
    }

    fn store_encoded(
        &self,
        plain: Arc<CachedResponse>,
        snapshot: &Arc<Snapshot>,
        key: Key,
        encoding: ContentEncoding,
    ) -> Arc<CachedResponse> {
        let encoded = plain.encoded(encoding);
        if !Arc::ptr_eq(&encoded, &plain) {
            self.cache.put_aside(
                snapshot.generation(),
                key.encoded(ContentEncoding::Identity),
                plain,
            );
        }
        self.cache.put(snapshot.generation(), key, encoded.clone());
        encoded
    }

    /// Finish: conditional requests, `HEAD`, and the headers that depend on the sender.
    async fn finish(&self, finish: Finish, outcome: StageOutcome) -> Response {
        let mut response = match outcome {
            StageOutcome::Cached(cached) => cached.response(&finish.conditions, finish.head),
            // The length of a whole list is known only after it was written.
            StageOutcome::Fresh(response) if finish.head && response.is_list_stream() => {
                match self.state.scans.admit().await {
                    Ok(_permit) => response.finished(&finish.conditions, true).await,
                    Err(refused) => {
                        let error = ApiError::refused(refused, &self.state.scans);
                        let response = ApiResponse::error(&error, 0);
                        response.finished(&finish.conditions, true).await
                    }
                }
            }
            StageOutcome::Fresh(response) => {
                response.finished(&finish.conditions, finish.head).await
            }
            StageOutcome::Complete(response) => response,
        };
        if finish.is_api && !response.status().is_redirection() {
            let snapshot = self.state.published.load();
            let ledger = snapshot
                .as_ref()
                .and_then(|snapshot| HeaderValue::from_str(snapshot.ledger()?).ok());
            if let Some(ledger) = ledger {
                response.headers_mut().insert(LEDGER, ledger);
            }
        }
        if finish.batch > 0 {
            let batch = HeaderValue::from(finish.batch);
            response.headers_mut().insert(BATCH, batch);
        }
        if let Some((method, headers)) = &finish.sender {
            self.state.access.finish(method, headers, &mut response);
        }
        response
    }
}

/// The properties of a request that the last stage needs.
struct Finish {
    conditions: ConditionalHeaders,
    head: bool,
    /// Whether the path is one of the API.
    is_api: bool,
    /// The newest batch that the response certainly contains; 0 before the first.
    batch: u32,
    /// Method and headers, where the response depends on the sender.
    sender: Option<(Method, HeaderMap)>,
}

impl Finish {
    fn of(request: &Request, state: &ApiState) -> Self {
        Self {
            conditions: ConditionalHeaders::of(request.headers()),
            head: request.method() == Method::HEAD,
            is_api: request.uri().path().starts_with("/api/"),
            batch: state.published.load().map_or(0, |it| it.batch()),
            sender: (!state.access.is_open())
                .then(|| (request.method().clone(), request.headers().clone())),
        }
    }
}

impl Incoming {
    /// Whether the method is `GET` or `HEAD`.
    fn is_read(&self) -> bool {
        matches!(*self.request.method(), Method::GET | Method::HEAD)
    }

    /// Path and query as they were sent.
    fn target(&self) -> &str {
        self.request
            .uri()
            .path_and_query()
            .map_or("/", |target| target.as_str())
    }

    /// The key of the response in the cache.
    fn key(&self, origin: &RequestOrigin, snapshot: &Snapshot) -> Key {
        // Pages show why components are behind, which changes within a generation.
        let revision = if is_page(self.request.uri().path()) {
            snapshot.failures_revision()
        } else {
            0
        };
        Key::new(
            &origin.base,
            self.target(),
            &accept(&self.request),
            self.encoding,
            revision,
        )
    }
}

fn service_of(route: &Option<RouteMatch>) -> Option<RouteTarget> {
    route.as_ref().map(|route| route.route().service)
}
