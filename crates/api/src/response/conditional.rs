//! Conditional requests (RFC 9110, sections 8.8 and 13) and the responses that are stored to serve them
//! (docs/spec/http.md#caching).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::Utc;
use hyper::body::Bytes;
use parking_lot::Mutex;
use poem::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, IF_NONE_MATCH,
    LAST_MODIFIED, VARY,
};
use poem::http::{HeaderValue, StatusCode};
use poem::web::headers::{HeaderMapExt, IfModifiedSince, LastModified};
use poem::{Body, Response};
use xxhash_rust::xxh3::xxh3_128;

use super::content_encoding::ContentEncoding;
use gitglot_catalog::ModifiedDate;

/// Everybody may store a response but must revalidate it: that costs a 304, and a push is visible at once.
const CACHE: HeaderValue = HeaderValue::from_static("public, no-cache");
/// The values that determine the bytes of a stored response.
const VARY_ENCODED: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");
/// The first second after the year 9999, which dates in headers cannot express.
const END_OF_DATES: i64 = 253_402_300_800;

/// A response with status 200 that can be sent any number of times, its body in one content encoding.
pub(crate) struct CachedResponse {
    /// All headers; entity tag and length have no meaning. Most responses share a map, so that it stays in the
    /// processor's cache.
    headers: Arc<HeaderMap>,
    /// The hash of the body before it was encoded.
    hash: u128,
    tag: Option<HeaderValue>,
    /// When it changed last.
    modified: Option<ModifiedDate>,
    body: Bytes,
}

/// The entity tag of a body with this hash. A strong tag identifies bytes, so each content encoding has its own.
fn entity_tag(hash: u128, encoding: Option<&str>) -> Option<HeaderValue> {
    let (mark, name) = encoding.map_or(("", ""), |name| ("-", name));
    HeaderValue::try_from(format!("\"{hash:032x}{mark}{name}\"")).ok()
}

/// The maps that stored responses share, newest first.
static SHARED_HEADERS: Mutex<VecDeque<Arc<HeaderMap>>> = Mutex::new(VecDeque::new());

/// The most maps that are shared. A snapshot needs a few; older ones have a different date.
const MAX_SHARED: usize = 32;

/// A map that is equal to `headers`.
fn shared(headers: HeaderMap) -> Arc<HeaderMap> {
    let mut known = SHARED_HEADERS.lock();
    if let Some(equal) = known.iter().find(|shared| ***shared == headers) {
        return equal.clone();
    }
    let headers = Arc::new(headers);
    known.truncate(MAX_SHARED - 1);
    known.push_front(headers.clone());
    headers
}

/// The conditions of a request about the response that the client has. The crate `headers` is no alternative for entity
/// tags: it panics in debug builds if one contains a space, and ignores `*` in a list.
#[derive(Default)]
pub(crate) struct ConditionalHeaders {
    if_none_match: Vec<HeaderValue>,
    if_modified_since: Option<IfModifiedSince>,
}

impl ConditionalHeaders {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        Self {
            if_none_match: headers.get_all(IF_NONE_MATCH).iter().cloned().collect(),
            if_modified_since: headers.typed_get(),
        }
    }

    /// The 304 response, if the sender has the response with these headers. Entity tags take precedence over dates.
    pub(crate) fn not_modified(&self, headers: &HeaderMap) -> Option<Response> {
        if self.if_none_match.is_empty() && self.if_modified_since.is_none() {
            return None;
        }
        let tag = headers.get(ETAG)?.to_str().ok()?;
        let is_known = match (&self.if_none_match[..], self.if_modified_since) {
            ([], Some(since)) => !since.is_modified(headers.typed_get::<LastModified>()?.into()),
            (known, _) => {
                let known = known.iter().filter_map(|value| value.to_str().ok());
                let known = known.flat_map(|tags| tags.split(','));
                // Weak comparison: the client need not have the same bytes.
                known.map(str::trim).any(|listed| {
                    listed == "*" || listed.strip_prefix("W/").unwrap_or(listed) == tag
                })
            }
        };
        is_known.then(|| {
            let mut response = Response::default();
            response.set_status(StatusCode::NOT_MODIFIED);
            for name in [ETAG, LAST_MODIFIED, CACHE_CONTROL, VARY] {
                if let Some(value) = headers.get(&name) {
                    response.headers_mut().insert(name, value.clone());
                }
            }
            response
        })
    }
}

/// A date for a header, from seconds since 1970. `None` before 1970 and after 9999.
pub(crate) fn http_date(seconds: i64) -> Option<HeaderValue> {
    if seconds >= END_OF_DATES {
        return None;
    }
    let seconds = u64::try_from(seconds).ok()?;
    let time = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds))?;
    HeaderValue::from_str(&httpdate::fmt_http_date(time)).ok()
}

/// Adds the validators of a response: an entity tag with this hash, and when it changed last.
pub(crate) fn add_validators(headers: &mut HeaderMap, hash: u128, modified: Option<ModifiedDate>) {
    if let Some(tag) = entity_tag(hash, None) {
        headers.insert(ETAG, tag);
    }
    add_dates(headers, modified);
    remove_future_date(headers, modified);
}

fn add_dates(headers: &mut HeaderMap, modified: Option<ModifiedDate>) {
    if let Some(date) = modified.and_then(|date| http_date(date.seconds)) {
        headers.insert(LAST_MODIFIED, date);
    }
    headers.entry(CACHE_CONTROL).or_insert(CACHE);
    headers.insert(VARY, VARY_ENCODED);
}

/// Removes the date of a change of this process while that is in the future (RFC 9110, section 8.8.2.1). So every date
/// that a client has is older than the date of a later change.
fn remove_future_date(headers: &mut HeaderMap, modified: Option<ModifiedDate>) {
    let is_own = |date: &ModifiedDate| !date.is_recorded;
    if modified.is_some_and(|date| is_own(&date) && date.seconds > Utc::now().timestamp()) {
        headers.remove(LAST_MODIFIED);
    }
}

impl CachedResponse {
    /// A response that is not encoded. `modified`: when it changed last.
    pub fn new(mut headers: HeaderMap, body: Bytes, modified: Option<ModifiedDate>) -> Self {
        add_dates(&mut headers, modified);
        for name in [ETAG, CONTENT_LENGTH] {
            headers.insert(name, HeaderValue::from_static(""));
        }
        // A cryptographic hash would take a quarter of the time of a page. To find two pages with the same tag one has to
        // own the texts of both.
        let hash = xxh3_128(&body);
        Self {
            headers: shared(headers),
            hash,
            tag: entity_tag(hash, None),
            modified,
            body,
        }
    }

    /// The same response in a content encoding; unchanged where that does not make it smaller.
    pub(crate) fn encoded(self: &Arc<Self>, encoding: ContentEncoding) -> Arc<Self> {
        let media_type = self.headers.get(CONTENT_TYPE);
        let pays = |_: &_| ContentEncoding::pays(self.body.len(), media_type);
        let Some(name) = encoding.name().filter(pays) else {
            return self.clone();
        };
        let body = encoding.compressed(&self.body);
        let Some(body) = body.ok().filter(|body| body.len() < self.body.len()) else {
            return self.clone();
        };
        let mut headers = (*self.headers).clone();
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        Arc::new(Self {
            headers: shared(headers),
            hash: self.hash,
            tag: entity_tag(self.hash, Some(name)),
            modified: self.modified,
            body: body.into(),
        })
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = (*self.headers).clone();
        remove_future_date(&mut headers, self.modified);
        if let Some(tag) = self.tag.clone() {
            headers.insert(ETAG, tag);
        }
        headers.insert(CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        headers
    }

    /// The size of the body in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.body.len()
    }

    /// The response to a request with these conditions, without a body for `HEAD`.
    pub(crate) fn response(&self, conditions: &ConditionalHeaders, head: bool) -> Response {
        let headers = self.headers();
        if let Some(response) = conditions.not_modified(&headers) {
            return response;
        }
        let body = if head {
            Body::empty()
        } else {
            Body::from(self.body.clone())
        };
        let mut response = Response::builder().body(body);
        *response.headers_mut() = headers;
        response
    }
}

#[cfg(test)]
mod tests {
    use poem::http::header::IF_MODIFIED_SINCE;

    use super::*;

    fn cached() -> Arc<CachedResponse> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Arc::new(CachedResponse::new(
            headers,
            vec![b'1'; 3000].into(),
            Some(ModifiedDate {
                seconds: 1_700_000_000,
                is_recorded: true,
            }),
        ))
    }

    fn status(cached: &CachedResponse, name: poem::http::HeaderName, value: &str) -> StatusCode {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        cached
            .response(&ConditionalHeaders::of(&headers), false)
            .status()
    }

    #[test]
    fn a_matching_etag_gets_a_304_without_a_body() {
        let cached = cached();
        let tag = cached.headers()[ETAG].to_str().unwrap().to_owned();
        for known in [
            tag.clone(),
            format!("W/{tag}"),
            format!("\"other\", {tag}"),
            format!("\"with, comma\", {tag}"),
            "*".to_owned(),
        ] {
            assert_eq!(
                status(&cached, IF_NONE_MATCH, &known),
                StatusCode::NOT_MODIFIED,
                "{known}"
            );
        }
        for known in ["\"other\"", "", tag.trim_matches('"')] {
            assert_eq!(
                status(&cached, IF_NONE_MATCH, known),
                StatusCode::OK,
                "{known}"
            );
        }
        for (since, answer) in [
            ("Tue, 14 Nov 2023 22:13:20 GMT", StatusCode::NOT_MODIFIED),
            ("Tue, 14 Nov 2023 22:13:21 GMT", StatusCode::NOT_MODIFIED),
            ("Tue, 14 Nov 2023 22:13:19 GMT", StatusCode::OK),
            ("yesterday", StatusCode::OK),
        ] {
            assert_eq!(status(&cached, IF_MODIFIED_SINCE, since), answer, "{since}");
        }
    }

    #[test]
    fn a_date_in_the_future_is_not_sent() {
        let later = Utc::now().timestamp() + 1000;
        let date = Some(ModifiedDate {
            seconds: later,
            is_recorded: false,
        });
        let cached = CachedResponse::new(HeaderMap::new(), Bytes::new(), date);
        let mut streamed = HeaderMap::new();
        add_validators(&mut streamed, 1, date);
        for headers in [cached.headers(), streamed] {
            assert!(!headers.contains_key(LAST_MODIFIED) && headers.contains_key(ETAG));
        }
        let known = http_date(later + 1).unwrap();
        let known = known.to_str().unwrap();
        assert_eq!(status(&cached, IF_MODIFIED_SINCE, known), StatusCode::OK);
    }

    #[test]
    fn tags_count_more_than_times() {
        let cached = cached();
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
        headers.insert(
            IF_MODIFIED_SINCE,
            HeaderValue::from_static("Tue, 14 Nov 2023 22:13:20 GMT"),
        );
        assert_eq!(
            cached
                .response(&ConditionalHeaders::of(&headers), false)
                .status(),
            StatusCode::OK
        );
    }

    #[test]
    fn each_content_encoding_has_its_own_tag_and_length() {
        let plain = cached();
        let small = plain.encoded(ContentEncoding::Gzip);
        assert_eq!(small.headers[CONTENT_ENCODING], "gzip");
        assert_eq!(
            small.headers()[CONTENT_LENGTH],
            small.body.len().to_string().as_str()
        );
        assert_ne!(small.headers()[ETAG], plain.headers()[ETAG]);
        let headers = plain.headers();
        let plain_tag = headers[ETAG].to_str().unwrap();
        assert_eq!(status(&small, IF_NONE_MATCH, plain_tag), StatusCode::OK);
    }
}
