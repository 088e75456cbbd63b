//! The current API: shapes of bodies, links, errors, and where its root is.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use poem::{Endpoint, Response};
use serde_json::Value;

use super::testing::{HOST, ask, get, serving, snapshot};
use crate::profile::{Profile, Roots};
use crate::route::{ReadAccess, ResponseBody};
use crate::route_table::ROUTES;
use crate::schema::{ObjectSchema, ValueKind};
use crate::{ApiState, LinkConfig, endpoint};
use gitglot_catalog::Published;

fn api() -> impl Endpoint<Output = Response> {
    serving(Some(snapshot()), LinkConfig::default())
}

/// The API with the current profile at `/api/`.
fn swapped() -> impl Endpoint<Output = Response> {
    let published = Arc::new(Published::new());
    published.publish(snapshot());
    endpoint(ApiState {
        roots: Roots {
            main: Profile::Current,
        },
        ..ApiState::new(published)
    })
}

/// The path of a route for objects of the test snapshot.
fn path_of(pattern: &str, unit: &str) -> String {
    pattern
        .replace(":project", "hello")
        .replace(":component", "app")
        .replace(":language", "cs")
        .replace("changes/:id", "changes/1")
        .replace("units/:id", &format!("units/{unit}"))
        .replace(":id", "1")
        .replace([':'], "")
}

/// Compares an object with its schema: names, their order, and objects inside.
fn assert_fields(value: &Value, schema: &ObjectSchema, path: &str) {
    let Value::Object(fields) = value else {
        panic!("{path}: {value} is no object");
    };
    let own: Vec<&str> = fields.keys().map(|name| &**name).collect();
    let declared = schema.fields.iter().map(|field| field.name);
    let expected: Vec<&str> = declared.filter(|name| own.contains(name)).collect();
    assert_eq!(own, expected, "{path}");
    for field in &schema.fields {
        match (&field.kind, fields.get(field.name)) {
            (ValueKind::Object(inner), Some(value @ Value::Object(_))) => {
                assert_fields(value, inner, path);
            }
            (_, None) => {
                // `missing` is there only if files lack strings.
                let optional = ["project", "component", "details", "missing"];
                assert!(
                    optional.contains(&field.name),
                    "{path}: {} is missing",
                    field.name
                );
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn responses_name_the_methods_of_current_weblate() {
    let api = api();
    for (path, methods) in [
        ("units/1", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"),
        ("projects", "GET, POST, HEAD, OPTIONS"),
        ("projects/hello/statistics", "GET, HEAD, OPTIONS"),
        ("translations/hello/app/cs", "GET, DELETE, HEAD, OPTIONS"),
    ] {
        let got = get(&api, &format!("/current/api/{path}/")).await;
        assert_eq!((got.status, got.header("allow")), (200, methods), "{path}");
    }
}

#[tokio::test]
async fn bodies_have_the_fields_of_the_current_profile() {
    let api = api();
    let units = get(&api, "/current/api/translations/hello/app/en/units/")
        .await
        .json();
    let source_unit = units["results"][0]["id"].to_string();
    let routes = ROUTES
        .iter()
        .filter(|route| route.profile == Profile::Current);
    let mut seen = 0;
    for route in routes.filter_map(|route| route.api()) {
        let path = format!("/current{}", path_of(route.pattern, &source_unit));
        let got = get(&api, &path).await;
        match route.access {
            ReadAccess::Everyone => {}
            ReadAccess::Permission => assert_eq!(got.status, 403, "{path}"),
            ReadAccess::Account => assert_eq!(got.status, 401, "{path}"),
            ReadAccess::Nobody => assert_eq!(got.status, 405, "{path}"),
        }
        if got.status != 200 || !got.header("content-type").starts_with("application/json") {
            continue;
        }
        match route.body_in(Profile::Current) {
            ResponseBody::Object(schema) if route.pattern != "/api/projects/:project/metrics/" => {
                assert_fields(&got.json(), &schema().in_profile(Profile::Current), &path);
                seen += 1;
            }
            ResponseBody::Page(schema) => {
                let schema = schema().in_profile(Profile::Current);
                for entry in got.json()["results"].as_array().unwrap() {
                    assert_fields(entry, &schema, &path);
                    seen += 1;
                }
            }
            ResponseBody::Array(schema) => {
                let schema = schema().in_profile(Profile::Current);
                for entry in got.json().as_array().unwrap() {
                    assert_fields(entry, &schema, &path);
                    seen += 1;
                }
            }
            _ => {}
        }
    }
    assert!(seen > 30, "{seen}");
}

/// Follows all links of bodies below a root. Returns their number.
async fn crawl(api: &impl Endpoint, root: &str) -> usize {
    let start = format!("http://{HOST}");
    let mut seen = BTreeSet::from([root.to_owned()]);
    let mut queue = VecDeque::from([root.to_owned()]);
    while let Some(path) = queue.pop_front() {
        let got = get(api, &path).await;
        let is_account = path.contains("/users/");
        assert!(
            // Files of the test snapshot without a blob, and accounts, do not exist.
            matches!(got.status, 200 | 401 | 403)
                || (got.status == 404 && (is_account || path.ends_with("/file/"))),
            "{path}: {}",
            got.status
        );
        if got.status != 200 || !got.header("content-type").starts_with("application/json") {
            continue;
        }
        for text in got.body.split('"') {
            let Some(link) = text.strip_prefix(&start) else {
                continue;
            };
            if !link.contains("/api/") {
                continue;
            }
            assert!(link.starts_with(root), "{path} links to {link}");
            if seen.insert(link.to_owned()) {
                queue.push_back(link.to_owned());
            }
        }
    }
    seen.len()
}

#[tokio::test]
async fn links_stay_below_their_root() {
    assert!(crawl(&api(), "/current/api/").await > 60);
    assert!(crawl(&swapped(), "/api/").await > 60);
    assert!(crawl(&swapped(), "/3.4/api/").await > 30);
}

#[tokio::test]
async fn a_setting_swaps_the_roots() {
    let swapped = swapped();
    let current = get(&swapped, "/api/units/1/").await.json();
    assert!(current["source"].is_array());
    let legacy = get(&swapped, "/3.4/api/units/1/").await.json();
    assert!(legacy["source"].is_string());
    assert_eq!(get(&swapped, "/current/api/").await.status, 404);
    assert_eq!(get(&api(), "/3.4/api/").await.status, 404);
    let next = get(&swapped, "/3.4/api/units/?page_size=1").await.json();
    assert!(next["next"].as_str().unwrap().contains("/3.4/api/units/"));
}

#[tokio::test]
async fn a_unit_has_its_forms_and_its_state() {
    let api = api();
    let legacy = get(&api, "/api/translations/hello/app/cs/units/")
        .await
        .json();
    let current = get(&api, "/current/api/translations/hello/app/cs/units/")
        .await
        .json();
    let count = legacy["count"].as_u64().unwrap();
    assert_eq!(current["count"].as_u64(), Some(count));
    for unit in current["results"].as_array().unwrap() {
        let all = legacy["results"].as_array().unwrap();
        let same = all.iter().find(|other| other["id"] == unit["id"]).unwrap();
        assert_eq!(unit["source"], Value::from(vec![same["source"].clone()]));
        let is_stale = same["fuzzy"] == true;
        assert_eq!(unit["state"] == 11, is_stale);
        assert_eq!(unit["previous_source"], same["previous_source"]);
        assert_eq!(unit["translated"], same["translated"]);
    }
}

#[tokio::test]
async fn objects_have_one_id_below_both_roots() {
    let api = api();
    let units = |root: &'static str| {
        let api = &api;
        async move {
            let list = get(api, &format!("{root}/units/?page_size=1000")).await;
            let list = list.json();
            let units = list["results"].as_array().unwrap();
            let path = |unit: &Value| {
                let translation = unit["translation"].as_str().unwrap();
                let (_, path) = translation.split_once("/api/").unwrap();
                path.to_owned()
            };
            let row = |unit: &Value| (unit["id"].as_u64(), path(unit), unit["position"].as_u64());
            let mut rows: Vec<_> = units.iter().map(row).collect();
            rows.sort();
            rows
        }
    };
    let legacy = units("/api").await;
    assert!(!legacy.is_empty());
    assert_eq!(legacy, units("/current/api").await);
    // The main row of an entry has its id.
    let current = get(&api, "/current/api/changes/?page_size=1000").await;
    let rows = current.json()["results"].as_array().unwrap().clone();
    let main = rows.iter().filter(|row| row["id"].as_u64() < Some(1 << 32));
    let mut count = 0;
    for row in main {
        let entry = get(&api, &format!("/api/changes/{}/", row["id"])).await;
        assert_eq!(entry.status, 200, "{row}");
        let part = |of: &Value| {
            of["translation"]
                .as_str()
                .map(|url| url.split_once("/api/").unwrap().1.to_owned())
        };
        assert_eq!(part(&entry.json()), part(row), "{row}");
        count += 1;
    }
    assert!(count > 2, "{count}");
}

#[tokio::test]
async fn errors_name_their_kind() {
    let api = api();
    for (path, status, code, attr) in [
        ("/current/api/units/99999/", 404, "not_found", Value::Null),
        ("/current/api/units/?page=99", 404, "not_found", Value::Null),
        (
            "/current/api/units/?format=xml",
            404,
            "not_found",
            Value::Null,
        ),
        ("/current/api/units/?q=(", 400, "invalid", "q".into()),
        (
            "/current/api/changes/?action=x",
            400,
            "invalid_choice",
            "action".into(),
        ),
        (
            "/current/api/changes/?timestamp_after=x",
            400,
            "invalid",
            "timestamp".into(),
        ),
        (
            "/current/api/metrics/",
            401,
            "not_authenticated",
            Value::Null,
        ),
        (
            "/current/api/translations/hello/app/cs/file/?format=html",
            400,
            "invalid",
            "format".into(),
        ),
        (
            "/current/api/translations/hello/app/cs/file/?q=x",
            400,
            "invalid",
            "q".into(),
        ),
    ] {
        let got = get(&api, path).await;
        let body = got.json();
        let error = &body["errors"][0];
        assert_eq!(
            (got.status, &error["code"], &error["attr"]),
            (status, &code.into(), &attr),
            "{path}"
        );
        assert!(body.get("detail").is_none(), "{path}");
    }
    let refused = ask(&api, "POST", "/current/api/units/", &[]).await;
    assert_eq!(
        (refused.status, &refused.json()["type"]),
        (401, &"client_error".into())
    );
    let legacy = get(&api, "/api/units/99999/").await.json();
    assert_eq!(legacy, serde_json::json!({"detail": "Not found."}));
}

#[tokio::test]
async fn paths_without_a_slash_do_not_exist() {
    for path in [
        "/current/api",
        "/current/api/units",
        "/current/api/units.json",
        "/current/api/nonsense/",
    ] {
        let got = get(&api(), path).await;
        assert_eq!(
            (got.status, got.header("content-type")),
            (404, "text/html; charset=utf-8"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn pages_have_the_sizes_of_current_weblate() {
    let api = api();
    let all = get(&api, "/current/api/units/?page_size=5000").await.json();
    assert_eq!(all["next"], Value::Null);
    assert_eq!(get(&api, "/current/api/units/?page=").await.status, 200);
    let flat = get(
        &api,
        "/current/api/components/hello/app/statistics/?format=json-flat",
    )
    .await;
    assert!(flat.json().as_array().unwrap().len() > 1);
    let table = get(&api, "/current/api/languages/?format=csv").await;
    assert!(
        table.body.starts_with("aliases.0,") || table.body.starts_with("code,"),
        "{}",
        table.body
    );
}

#[tokio::test]
async fn the_source_language_comes_first() {
    let list = get(&api(), "/current/api/components/hello/app/translations/")
        .await
        .json();
    let codes: Vec<_> = list["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|language| language["is_source"].clone())
        .collect();
    assert_eq!(codes.first(), Some(&Value::Bool(true)));
    assert!(codes.iter().skip(1).all(|is_source| *is_source == false));
}

#[tokio::test]
async fn files_are_converted_and_archived() {
    let api = api();
    let nested = get(
        &api,
        "/current/api/translations/hello/app/cs/file/?format=json",
    )
    .await;
    assert!(nested.json().is_object());
    for format in [
        "csv",
        "xlsx",
        "strings",
        "aresource",
        "tbx",
        "tmx",
        "xliff",
        "xliff11",
        "po",
    ] {
        let path = format!("/current/api/translations/hello/app/cs/file/?format={format}");
        assert_eq!(get(&api, &path).await.status, 200, "{format}");
    }
    for format in ["xliff", "xliff11"] {
        let path = format!("/current/api/translations/hello/app/cs/file/?format={format}");
        let file = get(&api, &path).await.body;
        assert!(file.starts_with("<?xml "), "{file}");
        assert_eq!(file.matches("<trans-unit ").count(), 2, "{file}");
        assert!(file.ends_with("  </file>\n</xliff>\n"), "{file}");
    }
    // Only files of PO can be compiled.
    for format in ["mo", "csv-multi"] {
        let path = format!("/current/api/translations/hello/app/cs/file/?format={format}");
        let refused = get(&api, &path).await;
        assert!(
            refused.status == 400 && refused.body.contains("not compatible"),
            "{format}"
        );
    }
    let table = get(&api, "/current/api/translations/hello/app/cs/?format=csv").await;
    assert!(
        table.body.contains("/cs/file/?format=csv"),
        "{}",
        table.body
    );
}

/// The names in the directory of an archive.
fn names(archive: &[u8]) -> Vec<String> {
    let entries = archive.windows(4).enumerate();
    let entries = entries.filter(|(_, start)| start == b"PK\x01\x02");
    let name = |(at, _): (usize, &[u8])| {
        let length = u16::from_le_bytes([archive[at + 28], archive[at + 29]]);
        let name = &archive[at + 46..at + 46 + usize::from(length)];
        String::from_utf8(name.into()).unwrap()
    };
    entries.map(name).collect()
}

#[tokio::test]
async fn archives_have_the_files_or_conversions_of_them() {
    let api = api();
    for (format, first) in [
        ("zip", "hello/app/_locales/"),
        ("zip:csv", "hello-app-en.csv"),
        ("zip:xliff", "hello-app-en.xlf"),
        ("nonsense", "hello/app/_locales/"),
    ] {
        let path = format!("/current/api/projects/hello/file/?format={format}");
        let archive = get(&api, &path).await;
        assert_eq!(
            (archive.status, archive.header("content-type")),
            (200, "application/zip")
        );
        let names = names(&archive.bytes);
        assert!(names[0].starts_with(first), "{names:?}");
    }
    let language = get(
        &api,
        "/current/api/projects/hello/languages/cs/file/?format=zip:po",
    )
    .await;
    assert_eq!(names(&language.bytes), ["hello-app-cs.po"]);
}

#[tokio::test]
async fn metrics_have_the_format_of_open_metrics() {
    let api = api();
    let metrics = get(
        &api,
        "/current/api/projects/hello/metrics/?format=openmetrics",
    )
    .await;
    assert_eq!(
        (metrics.status, metrics.header("content-type")),
        (
            200,
            "application/openmetrics-text; version=1.0.0; charset=utf-8"
        )
    );
    for line in [
        "# TYPE weblate_translated gauge\n",
        "\nweblate_translation_info{component=\"app\",language=\"cs\",name=\"Czech\"} 1\n",
        "\nweblate_total{component=\"app\",language=\"cs\"} 2\n",
    ] {
        assert!(metrics.body.contains(line), "{}", metrics.body);
    }
    assert!(metrics.body.ends_with("# EOF\n"), "{}", metrics.body);
    let refused = get(&api, "/current/api/metrics/?format=openmetrics").await;
    assert_eq!((refused.status, &*refused.body), (401, "# EOF\n"));
}

#[test]
fn the_document_has_the_routes_of_the_current_api() {
    let document: Value = serde_json::from_str(&crate::document(Profile::Current)).unwrap();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 60 && paths.keys().all(|path| path.starts_with("/current/api/")));
    let unit = &document["components"]["schemas"]["Unit"]["properties"];
    assert_eq!(unit["source"]["type"], "array");
    assert!(unit.get("source_info").is_none());
}
