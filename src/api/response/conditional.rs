//! A whole answer with its validators, as it can be given again and again: in full, or as 304 to who has it
//! (RFC 9110, 8.8 and 13).

use std::sync::Arc;

use chrono::{DateTime, NaiveDateTime};
use hyper::body::Bytes;
use poem::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, VARY,
};
use poem::http::{HeaderValue, StatusCode};
use poem::{Body, Response};
use xxhash_rust::xxh3::xxh3_128;

use crate::api::response::content_encoding::ContentEncoding;

/// May be stored by everybody, is asked for again each time: that costs a 304, and a push is visible at once.
const CACHE: HeaderValue = HeaderValue::from_static("public, no-cache");
/// What the form of an answer depends on.
const DEPENDS: HeaderValue = HeaderValue::from_static("Accept, Accept-Encoding");
/// How times stand in headers.
const HTTP_DATE: &str = "%a, %d %b %Y %H:%M:%S GMT";

/// An answer with status 200, its body in one coding.
pub(in crate::api) struct CachedResponse {
    headers: HeaderMap,
    body: Bytes,
}

/// What a request says of the answer that its sender has already.
#[derive(Default)]
pub(in crate::api) struct ConditionalHeaders {
    none_match: Vec<HeaderValue>,
    modified_since: Option<HeaderValue>,
}

impl ConditionalHeaders {
    /// Those of a request.
    pub(in crate::api) fn of(headers: &HeaderMap) -> Self {
        Self {
            none_match: headers.get_all(IF_NONE_MATCH).iter().cloned().collect(),
            modified_since: headers.get(IF_MODIFIED_SINCE).cloned(),
        }
    }

    /// 304, when the sender has the answer with those headers.
    pub(in crate::api) fn not_modified(&self, headers: &HeaderMap) -> Option<Response> {
        self.hold(headers).then(|| {
            let mut response = Response::builder().status(StatusCode::NOT_MODIFIED).finish();
            for name in [ETAG, LAST_MODIFIED, CACHE_CONTROL, VARY] {
                if let Some(value) = headers.get(&name) {
                    response.headers_mut().insert(name, value.clone());
                }
            }
            response
        })
    }

    /// Whether the sender has that answer. Tags decide where there are some.
    fn hold(&self, headers: &HeaderMap) -> bool {
        let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()) else { return false };
        if !self.none_match.is_empty() {
            let known = self.none_match.iter().filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
            return known.map(str::trim).any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == tag);
        }
        let (Some(since), Some(modified)) = (&self.modified_since, headers.get(LAST_MODIFIED)) else { return false };
        match (since.to_str().map(seconds), modified.to_str().map(seconds)) {
            (Ok(Some(since)), Ok(Some(modified))) => modified <= since,
            _ => false,
        }
    }
}

fn seconds(date: &str) -> Option<i64> {
    Some(NaiveDateTime::parse_from_str(date, HTTP_DATE).ok()?.and_utc().timestamp())
}

/// Writes down what an answer is known by: its tag, and when what it was made from was published, in seconds since 1970.
pub(in crate::api) fn stamp(headers: &mut HeaderMap, tag: u128, modified: Option<i64>) {
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{tag:032x}\"")) {
        headers.insert(ETAG, tag);
    }
    let date = modified.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    if let Some(Ok(date)) = date.map(|date| HeaderValue::from_str(&date.format(HTTP_DATE).to_string())) {
        headers.insert(LAST_MODIFIED, date);
    }
    headers.entry(CACHE_CONTROL).or_insert(CACHE);
    headers.insert(VARY, DEPENDS);
}

impl CachedResponse {
    /// An answer as it is. `modified`: when what it was made from was published, in seconds since 1970.
    pub(in crate::api) fn new(mut headers: HeaderMap, body: Bytes, modified: Option<i64>) -> Self {
        // Made for each page that is not kept yet: a cryptographic hash would take a quarter of the page's time, and
        // whoever could find two pages with the same tag would have to own the texts of both.
        stamp(&mut headers, xxh3_128(&body), modified);
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        Self { headers, body }
    }

    /// The same answer in a coding; itself where that does not pay.
    pub(in crate::api) fn coded(self: &Arc<Self>, coding: ContentEncoding) -> Arc<Self> {
        let Some(name) =
            coding.name().filter(|_| ContentEncoding::pays(self.body.len(), self.headers.get(CONTENT_TYPE)))
        else {
            return self.clone();
        };
        let Ok(body) = coding.compressed(&self.body) else { return self.clone() };
        if body.len() >= self.body.len() {
            return self.clone();
        }
        let mut headers = self.headers.clone();
        let tag = headers.get(ETAG).and_then(|tag| tag.to_str().ok()).map(|tag| tag.trim_matches('"'));
        // Other bytes, another tag: a strong one names the bytes, not the meaning.
        if let Some(Ok(tag)) = tag.map(|tag| HeaderValue::from_str(&["\"", tag, "-", name, "\""].concat())) {
            headers.insert(ETAG, tag);
        }
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        Arc::new(Self { headers, body: body.into() })
    }

    /// Bytes that keeping it costs, roughly.
    pub(in crate::api) fn bytes(&self) -> usize {
        self.body.len()
    }

    /// The answer to a request with those conditions; for `head` without its body.
    pub(in crate::api) fn response(&self, conditions: &ConditionalHeaders, head: bool) -> Response {
        if let Some(response) = conditions.not_modified(&self.headers) {
            return response;
        }
        let body = if head { Body::empty() } else { Body::from(self.body.clone()) };
        let mut response = Response::builder().body(body);
        *response.headers_mut() = self.headers.clone();
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> Arc<CachedResponse> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Arc::new(CachedResponse::new(headers, vec![b'1'; 3000].into(), Some(1_700_000_000)))
    }

    fn status(kept: &CachedResponse, name: poem::http::HeaderName, value: &str) -> StatusCode {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        kept.response(&ConditionalHeaders::of(&headers), false).status()
    }

    #[test]
    fn who_has_the_answer_is_told_so_and_gets_no_body() {
        let kept = kept();
        let tag = kept.headers[ETAG].to_str().unwrap().to_owned();
        for known in [tag.clone(), format!("W/{tag}"), format!("\"other\", {tag}"), "*".to_owned()] {
            assert_eq!(status(&kept, IF_NONE_MATCH, &known), StatusCode::NOT_MODIFIED, "{known}");
        }
        for known in ["\"other\"", "", tag.trim_matches('"')] {
            assert_eq!(status(&kept, IF_NONE_MATCH, known), StatusCode::OK, "{known}");
        }
        for (since, answer) in [
            ("Tue, 14 Nov 2023 22:13:20 GMT", StatusCode::NOT_MODIFIED),
            ("Tue, 14 Nov 2023 22:13:21 GMT", StatusCode::NOT_MODIFIED),
            ("Tue, 14 Nov 2023 22:13:19 GMT", StatusCode::OK),
            ("yesterday", StatusCode::OK),
        ] {
            assert_eq!(status(&kept, IF_MODIFIED_SINCE, since), answer, "{since}");
        }
    }

    #[test]
    fn tags_count_more_than_times() {
        let kept = kept();
        let mut headers = HeaderMap::new();
        headers.insert(IF_NONE_MATCH, HeaderValue::from_static("\"other\""));
        headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_static("Tue, 14 Nov 2023 22:13:20 GMT"));
        assert_eq!(kept.response(&ConditionalHeaders::of(&headers), false).status(), StatusCode::OK);
    }

    #[test]
    fn each_coding_has_a_tag_and_a_length_of_its_own() {
        let plain = kept();
        let small = plain.coded(ContentEncoding::Gzip);
        assert_eq!(small.headers[CONTENT_ENCODING], "gzip");
        assert_eq!(small.headers[CONTENT_LENGTH], small.body.len().to_string().as_str());
        assert_ne!(small.headers[ETAG], plain.headers[ETAG]);
        let plain_tag = plain.headers[ETAG].to_str().unwrap();
        assert_eq!(status(&small, IF_NONE_MATCH, plain_tag), StatusCode::OK);
    }
}
