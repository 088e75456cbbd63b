//! The event stream.

use poem::Request;
use poem_openapi::OpenApi;

use super::{ApiTag, Ctx};
use crate::api::events::listen;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::payload::EventStream;

/// The operations of this file.
pub(crate) struct EventHandlers;

#[OpenApi]
impl EventHandlers {
    /// A stream of new entries of the change log
    ///
    /// Server-sent events. Each event has the id of the entry as `id`, `change` as `event`, and the entry in one line of
    /// JSON as `data`. Without a last id, the stream starts with the next new entry. Lines that begin with a colon keep
    /// the connection alive. The server disconnects clients that fall behind, and all clients when it stops: reconnect
    /// with the last `id`, as browsers do. Not in Weblate 3.4.
    #[oai(
        path = "/api/events",
        method = "get",
        operation_id = "listenToEvents",
        tag = "ApiTag::Changes"
    )]
    async fn events(&self, ctx: Ctx<'_>, request: &Request) -> EventStream {
        EventStream(match listen(&ctx, request.headers()) {
            Ok(body) => ApiResponse::events(body),
            Err(failure) => ApiResponse::error(&failure, ctx.indent),
        })
    }
}
