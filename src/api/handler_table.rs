//! The handlers of the API, by route.

use std::collections::HashMap;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;

use super::handlers::API;
use super::route_table::ROUTES;

/// The handlers of the API, by index of their route.
pub(super) fn handlers() -> Vec<Option<BoxEndpoint<'static>>> {
    let mut table = HashMap::new();
    API.add_routes(&mut table);
    let mut by_pattern: HashMap<String, BoxEndpoint<'static>> = table
        .into_iter()
        .filter_map(|(path, mut methods)| Some((unnamed(&path), methods.remove(&Method::GET)?)))
        .collect();
    ROUTES
        .iter()
        .map(|route| by_pattern.remove(&unnamed(route.pattern)))
        .collect()
}

/// A pattern without the names of its parameters, which poem-openapi renames.
fn unnamed(pattern: &str) -> String {
    let segments = pattern.trim_matches('/').split('/');
    segments
        .map(|segment| {
            if segment.starts_with(':') {
                ":"
            } else {
                segment
            }
        })
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_of_the_api_has_a_handler_and_no_other() {
        for (route, handler) in ROUTES.iter().zip(handlers()) {
            assert_eq!(
                route.api().is_some(),
                handler.is_some(),
                "{}",
                route.pattern
            );
        }
        let mut table = HashMap::new();
        API.add_routes(&mut table);
        assert_eq!(
            table.len(),
            ROUTES.iter().filter(|route| route.api().is_some()).count()
        );
    }
}
