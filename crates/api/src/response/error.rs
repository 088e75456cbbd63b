//! Errors of the API and their bodies (docs/spec/http.md#errors).

use poem::http::{Method, StatusCode};

use crate::encode::json::{self, optional, text};
use gitglot_catalog::scan::{Exhausted, ScanRefused, Scans};

/// The reason a request fails. The texts are bodies of responses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ApiError {
    /// There is no such path, object or format.
    #[error("Not found.")]
    NotFound,
    /// There is no such revision, with the reason and the next step.
    #[error("{0}")]
    NoRevision(String),
    /// The client may not see it, whoever it is.
    #[error("You do not have permission to perform this action.")]
    Forbidden,
    /// Only accounts, which this server lacks, can do that.
    #[error("Authentication credentials were not provided.")]
    NotAuthenticated,
    /// The unit is not one of the source language.
    #[error("Specified unit id is not a translation source unit.")]
    NotASourceUnit,
    /// Parameters of the current API are invalid, each with its name, the code of the error and the reason.
    #[error("{}", reasons(.0))]
    Invalid(Vec<InvalidParameter>),
    #[error("Invalid page.")]
    InvalidPage,
    #[error("Could not satisfy the request Accept header.")]
    NotAcceptable,
    /// This program was built without a representation.
    #[error(
        "This server was built without Parquet. Request csv or ndjson, or build gitglot with `--features parquet`."
    )]
    NoParquet,
    /// Only `GET`, `HEAD` and `OPTIONS` are supported.
    #[error("Method \"{0}\" not allowed.")]
    Method(Method),
    #[error("The repositories are still being read. Try again in a few seconds.")]
    NotReady,
    #[error("Batch {0} is not published on this replica yet. Try again later.")]
    BatchMissing(u32),
    #[error("The header Gitglot-Min-Batch must be a batch number.")]
    BadMinBatch,
    #[error("The Host header is invalid: send a host name or address, optionally with a port.")]
    BadHost,
    #[error(
        "This server does not accept the host in the Host header. To allow it, add it to the setting allowed-hosts."
    )]
    HostNotAllowed,
    /// The request has no valid token, with the reason.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// A filter is unreadable, with its name, the position and the reason.
    #[error("{0}")]
    BadFilter(String),
    #[error("The file cannot be read from the repository at the moment. Try again later.")]
    Unreadable,
    /// The client exceeds the rate limit, with the seconds until the next request succeeds.
    #[error("Request was throttled. Expected available in {0} second{s}.", s = if *.0 == 1 { "" } else { "s" })]
    RateLimited(u64),
    /// Too many clients receive events, or the server is stopping.
    #[error("Too many clients receive events. Try again later.")]
    TooManyStreams,
    #[error("The server is busy with other searches. Try again in a few seconds.")]
    Busy,
    #[error("The checks of the strings are still running. Try again in a few seconds.")]
    ChecksRunning,
    /// A scan exceeded its budget, with the reason.
    #[error("{0}")]
    TooExpensive(String),
    #[error(
        "The entries of this page exceed 32 MB. Request fewer with page_size, or the whole list with format=ndjson."
    )]
    PageTooLarge,
    /// Path and query are too long, with the limit.
    #[error("The URL is too long: the limit is {0} bytes. Shorten the query.")]
    TooLong(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InvalidParameter {
    pub(crate) name: &'static str,
    pub(crate) code: &'static str,
    pub(crate) detail: String,
}

impl InvalidParameter {
    pub(crate) fn new(name: &'static str, code: &'static str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self { name, code, detail }
    }
}

/// The reasons why parameters are invalid, as one text.
fn reasons(errors: &[InvalidParameter]) -> String {
    let all: Vec<_> = errors.iter().map(|error| &*error.detail).collect();
    all.join(" ")
}

impl ApiError {
    /// A parameter of the current API that is invalid.
    pub(crate) fn invalid(name: &'static str, detail: impl Into<String>) -> Self {
        Self::Invalid(vec![InvalidParameter::new(name, "invalid", detail)])
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::NoRevision(_) | Self::InvalidPage => StatusCode::NOT_FOUND,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotAcceptable | Self::NoParquet => StatusCode::NOT_ACCEPTABLE,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotReady
            | Self::BatchMissing(_)
            | Self::Unreadable
            | Self::TooManyStreams
            | Self::Busy
            | Self::ChecksRunning => StatusCode::SERVICE_UNAVAILABLE,
            Self::BadHost
            | Self::BadMinBatch
            | Self::NotASourceUnit
            | Self::Invalid(_)
            | Self::HostNotAllowed
            | Self::BadFilter(_)
            | Self::PageTooLarge
            | Self::TooExpensive(_) => StatusCode::BAD_REQUEST,
            Self::RateLimited(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::NotAuthenticated | Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::TooLong(_) => StatusCode::URI_TOO_LONG,
        }
    }

    /// The `Retry-After` header in seconds.
    pub(crate) fn retry_after(&self) -> Option<u64> {
        match self {
            Self::NotReady | Self::Unreadable => Some(5),
            Self::BatchMissing(_) => Some(1),
            Self::Busy | Self::ChecksRunning => Some(2),
            Self::TooManyStreams => Some(30),
            Self::RateLimited(seconds) => Some(*seconds),
            _ => None,
        }
    }

    /// The error of a scan without a result.
    pub(crate) fn refused(refused: ScanRefused, scans: &Scans) -> Self {
        let limits = scans.limits();
        match refused {
            ScanRefused::Busy => Self::Busy,
            ScanRefused::Failed | ScanRefused::Exhausted(Exhausted::Cancelled) => Self::Unreadable,
            ScanRefused::Exhausted(Exhausted::Checks) => Self::ChecksRunning,
            ScanRefused::Exhausted(Exhausted::LongTime) => Self::TooExpensive(format!(
                "The request needs more than {} s of computing time, the limit for revisions and comparisons. Request a \
single component, or revisions with fewer differences.",
                limits.long_time().as_secs_f32()
            )),
            ScanRefused::Exhausted(Exhausted::Rows) => Self::TooExpensive(format!(
                "The request examines more than {} rows, the limit for one request. Request a single project, component \
or translation.",
                limits.rows
            )),
            ScanRefused::Exhausted(Exhausted::Time) => Self::TooExpensive(format!(
                "The request needs more than {} s of computing time, the limit for one request. Request a single project, \
component or translation, or use a simpler filter.",
                limits.time.as_secs_f32()
            )),
        }
    }

    /// The code of the error in current Weblate (docs/spec/current-api.md#errors).
    fn code(&self) -> &'static str {
        match self.status() {
            _ if matches!(self, Self::NotASourceUnit) => "not-a-source-unit",
            _ if matches!(self, Self::Unauthorized(_)) => "authentication_failed",
            StatusCode::UNAUTHORIZED => "not_authenticated",
            StatusCode::FORBIDDEN => "permission_denied",
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
            StatusCode::NOT_ACCEPTABLE => "not_acceptable",
            StatusCode::TOO_MANY_REQUESTS => "throttled",
            StatusCode::SERVICE_UNAVAILABLE => "error",
            _ => "invalid",
        }
    }

    /// The body in the current API: a list of errors.
    pub(crate) fn current_body(&self) -> Vec<u8> {
        let kind: &[u8] = match self {
            Self::Invalid(_) | Self::BadFilter(_) => b"validation_error",
            _ if self.status().is_server_error() => b"server_error",
            _ => b"client_error",
        };
        let mut out = [b"{\"type\":\"", kind, b"\",\"errors\":"].concat();
        let write = |out: &mut Vec<u8>, code: &str, detail: &str, attr: Option<&str>| {
            json::object!(out;
                "code" => text(code),
                "detail" => text(detail),
                "attr" => optional(attr, text),
            );
        };
        match self {
            Self::Invalid(errors) => json::list(&mut out, errors, |out, error| {
                write(out, error.code, &error.detail, Some(error.name));
            }),
            other => {
                out.push(b'[');
                write(&mut out, other.code(), &other.to_string(), None);
                out.push(b']');
            }
        }
        out.push(b'}');
        out
    }

    /// The body: `{"detail": …}`.
    pub(crate) fn body(&self) -> Vec<u8> {
        let mut out = b"{\"detail\":".to_vec();
        json::text(&mut out, &self.to_string());
        out.push(b'}');
        out
    }
}
