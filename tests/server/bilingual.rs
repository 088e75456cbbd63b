//! Components whose files have their own source texts and states.

use crate::common::{ANNA, History, Server, TestSite, commit};
use serde_json::{Value, json};

/// Serves the files of one commit with this mask, and a template if it is not empty.
fn serve(files: &[(&str, &str)], mask: &str, format: &str, template: &str) -> (TestSite, Server) {
    let commits = commit("one").by_at(ANNA, "2020-01-01 10:00");
    let commits = files
        .iter()
        .fold(commits, |commits, (path, text)| commits.write(path, *text));
    let site = TestSite::new(&commits);
    let repo = site.path("garden.git");
    let mut arguments = vec!["serve", repo.to_str().unwrap(), "--branch", "main"];
    arguments.extend(["--component", "app", "--filemask", mask]);
    arguments.extend(["--file-format", format]);
    if !template.is_empty() {
        arguments.extend(["--template", template]);
    }
    let server = Server::start(&arguments, &site.path("state"));
    (site, server)
}

/// Fields of the units of the Czech translation.
fn units(server: &Server, fields: &[&str]) -> Vec<Vec<Value>> {
    let list = server.json("/api/translations/garden/app/cs/units/");
    let of = |unit: &Value| fields.iter().map(|field| unit[*field].clone()).collect();
    list["results"].as_array().unwrap().iter().map(of).collect()
}

const FIELDS: [&str; 6] = ["context", "source", "target", "location", "flags", "fuzzy"];

#[test]
fn xliff_is_served_with_its_states() {
    let file = "<xliff version=\"1.2\"><file original=\"ng\"><body><trans-unit id=\"1\" maxwidth=\"9\"><source>Hi <x id=\"N\"/></source>\
                <target state=\"new\">Ahoj <x id=\"N\"/></target></trans-unit></body></file></xliff>";
    let (_site, server) = serve(
        &[("l/messages.cs.xlf", file)],
        "l/messages.*.xlf",
        "xliff",
        "",
    );
    assert_eq!(
        units(&server, &FIELDS),
        [[
            "ng///1".into(),
            "Hi <x id=\"N\"/>".into(),
            "Ahoj <x id=\"N\"/>".into(),
            "".into(),
            "max-length:9".into(),
            true.into()
        ] as [Value; 6]]
    );
    let (status, _) = server.get("/projects/garden/app/cs/");
    assert_eq!(status, 200);
}

#[test]
fn messages_of_qt_are_served_with_their_contexts() {
    let file = "<TS><context><name>Main</name><message><location filename=\"a.cpp\" line=\"5\"/><source>Open</source><comment>menu</comment>\
                <translation type=\"unfinished\">Otev\u{159}\u{ed}t</translation></message><message numerus=\"yes\"><source>%n file(s)</source>\
                <translation><numerusform>%n soubor</numerusform></translation></message></context></TS>";
    let (_site, server) = serve(&[("tr/app_cs.ts", file)], "tr/app_*.ts", "ts", "");
    let plural = "%n soubor\u{1e}\u{1e}\u{1e}\u{1e}";
    assert_eq!(
        units(&server, &FIELDS),
        [
            [
                "Main\nmenu".into(),
                "Open".into(),
                "Otev\u{159}\u{ed}t".into(),
                "a.cpp:5".into(),
                "".into(),
                true.into()
            ] as [Value; 6],
            [
                "Main".into(),
                "%n file(s)\u{1e}\u{1e}%n files".into(),
                plural.into(),
                "".into(),
                "".into(),
                false.into()
            ],
        ]
    );
}

#[test]
fn keys_of_gettext_have_the_source_of_the_template_and_their_own_state() {
    let en = "#: a.c:1\n#, c-format\nmsgid \"open\"\nmsgstr \"Open %s\"\n\nmsgid \"close\"\nmsgstr \"Close\"\n";
    let cs = "#, fuzzy\n#| msgid \"opn\"\nmsgid \"open\"\nmsgstr \"Otev\u{159}\u{ed}t %s\"\n";
    let (_site, server) = serve(
        &[("po/en.po", en), ("po/cs.po", cs)],
        "po/*.po",
        "po-mono",
        "po/en.po",
    );
    assert_eq!(
        units(&server, &FIELDS),
        [
            [
                "open".into(),
                "Open %s".into(),
                "Otev\u{159}\u{ed}t %s".into(),
                "a.c:1".into(),
                "c-format".into(),
                true.into()
            ] as [Value; 6],
            [
                "close".into(),
                "Close".into(),
                "".into(),
                "".into(),
                "".into(),
                false.into()
            ],
        ]
    );
    assert_eq!(units(&server, &["previous_source"])[0], ["opn"]);
    let translation = server.json("/api/translations/garden/app/cs/");
    let revision = translation["revision"].as_str().unwrap();
    assert_eq!(revision.split(',').count(), 2, "{revision}");
}

#[test]
fn downloads_have_the_type_and_the_extension_of_their_format() {
    let file = "<TS version=\"2.1\"><context><name>A</name></context></TS>";
    let (_site, server) = serve(&[("tr/app_cs.ts", file)], "tr/app_*.ts", "ts", "");
    let response = ureq::get(format!(
        "{}/api/translations/garden/app/cs/file/",
        server.base
    ));
    let response = response.call().unwrap();
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "application/x-linguist");
    let name = header("content-disposition");
    assert!(name.ends_with("filename=garden-app-cs.ts"), "{name}");
}

#[test]
fn strings_that_a_file_lacks_are_missing() {
    let header = "msgid \"\"\nmsgstr \"\"\n\"POT-Creation-Date: 2021-03-04 10:00+0100\\n\"\n\n";
    let entry = |context: &str, source: &str| {
        format!("msgctxt \"{context}\"\nmsgid \"{source}\"\nmsgstr \"x\"\n\n")
    };
    let cs = [header, &*entry("menu", "Open")].concat();
    let de = [&*cs, &*entry("menu", "Save")].concat();
    let pot = [&*de, &*entry("tool", "Zoom in")].concat();
    let pot = pot
        .replace("2021-03-04", "2026-01-01")
        .replace("\"x\"", "\"\"");
    let files = [
        ("po/cs.po", &*cs),
        ("po/de.po", &*de),
        ("po/app.pot", &*pot),
    ];
    // The flags find the template of new files.
    let (_site, server) = serve(&files, "po/*.po", "po", "");
    let of = |code: &str| {
        server.json(&format!(
            "/current/api/translations/garden/app/{code}/statistics/"
        ))
    };
    let missing = |strings: i64| serde_json::json!({"strings": strings, "not_merged_since": "2021-03-04", "template": null});
    assert_eq!(of("cs")["missing"], missing(2));
    assert_eq!(of("de")["missing"], missing(1));
    let (_, page) = server.get("/projects/garden/app/cs/");
    assert!(
        page.contains("Zoom in") && page.contains("not merged since 2021-03-04"),
        "{page}"
    );
    let units = server.json("/api/translations/garden/app/cs/units/");
    assert_eq!(units["count"], 1);
}

#[test]
fn the_current_api_says_that_strings_cannot_be_added_to_bilingual_components() {
    let files = [("po/cs.po", "msgid \"Open\"\nmsgstr \"Otevřít\"\n")];
    let (_site, server) = serve(&files, "po/*.po", "po", "");
    let component = server.json("/current/api/components/garden/app/");
    assert_eq!(component["manage_units"], false);
}

#[test]
fn the_current_api_has_a_translation_with_the_sources_of_bilingual_files() {
    let files = [
        (
            "po/cs.po",
            "#: menu.c:3\nmsgid \"Open\"\nmsgstr \"Otevřít\"\n",
        ),
        (
            "po/de.po",
            "#: menu.c:9\nmsgid \"Open\"\nmsgstr \"\"\n\nmsgid \"Close all\"\nmsgstr \"\"\n",
        ),
    ];
    let (_site, server) = serve(&files, "po/*.po", "po", "");
    let root = "/current/api/translations/garden/app/en";
    let own = server.json(&format!("{root}/"));
    let shown = ["filename", "revision", "is_source", "total", "translated"].map(|it| &own[it]);
    assert_eq!(
        shown,
        [&json!(""), &json!(""), &json!(true), &json!(2), &json!(2)]
    );
    let list = server.json("/current/api/components/garden/app/translations/");
    assert_eq!(list["results"][0]["id"], own["id"]);
    assert_eq!(list["count"], 3);
    let statistics = server.json(&format!("{root}/statistics/"));
    assert_eq!(
        (&statistics["readonly"], &statistics["readonly_words"]),
        (&json!(2), &json!(3))
    );

    let units = server.json(&format!("{root}/units/"));
    let units = units["results"].as_array().unwrap();
    let fields = [
        "source",
        "target",
        "state",
        "translated",
        "location",
        "position",
    ];
    let shown = units.iter().map(|unit| fields.map(|field| &unit[field]));
    let expected = [
        json!([["Open"], ["Open"], 100, true, "menu.c:3", 1]),
        json!([["Close all"], ["Close all"], 100, true, "", 2]),
    ];
    assert_eq!(shown.map(|unit| json!(unit)).collect::<Vec<_>>(), expected);
    let sources = server.json("/api/sources/");
    for (unit, source) in units.iter().zip(sources["results"].as_array().unwrap()) {
        let id = source["url"].as_str().unwrap().trim_end_matches('/');
        let id: u64 = id.rsplit('/').next().unwrap().parse().unwrap();
        assert_eq!(unit["id"], json!(id + (1 << 31)));
        let path = format!("/current/api/units/{}/", unit["id"]);
        assert_eq!(server.json(&path), *unit);
        assert_eq!(unit["source_unit"], unit["url"]);
    }
    let of_german = server.json("/current/api/translations/garden/app/de/units/");
    for unit in of_german["results"].as_array().unwrap() {
        assert!(units.iter().any(|it| it["url"] == unit["source_unit"]));
    }
    let others = server.json(&format!(
        "/current/api/units/{}/translations/",
        units[0]["id"]
    ));
    assert_eq!(others.as_array().unwrap().len(), 2);
    for (query, count) in [("state:read-only", 2), ("is:translated", 3), ("", 5)] {
        let found = server.json(&format!("/current/api/units/?q={query}"));
        assert_eq!(found["count"], count, "{query}");
    }

    let log = server.json(&format!("{root}/changes/"));
    let rows = log["results"].as_array().unwrap().iter().map(|row| {
        let states = ["state", "old_state"].map(|it| &row["details"][it]);
        json!([
            row["action"],
            row["target"],
            row["old"],
            row["unit"],
            states
        ])
    });
    let expected = [&units[1], &units[0]].map(|unit| {
        let text = &unit["target"][0];
        json!([90, text, text, unit["url"], [100, 100]])
    });
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    for row in log["results"].as_array().unwrap() {
        assert_eq!(
            server.json(&format!("/current/api/changes/{}/", row["id"])),
            *row
        );
    }
    let all = server.json("/current/api/changes/?action=90");
    assert_eq!(all["count"], 2);

    for path in [
        format!("{root}/file/"),
        "/api/translations/garden/app/en/".to_owned(),
    ] {
        assert_eq!(server.get(&path).0, 404, "{path}");
    }
    assert_eq!(server.json("/api/units/")["count"], 3);
}

const PO: &str = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";

/// Serves a history of PO files with a template.
fn serve_history(commits: &History) -> (TestSite, Server) {
    let site = TestSite::new(commits);
    let repo = site.path("garden.git");
    let mut arguments = vec!["serve", repo.to_str().unwrap(), "--branch", "main"];
    arguments.extend([
        "--component",
        "app",
        "--filemask",
        "po/*.po",
        "--file-format",
        "po",
    ]);
    let server = Server::start(&arguments, &site.path("state"));
    (site, server)
}

/// The PO file with one entry, perhaps fuzzy.
fn one(mark: &str, source: &str, text: &str) -> String {
    format!("{PO}{mark}msgid \"{source}\"\nmsgstr \"{text}\"\n")
}

#[test]
fn marks_of_texts_have_a_history() {
    let commits = commit("translated")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("po/cs.po", one("", "Open", "Otevřít"))
        .commit("marked")
        .by_at(ANNA, "2020-02-01 10:00")
        .write("po/cs.po", one("#, fuzzy\n", "Open", "Otevřít"))
        .commit("unmarked")
        .by_at(ANNA, "2020-03-01 10:00")
        .write("po/cs.po", one("", "Open", "Otevřít"));
    let (_site, server) = serve_history(&commits);
    let changes = |query: &str| {
        let list = server.json(&format!("/api/changes/?states=true&expand=details&{query}"));
        let row = |change: &Value| {
            let details = &change["details"];
            let of = |name: &str| details[name].clone();
            serde_json::json!([
                change["action"],
                of("previous_state"),
                of("state"),
                details["commit"]["subject"]
            ])
        };
        list["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(row)
            .collect::<Vec<_>>()
    };
    let marked = serde_json::json!([201, 20, 10, "marked"]);
    let unmarked = serde_json::json!([201, 10, 20, "unmarked"]);
    let all = [marked, unmarked];
    assert_eq!(changes("action=201"), all);
    assert_eq!(
        changes("action=5"),
        [serde_json::json!([5, 0, 20, "translated"])]
    );
    let own = server.json("/api/translations/garden/app/cs/changes/?states=true&action=201");
    assert_eq!(own["count"], 2);
    assert_eq!(server.json("/api/changes/?action=201")["count"], 0);
    let unit = &server.json("/api/translations/garden/app/cs/units/")["results"][0];
    let own = server.json(&format!("/api/units/{}/changes/?states=true", unit["id"]));
    // The string, its text, and twice its state.
    assert_eq!(own["count"], 4);

    let rows = server.json("/current/api/translations/garden/app/cs/changes/?action=59");
    let states = |row: &Value| {
        (
            row["details"]["old_state"].clone(),
            row["details"]["state"].clone(),
        )
    };
    let states: Vec<_> = rows["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(states)
        .collect();
    assert_eq!(states, [(10.into(), 20.into()), (20.into(), 10.into())]);
    let current = server.json(&format!("/current/api/units/{}/", unit["id"]));
    let newest = rows["results"][0]["timestamp"].as_str().unwrap();
    assert_eq!(
        &current["last_updated"].as_str().unwrap()[..19],
        &newest[..19]
    );
    let ids: Vec<&Value> = rows["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| &row["id"])
        .collect();
    for id in ids {
        let row = server.json(&format!("/current/api/changes/{id}/"));
        assert_eq!((&row["id"], &row["action"]), (id, &59.into()));
    }
    let (_, page) = server.get("/projects/garden/app/cs/");
    assert!(
        page.contains("(1 now fuzzy)") && page.contains("(1 no longer fuzzy)"),
        "{page}"
    );
    let address = unit["web_url"].as_str().unwrap();
    let (_, page) = server.get(&address[address.find("/translate/").unwrap()..]);
    assert!(
        page.contains("<b>Now fuzzy</b>") && page.contains("<b>No longer fuzzy</b>"),
        "{page}"
    );
}

#[test]
fn previous_sources_of_the_history_are_in_the_api_only_on_request() {
    let commits = commit("translated")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("po/cs.po", one("", "Open the file", "Otevřít soubor"))
        .commit("merged with the template")
        .write(
            "po/cs.po",
            one("#, fuzzy\n", "Open the files", "Otevřít soubor"),
        );
    let of = |setting: &str| {
        let site = TestSite::new(&commits);
        let repo = site.path("garden.git");
        let config = format!(
            "[[project]]\nslug = \"garden\"\n\n[[project.component]]\nrepo = {repo:?}\n\
            slug = \"app\"\nfilemask = \"po/*.po\"\nfile_format = \"po\"\n{setting}"
        );
        std::fs::write(site.path("gitglot.toml"), config).unwrap();
        let config = site.path("gitglot.toml");
        let server = Server::start(
            &["serve", "--config", config.to_str().unwrap()],
            &site.path("state"),
        );
        let list = server.json("/api/translations/garden/app/cs/units/?expand=details");
        let unit = list["results"][0].clone();
        let current = server.json("/current/api/translations/garden/app/cs/units/");
        assert_eq!(
            unit["previous_source"],
            current["results"][0]["previous_source"]
        );
        drop((site, server));
        unit
    };
    let unit = of("");
    assert_eq!(unit["previous_source"], "");
    assert_eq!(unit["details"]["previous_source"], "Open the file");
    let unit = of("earlier_sources = true\n");
    assert_eq!(unit["previous_source"], "Open the file");
}

#[test]
fn the_age_of_a_template_is_that_of_its_last_commit() {
    let pot = format!(
        "{PO}#: ../src/a.c:1 src/b.c:2 gone.c:3\nmsgid \"Open\"\nmsgstr \"\"\n\nmsgid \"Save\"\nmsgstr \"\"\n"
    );
    let commits = commit("start")
        .by_at(ANNA, "2020-01-01 10:00")
        .write("po/app.pot", &pot)
        .write("src/a.c", "1")
        .write("src/b.c", "1")
        .write("po/cs.po", one("", "Open", "Otevřít"))
        .commit("sources")
        .by_at(ANNA, "2020-02-01 10:00")
        .write("src/a.c", "2");
    let (_site, server) = serve_history(&commits);
    let totals = server.json("/current/api/translations/garden/app/cs/statistics/");
    let expected = serde_json::json!({"committed": "2020-01-01T08:00:00.000000Z", "commits": 1, "sources": 2, "changed_sources": 1});
    assert_eq!(totals["missing"]["template"], expected);
    let (_, page) = server.get("/projects/garden/app/");
    assert!(
        page.contains("1 commit ago; 1 of the 2 source files that it names changed since"),
        "{page}"
    );
}
