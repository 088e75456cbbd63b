//! Texts that Weblate 3.4 counts differently from programs: its API keeps its state, everything else has that of programs.

use crate::common::{ANNA, Server, TestSite, commit};
use serde_json::{Value, json};

/// One string that is translated, one in the language's file only since the program dropped it, one without a text.
const CZECH: &str = "<TS><context><name>Main</name>\
    <message><source>Open</source><translation>Otev\u{159}\u{ed}t</translation></message>\
    <message><source>Version %1 is old</source><translation type=\"vanished\">Verze % 1</translation></message>\
    <message><source>Close</source><translation></translation></message></context></TS>";

fn serve(path: &str, mask: &str, format: &str, text: &str) -> (TestSite, Server) {
    let site = TestSite::new(
        &commit("one")
            .by_at(ANNA, "2020-01-01 10:00")
            .write(path, text),
    );
    let repo = site.path("garden.git");
    let arguments = [
        "serve",
        repo.to_str().unwrap(),
        "--branch",
        "main",
        "--component",
        "app",
    ];
    let format = ["--filemask", mask, "--file-format", format];
    let server = Server::start(&[&arguments[..], &format].concat(), &site.path("state"));
    (site, server)
}

fn fields(server: &Server, path: &str, fields: &[&str]) -> Vec<Value> {
    let body = server.json(path);
    fields.iter().map(|field| body[*field].clone()).collect()
}

const COUNTS: [&str; 3] = ["total", "translated", "fuzzy"];

#[test]
fn messages_that_programs_lack_are_in_the_api_of_3_4_only() {
    let (_site, server) = serve("tr/app_cs.ts", "tr/app_*.ts", "ts", CZECH);
    let of = "translations/garden/app/cs/";
    assert_eq!(fields(&server, &format!("/api/{of}"), &COUNTS), [3, 3, 0]);
    assert_eq!(
        fields(&server, &format!("/current/api/{of}"), &COUNTS),
        [2, 1, 0]
    );
    let units = server.json(&format!("/current/api/{of}units/"));
    let list = units["results"].as_array().unwrap();
    let list: Vec<_> = list
        .iter()
        .map(|it| json!([it["source"], it["target"], it["state"]]))
        .collect();
    let expected = [
        json!([["Open"], ["Otev\u{159}\u{ed}t"], 20]),
        json!([["Close"], [""], 0]),
    ];
    assert_eq!(list, expected);
    assert_eq!(server.json("/api/units/?format=json")["count"], 3);
    // Those of the language, and those of the sources.
    assert_eq!(server.json("/current/api/units/?format=json")["count"], 4);
    let (status, page) = server.get("/projects/garden/app/cs/");
    assert_eq!(status, 200);
    assert!(page.contains("<dd>50 %</dd>"), "{page}");
    let (_, page) = server.get("/translate/garden/app/cs/");
    assert!(!page.contains("is old"), "{page}");
    let (_, badge) = server.get("/widgets/garden/-/svg-badge.svg");
    assert!(badge.contains("50"), "{badge}");
}

#[test]
fn copies_of_the_source_in_xliff_are_no_translations() {
    let text = "<xliff version=\"1.2\"><file original=\"ng\"><body>\
        <trans-unit id=\"1\"><source>Hi</source><target state=\"new\">Hi</target></trans-unit>\
        <trans-unit id=\"2\"><source>Yes</source><target state=\"needs-adaptation\">Ano</target></trans-unit>\
        <trans-unit id=\"3\"><source>No</source><target>Ne</target></trans-unit></body></file></xliff>";
    let (_site, server) = serve("l/messages.cs.xlf", "l/messages.*.xlf", "xliff", text);
    let of = "translations/garden/app/cs/";
    assert_eq!(fields(&server, &format!("/api/{of}"), &COUNTS), [3, 1, 2]);
    assert_eq!(
        fields(&server, &format!("/current/api/{of}"), &COUNTS),
        [3, 1, 1]
    );
    let (_, page) = server.get("/translate/garden/app/cs/?type=nottranslated");
    assert!(page.contains("Hi") && !page.contains("Ano"), "{page}");
}
