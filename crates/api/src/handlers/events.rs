//! The event stream.

use crate::events::listen;
use crate::request::context::{Reply, RequestContext};
use crate::response::api_response::ApiResponse;
use crate::route::{ApiRoute, QueryParameters, ResponseBody, routes};

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/events/" Stream ResponseBody::Events => (events)
        "Events" "A stream of new entries of the change log.", "listenToEvents"
        .query(QueryParameters::Events).legacy_only().description(ABOUT);
};

const ABOUT: &str = "Server-sent events. Each event has the id of the entry as `id`, `change` as `event`, and the entry in one line of
JSON as `data`. Without a last id, the stream starts with the next new entry. Lines that begin with a colon keep
the connection alive. The server disconnects clients that fall behind, and all clients when it stops: reconnect
with the last `id`, as browsers do. Not in Weblate 3.4.";

async fn events(ctx: &RequestContext) -> Reply {
    Ok(ApiResponse::events(listen(ctx)?))
}
