//! Responses: errors, headers, links, content encodings, and the responses that are cached.

pub(super) mod api_response;
pub(super) mod cache;
pub(super) mod conditional;
pub(super) mod content_encoding;
pub(super) mod error;
pub(super) mod filter_cache;
pub(super) mod links;
pub(super) mod list_writer;
pub(super) mod media_type;
pub(super) mod stream_encoder;
pub(super) mod stream_etag;

use std::sync::Arc;

/// The result of a stage that ends a request.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one per request, on the stack"
)]
pub(super) enum StageOutcome {
    /// A response that can be sent again, or replaced by 304.
    Cached(Arc<conditional::CachedResponse>),
    /// A response of this request.
    Fresh(api_response::ApiResponse),
    /// A response whose headers are complete.
    Complete(poem::Response),
}

impl StageOutcome {
    /// The same outcome with a different response that can be sent again.
    pub(super) fn map_cached(
        self,
        change: impl FnOnce(Arc<conditional::CachedResponse>) -> Arc<conditional::CachedResponse>,
    ) -> Self {
        match self {
            Self::Cached(response) => Self::Cached(change(response)),
            other => other,
        }
    }
}

impl From<api_response::ApiResponse> for StageOutcome {
    fn from(response: api_response::ApiResponse) -> Self {
        Self::Fresh(response)
    }
}

impl From<error::ApiError> for StageOutcome {
    fn from(error: error::ApiError) -> Self {
        Self::Fresh(api_response::ApiResponse::error(&error, 0))
    }
}
