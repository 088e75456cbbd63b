//! What can go wrong with a request, and the bodies that say so (docs/spec/http.md#errors).

use poem::http::{Method, StatusCode};

use crate::api::encode::json;

/// Why a request gets no resource.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(in crate::api) enum ApiError {
    /// The route is there, the object is not.
    #[error("Not found.")]
    NotFound,
    /// There is no such page of the list.
    #[error("Invalid page.")]
    InvalidPage,
    /// Nothing that can be sent fits the `Accept` header.
    #[error("Could not satisfy the request Accept header.")]
    NotAcceptable,
    /// Only `GET`, `HEAD` and `OPTIONS` are answered.
    #[error("Method \"{0}\" not allowed.")]
    Method(Method),
    /// No snapshot has been published yet.
    #[error("The repositories are still being read. Try again in a few seconds.")]
    NotReady,
    /// The `Host` header is none.
    #[error("The Host header of the request is not a host name or address with at most a port.")]
    BadHost,
    /// The `Host` header names a host that is not served.
    #[error("The request names a host that is not served here. If it is right, add it to the setting allowed-hosts.")]
    HostNotAllowed,
    /// A token is needed, and there is none that is known: why.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// A filter of a list cannot be read: which, where and why.
    #[error("{0}")]
    BadFilter(String),
    /// A file that the snapshot names cannot be read from the repository.
    #[error("The file cannot be read from the repository at the moment. Try again later.")]
    Unreadable,
    /// The client has asked too often; the seconds until it may ask again.
    #[error("Request was throttled. Expected available in {0} second{s}.", s = if *.0 == 1 { "" } else { "s" })]
    RateLimited(u64),
    /// As many clients listen to events as may, or the server is about to stop.
    #[error("No more clients can listen to events at the moment. Try again in a while.")]
    TooManyStreams,
    /// Path and query are longer than any that leads somewhere.
    #[error("The address is too long: at most {0} bytes are read. Ask for less in one request.")]
    TooLong(usize),
}

impl ApiError {
    /// The status that goes with it.
    pub(in crate::api) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::InvalidPage => StatusCode::NOT_FOUND,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotReady | Self::Unreadable | Self::TooManyStreams => StatusCode::SERVICE_UNAVAILABLE,
            Self::BadHost | Self::HostNotAllowed | Self::BadFilter(_) => StatusCode::BAD_REQUEST,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::TooLong(_) => StatusCode::URI_TOO_LONG,
        }
    }

    /// Seconds after which to ask again, where that helps.
    pub(in crate::api) fn retry_after(&self) -> Option<u64> {
        match self {
            Self::NotReady | Self::Unreadable => Some(5),
            Self::TooManyStreams => Some(30),
            Self::RateLimited(seconds) => Some(*seconds),
            _ => None,
        }
    }

    /// `{"detail": …}`.
    pub(in crate::api) fn body(&self) -> Vec<u8> {
        let mut out = b"{\"detail\":".to_vec();
        json::text(&mut out, &self.to_string());
        out.push(b'}');
        out
    }
}
