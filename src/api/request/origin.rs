//! The origin of a request, the base of the links in its response (docs/spec/http.md#hosts).

use poem::Request;

use crate::api::access::{Hosts, RequestOrigin};
use crate::api::response::error::ApiError;

/// Where links point.
#[derive(Clone, Debug, Default)]
pub struct LinkConfig {
    /// Scheme, host and optional path before every API link; those of the request by default.
    pub base_url: Option<String>,
    /// The same for links to pages; the base of the API links by default.
    pub site_url: Option<String>,
    /// The hosts that requests may name; all by default.
    pub hosts: Hosts,
}

impl LinkConfig {
    /// The origin of a request.
    ///
    /// # Errors
    /// [`ApiError::BadHost`] and [`ApiError::HostNotAllowed`], also when links do not show the host of the request.
    pub(crate) fn origin(&self, request: &Request) -> Result<RequestOrigin, ApiError> {
        let origin = self.hosts.resolve(request)?;
        Ok(match &self.base_url {
            Some(base) => RequestOrigin {
                base: base.trim_end_matches('/').to_owned(),
                ..origin
            },
            None => origin,
        })
    }
}
