//! One place that turns a body into a response and writes the headers (api.md 9).

use hyper::body::Bytes;
use poem::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    LAST_MODIFIED, LOCATION, RETRY_AFTER, VARY, WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    X_XSS_PROTECTION,
};
use poem::http::{HeaderMap, HeaderValue, StatusCode};
use poem::{Body, IntoResponse, Response};

use crate::api::encode::json;
use crate::api::request::negotiate::Representation;
use crate::api::response::error::ApiError;
use crate::api::response::links::{encoded_path, query_as_it_came};
use crate::web;

/// Content type of every API body.
pub(in crate::api) const JSON: &str = "application/json";
/// Content type of pages.
pub(in crate::api) const HTML: &str = "text/html; charset=utf-8";
/// Content type of events.
pub(in crate::api) const EVENTS: &str = "text/event-stream";
/// The methods that every API route answers.
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
/// What a page may load.
const POLICY: HeaderValue = HeaderValue::from_static(web::CONTENT_SECURITY_POLICY);

/// A whole answer, before it becomes a response.
#[derive(Debug)]
pub(in crate::api) struct ApiResponse {
    status: StatusCode,
    media: &'static str,
    body: Bytes,
    /// Sent instead of `body`; how long it will be is not known.
    stream: Option<Body>,
    disposition: Option<HeaderValue>,
    location: Option<HeaderValue>,
    cache: Option<HeaderValue>,
    last_modified: Option<HeaderValue>,
    policy: HeaderValue,
    /// Seconds after which to ask again.
    retry_after: Option<u64>,
    /// Whether a route of the API answers, not the server around it.
    routed: bool,
}

impl ApiResponse {
    fn new(status: StatusCode, media: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            media,
            body: body.into(),
            stream: None,
            disposition: None,
            location: None,
            cache: None,
            last_modified: None,
            policy: POLICY,
            retry_after: None,
            routed: true,
        }
    }

    /// A body of JSON without blanks; laid out over lines when `indent` is not 0.
    pub(in crate::api) fn json(body: Vec<u8>, indent: usize) -> Self {
        let mut body = if indent == 0 { body } else { json::indented(&body, indent) };
        // It may be kept for long.
        body.shrink_to_fit();
        Self::new(StatusCode::OK, JSON, body)
    }

    /// A whole list, made while it is read.
    pub(in crate::api) fn stream(form: Representation, stream: Body) -> Self {
        Self { stream: Some(stream), ..Self::new(StatusCode::OK, form.content_type(), Vec::new()) }
    }

    /// Events, sent while they happen: nobody on the way may keep them or wait for more.
    pub(in crate::api) fn events(stream: Body) -> Self {
        let cache = Some(HeaderValue::from_static("no-store"));
        Self { stream: Some(stream), cache, ..Self::new(StatusCode::OK, EVENTS, Vec::new()) }
    }

    /// A text about the server itself, which nobody may keep.
    pub(in crate::api) fn exposed(text: String, media: &'static str) -> Self {
        let cache = Some(HeaderValue::from_static("no-store"));
        Self { cache, routed: false, ..Self::new(StatusCode::OK, media, text.into_bytes()) }
    }

    /// What says why there is no resource.
    pub(in crate::api) fn error(error: &ApiError, indent: usize) -> Self {
        Self { status: error.status(), retry_after: error.retry_after(), ..Self::json(error.body(), indent) }
    }

    /// What says that no route has that path, to be read below a base.
    pub(in crate::api) fn not_found(base: &str) -> Self {
        Self::page(StatusCode::NOT_FOUND, web::not_found(web::Layout::below(base)).into_bytes())
    }

    /// A page.
    pub(in crate::api) fn page(status: StatusCode, html: impl Into<Bytes>) -> Self {
        Self { routed: false, ..Self::new(status, HTML, html) }
    }

    /// An answer of the API on a page.
    pub(in crate::api) fn browsable(status: StatusCode, html: Vec<u8>) -> Self {
        Self::new(status, HTML, html)
    }

    /// A file that pages load.
    pub(in crate::api) fn asset(asset: &web::Asset) -> Self {
        let cache = Some(HeaderValue::from_static(asset.cache));
        Self { cache, routed: false, ..Self::new(StatusCode::OK, asset.media, Bytes::from_static(asset.bytes)) }
    }

    /// Something that stands outside of the API.
    pub(in crate::api) fn export(body: Vec<u8>, media: &'static str) -> Self {
        Self { routed: false, ..Self::new(StatusCode::OK, media, body) }
    }

    /// A file to be saved; `disposition` is the whole header.
    pub(in crate::api) fn file(body: Vec<u8>, media: &'static str, disposition: String) -> Self {
        Self { disposition: HeaderValue::from_str(&disposition).ok(), ..Self::new(StatusCode::OK, media, body) }
    }

    /// The way to the path with its final slash.
    pub(in crate::api) fn moved_permanently(location: &str) -> Self {
        let location = HeaderValue::from_str(location).ok();
        Self { location, ..Self::page(StatusCode::MOVED_PERMANENTLY, Bytes::new()) }
    }

    /// The way to a page of another site, which may be another one the next time.
    pub(in crate::api) fn redirect(location: &str) -> Self {
        Self { status: StatusCode::FOUND, ..Self::moved_permanently(location) }
    }

    /// The way to a path, as it was asked for below a base and with that query, with its final slash.
    pub(in crate::api) fn with_slash(base: &str, path: &str, query: &str) -> Self {
        let mark = if query.is_empty() { "" } else { "?" };
        let below = web::Layout::below(base);
        Self::moved_permanently(&[below.root(), &encoded_path(path), "/", mark, &query_as_it_came(query)].concat())
    }

    /// The same answer to be saved; `disposition` is the whole header.
    pub(in crate::api) fn with_disposition(self, disposition: &str) -> Self {
        Self { disposition: HeaderValue::from_str(disposition).ok(), ..self }
    }

    /// The same answer with the time at which its content last changed, as headers have it.
    pub(in crate::api) fn with_last_modified(self, time: &str) -> Self {
        Self { last_modified: HeaderValue::from_str(time).ok(), ..self }
    }

    /// The same answer, to be asked for again after so many seconds.
    pub(in crate::api) fn with_retry_after(self, retry_after: Option<u64>) -> Self {
        Self { retry_after, ..self }
    }

    /// The same answer with another content type.
    pub(in crate::api) fn with_media(self, media: &'static str) -> Self {
        Self { media, ..self }
    }

    /// The same answer with another rule of what the page may load.
    pub(in crate::api) fn with_policy(self, policy: HeaderValue) -> Self {
        Self { policy, ..self }
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let length = self.stream.is_none().then_some(self.body.len());
        let body = self.stream.unwrap_or_else(|| Body::from(self.body));
        let mut response = Response::builder().status(self.status).body(body);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media));
        if let Some(length) = length {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        if let Some(location) = self.location {
            headers.insert(LOCATION, location);
            return response;
        }
        if self.routed {
            headers.insert(ALLOW, METHODS);
        }
        if self.status == StatusCode::UNAUTHORIZED && self.media == JSON {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Token"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if self.media == EVENTS {
            // For nginx, which else gathers an answer before it hands it on.
            headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        }
        if let Some(disposition) = self.disposition {
            headers.insert(CONTENT_DISPOSITION, disposition);
        }
        for (name, value) in [(CACHE_CONTROL, self.cache), (LAST_MODIFIED, self.last_modified)] {
            if let Some(value) = value {
                headers.insert(name, value);
            }
        }
        standing(headers, self.policy);
        response
    }
}

/// The headers of every answer.
fn standing(headers: &mut HeaderMap, policy: HeaderValue) {
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static("en"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(X_XSS_PROTECTION, HeaderValue::from_static("1; mode=block"));
    headers.insert(CONTENT_SECURITY_POLICY, policy);
}
