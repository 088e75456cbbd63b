//! The operations of the API in the document, from the route table.

use std::collections::HashMap;
use std::iter;
use std::marker::PhantomData;

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem_openapi::OpenApi;
use poem_openapi::registry::{
    MetaApi, MetaHeader, MetaMediaType, MetaOperation, MetaPath, MetaResponse, MetaResponses,
    MetaSchema, MetaSchemaRef, MetaTag, Registry,
};

use super::params::{self, ACTION};
use super::schemas::{array, inline, reference, register};
use crate::apis::Api;
use crate::handlers::GROUPS;
use crate::profile::Profile;
use crate::response::media_type::{CONVERTED, EVENTS, JSON, Representation};
use crate::route::{ApiRoute, PreDispatchTarget, ResponseBody, Route, RouteTarget, SnapshotTarget};
use crate::route_table::ROUTES;
use gitglot_model::Action;

#[rustfmt::skip]
const TAGS: [(&str, &str); 10] = [
    ("Changes", "The change log."),
    ("Components", "The files that match one file mask on one branch of a repository."),
    ("Languages", "Languages with a translation."),
    ("Projects", "Groups of components."),
    ("Revisions", "Components at any revision, and comparisons."),
    ("Screenshots", "For compatibility with Weblate; always empty."),
    ("Server", "Everything else."),
    ("Sources", "Strings of the templates."),
    ("Translations", "One component in one language."),
    ("Units", "Strings in one language."),
];

/// The responses of every operation other than status 200.
#[rustfmt::skip]
const ERRORS: [(u16, &str); 7] = [
    (400, "The `Host` header or a filter is invalid; `detail` gives the reason."),
    (401, "A token is required, and the request has no valid one."),
    (404, "The object, page or format does not exist."),
    (406, "No available representation matches the `Accept` header."),
    (414, "Path and query are longer than 8,192 bytes."),
    (429, "The client exceeds the rate limit; retry after `Retry-After` seconds."),
    (503, "No snapshot is available yet; retry after `Retry-After` seconds."),
];

/// Headers that only gitglot sends, in the API of 3.4.
const OWN_HEADERS: [(&str, &str); 2] = [
    (
        "Gitglot-Ledger",
        "Id of the ledger. If it changes, discard your copy and read everything again.",
    ),
    (
        "Gitglot-Ignored-Parameters",
        "The query parameters that had no effect, separated by commas.",
    ),
];

/// Status 503 of event streams.
const TOO_MANY_STREAMS: &str = "No snapshot is available yet, or there are too many event streams; retry after \
`Retry-After` seconds.";

const ABOUT_EVENTS: &str = "Server-sent events; the schema `Event` describes them. The `data` of `change` is a \
`Change`, that of `ledger` and `reset` a `LedgerEvent`. The `id` is the change id, a colon and the ledger id.";

/// The operations of the route table, which dispatches their requests.
pub(super) struct Operations<P>(pub(super) PhantomData<P>);

impl<P: Api> OpenApi for Operations<P> {
    fn meta() -> Vec<MetaApi> {
        let api = |(tag, routes): &(&'static str, &[ApiRoute])| {
            let routes = routes.iter();
            let routes = routes.filter(|route| route.is_readable_in(P::PROFILE));
            let paths = routes.map(|route| path(tag, route, P::PROFILE)).collect();
            MetaApi { paths }
        };
        let own = ROUTES.iter().filter(|route| route.profile == P::PROFILE);
        let paths = own.filter_map(public_path).collect();
        GROUPS.iter().map(api).chain([MetaApi { paths }]).collect()
    }

    fn register(registry: &mut Registry) {
        for (name, description) in TAGS {
            registry.create_tag(MetaTag {
                name,
                description: Some(description),
                external_docs: None,
            });
        }
        register(registry, &(P::PROFILE.envelope().error_schema)());
        registry.schemas.insert(ACTION.to_owned(), action());
        let routes = GROUPS.iter().flat_map(|(_, routes)| *routes);
        for route in routes.filter(|route| route.is_readable_in(P::PROFILE)) {
            match route.body_in(P::PROFILE) {
                ResponseBody::Object(object) | ResponseBody::Array(object) => {
                    register(registry, &object().in_profile(P::PROFILE));
                }
                ResponseBody::Page(entry) => {
                    register(registry, &entry().in_profile(P::PROFILE).into_page());
                }
                ResponseBody::File(_) | ResponseBody::Events => {}
            }
        }
    }

    fn add_routes(self, _: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {}
}

fn path(tag: &'static str, route: &ApiRoute, profile: Profile) -> MetaPath {
    let responses = iter::once(success(route, profile)).chain(errors(route, profile));
    let operation = MetaOperation {
        description: route.description,
        params: params::of(route, profile),
        ..operation(tag, route.id, route.summary, responses.collect())
    };
    path_item(route.pattern, operation)
}

/// A path outside of the API, if it is described.
fn public_path(route: &Route) -> Option<MetaPath> {
    let (id, summary) = route.operation?;
    let types: &[&str] = match route.service {
        RouteTarget::Page(page) if page.is_badge => &["image/svg+xml", "image/png", JSON],
        RouteTarget::Page(page) if page.is_data => &[JSON, "text/csv"],
        RouteTarget::Page(_) => &["text/html"],
        RouteTarget::Snapshot(SnapshotTarget::Stats | SnapshotTarget::CreditsData) => {
            &[JSON, "text/csv"]
        }
        RouteTarget::Snapshot(SnapshotTarget::Download) => CONVERTED,
        RouteTarget::Snapshot(_) => &["application/rss+xml"],
        RouteTarget::PreDispatch(PreDispatchTarget::Metrics) => &["text/plain"],
        RouteTarget::PreDispatch(_) | RouteTarget::Api(_) => &[JSON],
    };
    let method = match route.service {
        RouteTarget::PreDispatch(PreDispatchTarget::Hooks) => Method::POST,
        _ => Method::GET,
    };
    let content = types.iter().map(|&content_type| {
        let schema = match content_type {
            JSON => MetaSchema::ANY,
            "image/png" => MetaSchema::new_with_format("string", "binary"),
            _ => MetaSchema::new("string"),
        };
        media(content_type, inline(schema))
    });
    let error = MetaResponse {
        status: None,
        ..response(0, "An error.", Vec::new())
    };
    let success = response(200, "The requested content.", content.collect());
    let operation = MetaOperation {
        method,
        params: params::of_public(route),
        ..operation("Server", id, summary, vec![success, error])
    };
    Some(path_item(route.pattern, operation))
}

/// An operation with a tag, an id and a summary, and these responses.
fn operation(
    tag: &'static str,
    id: &'static str,
    summary: &'static str,
    responses: Vec<MetaResponse>,
) -> MetaOperation {
    MetaOperation {
        tags: vec![tag],
        method: Method::GET,
        summary: Some(summary),
        description: None,
        external_docs: None,
        params: Vec::new(),
        request: None,
        responses: MetaResponses { responses },
        deprecated: false,
        security: Vec::new(),
        operation_id: Some(id),
        code_samples: Vec::new(),
    }
}

fn path_item(pattern: &str, operation: MetaOperation) -> MetaPath {
    let segment = |segment: &str| match segment.strip_prefix(':') {
        Some(name) => format!("{{{name}}}"),
        None => segment.to_owned(),
    };
    let segments = pattern.split('/').map(segment);
    MetaPath {
        path: segments.collect::<Vec<_>>().join("/"),
        operations: vec![operation],
    }
}

fn action() -> MetaSchema {
    let actions = Action::ALL.into_iter().chain(Action::ON_REQUEST);
    MetaSchema {
        description: Some(
            "The name of an action, as in `action_name`. Numbers, as in `action`, are also accepted.",
        ),
        enum_items: actions.map(|action| action.label().into()).collect(),
        ..MetaSchema::new("string")
    }
}

fn success(route: &ApiRoute, profile: Profile) -> MetaResponse {
    let schema = match route.body_in(profile) {
        ResponseBody::Object(object) => reference(&object().in_profile(profile)),
        ResponseBody::Page(entry) => reference(&entry().in_profile(profile).into_page()),
        ResponseBody::Array(entry) => inline(array(reference(&entry().in_profile(profile)))),
        ResponseBody::File(CONVERTED) => {
            return file(&[CONVERTED, profile.envelope().more_conversions].concat());
        }
        ResponseBody::File(types) => return file(types),
        ResponseBody::Events => {
            let schema = MetaSchema {
                description: Some(ABOUT_EVENTS),
                ..MetaSchema::new("string")
            };
            let content = vec![media(EVENTS, inline(schema))];
            return response(200, "Events, until one side ends the connection.", content);
        }
    };
    let representations = route.representations(profile).iter();
    let content = representations.map(|representation| match representation {
        Representation::Json => media(JSON, schema.clone()),
        other => text(*other),
    });
    let header = |(name, description)| MetaHeader {
        required: false,
        ..header(name, description, MetaSchema::new("string"))
    };
    let headers = profile.envelope().has_own_headers.then_some(OWN_HEADERS);
    MetaResponse {
        headers: headers.into_iter().flatten().map(header).collect(),
        ..response(200, "Success.", content.collect())
    }
}

/// The response with a file of one of these types.
fn file(types: &[&'static str]) -> MetaResponse {
    let content = types.iter().map(|&content_type| {
        // Clients that parse such a response as JSON get a value of any type.
        let schema = match content_type {
            JSON => MetaSchema::ANY,
            _ => MetaSchema::new_with_format("string", "binary"),
        };
        media(content_type, inline(schema))
    });
    MetaResponse {
        headers: vec![header(
            "Content-Disposition",
            "The name to save it under.",
            MetaSchema::new("string"),
        )],
        ..response(200, "The bytes of the file.", content.collect())
    }
}

fn errors(route: &ApiRoute, profile: Profile) -> impl Iterator<Item = MetaResponse> {
    ERRORS.into_iter().map(move |(status, description)| {
        let mut content = vec![media(JSON, reference(&(profile.envelope().error_schema)()))];
        // Browsers get errors as pages. An unknown format of a file is a path without a route.
        let is_page = (route.representations(profile)).contains(&Representation::Html);
        if status == 404 || is_page {
            content.push(text(Representation::Html));
        }
        let is_stream = matches!(route.body_in(profile), ResponseBody::Events);
        let description = match status {
            503 if is_stream => TOO_MANY_STREAMS,
            _ => description,
        };
        let seconds = MetaSchema::new_with_format("integer", "int32");
        let retry_after = header("Retry-After", "Seconds to wait.", seconds);
        MetaResponse {
            headers: Vec::from_iter(matches!(status, 429 | 503).then_some(retry_after)),
            ..response(status, description, content)
        }
    })
}

fn response(status: u16, description: &'static str, content: Vec<MetaMediaType>) -> MetaResponse {
    MetaResponse {
        description,
        status: Some(status),
        status_range: None,
        content,
        headers: Vec::new(),
    }
}

fn header(name: &str, description: &str, schema: MetaSchema) -> MetaHeader {
    MetaHeader {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        required: true,
        deprecated: false,
        schema: inline(schema),
    }
}

fn media(content_type: &'static str, schema: MetaSchemaRef) -> MetaMediaType {
    MetaMediaType {
        content_type,
        schema,
    }
}

/// A representation of which nothing more than the type is described.
fn text(representation: Representation) -> MetaMediaType {
    let schema = match representation {
        Representation::Parquet => MetaSchema::new_with_format("string", "binary"),
        _ => MetaSchema::new("string"),
    };
    media(representation.media_type(), inline(schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_that_is_no_page_is_in_the_document() {
        for route in ROUTES.iter() {
            let is_for_readers = matches!(
                route.service,
                RouteTarget::Page(_)
                    | RouteTarget::PreDispatch(
                        PreDispatchTarget::Asset
                            | PreDispatchTarget::SignIn
                            | PreDispatchTarget::SignOut
                            | PreDispatchTarget::Document
                    )
                    | RouteTarget::Snapshot(
                        SnapshotTarget::SourceLine
                            | SnapshotTarget::Compare
                            | SnapshotTarget::Revision
                            | SnapshotTarget::Credits
                            | SnapshotTarget::ProjectHealth
                    )
            );
            let repeats = route.pattern == "/healthz/";
            let is_documented = route.api().is_some() || route.operation.is_some();
            assert!(
                is_for_readers || repeats || is_documented,
                "{}",
                route.pattern
            );
        }
    }
}
