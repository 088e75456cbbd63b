//! What `OPTIONS` says of a route (api.md 7).

use crate::api::encode::json::{object, raw, text};
use crate::api::response::api_response::ApiResponse;
use crate::api::router::{Route, RouteKind};

/// The answer for a route, whether or not its object is there.
pub(in crate::api) fn answer(route: &Route, indent: usize) -> ApiResponse {
    ApiResponse::json(body(route), indent)
}

/// Its body.
pub(in crate::api) fn body(route: &Route) -> Vec<u8> {
    let parses: &[u8] = match route.kind {
        RouteKind::Download => br#"["multipart/form-data","application/x-www-form-urlencoded","*/*"]"#,
        _ => br#"["application/json","application/x-www-form-urlencoded","multipart/form-data"]"#,
    };
    let mut out = Vec::with_capacity(512);
    object!(&mut out;
        "name" => text(route.name),
        "description" => text(route.about),
        "renders" => raw(br#"["application/json","text/html"]"#),
        "parses" => raw(parses),
    );
    out
}
