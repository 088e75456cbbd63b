//! The bodies of `OPTIONS` responses (docs/spec/http.md#options-and-head).

use crate::encode::json::{object, raw, text};
use crate::profile::Profile;
use crate::route::{ApiRoute, RouteKind};

/// The body of a route, whether or not its object exists.
pub(crate) fn body(route: &ApiRoute, profile: Profile) -> Vec<u8> {
    let parses: &[u8] = match route.kind {
        RouteKind::Download => {
            br#"["multipart/form-data","application/x-www-form-urlencoded","*/*"]"#
        }
        _ => br#"["application/json","application/x-www-form-urlencoded","multipart/form-data"]"#,
    };
    let [name, description] = route.options;
    let mut out = Vec::with_capacity(512);
    object!(&mut out;
        "name" => text(name),
        "description" => text(description),
        "renders" => raw(profile.envelope().renders),
        "parses" => raw(parses),
    );
    out
}
