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

use super::answer::{Answer, EVENTS};
use super::beside;
use super::browse;
use super::cache::{Cache, Key};
use super::call::Call;
use super::coding::Coding;
use super::document::{Pages, service};
use super::errors::Failure;
use super::kept::{Conditions, Kept, stamp};
use super::links::{Links, encoded};
use super::matches::Matches;
use super::negotiate::{Accepted, Form, negotiate};
use super::options;
use super::paging::{Asked, Paging, last};
use super::routes::{Kind, Route, Target, find};
use super::rows;
use super::tags::Tags;
use super::{Exposed, State};
use crate::catalog::Snapshot;

/// Where the server tells of itself.
const METRICS: &str = "/metrics";

/// Everything under `/api`.
pub(super) struct Front {
    state: Arc<State>,
    operations: BoxEndpoint<'static>,
    pages: Pages,
    matches: Arc<Matches>,
    cache: Cache,
    /// What depends on nothing that is read from repositories: by path and `Cache-Control`, in each coding.
    fixed: DashMap<(String, Coding), Arc<Kept>>,
    tags: Tags,
}

/// Bytes of path and query that are read; longer ones are answered with 414.
const LONGEST: usize = 8 << 10;

impl Front {
    pub(super) fn new(state: Arc<State>) -> Self {
        let cache = Cache::new(state.cache_size).counted_by(state.cache_figures.clone());
        let (operations, pages) = (service().into_endpoint(), Pages::new());
        Self { state, operations, pages, matches: Arc::default(), cache, fixed: DashMap::new(), tags: Tags::new() }
    }

    /// The answer to a request: a kept one where there is one, else a new one, which is kept where that can be.
    async fn respond(&self, request: Request) -> Response {
        let head = request.method() == Method::HEAD;
        let conditions = Conditions::of(request.headers());
        let coding = Coding::wanted(request.headers());
        let target = target(request.uri());
        let path = request.uri().path();
        let refused = |failure: Failure| bodiless(Answer::failure(&failure, 0).into_response(), head);
        if target.len() > LONGEST {
            return refused(Failure::TooLong(LONGEST)).await;
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
            return match beside::is_page(path) {
                true => bodiless(beside::not_ready(&base).into_response(), head).await,
                false => refused(Failure::NotReady).await,
            };
        };
        if !head && request.method() != Method::GET {
            return self.answer(request, snapshot, base).await.unwrap_or_else(Answer::into_response);
        }
        let key = Key::new(&base, target, &accepts(&request), coding);
        if let Some(kept) = self.cache.get(&snapshot, &key) {
            return kept.response(&conditions, head);
        }
        let plain_key = key.coded(Coding::Identity);
        let known = if coding == Coding::Identity { None } else { self.cache.get(&snapshot, &plain_key) };
        let plain = match known {
            Some(kept) => kept,
            None => {
                // Apart, so that what is given again does not carry what makes new answers.
                let made = Box::pin(self.answer(request, snapshot.clone(), base)).await;
                let made = made.unwrap_or_else(Answer::into_response);
                match keep(made, snapshot.time()).await {
                    Ok(kept) => kept,
                    Err(response) => return self.unkept(response, &snapshot, &plain_key, &conditions, head).await,
                }
            }
        };
        let coded = plain.coded(coding);
        if !Arc::ptr_eq(&coded, &plain) {
            self.cache.put_aside(&snapshot, plain_key, plain);
        }
        self.cache.put(&snapshot, key, coded.clone());
        coded.response(&conditions, head)
    }

    /// What is there from the start, made once in each coding that somebody asks for: the page of the document is large.
    async fn fixed(&self, path: &str, query: Option<&str>, coding: Coding) -> Option<Result<Arc<Kept>, Response>> {
        let root = self.state.links.base_url.as_deref().unwrap_or_default();
        let answer = match self.pages.find(path, root) {
            Some(page) => page,
            None => beside::asset(path, query)?,
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
        conditions: &Conditions,
        head: bool,
    ) -> Response {
        let media = response.headers().get(CONTENT_TYPE);
        let is_list = [Form::Lines, Form::Table].iter().any(|form| media.is_some_and(|it| it == form.content_type()));
        if response.status() == StatusCode::OK && is_list {
            stamp(response.headers_mut(), self.tags.of(snapshot, key), snapshot.time());
            if let Some(unchanged) = conditions.not_modified(response.headers()) {
                return unchanged;
            }
        }
        bodiless(response, head).await
    }

    /// What the server says of itself: from the start, to whoever may ask for anything else.
    async fn exposed(&self, request: &Request, exposed: Arc<Exposed>) -> Answer {
        if let Err(failure) = self.state.links.base(request) {
            return Answer::failure(&failure, 0);
        }
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Answer::failure(&Failure::Method(request.method().clone()), 0);
        }
        let media = exposed.media;
        match tokio::task::spawn_blocking(move || (exposed.text)()).await {
            Ok(text) => Answer::exposed(text, media),
            Err(_) => Answer::failure(&Failure::Unreadable, 0),
        }
    }

    async fn answer(&self, mut request: Request, snapshot: Arc<Snapshot>, base: String) -> Result<Response, Answer> {
        let refused = |failure: Failure| Answer::failure(&failure, 0);
        let path = percent_decode_str(request.uri().path()).decode_utf8().map_err(|_| Answer::nowhere(&base))?;
        let path = path.into_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        if path == "/api" {
            return Err(Answer::with_slash(&base, &path, &query));
        }
        let Some(rest) = path.strip_prefix("/api/") else {
            return beside::answer(&self.state, snapshot, base, &request, &path, &query).await;
        };
        let (route, suffix) = match find(rest) {
            Target::Route { route, suffix } => (route, suffix),
            Target::WithSlash => return Err(Answer::with_slash(&base, &path, &query)),
            Target::Nowhere => return Err(Answer::nowhere(&base)),
        };
        let asked = Asked { base, path: path.clone(), query };
        let (paging, format) = match asked.query.is_empty() {
            true => (Paging::default(), None),
            false => {
                let pairs = asked.pairs();
                (Paging::new(&pairs), last(&pairs, "format").map(str::to_owned))
            }
        };
        let accepted = form(&request, route, suffix.or(format.as_deref())).map_err(refused)?;
        match *request.method() {
            Method::GET | Method::HEAD => {}
            Method::OPTIONS => return Err(options::answer(route, accepted.indent)),
            _ => {
                let failure = Failure::Method(request.method().clone());
                return Err(Answer::failure(&failure, accepted.indent));
            }
        }
        let handed_on = suffix.filter(|_| route.kind == Kind::Resource);
        let links = Links::new(&asked.base, self.state.links.site_url.as_deref(), handed_on, format.as_deref());
        let format = suffix.map(str::to_owned).or(format);
        if suffix.is_some() || request.uri().path().contains('%') {
            *request.uri_mut() = plain(rest, suffix).ok_or_else(|| Answer::nowhere(&asked.base))?;
        }
        request.set_method(Method::GET);
        let state = self.state.clone();
        let shown = (accepted.form == Form::Browsable).then(|| asked.clone());
        let (matches, form, indent) = (self.matches.clone(), accepted.form, accepted.indent);
        request.set_data(Call { state, snapshot, links, paging, asked, matches, form, indent, format });
        let response = self.operations.get_response(request).await;
        Ok(match shown {
            Some(asked) => browse::page(route, &asked, response).await,
            None => response,
        })
    }
}

/// Makes an answer with status 200 one that can be given again; gives back what is none or has no known length.
async fn keep(mut made: Response, modified: Option<i64>) -> Result<Arc<Kept>, Response> {
    if made.status() != StatusCode::OK || !made.headers().contains_key(CONTENT_LENGTH) {
        return Err(made);
    }
    let headers = std::mem::take(made.headers_mut());
    match made.take_body().into_bytes().await {
        Ok(body) => Ok(Arc::new(Kept::new(headers, body, modified))),
        Err(error) => {
            tracing::error!(%error, "an answer ended early");
            Err(Answer::failure(&Failure::Unreadable, 0).into_response())
        }
    }
}

/// The answer to `HEAD`: the length stays that of the body that is left out.
async fn bodiless(mut response: Response, head: bool) -> Response {
    if head {
        let body = response.take_body();
        let is_endless = response.content_type() == Some(EVENTS);
        if !is_endless && !response.headers().contains_key(CONTENT_LENGTH) {
            let length = rows::length(body).await;
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
fn form(request: &Request, route: &Route, format: Option<&str>) -> Result<Accepted, Failure> {
    if matches!(route.kind, Kind::Download | Kind::Stream) {
        return Ok(Accepted::default());
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

impl Endpoint for Front {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let access = &self.state.access;
        if access.is_open() {
            return Ok(self.respond(request).await);
        }
        let (method, asked) = (request.method().clone(), request.headers().clone());
        let mut response = match access.gate(request, &self.state.links).await {
            Ok(request) => self.respond(request).await,
            Err(response) => response,
        };
        access.finish(&method, &asked, response.headers_mut());
        Ok(response)
    }
}
