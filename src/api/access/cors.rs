use poem::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use poem::http::{HeaderMap, HeaderValue, Method};

use super::add_vary;

/// Which pages of other origins may read answers: by default none, as a page on the web must not read a private
/// repository off a server that only its visitor can reach.
#[derive(Clone, Default, Debug)]
pub struct Cors {
    /// `SCHEME://HOST[:PORT]`, in lower case, or `*` for all.
    origins: Vec<String>,
}

impl Cors {
    /// Pages of these origins, `SCHEME://HOST[:PORT]`; `*` stands for all.
    pub fn new(origins: impl IntoIterator<Item = String>) -> Self {
        Self { origins: origins.into_iter().map(|origin| origin.trim_end_matches('/').to_ascii_lowercase()).collect() }
    }

    /// Whether no page may.
    pub(super) fn is_closed(&self) -> bool {
        self.origins.is_empty()
    }

    /// Whether a browser asks if a page may ask.
    pub(super) fn is_preflight(&self, asked: &HeaderMap) -> bool {
        !self.origins.is_empty() && asked.contains_key(ORIGIN) && asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    /// Adds to an answer which pages may read it.
    pub(super) fn finish(&self, method: &Method, asked: &HeaderMap, answer: &mut HeaderMap) {
        if self.origins.is_empty() {
            return;
        }
        let all = self.origins.iter().any(|known| known == "*");
        if !all {
            add_vary(answer, "Origin");
        }
        let Some(origin) = asked.get(ORIGIN) else { return };
        let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        if all {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        } else if self.origins.contains(&text) {
            answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        } else {
            return;
        }
        answer.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("ETag, Last-Modified, Retry-After, Content-Disposition, Allow"),
        );
        if *method == Method::OPTIONS && self.is_preflight(asked) {
            answer.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD, OPTIONS"));
            let headers = "Accept, Authorization, Content-Type, If-None-Match, If-Modified-Since, Last-Event-ID";
            answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(headers));
            answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        }
    }
}
