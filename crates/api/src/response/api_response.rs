//! A response before its headers are written, and the code that writes them (docs/spec/http.md#response-headers).

use std::sync::Arc;

use hyper::body::Bytes;
use poem::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, LAST_MODIFIED, LOCATION, RETRY_AFTER, VARY,
    WWW_AUTHENTICATE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS, X_XSS_PROTECTION,
};
use poem::http::{HeaderMap, HeaderValue, StatusCode};
use poem::{Body, Response};

use super::conditional::{CachedResponse, ConditionalHeaders, add_validators};
use super::content_encoding::ContentEncoding;
use super::error::ApiError;
use super::media_type::{EVENTS, HTML, JSON, OPEN_METRICS, PARQUET, Representation};
use super::methods::METHODS;
use super::stream_encoder;
use crate::encode::json;
use gitglot_catalog::ModifiedDate;
use gitglot_model::address::{encoded_path, encoded_value, unchanged_query};

/// The parts of a request that select a representation before encoding.
pub(crate) const VARY_ACCEPT: &str = "Accept";
/// The header that lists query parameters without an effect.
pub(crate) const IGNORED_PARAMETERS: &str = "gitglot-ignored-parameters";

#[derive(Debug)]
pub(crate) struct ApiResponse {
    pub(crate) head: ResponseHead,
    body: Payload,
}

#[derive(Debug)]
enum Payload {
    Bytes(Bytes),
    /// A body of unknown length, written while the client reads it.
    Stream(Body),
}

/// The values of the headers of a response.
#[derive(Debug, Default)]
pub(crate) struct ResponseHead {
    pub(crate) status: StatusCode,
    content_type: &'static str,
    disposition: Option<HeaderValue>,
    location: Option<HeaderValue>,
    cache_control: Option<HeaderValue>,
    pub(crate) last_modified: Option<HeaderValue>,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
    /// The names of the query parameters that had no effect.
    ignored_parameters: Option<HeaderValue>,
    /// The content encoding of a stream.
    encoding: ContentEncoding,
    /// The entity tag of a stream, and when it changed last.
    pub(crate) validators: Option<(u128, Option<ModifiedDate>)>,
    /// Whether the response depends on more than the snapshot, such as a branch that is not followed.
    pub(crate) is_volatile: bool,
    /// The methods that the path takes. Responses outside of the API name them only with status 405.
    pub(crate) allow: Option<&'static str>,
    /// The error that the body describes.
    error: Option<Box<ApiError>>,
}

impl ApiResponse {
    fn new(status: StatusCode, content_type: &'static str, body: Payload) -> Self {
        let head = ResponseHead {
            status,
            content_type,
            allow: Some(METHODS),
            ..ResponseHead::default()
        };
        Self { head, body }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut ResponseHead)) -> Self {
        change(&mut self.head);
        self
    }

    /// Compact JSON, reformatted with `indent` spaces per level unless that is 0.
    pub(crate) fn json(body: Vec<u8>, indent: usize) -> Self {
        let mut body = match indent {
            0 => body,
            _ => json::indented(&body, indent),
        };
        // It may stay in the cache for long.
        body.shrink_to_fit();
        Self::new(StatusCode::OK, JSON, Payload::Bytes(body.into()))
    }

    /// A whole list, written while the client reads it.
    pub(crate) fn list(representation: Representation, stream: Body) -> Self {
        let content_type = representation.content_type();
        Self::new(StatusCode::OK, content_type, Payload::Stream(stream))
    }

    /// Server-sent events. Proxies must neither store nor buffer them.
    pub(crate) fn events(stream: Body) -> Self {
        Self::new(StatusCode::OK, EVENTS, Payload::Stream(stream)).no_store()
    }

    pub(crate) fn error(error: &ApiError, indent: usize) -> Self {
        Self::json(error.body(), indent).with(|head| {
            head.status = error.status();
            head.retry_after = error.retry_after();
            head.error = Some(Box::new(error.clone()));
        })
    }

    /// The same response; `body` writes the body of errors in JSON.
    pub(crate) fn with_error_body(mut self, body: Option<fn(&ApiError) -> Vec<u8>>) -> Self {
        if let (Some(error), Some(body)) = (&self.head.error, body)
            && self.head.content_type == JSON
        {
            self.body = Payload::Bytes(body(error).into());
        }
        self
    }

    /// The same response with the methods of its route, if it names methods.
    pub(crate) fn allowing(self, methods: &'static str) -> Self {
        self.with(|head| head.allow = head.allow.map(|_| methods))
    }

    pub(crate) fn with_body(self, content_type: &'static str, body: Vec<u8>) -> Self {
        let body = Payload::Bytes(body.into());
        let response = Self { body, ..self };
        response.with(|head| head.content_type = content_type)
    }

    /// Metrics of the current API in the format of OpenMetrics.
    pub(crate) fn metrics(text: String) -> Self {
        Self::new(StatusCode::OK, OPEN_METRICS, Payload::Bytes(text.into()))
    }

    /// The page for a path without a route; `base` is where the server is reached.
    pub(crate) fn not_found(base: &str) -> Self {
        let layout = gitglot_web::PageLayout::below(base);
        Self::page(StatusCode::NOT_FOUND, gitglot_web::not_found(layout))
    }

    pub(crate) fn page(status: StatusCode, html: impl Into<Bytes>) -> Self {
        Self::outside(status, HTML, html)
    }

    /// Something that is not part of the API.
    pub(crate) fn outside(
        status: StatusCode,
        content_type: &'static str,
        body: impl Into<Bytes>,
    ) -> Self {
        let response = Self::new(status, content_type, Payload::Bytes(body.into()));
        response.with(|head| head.allow = None)
    }

    /// A file that pages load.
    pub(crate) fn asset(asset: &gitglot_web::Asset) -> Self {
        let response = Self::outside(StatusCode::OK, asset.media, Bytes::from_static(asset.bytes));
        response.with(|head| head.cache_control = Some(HeaderValue::from_static(asset.cache)))
    }

    /// A download; `disposition` is the whole header.
    pub(crate) fn file(body: Vec<u8>, content_type: &'static str, disposition: &str) -> Self {
        let response = Self::new(StatusCode::OK, content_type, Payload::Bytes(body.into()));
        response.with_disposition(disposition)
    }

    /// A permanent redirect to an encoded path of this server, with the same query.
    pub(crate) fn moved_permanently(base: &str, path: &str, query: &str) -> Self {
        let mark = if query.is_empty() { "" } else { "?" };
        let below = gitglot_web::PageLayout::below(base);
        let location = [&below.root, path, mark, &unchanged_query(query)].concat();
        Self::redirect(StatusCode::MOVED_PERMANENTLY, &location)
    }

    /// A redirect to a page of a different site.
    pub(crate) fn found_at(location: &str) -> Self {
        Self::redirect(StatusCode::FOUND, location)
    }

    fn redirect(status: StatusCode, location: &str) -> Self {
        Self::page(status, Bytes::new())
            .with(|head| head.location = HeaderValue::from_str(location).ok())
    }

    /// The redirect to a decoded path with its final slash and the same query.
    pub(crate) fn with_slash(base: &str, path: &str, query: &str) -> Self {
        Self::moved_permanently(base, &[&encoded_path(path), "/"].concat(), query)
    }

    /// The same response as a download; `disposition` is the whole header.
    pub(crate) fn with_disposition(self, disposition: &str) -> Self {
        self.with(|head| head.disposition = HeaderValue::from_str(disposition).ok())
    }

    /// The same response with a header that lists the query parameters without an effect, unless there are none.
    pub(crate) fn with_ignored_parameters(self, names: &[String]) -> Self {
        if names.is_empty() {
            return self;
        }
        let names: Vec<String> = names.iter().map(|name| encoded_value(name)).collect();
        self.with(|head| head.ignored_parameters = HeaderValue::from_str(&names.join(", ")).ok())
    }

    /// The names of the query parameters that had no effect, as in the header.
    pub(crate) fn ignored_parameters(&self) -> Option<&str> {
        self.head.ignored_parameters.as_ref()?.to_str().ok()
    }

    /// The same response; the body of a list that is streamed is encoded while it is written. Parquet is compressed
    /// already.
    pub(crate) fn encoded_stream(mut self, encoding: ContentEncoding) -> Self {
        self.body = match self.body {
            Payload::Stream(body) if self.head.content_type != PARQUET => {
                self.head.encoding = encoding;
                Payload::Stream(stream_encoder::encoded(body, encoding))
            }
            body => body,
        };
        self
    }

    /// The same response on a page of the browsable API.
    pub(crate) fn on_page(self, html: String) -> Self {
        let page = self.with_body(HTML, html.into_bytes());
        page.with(|head| head.retry_after = None)
    }

    /// The same response, which depends on more than the snapshot.
    pub(crate) fn volatile(self) -> Self {
        self.with(|head| head.is_volatile = true)
    }

    /// The same response, which never changes.
    pub(crate) fn immutable(self) -> Self {
        let value = HeaderValue::from_static("public, max-age=31536000, immutable");
        self.with(|head| head.cache_control = Some(value))
    }

    /// The same response, which nobody may store.
    pub(crate) fn no_store(self) -> Self {
        self.with(|head| head.cache_control = Some(HeaderValue::from_static("no-store")))
    }

    /// The body if it is compact or indented JSON and no download.
    pub(crate) fn json_body(&self) -> Option<&Bytes> {
        match &self.body {
            Payload::Bytes(body) if self.head.disposition.is_none() => {
                (self.head.content_type == JSON).then_some(body)
            }
            _ => None,
        }
    }

    pub(crate) fn into_body(self) -> Body {
        match self.body {
            Payload::Bytes(body) => Body::from(body),
            Payload::Stream(stream) => stream,
        }
    }

    /// Whether this is a whole list on its way.
    pub(crate) fn is_list_stream(&self) -> bool {
        matches!(self.body, Payload::Stream(_)) && self.head.content_type != EVENTS
    }

    /// The response as one that can be sent again, if its body is complete and its status 200. `modified`: when it
    /// changed last.
    pub(crate) fn outcome(self, modified: Option<ModifiedDate>) -> StageOutcome {
        match self.body {
            Payload::Bytes(body) if self.head.status == StatusCode::OK => {
                let headers = self.head.headers(None);
                StageOutcome::Cached(Arc::new(CachedResponse::new(headers, body, modified)))
            }
            _ => StageOutcome::from(self),
        }
    }

    /// The finished response, with its headers. `HEAD` gets the length of the body that it is spared.
    pub(crate) async fn finished(self, conditions: &ConditionalHeaders, head: bool) -> Response {
        let (status, is_endless) = (self.head.status, self.head.content_type == EVENTS);
        let validators = self.head.validators;
        let (length, mut body) = match self.body {
            Payload::Bytes(body) => (Some(body.len() as u64), Body::from(body)),
            Payload::Stream(stream) => (None, stream),
        };
        let mut headers = self.head.headers(length);
        if let Some((tag, modified)) = validators {
            add_validators(&mut headers, tag, modified);
            if let Some(unchanged) = conditions.not_modified(&headers) {
                return unchanged;
            }
        }
        if head {
            let body = std::mem::replace(&mut body, Body::empty());
            if length.is_none() && !is_endless {
                headers.insert(CONTENT_LENGTH, length_of(body).await.into());
            }
        }
        let mut response = Response::builder().status(status).body(body);
        *response.headers_mut() = headers;
        response
    }
}

impl ResponseHead {
    fn headers(self, length: Option<u64>) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(16);
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if let Some(length) = length {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        if let Some(location) = self.location {
            headers.insert(LOCATION, location);
            return headers;
        }
        if let Some(methods) = self.allow {
            headers.insert(ALLOW, HeaderValue::from_static(methods));
        }
        if self.status == StatusCode::UNAUTHORIZED && self.content_type != HTML {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Token"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if let Some(name) = self.encoding.name() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        if let Some(names) = self.ignored_parameters {
            headers.insert(IGNORED_PARAMETERS, names);
        }
        if self.content_type == EVENTS {
            // nginx buffers responses unless this header forbids it.
            headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        }
        let optional = [
            (CONTENT_DISPOSITION, self.disposition),
            (CACHE_CONTROL, self.cache_control),
            (LAST_MODIFIED, self.last_modified),
        ];
        let optional = optional.into_iter();
        headers.extend(optional.filter_map(|(name, value)| Some((name, value?))));
        headers.insert(VARY, HeaderValue::from_static(VARY_ACCEPT));
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static("en"));
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(X_XSS_PROTECTION, HeaderValue::from_static("1; mode=block"));
        headers.insert(
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(gitglot_web::CONTENT_SECURITY_POLICY),
        );
        headers
    }
}

/// The length of a body in bytes; the body is read and dropped.
async fn length_of(body: Body) -> u64 {
    let (mut body, mut sink) = (body.into_async_read(), tokio::io::sink());
    let copied = tokio::io::copy(&mut body, &mut sink).await;
    copied.unwrap_or_default()
}

/// The result of a stage that ends a request.
pub(crate) enum StageOutcome {
    /// A response that can be sent again, or replaced by 304.
    Cached(Arc<CachedResponse>),
    /// A response of this request.
    Fresh(Box<ApiResponse>),
    /// A response whose headers are complete.
    Complete(Response),
}

impl StageOutcome {
    /// The same outcome with a different response that can be sent again.
    pub(crate) fn map_cached(
        self,
        change: impl FnOnce(Arc<CachedResponse>) -> Arc<CachedResponse>,
    ) -> Self {
        match self {
            Self::Cached(response) => Self::Cached(change(response)),
            other => other,
        }
    }
}

impl From<ApiResponse> for StageOutcome {
    fn from(response: ApiResponse) -> Self {
        Self::Fresh(Box::new(response))
    }
}

impl From<ApiError> for StageOutcome {
    fn from(error: ApiError) -> Self {
        ApiResponse::error(&error, 0).into()
    }
}
