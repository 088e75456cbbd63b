//! Filters of lists.

use std::sync::Arc;

use serde_json::Value;

use super::api;
use super::testing::{HOST, TestComponent, get, ids, project, serving};
use crate::LinkConfig;
use gitglot_catalog::Snapshot;
use gitglot_model::FileFormat;

#[tokio::test]
async fn changes_have_the_filters_of_later_versions() {
    let api = api();
    for (query, wanted) in [
        ("id_after=7", &[8, 9][..]),
        ("id_after=0&page_size=4", &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("id_after=9", &[]),
        ("action=5", &[2, 7]),
        ("action=5&action=13", &[1, 2, 7]),
        ("action=5&id_after=2", &[7]),
        ("action=99", &[]),
        ("action=New+translation", &[2, 7]),
        ("action=new-translation&action=13", &[1, 2, 7]),
        ("user=2", &[4, 5, 6, 7, 8]),
        ("user=bob-example", &[4, 5, 6, 7, 8]),
        ("user=nobody", &[]),
        ("unit=1", &[2]),
        ("unit=999", &[]),
        (
            "timestamp_after=2020-05-20T18:41:40.000003Z",
            &[4, 5, 6, 7, 8, 9],
        ),
        (
            "timestamp_before=2020-05-20T20:41:40.000001%2B02:00",
            &[1, 2],
        ),
        (
            "timestamp_after=2020-05-20&timestamp_before=2020-05-21&action=0",
            &[3],
        ),
    ] {
        assert_eq!(
            ids(&api, &format!("/api/changes/?{query}")).await,
            wanted,
            "{query}"
        );
        // The log of a component is the other way round.
        let mut newest_first =
            ids(&api, &format!("/api/components/hello/app/changes/?{query}")).await;
        newest_first.reverse();
        assert_eq!(newest_first, wanted, "{query} of a component");
        let mut of_project = ids(&api, &format!("/api/projects/hello/changes/?{query}")).await;
        of_project.reverse();
        assert_eq!(of_project, wanted, "{query} of a project");
    }
    assert_eq!(
        ids(&api, "/api/translations/hello/app/cs/changes/?action=5").await,
        [2]
    );
    assert_eq!(
        ids(&api, "/api/translations/hello/app/en/changes/?unit=1").await,
        [] as [u64; 0]
    );
    assert_eq!(ids(&api, "/api/units/1/changes/").await, [2]);
    assert_eq!(ids(&api, "/api/units/3/changes/").await, [4, 1]);
    assert_eq!(ids(&api, "/api/units/3/changes/?action=30").await, [4]);
    assert_eq!(
        ids(&api, "/api/units/3/changes/?unit=1").await,
        [] as [u64; 0]
    );
}

#[tokio::test]
async fn units_are_filtered_by_state_and_by_query() {
    let api = api();
    for (path, wanted) in [
        ("/api/units/?fuzzy=true", &[1][..]),
        ("/api/units/?translated=false", &[1, 2, 6]),
        ("/api/units/?translated=false&fuzzy=0", &[2, 6]),
        ("/api/units/?q=state:empty", &[2, 6]),
        ("/api/units/?q=state:empty&page_size=1", &[2, 6]),
        ("/api/units/?q=", &[1, 2, 3, 4, 5, 6]),
        ("/api/units/?q=component:app+key:%3Dodd", &[2, 4, 6]),
        (
            "/api/translations/hello/app/cs/units/?q=NOT+state:empty",
            &[1],
        ),
        ("/api/units/4/translations/", &[2, 4, 6]),
        ("/api/units/4/translations/?q=language:cs", &[2]),
    ] {
        let found = ids(&api, path).await;
        let of_app: Vec<_> = found.into_iter().filter(|&id| id <= 6).collect();
        assert_eq!(of_app, wanted, "{path}");
    }
    let json = get(&api, "/api/units/?q=component:web+language:de&page=2")
        .await
        .json();
    assert_eq!(json["count"], 45);
    assert_eq!(
        json["next"],
        format!("http://{HOST}/api/units/?page=3&q=component%3Aweb+language%3Ade")
    );
    assert_eq!(json["results"][0]["position"], 21);
}

#[tokio::test]
async fn checks_can_be_requested_by_name() {
    let api = api();
    let failing = get(&api, "/api/units/?q=has:check&page_size=1000")
        .await
        .json();
    let by_name = get(
        &api,
        "/api/units/?q=check:same+OR+check:end_ellipsis+OR+check:end_newline&page_size=1000",
    )
    .await
    .json();
    assert!(failing["count"].as_u64() > Some(0), "{failing}");
    assert_eq!(failing["results"], by_name["results"]);
}

#[tokio::test]
async fn a_bad_filter_is_refused_with_its_position() {
    let api = api();
    for (path, detail) in [
        (
            "/api/units/?q=a+state:x",
            "q: at character 9: 'x' is not a state: use empty, stale, needs-editing, translated or untranslated",
        ),
        (
            "/api/units/?translated=maybe",
            "translated: 'maybe' is neither true nor false",
        ),
        (
            "/api/changes/?id_after=x",
            "id_after: 'x' is not a non-negative integer",
        ),
        (
            "/api/changes/?action=-1",
            "action: '-1' is neither the number nor the name of an action",
        ),
        (
            "/api/changes/?timestamp_after=x",
            "timestamp_after: 'x' is not a time: use a value such as 2019-03-04T05:06:07Z",
        ),
    ] {
        let got = get(&api, path).await;
        assert_eq!(
            (got.status, got.json()["detail"].as_str().unwrap()),
            (400, detail),
            "{path}"
        );
    }
    for path in [
        "/api/units/1/?q=(",
        "/api/projects/?action=x",
        "/api/units/?id_after=x",
    ] {
        assert_eq!(
            get(&api, path).await.status,
            200,
            "{path}: other lists do not know the filter"
        );
    }
    for path in [
        "/api/units/999/translations/",
        "/api/units/x/translations/",
        "/api/units/0/changes/",
    ] {
        assert_eq!(get(&api, path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn removed_strings_are_entries_only_on_request() {
    let api = api();
    let all = [1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 8, 9];
    for size in [1, 2, 5, 100] {
        let query = format!("removed=true&page_size={size}");
        assert_eq!(
            ids(&api, &format!("/api/changes/?{query}")).await,
            all,
            "{size}"
        );
        for list in ["components/hello/app", "projects/hello"] {
            let mut newest_first = ids(&api, &format!("/api/{list}/changes/?{query}")).await;
            newest_first.reverse();
            assert_eq!(newest_first, all, "{list} {size}");
        }
    }
    for (query, wanted) in [
        ("removed=true&id_after=4", &[5, 6, 7, 8, 8, 8, 9][..]),
        ("removed=true&id_after=3&action=200", &[4, 8, 8]),
        (
            "removed=true&action=Removed+source+string&id_after=4&page_size=1",
            &[8, 8],
        ),
        ("removed=true&unit=1", &[2]),
        ("removed=false&action=200", &[]),
        ("action=200", &[]),
    ] {
        assert_eq!(
            ids(&api, &format!("/api/changes/?{query}")).await,
            wanted,
            "{query}"
        );
    }
    let rows = get(
        &api,
        "/api/changes/?removed=true&action=200&expand=details&format=ndjson",
    )
    .await
    .body;
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let keys: Vec<_> = rows
        .iter()
        .filter_map(|row| row["details"]["key"].as_str())
        .collect();
    assert_eq!(keys, ["gone", "odd", "gone"]);
    let row = &rows[0];
    assert_eq!(
        (&row["action_name"], &row["unit"]),
        (&"Removed source string".into(), &Value::Null)
    );
    assert_eq!(row["details"]["previous"], "Gone");
}

#[tokio::test]
async fn changes_can_include_their_details() {
    let api = api();
    let page = get(&api, "/api/changes/?expand=details&page_size=4")
        .await
        .json();
    assert_eq!(
        page["next"],
        format!("http://{HOST}/api/changes/?expand=details&page=2&page_size=4")
    );
    let lines = get(&api, "/api/changes/?expand=details&format=ndjson")
        .await
        .body;
    let rows: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows[..4], page["results"].as_array().unwrap()[..]);
    for row in &rows {
        let id = &row["id"];
        assert_eq!(
            row["details"],
            get(&api, &format!("/api/changes/{id}/details/"))
                .await
                .json(),
            "{id}"
        );
        let mut plain = row.clone();
        plain.as_object_mut().unwrap().shift_remove("details");
        assert_eq!(
            plain,
            get(&api, &format!("/api/changes/{id}/")).await.json(),
            "{id}"
        );
    }
    let table = get(&api, "/api/changes/?expand=details&format=csv&action=25")
        .await
        .body;
    let head = table.lines().next().unwrap();
    assert!(head.ends_with(
        ",details_commit_author_name,details_commit_author_time,details_commit_committer_time"
    ));
    assert!(
        head.contains(
            ",details_language,details_path,details_key,details_source,details_renamed_from,details_previous,"
        ),
        "{head}"
    );
    let bad = get(&api, "/api/changes/?expand=all").await;
    assert_eq!(
        (bad.status, &bad.json()["detail"]),
        (400, &"expand: 'all' is unknown: write details".into())
    );
}

#[tokio::test]
async fn parameters_without_an_effect_are_reported() {
    let api = api();
    for (path, ignored) in [
        ("/api/units/?q=a&page=1&format=json", ""),
        ("/api/changes/?foo=1&id_after=2&b%20r=&foo=2", "foo, b+r"),
        ("/api/units/?id_after=3", "id_after"),
        ("/api/units/?format=ndjson&page=2&csv=raw", "page, csv"),
        ("/api/units/?format=csv&csv=raw", ""),
        ("/api/projects/?action=2", "action"),
        ("/api/units/1/?expand=details", ""),
        ("/api/sources/1/?expand=details", "expand"),
    ] {
        assert_eq!(
            get(&api, path).await.header("gitglot-ignored-parameters"),
            ignored,
            "{path}"
        );
    }
    let page = get(&api, "/api/units/?languages=cs&format=api").await;
    assert!(
        page.body
            .contains("<dt>Gitglot-Ignored-Parameters:</dt><dd>languages</dd>")
    );
}

#[tokio::test]
async fn a_page_of_long_texts_is_refused() {
    let text = "x".repeat(9 << 20);
    let project = project(1, "long");
    let component = TestComponent {
        id: 1,
        slug: "app",
        format: FileFormat::Json,
        repo: "https://git.example.org/long.git",
        strings: vec![(".a", &text, "")],
        files: vec![("cs", vec![Some(&text)]), ("en", vec![Some(&text)])],
        unit_ids_after: 0,
        source_ids_after: 0,
        translation_ids_after: 0,
    };
    let component = Arc::new(component.build(&project, None));
    let api = serving(
        Some(Snapshot::after(
            None,
            vec![project],
            vec![component],
            Arc::default(),
        )),
        LinkConfig::default(),
    );
    let page = get(&api, "/api/units/").await;
    assert_eq!(page.status, 400);
    assert!(page.body.contains("exceed 32 MB"), "{}", page.body);
    assert_eq!(get(&api, "/api/units/?page_size=1").await.status, 200);
    assert_eq!(get(&api, "/api/units/?format=ndjson").await.status, 200);
}
