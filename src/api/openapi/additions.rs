//! Additions to the OpenAPI document that do not come from handlers: the paths outside of the API, and named types of
//! parameters.

use serde_json::{Map, Value, json};

use crate::model::Action;

/// A path outside of the API: path, operation, method, summary, and the media types of its response.
type PublicPath = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const RSS: &[&str] = &["application/rss+xml"];
const STATISTICS: &[&str] = &["application/json", "text/csv"];
const BADGE: &[&str] = &["image/svg+xml", "image/png", "application/json"];
const FILE: &[&str] = &[
    "application/json",
    "text/x-po",
    "application/x-xliff+xml",
    "text/csv",
];
const PAGE: &[&str] = &["text/html"];
const TEXT: &[&str] = &["text/plain"];
const JSON: &[&str] = &["application/json"];

/// The paths outside of the API that clients use. Parameters are in braces, as in the document.
const PUBLIC_PATHS: &[PublicPath] = &[
    (
        "/exports/stats/{project}/",
        "exportProjectStatistics",
        "get",
        "The statistics of a project",
        STATISTICS,
    ),
    (
        "/exports/stats/{project}/{component}/",
        "exportComponentStatistics",
        "get",
        "The statistics of a component",
        STATISTICS,
    ),
    (
        "/exports/rss/",
        "feed",
        "get",
        "The ten newest changes as RSS",
        RSS,
    ),
    (
        "/exports/rss/language/{language}/",
        "feedOfLanguage",
        "get",
        "The ten newest changes of a language as RSS",
        RSS,
    ),
    (
        "/exports/rss/{project}/",
        "feedOfProject",
        "get",
        "The ten newest changes of a project as RSS",
        RSS,
    ),
    (
        "/exports/rss/{project}/{component}/",
        "feedOfComponent",
        "get",
        "The ten newest changes of a component as RSS",
        RSS,
    ),
    (
        "/exports/rss/{project}/{component}/{language}/",
        "feedOfTranslation",
        "get",
        "The ten newest changes of a translation as RSS",
        RSS,
    ),
    (
        "/download/{project}/{component}/{language}/",
        "downloadTranslation",
        "get",
        "The translation file, unchanged or converted",
        FILE,
    ),
    (
        "/widgets/{project}/",
        "badges",
        "get",
        "HTML page with the badges of a project",
        PAGE,
    ),
    (
        "/widgets/{project}/{language}/{badge}",
        "badge",
        "get",
        "A badge of a project; `-` for all languages",
        BADGE,
    ),
    (
        "/widgets/{project}/{language}/{component}/{badge}",
        "badgeOfComponent",
        "get",
        "A badge of a component; `-` for all languages",
        BADGE,
    ),
    (
        "/hooks/{service}/",
        "receiveHook",
        "post",
        "Receives a push notification from a repository host",
        JSON,
    ),
    (
        "/hooks/update/{project}/",
        "updateProject",
        "post",
        "Polls the repositories of a project now",
        JSON,
    ),
    (
        "/hooks/update/{project}/{component}/",
        "updateComponent",
        "post",
        "Polls the repository of a component now",
        JSON,
    ),
    (
        "/healthz",
        "healthz",
        "get",
        "Liveness of the process",
        JSON,
    ),
    (
        "/readyz",
        "readyz",
        "get",
        "Readiness of all components, with reasons if not ready",
        JSON,
    ),
    (
        "/metrics",
        "metrics",
        "get",
        "Metrics in the Prometheus text format",
        TEXT,
    ),
];

/// Adds the paths and types to a document.
pub(super) fn add(document: &mut Value) {
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        paths.extend(
            PUBLIC_PATHS
                .iter()
                .map(|path| (path.0.to_owned(), item(path))),
        );
    }
    if let Some(schemas) = document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
    {
        let actions = Action::ALL.into_iter().chain([Action::RemovedSourceString]);
        let names: Vec<&str> = actions.map(Action::label).collect();
        let about = "The name of an action, as in `action_name`. Numbers, as in `action`, are also accepted.";
        schemas.insert(
            "Action".to_owned(),
            json!({"type": "string", "description": about, "enum": names}),
        );
        schemas.insert("LedgerEvent".to_owned(), ledger_event());
        schemas.insert("Event".to_owned(), event());
    }
    name_actions(document);
}

/// The data of the events `ledger` and `reset`.
fn ledger_event() -> Value {
    json!({
        "type": "object",
        "description": "The data of the events `ledger` and `reset`.",
        "required": ["ledger", "newest"],
        "properties": {
            "ledger": {"type": "string", "nullable": true, "description": "Id of the ledger, as in the header `Gitglot-Ledger`."},
            "newest": {"type": "integer", "description": "Largest change id assigned so far."},
        },
    })
}

/// A server-sent event.
fn event() -> Value {
    let data = ["Change", "LedgerEvent"]
        .map(|name| json!({"$ref": format!("#/components/schemas/{name}")}));
    json!({
        "type": "object",
        "description": "A server-sent event: the values of its fields `id`, `event` and `data`.",
        "required": ["event", "data"],
        "properties": {
            "id": {
                "type": "string",
                "description": "Change id, colon, ledger id. Send the last one to resume the stream.",
                "example": "42:5f0c7d1e",
            },
            "event": {
                "type": "string",
                "description": "`change`: a new entry. `ledger`: the first event. `reset`: the client must discard its state and read everything again.",
                "enum": ["change", "ledger", "reset"],
            },
            "data": {
                "description": "One line of JSON: a `Change` for the event `change`, otherwise a `LedgerEvent`.",
                "oneOf": data,
            },
        },
    })
}

/// Refers to the type of actions in the parameters `action`.
fn name_actions(document: &mut Value) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    let operations = paths
        .into_iter()
        .flat_map(|paths| paths.values_mut())
        .filter_map(|path| path.get_mut("get"));
    let parameters = operations
        .filter_map(|operation| operation.get_mut("parameters")?.as_array_mut())
        .flatten();
    for parameter in parameters.filter(|parameter| parameter["name"] == "action") {
        parameter["schema"]["items"] = json!({"$ref": "#/components/schemas/Action"});
    }
}

/// The path item of a path.
fn item(&(path, id, method, summary, media): &PublicPath) -> Value {
    let names = path.split(['{', '}']).skip(1).step_by(2);
    let mut parameters: Vec<Value> = names
        .map(|name| parameter(name, "path", json!({"type": "string"})))
        .collect();
    let formats: &[&str] = match media {
        STATISTICS => &["json", "csv"],
        FILE => &["po", "xliff", "csv"],
        _ => &[],
    };
    if !formats.is_empty() {
        parameters.push(parameter(
            "format",
            "query",
            json!({"type": "string", "enum": formats}),
        ));
    }
    let content: Map<String, Value> = media
        .iter()
        .map(|&media| (media.to_owned(), json!({"schema": schema(media)})))
        .collect();
    json!({method: {
        "tags": ["Server"],
        "summary": summary,
        "operationId": id,
        "parameters": parameters,
        "responses": {
            "200": {"description": "The requested content.", "content": content},
            "default": {"description": "An error."},
        },
    }})
}

fn parameter(name: &str, location: &str, schema: Value) -> Value {
    json!({"name": name, "in": location, "required": location == "path", "schema": schema})
}

/// The schema of a body, of which nothing more than the media type is described.
fn schema(media: &str) -> Value {
    match media {
        "application/json" => json!({}),
        "image/png" => json!({"type": "string", "format": "binary"}),
        _ => json!({"type": "string"}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::route::{EarlyTarget, OutsideTarget, RouteTarget};
    use crate::api::route_table::ROUTES;
    use crate::api::router::find;

    #[test]
    fn every_path_that_is_no_page_is_in_the_document() {
        let document: Value = serde_json::from_str(&crate::api::document()).unwrap();
        let documented: Vec<String> = document["paths"]
            .as_object()
            .unwrap()
            .keys()
            .map(|path| path.replace('{', ":").replace('}', ""))
            .collect();
        for route in ROUTES.iter() {
            let is_for_readers = matches!(
                route.service,
                RouteTarget::Page(_)
                    | RouteTarget::Early(
                        EarlyTarget::Asset
                            | EarlyTarget::SignIn
                            | EarlyTarget::SignOut
                            | EarlyTarget::Document
                    )
                    | RouteTarget::Outside(
                        OutsideTarget::SourceLine
                            | OutsideTarget::Compare
                            | OutsideTarget::Revision
                    )
            );
            let pattern = route.pattern.trim_end_matches(['*', '/']);
            let is_open = route.pattern.ends_with('*');
            let is_documented = documented.iter().any(|path| {
                path.trim_end_matches('/') == pattern || (is_open && path.starts_with(pattern))
            });
            assert!(is_for_readers || is_documented, "{}", route.pattern);
        }
    }

    #[test]
    fn every_public_path_has_a_route_without_a_handler() {
        for (path, ..) in PUBLIC_PATHS {
            let found = find(&path.replace(['{', '}'], ""));
            let service = found.as_ref().map(|found| &found.route().service);
            assert!(
                !matches!(service, None | Some(RouteTarget::Api(_))),
                "{path}"
            );
        }
    }
}
