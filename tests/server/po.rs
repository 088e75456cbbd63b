//! Components of PO files: comparisons, revisions, pages and downloads.

use std::fs;

use crate::common::{ANNA, Server, TestSite, commit, project};

/// All fields that a complete header has.
const HEADER: &str = "msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: garden 1\\n\"\n\
    \"POT-Creation-Date: 2021-03-04 10:00+0100\\n\"\n\"PO-Revision-Date: 2021-03-05 10:00+0100\\n\"\n\
    \"Last-Translator: Anna <anna@example.org>\\n\"\n\"Language-Team: Czech <cs@example.org>\\n\"\n\
    \"Language: cs\\n\"\n\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
    \"Content-Transfer-Encoding: 8bit\\n\"\n\n";

fn file(entries: &[(&str, &str, &str)]) -> String {
    let entry = |(comments, source, text): &(&str, &str, &str)| {
        format!("{comments}msgid \"{source}\"\nmsgstr \"{text}\"\n\n")
    };
    let entries: String = entries.iter().map(entry).collect();
    [HEADER, &entries].concat()
}

fn site() -> TestSite {
    let open = ("#: src/a.c:1\n", "Open", "Otevřít");
    TestSite::new(
        &commit("one")
            .by_at(ANNA, "2021-03-05 10:00")
            .write("po/app.pot", file(&[("", "Open", "")]))
            .write(
                "po/cs.po",
                file(&[open, ("", "Close", "Zavřít"), ("", "Quit", "Konec")]),
            )
            .commit("two")
            .by_at(ANNA, "2021-04-05 10:00")
            .write(
                "po/cs.po",
                file(&[
                    ("", "Exit", ""),
                    ("#, fuzzy\n#| msgid \"Close\"\n", "Close all", "Zavřít"),
                    (
                        "#. A command\n#: src/a.c:9\n#, c-format\n",
                        "Open",
                        "Otevřít",
                    ),
                    ("#, c-format\n", "%d files", "soubory"),
                ]),
            ),
    )
}

fn serve(site: &TestSite) -> Server {
    let repo = site.path("garden.git");
    let component = format!(
        "[[project.component]]\nslug = 'app'\nrepo = '{}'\nbranch = 'main'\nfilemask = 'po/*.po'\n\
         new_base = 'po/app.pot'\nfile_format = 'po'\n",
        repo.display()
    );
    let config = site.path("gitglot.toml");
    fs::write(&config, project("garden", &[component])).unwrap();
    Server::start(
        &["serve", "--config", config.to_str().unwrap()],
        &site.path("state"),
    )
}

#[test]
fn two_revisions_of_po_files_are_compared_by_texts() {
    let site = site();
    let (server, one) = (serve(&site), site.repository.id("one"));
    let compared = server.json(&format!("/api/components/garden/app/compare/{one}...HEAD/"));
    let summary = "3 new, 1 now fuzzy, 1 translated, 2 removed";
    assert_eq!(compared["components"][0]["summary"], summary);
    let findings = compared["findings"].as_array().unwrap().iter();
    let mut found: Vec<String> = findings
        .map(|it| {
            format!(
                "{} {}",
                it["check"].as_str().unwrap(),
                it["key"].as_str().unwrap()
            )
        })
        .collect();
    found.sort();
    assert_eq!(
        found,
        ["c_format %d files", "missing Exit", "stale Close all"]
    );
    let (status, page) = server.get(&format!("/compare/garden/app/{one}...HEAD/"));
    assert_eq!(status, 200);
    assert!(
        page.contains("Close all") && page.contains("Zavřít"),
        "{page}"
    );
    let old = server.json(&format!("/api/components/garden/app/revisions/{one}/"));
    assert_eq!(old["statistics"][0]["total"], 3);
}

#[test]
fn the_page_of_a_string_shows_what_its_file_says() {
    let site = site();
    let server = serve(&site);
    let units = server.json("/api/translations/garden/app/cs/units/");
    let page = |source: &str| {
        let mut units = units["results"].as_array().unwrap().iter();
        let unit = units.find(|it| it["source"] == source).unwrap();
        let url = unit["web_url"].as_str().unwrap();
        let path = url.strip_prefix(&server.base).unwrap();
        server.get(path).1
    };
    let open = page("Open");
    for part in [
        "src/a.c:9",
        "c-format",
        "A command",
        "<dt>Position</dt><dd>3</dd>",
    ] {
        assert!(open.contains(part), "{part}: {open}");
    }
    assert!(page("Close all").contains("Similar to the translation of another source"));
    let stale = server.get("/translate/garden/app/cs/?state=stale").1;
    assert!(stale.contains("Close all"), "{stale}");
    let component = server.get("/projects/garden/app/").1;
    for part in ["po/app.pot", "2021-03-04 10:00+0100"] {
        assert!(component.contains(part), "{part}: {component}");
    }
}

#[test]
fn an_update_that_moves_and_reorders_writes_no_texts_to_the_log() {
    let open = |line: u32| format!("#: src/a.c:{line}\n");
    let (first, second) = (open(1), open(7));
    let site = TestSite::new(
        &commit("one")
            .by_at(ANNA, "2021-03-05 10:00")
            .write(
                "po/cs.po",
                file(&[(&first, "Open", "Otevřít"), ("", "Quit", "Konec")]),
            )
            .commit("two")
            .by_at(ANNA, "2021-04-05 10:00")
            .write(
                "po/cs.po",
                file(&[("", "Quit", "\"\n\"Konec"), (&second, "Open", "Otevřít")])
                    .replace("2021-03-04", "2022-01-01"),
            ),
    );
    let server = serve(&site);
    let changes = server.json("/api/changes/?page_size=100");
    let actions: Vec<u64> = changes["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["action"].as_u64().unwrap())
        .collect();
    // The update of the file, and nothing of its strings.
    assert_eq!(actions, [13, 13, 5, 5, 1, 0, 0]);
}
