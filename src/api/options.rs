//! What `OPTIONS` says of a route (api.md 7).

use super::answer::Answer;
use super::json::{object, raw, text};
use super::routes::{Kind, Route};

/// The answer for a route, whether or not its object is there.
pub(super) fn answer(route: &Route, indent: usize) -> Answer {
    Answer::json(body(route), indent)
}

/// Its body.
pub(super) fn body(route: &Route) -> Vec<u8> {
    let parses: &[u8] = match route.kind {
        Kind::Download => br#"["multipart/form-data","application/x-www-form-urlencoded","*/*"]"#,
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
