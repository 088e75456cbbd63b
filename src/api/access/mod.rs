//! Who may ask: hosts that requests may name, pages of other origins, read tokens (design 5), and how often.

mod cors;
mod hosts;
mod rate_limit;
mod session;
mod tokens;

pub use cors::Cors;
pub use hosts::{Hosts, Network};
pub use rate_limit::RateLimit;
pub use tokens::Tokens;

use std::sync::Arc;

use poem::http::header::{CACHE_CONTROL, VARY};
use poem::http::{HeaderMap, HeaderValue, Method};

use poem::http::header::ACCEPT;
use poem::{IntoResponse, Request, Response};

use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::links::LinkConfig;
use session::{SIGN_IN, SIGN_OUT};

/// Who may ask. By default everybody who reaches the server, but no page of another origin.
#[derive(Clone, Default, Debug)]
pub struct Access {
    /// Which pages may read answers.
    pub cors: Cors,
    /// Who reads at all; everybody when not set.
    pub tokens: Option<Tokens>,
    /// How often a client may ask; as often as it likes when not set.
    pub rate: Option<Arc<RateLimit>>,
}

impl Access {
    /// Whether there is nothing to look at.
    pub(super) fn is_open(&self) -> bool {
        self.tokens.is_none() && self.rate.is_none() && self.cors.is_closed()
    }

    /// Hands a request back that may be answered, else says why not; signing in and out ends here. What pages load
    /// needs no token, nor does the question of a browser whether a page may ask. Every request counts for the rate.
    pub(super) async fn gate(&self, mut request: Request, links: &LinkConfig) -> Result<Request, Response> {
        if let (Some(rate), Some(client)) = (&self.rate, links.hosts.client(&request))
            && let Err(seconds) = rate.ask(client)
        {
            let mut refused = ApiResponse::error(&ApiError::RateLimited(seconds), 0).into_response();
            if *request.method() == Method::HEAD {
                drop(refused.take_body());
            }
            return Err(refused);
        }
        let Some(tokens) = &self.tokens else { return Ok(request) };
        let path = request.uri().path();
        let is_question = *request.method() == Method::OPTIONS && self.cors.is_preflight(request.headers());
        if path.starts_with("/static/") || is_question {
            return Ok(request);
        }
        let base = links.base(&request).map_err(|failure| ApiResponse::error(&failure, 0).into_response())?;
        match path {
            SIGN_IN => return Err(session::sign_in(self, &mut request, &base).await),
            SIGN_OUT => return Err(session::sign_out(&base)),
            _ => {}
        }
        let Err(failure) = tokens.check(request.headers()) else { return Ok(request) };
        let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok());
        let is_browser = accept.is_some_and(|accept| accept.contains("text/html"));
        let mut refused = match is_browser {
            true => {
                let next = request.uri().path_and_query().map_or("/api/", |next| next.as_str());
                session::page(&base, next, false).into_response()
            }
            false => ApiResponse::error(&failure, 0).into_response(),
        };
        if *request.method() == Method::HEAD {
            drop(refused.take_body());
        }
        Err(refused)
    }

    /// Adds to an answer what follows from who asked.
    pub(super) fn finish(&self, method: &Method, asked: &HeaderMap, answer: &mut HeaderMap) {
        self.cors.finish(method, asked, answer);
        if self.tokens.is_some() {
            let shared = answer.get(CACHE_CONTROL).and_then(|value| value.to_str().ok());
            let private = shared.map_or("private".to_owned(), |value| match value.contains("public") {
                true => value.replace("public", "private"),
                false => format!("private, {value}"),
            });
            if let Ok(private) = HeaderValue::from_str(&private) {
                answer.insert(CACHE_CONTROL, private);
            }
            vary(answer, "Authorization, Cookie");
        }
    }
}

/// Adds names to what an answer depends on.
fn vary(headers: &mut HeaderMap, names: &str) {
    let known = headers.get(VARY).and_then(|value| value.to_str().ok());
    let all = known.map_or(names.to_owned(), |known| [known, ", ", names].concat());
    if let Ok(all) = HeaderValue::from_str(&all) {
        headers.insert(VARY, all);
    }
}

#[cfg(test)]
mod tests;
