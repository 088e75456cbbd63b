//! The documents of a component by language (docs/spec/pages.md#documents).

use std::sync::Arc;

use crate::LinkConfig;
use crate::testing::{TestComponent, get, project, serving};
use gitglot_catalog::{Snapshot, User};
use gitglot_model::{FileFormat, UserId};

const DATED: &str = "---\nsource-updated-at: 01/02/2024\n---\nWort";

/// Three documents: the first is stale in Czech, the others are missing in one language or in both.
async fn answer(path: &str) -> (u16, String) {
    let docs = project(1, "docs");
    let component = TestComponent {
        id: 1,
        slug: "app",
        format: FileFormat::Document,
        repo: "https://github.com/example/app.git",
        strings: vec![
            ("guide/b.md", "My App", ""),
            ("guide/a.md", "Text of the guide", ""),
            ("<i>.md", "Text", ""),
        ],
        files: vec![
            (
                "cs",
                vec![Some("Aplikace\n<<<<<<< a\n>>>>>>> b\n"), None, None],
            ),
            (
                "en",
                vec![Some("My App"), Some("Text of the guide"), Some("Text")],
            ),
            ("de", vec![Some("Programm"), Some(DATED), None]),
        ],
        unit_ids_after: 0,
        source_ids_after: 0,
        translation_ids_after: 0,
    };
    let user = |id, name: &str| User {
        id: UserId(id),
        username: name.into(),
        full_name: name.into(),
    };
    let snapshot = Snapshot::after(
        None,
        vec![docs.clone()],
        vec![Arc::new(component.build(&docs, Some(0)))],
        [user(1, "ada"), user(2, "bob")].into(),
    );
    let got = get(&serving(Some(snapshot), LinkConfig::default()), path).await;
    (got.status, got.body)
}

async fn page(path: &str) -> String {
    let (status, body) = answer(path).await;
    assert_eq!(status, 200, "{path}: {body}");
    body
}

/// The names of the documents of a page.
fn names(body: &str) -> Vec<&str> {
    let table = body.split("<tbody>").nth(1).unwrap_or_default();
    let cells = table.split("<th scope=\"row\">").skip(1);
    cells
        .filter_map(|cell| cell.split("<bdi>").nth(1)?.split("</bdi>").next())
        .collect()
}

#[tokio::test]
async fn documents_have_a_cell_for_each_language() {
    let body = page("/documents/docs/app/").await;
    assert_eq!(names(&body), ["&#60;i&#62;.md", "guide/a.md", "guide/b.md"]);
    for part in [
        "3 documents.",
        "<th scope=\"col\"><a href=\"/documents/docs/app/?lang=cs\" title=\"Czech\">cs</a></th>",
        "<td class=\"k-bad\"><a href=\"/translate/docs/app/cs/?checksum=",
        "#stale\">major, 3 months, error</a>",
        ">missing</a></td>",
        ">done</a>",
        "/exports/documents/docs/app/?format=csv",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert!(
        page("/projects/docs/app/")
            .await
            .contains("href=\"/documents/docs/app/\"")
    );
    assert_eq!(answer("/documents/docs/other/").await.0, 404);
}

#[tokio::test]
async fn documents_are_found_by_state_language_and_path() {
    for (query, expected) in [
        ("?state=stale", &["guide/b.md"][..]),
        ("?state=stale:major", &["guide/b.md"]),
        ("?state=stale:minor", &[]),
        ("?state=missing", &["&#60;i&#62;.md", "guide/a.md"]),
        ("?state=missing&lang=de", &["&#60;i&#62;.md"]),
        ("?state=done&lang=de", &["guide/a.md", "guide/b.md"]),
        ("?state=done", &[]),
        ("?state=faulty", &["guide/b.md"]),
        ("?state=faulty&lang=de", &[]),
        ("?state=todo&name=GUIDE", &["guide/a.md", "guide/b.md"]),
        ("?lang=xx", &["&#60;i&#62;.md", "guide/a.md", "guide/b.md"]),
        (
            "?sort=-name",
            &["guide/b.md", "guide/a.md", "&#60;i&#62;.md"],
        ),
        (
            "?sort=words",
            &["guide/a.md", "guide/b.md", "&#60;i&#62;.md"],
        ),
        ("?sort=age", &["guide/b.md", "&#60;i&#62;.md", "guide/a.md"]),
        (
            "?sort=missing",
            &["&#60;i&#62;.md", "guide/a.md", "guide/b.md"],
        ),
    ] {
        let body = page(&["/documents/docs/app/", query].concat()).await;
        assert_eq!(names(&body), expected, "{query}");
    }
}

#[tokio::test]
async fn documents_with_faults_count_as_failing_on_pages_only() {
    let mut counts = Vec::new();
    for path in ["app/cs/", "app/de/", "app/", ""] {
        let body = page(&["/projects/docs/", path].concat()).await;
        let count = body.split("failing a check</span></dt><dd>").nth(1);
        let count = count.and_then(|rest| rest.split("</dd>").next()).unwrap();
        let count = count.trim_end_matches("</a>").rsplit('>').next().unwrap();
        counts.push(count.parse::<u32>().unwrap());
    }
    let [czech, german, component, project] = counts[..] else {
        panic!("{counts:?}")
    };
    assert_eq!((czech, czech + german), (1, component));
    assert_eq!(project, component);
    let list = page("/translate/docs/app/cs/?type=allchecks").await;
    assert!(
        list.contains("guide/b.md") && !list.contains("guide/a.md"),
        "{list}"
    );
    let (_, api) = answer("/api/translations/docs/app/cs/statistics/").await;
    assert!(api.contains("\"failing\":0"), "{api}");
}

#[tokio::test]
async fn few_languages_link_their_files_at_the_host() {
    let body = page("/documents/docs/app/?lang=cs&state=stale").await;
    for part in [
        "<a href=\"https://github.com/example/app/edit/main/_locales/cs/messages.json\" rel=\"nofollow\">edit</a>",
        "<a href=\"https://github.com/example/app/blob/abababababababababababababababababababab/_locales/cs/messages.json\"",
        "title=\"Czech\">Czech</a></th>",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
}

#[tokio::test]
async fn documents_are_data() {
    let csv = page("/exports/documents/docs/app/?format=csv&state=stale").await;
    assert_eq!(
        csv,
        "document,words,language,state,change,since,path\n\
         guide/b.md,2,cs,stale,major,2020-05-20T18:41:40Z,_locales/cs/messages.json\n\
         guide/b.md,2,de,done,,,_locales/de/messages.json\n"
    );
    let json = page("/exports/documents/docs/app/").await;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let document = &json["documents"][1];
    assert_eq!(document["document"], "guide/a.md");
    assert_eq!(document["path"], "_locales/en/messages.json");
    assert_eq!(json["documents"][2]["translations"]["de"]["state"], "done");
    assert_eq!(document["translations"]["cs"]["state"], "missing");
}

#[tokio::test]
async fn a_recorded_date_without_effect_has_a_reason() {
    let body = page("/translate/docs/app/de/?offset=1").await;
    let sentence = "the source at <code><bdi>01/02/2024</bdi></code>, which <code><bdi>source-updated-at</bdi></code> of the \
                    document names; this has no effect, because it is no date";
    assert!(body.contains(sentence), "{body}");
    let body = page("/health/docs/").await;
    assert!(
        body.contains("Documents whose recorded date of the source has no effect"),
        "{body}"
    );
    let faulty = "<a href=\"/documents/docs/app/?state=faulty\">Documents with an error</a>";
    assert!(body.contains(faulty), "{body}");
}

#[tokio::test]
async fn the_page_of_a_document_lists_its_faults() {
    let body = page("/translate/docs/app/cs/?offset=0").await;
    let fault =
        "<code>merge-mark</code></dt><dd>Line 2: <bdi>The document has the marks of a merge";
    assert!(body.contains(fault), "{body}");
    let body = page("/translate/docs/app/de/?offset=0").await;
    assert!(!body.contains("Faults of the document"), "{body}");
}
