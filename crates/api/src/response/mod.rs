//! Responses: errors, headers, content encodings, and the responses that are cached.

pub(super) mod api_response;
pub(super) mod cache;
pub(super) mod conditional;
pub(super) mod content_encoding;
pub(super) mod error;
pub(super) mod flat;
pub(super) mod media_type;
pub(super) mod methods;
pub(super) mod stream_encoder;

pub(super) use api_response::StageOutcome;
