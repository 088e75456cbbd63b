//! Components whose files have their own source texts and states.

use crate::common::{ANNA, Server, TestSite, commit};
use serde_json::Value;

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
    let missing =
        |strings: i64| serde_json::json!({"strings": strings, "not_merged_since": "2021-03-04"});
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
