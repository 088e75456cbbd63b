//! Compares the document with responses: every operation, every field, and the files in the repository.

use std::collections::BTreeSet;

use serde_json::Value;

use super::resources::OPERATION_PATHS;
use crate::testing::{ask, get, guarded, serving, snapshot};
use crate::{AccessControl, LinkConfig, Tokens};

/// Operations that respond with a file, with events or with nothing.
const OTHERS: [&str; 8] = [
    "getFileOfRevision",
    "compareRevisions",
    "getMonolingualBase",
    "getNewTemplate",
    "getTranslationFile",
    "getScreenshot",
    "getScreenshotFile",
    "listenToEvents",
];

#[tokio::test]
async fn every_body_fits_the_document_field_by_field_and_in_order() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    let document: Value = serde_json::from_str(&crate::document(crate::Profile::Legacy)).unwrap();
    let mut operations = BTreeSet::new();
    for (path, methods) in document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| path.starts_with("/api/"))
    {
        let operation = &methods["get"];
        let id = operation["operationId"].as_str().unwrap();
        assert!(
            path.ends_with('/') && operations.insert(id.to_owned()),
            "{path} {id}"
        );
        let Some((_, asked)) = OPERATION_PATHS.iter().find(|(own, _)| *own == id) else {
            assert!(OTHERS.contains(&id), "{id} is tried by no test");
            continue;
        };
        let body = get(&api, asked).await.json();
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        in_order(&document, schema, &body, asked);
        let mut wanted = as_json_schema(schema);
        wanted["components"] = as_json_schema(&document["components"]);
        let validator = jsonschema::validator_for(&wanted).unwrap();
        let faults: Vec<_> = validator
            .iter_errors(&body)
            .map(|fault| fault.to_string())
            .collect();
        assert!(faults.is_empty(), "{asked}: {faults:?}");
    }
    assert_eq!(operations.len(), OPERATION_PATHS.len() + OTHERS.len());
}

/// Translates `nullable` to JSON Schema.
fn as_json_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut out: serde_json::Map<_, _> = fields
                .iter()
                .map(|(name, value)| (name.clone(), as_json_schema(value)))
                .collect();
            let is_nullable = fields.get("nullable") == Some(&Value::Bool(true));
            match fields.get("type") {
                Some(kind) if is_nullable => {
                    out.insert("type".into(), serde_json::json!([kind, "null"]));
                }
                None if is_nullable => {
                    return serde_json::json!({"anyOf": [out, {"type": "null"}]});
                }
                _ => {}
            }
            if fields.contains_key("properties") && fields.get("type") == Some(&"object".into()) {
                out.insert("additionalProperties".into(), false.into());
            }
            Value::Object(out)
        }
        Value::Array(values) => values.iter().map(as_json_schema).collect(),
        other => other.clone(),
    }
}

/// Whether a field is missing in some bodies.
fn is_optional(name: &str) -> bool {
    ["merge", "details"].contains(&name)
}

/// Every object has the fields of its schema in the schema's order, and every field must be there.
fn in_order(document: &Value, schema: &Value, body: &Value, at: &str) {
    // A described reference is written as `allOf`.
    let schema = schema["allOf"].get(0).unwrap_or(schema);
    let schema = match schema["$ref"].as_str() {
        Some(name) => document.pointer(name.strip_prefix('#').unwrap()).unwrap(),
        None => schema,
    };
    match body {
        Value::Object(fields) => {
            let properties = schema["properties"].as_object().unwrap();
            let own: Vec<_> = fields.keys().collect();
            let wanted: Vec<_> = properties
                .keys()
                .filter(|name| !is_optional(name) || own.contains(name))
                .collect();
            assert_eq!(own, wanted, "{at}");
            let required: Vec<_> = schema["required"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap())
                .collect();
            assert!(
                properties
                    .keys()
                    .all(|name| is_optional(name) || required.contains(&&**name)),
                "{at}: {required:?}"
            );
            fields
                .iter()
                .for_each(|(name, value)| in_order(document, &properties[name], value, at));
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| in_order(document, &schema["items"], value, at)),
        _ => {}
    }
}

#[test]
fn the_documents_in_the_repository_are_those_of_the_code() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi");
    for (name, made) in [
        ("openapi.json", crate::document(crate::Profile::Legacy)),
        ("openapi.yaml", crate::document_yaml(crate::Profile::Legacy)),
        ("current.json", crate::document(crate::Profile::Current)),
        (
            "current.yaml",
            crate::document_yaml(crate::Profile::Current),
        ),
    ] {
        let file = folder.join(name);
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &made).unwrap();
        }
        let committed = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            committed == made,
            "openapi/{name} is not current: run UPDATE_OPENAPI=1 cargo test --lib documents_in"
        );
    }
}

#[tokio::test]
async fn the_document_of_a_server_names_its_address_and_its_tokens() {
    let base_url = Some("https://example.org/l10n".to_owned());
    let links = || LinkConfig {
        base_url: base_url.clone(),
        ..LinkConfig::default()
    };
    let open = get(&serving(Some(snapshot()), links()), "/api/openapi.json")
        .await
        .json();
    assert_eq!(open["servers"][0]["url"], "https://example.org/l10n");
    assert_eq!(
        (&open["security"], &open["components"]["securitySchemes"]),
        (&Value::Null, &Value::Null)
    );
    let access = AccessControl {
        tokens: Some(Tokens::parse("first")),
        ..AccessControl::default()
    };
    let api = guarded(Some(snapshot()), links(), access);
    let headers = [("authorization", "Bearer first")];
    let closed = ask(&api, "GET", "/api/openapi.json", &headers).await.json();
    assert_eq!(closed["security"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        closed["components"]["securitySchemes"]["bearer"]["scheme"],
        "bearer"
    );
    let page = ask(&api, "GET", "/api/docs/", &headers).await.body;
    assert!(page.contains("https://example.org/l10n") && page.contains("A read token."));
}

#[tokio::test]
async fn unknown_paths_of_the_api_get_json_on_request() {
    let api = serving(Some(snapshot()), LinkConfig::default());
    for (path, accept, media) in [
        ("/api/nope/", "application/json", "application/json"),
        (
            "/api/nope/",
            "application/json; indent=2, */*",
            "application/json",
        ),
        ("/api/nope/", "*/*", "text/html; charset=utf-8"),
        (
            "/api/nope/",
            "text/html, application/json",
            "text/html; charset=utf-8",
        ),
        ("/nope/", "application/json", "text/html; charset=utf-8"),
    ] {
        let got = ask(&api, "GET", path, &[("accept", accept)]).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, media),
            "{path} {accept}"
        );
    }
}

#[test]
fn the_document_names_every_route_once() {
    let document: Value = serde_json::from_str(&crate::document(crate::Profile::Legacy)).unwrap();
    let paths = document["paths"].as_object().unwrap().keys();
    let paths: BTreeSet<String> = paths
        .filter(|path| path.starts_with("/api/"))
        .cloned()
        .collect();
    let in_braces = |segment: &str| {
        segment
            .strip_prefix(':')
            .map_or(segment.to_owned(), |name| format!("{{{name}}}"))
    };
    let routes: BTreeSet<String> = crate::route_table::ROUTES
        .iter()
        .filter(|route| route.profile == crate::Profile::Legacy && route.api().is_some())
        .map(|route| {
            route
                .pattern
                .split('/')
                .map(in_braces)
                .collect::<Vec<_>>()
                .join("/")
        })
        .collect();
    assert_eq!(paths, routes);
}
