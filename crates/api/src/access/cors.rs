//! CORS (docs/spec/http.md#cors).

use poem::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, ORIGIN,
};
use poem::http::{HeaderMap, HeaderValue, Method};

use super::add_vary;

/// The origins whose pages may read responses. None by default: a web page must not read a server that only its visitor
/// can reach.
#[derive(Clone, Default, Debug)]
pub struct Cors {
    /// `SCHEME://HOST[:PORT]` in lower case, or `*`.
    origins: Vec<String>,
}

impl Cors {
    /// Allows these origins, `SCHEME://HOST[:PORT]`; `*` allows all.
    pub fn new(origins: impl IntoIterator<Item = String>) -> Self {
        Self {
            origins: origins
                .into_iter()
                .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
                .collect(),
        }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.origins.is_empty()
    }

    /// Whether method and headers are those of a preflight request.
    pub(crate) fn is_preflight(&self, method: &Method, request: &HeaderMap) -> bool {
        *method == Method::OPTIONS
            && !self.origins.is_empty()
            && request.contains_key(ORIGIN)
            && request.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    }

    pub(super) fn finish(&self, method: &Method, request: &HeaderMap, response: &mut HeaderMap) {
        if self.origins.is_empty() {
            return;
        }
        let all = self.origins.iter().any(|known| known == "*");
        if !all {
            add_vary(response, "Origin");
        }
        let Some(origin) = request.get(ORIGIN) else {
            return;
        };
        let text = origin.to_str().unwrap_or_default().to_ascii_lowercase();
        if all {
            response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        } else if self.origins.contains(&text) {
            response.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        } else {
            return;
        }
        response.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static("ETag, Last-Modified, Retry-After, Content-Disposition, Allow, Gitglot-Ledger, Gitglot-Batch, Gitglot-Ignored-Parameters"),
        );
        if self.is_preflight(method, request) {
            let methods = HeaderValue::from_static("GET, HEAD, OPTIONS");
            response.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
            let headers = "Accept, Authorization, Content-Type, If-None-Match, If-Modified-Since, Last-Event-ID, Gitglot-Min-Batch";
            let headers = HeaderValue::from_static(headers);
            response.insert(ACCESS_CONTROL_ALLOW_HEADERS, headers);
            response.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        }
    }
}
