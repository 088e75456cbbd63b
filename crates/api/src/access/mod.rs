//! Access control: allowed hosts, CORS, read tokens and the rate limit
//! (docs/spec/http.md#access).

mod cors;
mod hosts;
mod identity;
mod rate_limit;
mod restricted;
mod session;
mod tokens;
mod visible_projects;

pub use cors::Cors;
pub use hosts::{Hosts, LinkConfig};
pub use identity::SignInHeaders;
pub use rate_limit::RateLimit;
pub use tokens::{Grant, Subject, Tokens};
pub use visible_projects::VisibleProjects;

use std::sync::Arc;

use gitglot_catalog::Snapshot;
use poem::http::header::{CACHE_CONTROL, VARY};
use poem::http::{HeaderMap, HeaderValue, Method};
use poem::{Request, Response};

use crate::response::error::ApiError;
pub(crate) use identity::Identity;
pub(crate) use session::{refused, sign_in, sign_out};

/// The access rules. The default admits every client, but no page of a different origin.
#[derive(Clone, Default, Debug)]
pub struct AccessControl {
    /// The origins whose pages may read responses.
    pub cors: Cors,
    /// Who may read which projects; everybody all of them by default.
    pub tokens: Option<Tokens>,
    /// The headers in which trusted proxies report people whom they signed in; none by default.
    pub sign_in: Option<SignInHeaders>,
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

    /// The sender of a request, if it may read anything.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`] or [`ApiError::Forbidden`].
    pub(crate) fn identify(&self, request: &Request, hosts: &Hosts) -> Result<Identity, ApiError> {
        let Some(tokens) = &self.tokens else {
            return Ok(Identity::Unrestricted);
        };
        let identity = Identity::of(request, hosts, self.sign_in.as_ref())?;
        tokens.projects(&identity).map(|_| identity)
    }

    /// Whether a sender may read all projects.
    pub(crate) fn reads_everything(&self, identity: &Identity) -> bool {
        let projects = self.tokens.as_ref().map(|tokens| tokens.projects(identity));
        projects.is_none_or(|projects| projects.is_ok_and(|projects| projects.is_all()))
    }

    /// The part of a snapshot that a sender may read.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`] or [`ApiError::Forbidden`] if its access ended meanwhile.
    pub(crate) async fn visible(
        &self,
        identity: &Identity,
        snapshot: Arc<Snapshot>,
    ) -> Result<Arc<Snapshot>, ApiError> {
        let Some(tokens) = &self.tokens else {
            return Ok(snapshot);
        };
        let projects = tokens.projects(identity)?;
        if projects.is_all() {
            tokens.snapshots.drop_idle(snapshot.generation());
            Ok(snapshot)
        } else {
            tokens.snapshots.part(snapshot, projects).await
        }
    }

    /// Adds the headers that depend on the sender of the request.
    pub(super) fn finish(&self, method: &Method, request: &HeaderMap, response: &mut Response) {
        let response = response.headers_mut();
        self.cors.finish(method, request, response);
        if self.tokens.is_some() {
            let current = response.get(CACHE_CONTROL);
            let public = current.and_then(|value| value.to_str().ok());
            let private = match public {
                Some(value) if value.contains("public") => value.replace("public", "private"),
                Some(value) => format!("private, {value}"),
                None => "private".to_owned(),
            };
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
mod matrix_tests;
#[cfg(test)]
mod proxy_tests;
#[cfg(test)]
mod sign_in_tests;
#[cfg(test)]
mod tests;
