//! Lists as CSV and Parquet.

use std::collections::BTreeMap;

use poem::Endpoint;
use serde_json::Value;

use crate::LinkConfig;
use crate::testing::{ask, get, serving, snapshot};

fn api() -> impl Endpoint {
    serving(Some(snapshot()), LinkConfig::default())
}

#[tokio::test]
async fn statistics_and_changes_are_available_as_a_table() {
    let api = api();
    let got = ask(
        &api,
        "GET",
        "/api/components/hello/app/statistics/",
        &[("accept", "text/csv")],
    )
    .await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/csv; charset=utf-8")
    );
    let head = "code,name,total,total_words,last_change,last_author,translated,translated_words,translated_percent,";
    assert!(got.body.starts_with(head), "{}", got.body);
    assert!(got.body.contains("\r\ncs,Czech,2,"), "{}", got.body);
    let got = get(&api, "/api/changes/?format=csv&action=25").await;
    let rows: Vec<_> = got.body.lines().collect();
    assert_eq!(
        rows[0],
        "unit,component,translation,dictionary,user,author,timestamp,action,target,id,action_name,url"
    );
    assert!(
        rows[1].contains(",25,_locales/fr/messages.json,8,Removed translation,"),
        "{}",
        rows[1]
    );
    assert_eq!(rows.len(), 2);
    let got = get(&api, "/api/projects/hello/statistics/?format=csv").await;
    assert!(
        got.body.starts_with("language,code,total,translated,"),
        "{}",
        got.body
    );
}

#[tokio::test]
async fn every_list_is_available_as_a_table() {
    let api = api();
    for (path, head) in [
        ("/api/projects/", "name,slug,web,source_language_code,"),
        ("/api/components/", "name,slug,project_name,"),
        ("/api/translations/", "language__code,language_name,"),
        ("/api/languages/", "code,name,direction,web_url,url"),
        ("/api/sources/", "id_hash,component,timestamp,"),
        ("/api/users/", "id,username,full_name,url"),
        ("/api/components/hello/app/problems/", "path,reason,broken"),
        ("/api/units/1/checks/?set=all", "set,check,name,"),
    ] {
        let mark = if path.contains('?') { '&' } else { '?' };
        let table = get(&api, &format!("{path}{mark}format=csv")).await;
        assert_eq!(table.status, 200, "{path}");
        assert!(table.body.starts_with(head), "{path}: {}", table.body);
        let mut rows = csv::Reader::from_reader(std::io::Cursor::new(&table.body));
        let count = get(&api, path).await.json()["count"].as_u64();
        assert_eq!(Some(rows.records().count() as u64), count, "{path}");
    }
}

#[tokio::test]
async fn an_empty_table_has_a_header() {
    let api = api();
    for path in [
        "/api/units/?q=source:nowhere&format=csv",
        "/api/changes/?id_after=999&format=csv",
        "/api/screenshots/?format=csv",
    ] {
        let full = path.split('?').next().unwrap();
        let empty = get(&api, path).await.body;
        let full = get(&api, &format!("{full}?format=csv")).await.body;
        assert_eq!(empty.lines().count(), 1, "{empty}");
        assert_eq!(empty.lines().next(), full.lines().next());
        assert!(empty.ends_with("\r\n"));
    }
}

/// The names of the values of an object, nested ones with the outer name as prefix.
fn names(object: &Value, prefix: &str, taken: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    let own = object.as_object().unwrap().keys();
    let own = own.map(|name| [prefix, name].concat());
    let all: Vec<String> = taken.iter().cloned().chain(own).collect();
    for (name, value) in object.as_object().unwrap() {
        let mut full = [prefix, name].concat();
        if taken.contains(&full) {
            full = [prefix, "_", name].concat();
        }
        match value {
            Value::Object(_) => found.extend(names(value, &[&full, "_"].concat(), &all)),
            _ => found.push(full),
        }
    }
    found
}

#[tokio::test]
async fn tables_have_the_fields_of_the_objects_as_columns() {
    let api = api();
    for list in [
        "projects",
        "projects/hello/components",
        "projects/hello/statistics",
        "components",
        "components/hello/app/translations",
        "components/hello/app/statistics",
        "translations",
        "languages",
        "sources",
        "units",
        "changes",
        "users",
    ] {
        let query = "expand=details&format";
        let lines = get(&api, &format!("/api/{list}/?{query}=ndjson"))
            .await
            .body;
        let table = get(&api, &format!("/api/{list}/?{query}=csv")).await.body;
        let columns: Vec<_> = table.lines().next().unwrap().split(',').collect();
        for line in lines.lines() {
            let object = serde_json::from_str(line).unwrap();
            assert_eq!(names(&object, "", &[]), columns, "{list}");
        }
    }
}

#[cfg(not(feature = "parquet"))]
#[tokio::test]
async fn a_server_without_parquet_reports_that() {
    let api = api();
    let got = get(&api, "/api/units/?format=parquet").await;
    assert_eq!(got.status, 406);
    let detail = "This server was built without Parquet. Request csv or ndjson, or build gitglot with `--features parquet`.";
    assert_eq!(got.json()["detail"], detail);
    let page = get(&api, "/api/units/?format=api").await.body;
    assert!(!page.contains("Parquet"));
}

#[cfg(feature = "parquet")]
#[tokio::test]
async fn every_list_is_available_as_parquet() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let api = api();
    for list in [
        "projects",
        "projects/hello/statistics",
        "components",
        "components/hello/app/translations",
        "components/hello/app/statistics",
        "components/hello/app/problems",
        "translations",
        "languages",
        "sources",
        "units",
        "units/1/translations",
        "changes",
        "screenshots",
        "users",
    ] {
        let path = format!("/api/{list}/?expand=details&format=parquet");
        let headers = [("accept-encoding", "gzip")];
        let got = ask(&api, "GET", &path, &headers).await;
        assert_eq!(
            (
                got.status,
                got.header("content-type"),
                got.header("content-encoding")
            ),
            (200, "application/vnd.apache.parquet", ""),
            "{list}"
        );
        let csv = get(&api, &format!("/api/{list}/?expand=details&format=csv")).await;
        let mut csv = csv::Reader::from_reader(std::io::Cursor::new(csv.body));
        let columns: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
        let reader = SerializedFileReader::new(got.bytes).unwrap();
        let found = reader.metadata().file_metadata();
        let names: Vec<String> = found
            .schema()
            .get_fields()
            .iter()
            .map(|field| field.name().to_owned())
            .collect();
        assert_eq!(names, columns, "{list}");
        assert_eq!(
            reader.get_row_iter(None).unwrap().count(),
            csv.records().count()
        );
    }
}

#[tokio::test]
async fn unit_tables_have_language_and_checks() {
    let api = api();
    let rows = |body: String| {
        let mut reader = csv::Reader::from_reader(std::io::Cursor::new(body));
        let head = reader.headers().unwrap().clone();
        reader
            .records()
            .map(|row| {
                head.iter()
                    .map(str::to_owned)
                    .zip(row.unwrap().iter().map(str::to_owned))
                    .collect()
            })
            .collect::<Vec<BTreeMap<String, String>>>()
    };
    let safe = rows(get(&api, "/api/units/?format=csv").await.body);
    let raw = rows(get(&api, "/api/units/?format=csv&csv=raw").await.body);
    let lines = get(&api, "/api/units/?format=ndjson&expand=details")
        .await
        .body;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((safe.len(), raw.len(), lines.len()), (96, 96, 96));
    for (row, unit) in raw.iter().zip(&lines) {
        for field in ["source", "target", "context", "translation"] {
            assert_eq!(unit[field], *row[field]);
        }
        for field in ["project", "component", "language", "path"] {
            assert_eq!(unit["details"][field], *row[&format!("details_{field}")]);
        }
        let checks: Vec<_> = unit["details"]["checks"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(row["details_checks"], checks.join(" "));
        assert_eq!(unit["has_failing_check"], !checks.is_empty());
    }
    assert!(raw.iter().any(|row| !row["details_checks"].is_empty()));
}
