//! Access control: allowed hosts, CORS, read tokens and the rate limit
//! (docs/spec/http.md#access).

mod cors;
mod hosts;
mod rate_limit;
mod session;
mod tokens;

pub use cors::Cors;
pub use hosts::{Hosts, LinkConfig};
pub use rate_limit::RateLimit;
pub use tokens::Tokens;

use std::sync::Arc;

use poem::Response;
use poem::http::header::{CACHE_CONTROL, VARY};
use poem::http::{HeaderMap, HeaderValue, Method};

pub(crate) use session::{refused, sign_in, sign_out};

/// The access rules. The default admits every client, but no page of a different origin.
#[derive(Clone, Default, Debug)]
pub struct AccessControl {
    /// The origins whose pages may read responses.
    pub cors: Cors,
    /// The tokens that requests need; none by default.
    pub tokens: Option<Tokens>,
    /// Whether badges need no token.
    pub public_badges: bool,
    /// The rate limit; none by default.
    pub rate: Option<Arc<RateLimit>>,
}

impl AccessControl {
    /// Whether there is nothing to check and nothing to add to responses.
    pub(super) fn is_open(&self) -> bool {
        self.tokens.is_none() && self.rate.is_none() && self.cors.is_closed()
    }

    /// Whether tokens are needed, and a request with these headers has no valid one.
    pub(super) fn lacks_token(&self, headers: &HeaderMap) -> bool {
        let tokens = self.tokens.as_ref();
        tokens.is_some_and(|tokens| tokens.check(headers).is_err())
    }

    /// Adds the headers that depend on the sender of the request.
    pub(super) fn finish(&self, method: &Method, request: &HeaderMap, response: &mut Response) {
        let response = response.headers_mut();
        self.cors.finish(method, request, response);
        if self.tokens.is_some() {
            let public = response
                .get(CACHE_CONTROL)
                .and_then(|value| value.to_str().ok());
            let private = public.map_or("private".to_owned(), |value| {
                match value.contains("public") {
                    true => value.replace("public", "private"),
                    false => format!("private, {value}"),
                }
            });
            if let Ok(private) = HeaderValue::from_str(&private) {
                response.insert(CACHE_CONTROL, private);
            }
            add_vary(response, "Authorization, Cookie");
        }
    }
}

fn add_vary(headers: &mut HeaderMap, names: &str) {
    let known = headers.get(VARY).and_then(|value| value.to_str().ok());
    let all = known.map_or(names.to_owned(), |known| [known, ", ", names].concat());
    if let Ok(all) = HeaderValue::from_str(&all) {
        headers.insert(VARY, all);
    }
}

#[cfg(test)]
mod proxy_tests;
#[cfg(test)]
mod sign_in_tests;
#[cfg(test)]
mod tests;
