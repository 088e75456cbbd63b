//! The stages that every request passes, in order: limits, host, access, fixed responses, snapshot, cache, dispatch,
//! finish.
//!
//! A stage either hands the request on or breaks with a [`StageOutcome`]. Health endpoints and hooks are served before the
//! first stage, by endpoints that belong to other modules. The rules of each stage: docs/spec/http.md#processing-order.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use poem::http::{HeaderValue, StatusCode};
use poem::{Endpoint, Request, Response, Result};

use super::access::{Identity, refused, sign_in, sign_out};
use super::dispatch::{Dispatcher, not_ready};
use super::incoming::{Finish, Incoming, pre_dispatch};
use super::openapi::document::{DocumentChoice, Documents};
use super::response::StageOutcome;
use super::response::api_response::ApiResponse;
use super::response::cache::{Cache, ResponseKey};
use super::response::conditional::CachedResponse;
use super::response::content_encoding::ContentEncoding;
use super::response::error::ApiError;
use super::route::{PreDispatchTarget, Route};
use super::route_table::ROUTES;
use super::router::{RouteMatch, decoded_path, find};
use super::state::{ApiState, MetricsText};
use crate::health::HideDetails;
use gitglot_catalog::{ModifiedDate, Snapshot, digest};
use gitglot_model::ByteCache;

/// Longest path and query in bytes; longer ones get status 414.
const MAX_TARGET: usize = 8 << 10;

/// Size limit of the stored fixed responses, in bytes. Clients choose the base of documents.
const FIXED_LIMIT: usize = 16 << 20;
/// The header with the id of the ledger (docs/spec/http.md#response-headers).
const LEDGER: &str = "gitglot-ledger";
/// The header with the batch that a response contains (docs/spec/http.md#batches).
const BATCH: &str = "gitglot-batch";
/// The header with the batch that a request needs.
const MIN_BATCH: &str = "gitglot-min-batch";
/// How long a request waits for a batch.
const BATCH_WAIT: Duration = Duration::from_secs(5);

pub(super) struct Pipeline {
    state: Arc<ApiState>,
    dispatcher: Dispatcher,
    documents: Documents,
    cache: Cache,
    /// Responses that do not depend on repositories.
    fixed: Mutex<ByteCache<FixedKey, Arc<CachedResponse>>>,
    /// Identifies the program and the settings that responses depend on.
    writer: u64,
}

/// URL, `Cache-Control` and content encoding.
type FixedKey = (String, &'static str, ContentEncoding);

/// Whether the next stage follows.
type Stage<T = ()> = ControlFlow<StageOutcome, T>;

impl Endpoint for Pipeline {
    type Output = Response;

    /// Counts a request and passes it to the service of its route.
    async fn call(&self, mut request: Request) -> Result<Response> {
        let started = Instant::now();
        let is_counted = self.state.requests.is_some();
        let method = is_counted.then(|| request.method().clone());
        let roots = self.state.roots;
        let route = decoded_path(&request).and_then(|path| find(roots, &path));
        let label = route.as_ref().map_or(ROUTES.len(), |route| route.index);
        let response = match (pre_dispatch(&route), &self.state.health, &self.state.hooks) {
            (Some(PreDispatchTarget::Health), Some(health), _) => {
                let (access, hosts) = (&self.state.access, &self.state.links.hosts);
                let identity = access.identify(&request, hosts);
                if !identity.is_ok_and(|identity| access.reads_everything(&identity)) {
                    request.set_data(HideDetails);
                }
                health.get_response(request).await
            }
            (Some(PreDispatchTarget::Hooks), _, Some(hooks)) => hooks.get_response(request).await,
            _ => self.respond(request, route).await,
        };
        if let (Some(requests), Some(method)) = (&self.state.requests, method) {
            requests.record(label, &method, response.status(), started.elapsed());
        }
        Ok(response)
    }
}

impl Pipeline {
    pub fn new(state: Arc<ApiState>) -> Self {
        let cache = Cache::new(state.cache_size, state.cache_counters.clone());
        Self {
            dispatcher: Dispatcher::new(state.clone(), 0),
            documents: Documents::new(state.access.tokens.is_some(), state.roots),
            cache,
            fixed: Mutex::new(ByteCache::new(FIXED_LIMIT)),
            writer: writer(&state),
            state,
        }
    }

    async fn respond(&self, request: Request, route: Option<RouteMatch>) -> Response {
        let identity = (self.state.access).identify(&request, &self.state.links.hosts);
        let finish = Finish::of(&request, &self.state, identity.is_err());
        let mut incoming = Incoming {
            identity,
            encoding: ContentEncoding::wanted(request.headers()),
            request,
            route,
            base: String::new(),
            snapshot: None,
        };
        let outcome = match self.stages(&mut incoming).await {
            ControlFlow::Break(outcome) => outcome,
            ControlFlow::Continue(response) => response,
        };
        let outcome = match outcome {
            StageOutcome::Fresh(response) => {
                let body = finish.profile.envelope().error_body;
                response.with_error_body(body).into()
            }
            other => other,
        };
        let snapshot = incoming.snapshot.or_else(|| self.state.published.load());
        self.finish(finish, snapshot.as_deref(), outcome).await
    }

    /// All stages but the last one. Futures that most requests do not need are boxed, which keeps this one small.
    async fn stages(&self, incoming: &mut Incoming) -> Stage<StageOutcome> {
        self.limits(incoming)?;
        self.host(incoming)?;
        self.methods(incoming)?;
        self.access(incoming).await?;
        self.fixed(incoming).await?;
        let snapshot = self.snapshot(incoming).await?;
        if !incoming.is_read() {
            let response = Box::pin(self.dispatch(incoming, &snapshot)).await;
            return Stage::Continue(response.into());
        }
        let key = incoming.key(&snapshot);
        self.cached(&snapshot, &key, incoming.encoding)?;
        let modified = match incoming.is_page() {
            _ if incoming.day() != 0 => None,
            // The projects that a reader may see change without a new snapshot.
            _ if snapshot.restriction() != 0 => None,
            true => snapshot.page_modified(),
            false => snapshot.modified(),
        };
        let response = Box::pin(self.dispatch(incoming, &snapshot)).await;
        Stage::Continue(self.store(response, &snapshot, modified, key, incoming.encoding))
    }

    /// Snapshot: waits for the batch that the request needs, and selects the part that the sender may read. Without a
    /// snapshot the request ends.
    async fn snapshot(&self, incoming: &mut Incoming) -> Stage<Arc<Snapshot>> {
        if let Some(wanted) = incoming.request.headers().get(MIN_BATCH) {
            let wanted = wanted.clone();
            if let Err(error) = Box::pin(self.wait_for_batch(wanted)).await {
                return Stage::Break(error.into());
            }
        }
        let Some(published) = self.state.published.load() else {
            let response = not_ready(incoming.is_page(), &incoming.base);
            return Stage::Break(response.into());
        };
        let visible = match &incoming.identity {
            Ok(identity) => self.state.access.visible(identity, published).await,
            Err(error) => Err(error.clone()),
        };
        match visible {
            Ok(snapshot) => {
                incoming.snapshot = Some(snapshot.clone());
                Stage::Continue(snapshot)
            }
            Err(error) => {
                let response = refused(&error, &incoming.request, &incoming.base);
                Stage::Break(response.into())
            }
        }
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
        let published = news.wait_for(|()| is_published());
        match tokio::time::timeout(BATCH_WAIT, published).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(ApiError::BatchMissing(number)),
        }
    }

    /// Limits: requests per client, and the length of the target.
    fn limits(&self, incoming: &Incoming) -> Stage {
        if let Some(limit) = &self.state.access.rate
            && let Some(client) = self.state.links.hosts.client(&incoming.request)
            && let Err(seconds) = limit.check(client)
        {
            return Stage::Break(ApiError::RateLimited(seconds).into());
        }
        if incoming.target().len() > MAX_TARGET {
            Stage::Break(ApiError::TooLong(MAX_TARGET).into())
        } else {
            Stage::Continue(())
        }
    }

    /// Host: whether it is served. It is the base of links.
    fn host(&self, incoming: &mut Incoming) -> Stage {
        match self.state.links.base(&incoming.request) {
            Ok(base) => {
                incoming.base = base;
                Stage::Continue(())
            }
            Err(error) => Stage::Break(error.into()),
        }
    }

    /// Methods: whether a service that is called before dispatch takes the one of the request.
    fn methods(&self, incoming: &Incoming) -> Stage {
        let method = incoming.request.method();
        let route = incoming.route.as_ref().map(RouteMatch::route);
        match route.and_then(Route::methods) {
            Some(methods)
                if !methods
                    .split(", ")
                    .any(|allowed| allowed == method.as_str()) =>
            {
                let refused = ApiResponse::error(&ApiError::Method(method.clone()), 0);
                Stage::Break(refused.with(|head| head.allow = Some(methods)).into())
            }
            _ => Stage::Continue(()),
        }
    }

    /// Access: tokens, and signing in and out where tokens are needed.
    async fn access(&self, incoming: &mut Incoming) -> Stage {
        let access = &self.state.access;
        let Some(tokens) = &access.tokens else {
            return Stage::Continue(());
        };
        let client = self.state.links.hosts.client(&incoming.request);
        let (base, request) = (&incoming.base, &mut incoming.request);
        let route = incoming.route.as_ref().map(RouteMatch::route);
        if route.is_some_and(|route| route.is_public(access.public_badges)) {
            incoming.identity = Ok(Identity::Unrestricted);
            return Stage::Continue(());
        }
        if access
            .cors
            .is_preflight(request.method(), request.headers())
        {
            incoming.identity = Ok(Identity::Nobody);
            return Stage::Continue(());
        }
        match pre_dispatch(&incoming.route) {
            Some(PreDispatchTarget::SignIn) => {
                Stage::Break(Box::pin(sign_in(tokens, request, base, client)).await)
            }
            Some(PreDispatchTarget::SignOut) => Stage::Break(sign_out(base)),
            target => {
                // Metrics describe all projects.
                let needs_all = target == Some(PreDispatchTarget::Metrics);
                let error = match &incoming.identity {
                    Ok(identity) if needs_all && !access.reads_everything(identity) => {
                        &ApiError::Forbidden
                    }
                    Ok(_) => return Stage::Continue(()),
                    Err(error) => error,
                };
                Stage::Break(refused(error, request, base).into())
            }
        }
    }

    /// Fixed responses, which need no snapshot: metrics, the OpenAPI document, and files that pages load.
    async fn fixed(&self, incoming: &Incoming) -> Stage {
        let uri = incoming.request.uri();
        let (base, asset) = match pre_dispatch(&incoming.route) {
            Some(PreDispatchTarget::Metrics) => {
                let Some(exposed) = self.state.metrics.clone() else {
                    return Stage::Continue(());
                };
                return Stage::Break(Box::pin(self.metrics(incoming, exposed)).await);
            }
            Some(PreDispatchTarget::Document) => (incoming.base.as_str(), None),
            Some(PreDispatchTarget::Asset) => {
                let asset = gitglot_web::asset(uri.path(), uri.query().unwrap_or_default());
                ("", asset)
            }
            _ => return Stage::Continue(()),
        };
        let cache_control = asset.map_or("", |asset| asset.cache);
        let query = || form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
        let selects = |wanted: &str| query().any(|(name, value)| name == wanted && value == "json");
        let choice = DocumentChoice {
            json: selects("format"),
            only_json: selects("profile"),
        };
        // Not the whole query, of which clients can send any number.
        let selected = match (choice.json, choice.only_json) {
            (false, false) => "",
            (true, false) => "?json",
            (false, true) => "?only",
            (true, true) => "?json&only",
        };
        let url = [base, uri.path(), selected].concat();
        let key = (url, cache_control, incoming.encoding);
        let known = self.fixed.lock().get(&key);
        if let Some(known) = known {
            return Stage::Break(StageOutcome::Cached(known));
        }
        let response = match asset {
            Some(asset) => Some(ApiResponse::asset(&asset)),
            None => self.documents.find(uri.path(), base, choice),
        };
        let Some(response) = response else {
            return Stage::Continue(());
        };
        Stage::Break(response.outcome(None).map_cached(|plain| {
            let encoded = plain.encoded(incoming.encoding);
            let bytes = key.0.len() + encoded.bytes();
            self.fixed.lock().put(key, encoded.clone(), bytes);
            encoded
        }))
    }

    /// The metrics of the server itself. They are served before the first snapshot is published.
    async fn metrics(&self, incoming: &Incoming, exposed: Arc<MetricsText>) -> StageOutcome {
        if !incoming.is_read() {
            return ApiError::Method(incoming.request.method().clone()).into();
        }
        let content_type = exposed.media;
        let Ok(text) = tokio::task::spawn_blocking(move || (exposed.text)()).await else {
            return ApiError::Unreadable.into();
        };
        let response = ApiResponse::outside(StatusCode::OK, content_type, text).no_store();
        let outcome = response.outcome(None);
        outcome.map_cached(|plain| plain.encoded(incoming.encoding))
    }

    /// Cache: a stored response, or one that only has to be encoded.
    fn cached(
        &self,
        snapshot: &Arc<Snapshot>,
        key: &ResponseKey,
        encoding: ContentEncoding,
    ) -> Stage {
        let generation = snapshot.generation();
        if let Some(cached) = self.cache.get(generation, key) {
            return Stage::Break(StageOutcome::Cached(cached));
        }
        if encoding == ContentEncoding::Identity {
            return Stage::Continue(());
        }
        let plain = key.encoded(ContentEncoding::Identity);
        match self.cache.get(generation, &plain) {
            Some(plain) => {
                let encoded = self.store_encoded(plain, snapshot, key.clone(), encoding);
                Stage::Break(StageOutcome::Cached(encoded))
            }
            None => Stage::Continue(()),
        }
    }

    /// Dispatch: the response of the route.
    async fn dispatch(&self, incoming: &mut Incoming, snapshot: &Arc<Snapshot>) -> ApiResponse {
        let request = std::mem::take(&mut incoming.request);
        let (route, base) = (incoming.route.take(), std::mem::take(&mut incoming.base));
        let identity = std::mem::replace(&mut incoming.identity, Ok(Identity::Nobody));
        let (identity, snapshot) = (identity.unwrap_or(Identity::Nobody), snapshot.clone());
        let dispatcher = &self.dispatcher;
        dispatcher
            .respond(request, route, identity, snapshot, base)
            .await
    }

    /// Cache: stores a response if it can be sent again.
    fn store(
        &self,
        response: ApiResponse,
        snapshot: &Arc<Snapshot>,
        modified: Option<ModifiedDate>,
        key: ResponseKey,
        encoding: ContentEncoding,
    ) -> StageOutcome {
        if response.head.is_volatile {
            // References move without a new snapshot.
            let outcome = response.encoded_stream(encoding).outcome(None);
            return outcome.map_cached(|plain| plain.encoded(encoding));
        }
        if response.is_list_stream() {
            let tag = key.stream_tag(digest(snapshot), self.writer);
            let encoded = response.encoded_stream(encoding);
            let validators = Some((tag, modified));
            return encoded.with(|head| head.validators = validators).into();
        }
        let outcome = response.outcome(modified);
        outcome.map_cached(|plain| self.store_encoded(plain, snapshot, key, encoding))
    }

    fn store_encoded(
        &self,
        plain: Arc<CachedResponse>,
        snapshot: &Arc<Snapshot>,
        key: ResponseKey,
        encoding: ContentEncoding,
    ) -> Arc<CachedResponse> {
        let (encoded, generation) = (plain.encoded(encoding), snapshot.generation());
        if !Arc::ptr_eq(&encoded, &plain) {
            let plain_key = key.encoded(ContentEncoding::Identity);
            self.cache.insert_if_spare(generation, plain_key, plain);
        }
        self.cache.put(generation, key, encoded.clone());
        encoded
    }

    /// Finish: conditional requests, `HEAD`, and the headers that depend on the sender.
    async fn finish(
        &self,
        finish: Finish,
        snapshot: Option<&Snapshot>,
        outcome: StageOutcome,
    ) -> Response {
        let mut response = match outcome {
            StageOutcome::Cached(cached) => cached.response(&finish.conditions, finish.head),
            // The length of a whole list is known only after it was written.
            StageOutcome::Fresh(response) if finish.head && response.is_list_stream() => {
                match self.state.scans.admit(finish.share).await {
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
        let snapshot = snapshot.filter(|_| !finish.lacks_token);
        if finish.is_api && !response.status().is_redirection() {
            let ledger = snapshot.and_then(|snapshot| snapshot.ledger());
            if let Some(ledger) = ledger.and_then(|ledger| HeaderValue::from_str(ledger).ok()) {
                response.headers_mut().insert(LEDGER, ledger);
            }
        }
        if let Some(snapshot) = snapshot.filter(|snapshot| snapshot.batch() > 0) {
            let batch = HeaderValue::from(snapshot.batch());
            response.headers_mut().insert(BATCH, batch);
        }
        if let Some((method, headers)) = &finish.sender {
            self.state.access.finish(method, headers, &mut response);
        }
        response
    }
}

/// A hash of the build and of the settings that responses depend on, the same on all replicas of one build.
fn writer(state: &ApiState) -> u64 {
    let mut hasher = DefaultHasher::new();
    let links = &state.links;
    let build = (env!("CARGO_PKG_VERSION"), &state.build);
    (build, &links.site_url, &state.title).hash(&mut hasher);
    format!("{:?}", state.roots).hash(&mut hasher);
    hasher.finish()
}
