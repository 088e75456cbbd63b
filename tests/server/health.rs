//! The lists of the page of a project's health (docs/spec/pages.md#health).

use crate::common::{ANNA, History, Person, Server, TestSite, commit, component, project};

const SYNC: Person = Person {
    name: "Sync of the platform",
    email: "sync@example.org",
    offset: 0,
};

/// Serves components with translations in these folders.
fn serve(history: &History, folders: &[&str]) -> (TestSite, Server) {
    let site = TestSite::new(history);
    let file = site.path("gitglot.toml");
    let repository = site.repository.dir().to_str().unwrap();
    let components = folders.iter();
    let components: Vec<String> = components
        .map(|folder| component(folder, repository, folder, ""))
        .collect();
    std::fs::write(&file, project("garden", &components)).unwrap();
    let arguments = ["serve", "--config", file.to_str().unwrap()];
    let server = Server::start(&arguments, &site.path("state"));
    (site, server)
}

#[test]
fn code_that_uses_a_removed_key_is_an_error_with_its_place() {
    let history = commit("keys")
        .by(ANNA)
        .texts("en", "menu.open=Open;menu.close=Close;menu.old=Old")
        .texts("de", "menu.open=Öffnen;menu.close=Schließen")
        .write(
            "src/app.js",
            "start();\nt('menu.close');\n// t('menu.old')\n",
        )
        .commit("remove two keys")
        .by(SYNC)
        .texts("en", "menu.open=Open");
    let (_site, server) = serve(&history, &["locales"]);
    // The second answer comes from what the first one found.
    for target in ["/health/garden/", "/health/garden/?again=1"] {
        let (status, page) = server.get(target);
        assert_eq!(status, 200);
        for part in [
            "Keys that source code uses and the template lacks</a></th><td class=\"n\">1<",
            "<bdi>menu.close</bdi></th>",
            "<bdi>src/app.js:2</bdi>",
            "<bdi>Sync of the platform</bdi> <span",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("menu.old"), "{page}");
    }
}

#[test]
fn a_text_that_a_commit_sets_back_is_listed_with_both_people() {
    let history = commit("start")
        .by(SYNC)
        .texts("en", "a=One;b=Two;c=Three;d=Four")
        .texts("de", "a=Eins;b=Zwei;c=Drei;d=Vier")
        .commit("better")
        .by(ANNA)
        .texts("de", "a=Der eine;b=Zwo;c=Die drei;d=Die vier")
        .commit("Revert \"better\"")
        .by(SYNC)
        .texts("de", "a=Der eine;b=Zwo;c=Drei;d=Die vier")
        .commit("own change")
        .by(ANNA)
        .texts("de", "a=Der eine;b=Zwei;c=Drei;d=Die vier")
        .commit("sync")
        .by(SYNC)
        .texts("de", "a=Eins;b=Zwei;c=Drei;d=Vier!");
    let (_site, server) = serve(&history, &["locales"]);
    let (_, page) = server.get("/health/garden/");
    for part in [
        "Texts of others that a commit set back to older ones</a></th><td class=\"n\">1<",
        "Eins</ins>",
        "<bdi>Example Maintainer</bdi> <span",
        "<bdi>Sync of the platform</bdi> <span",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn a_key_that_moves_to_another_component_is_not_lost() {
    let history = commit("keys")
        .by(ANNA)
        .texts("en", "menu.open=Open;menu.moved=Moved;menu.lost=Lost")
        .write(
            "other/en.json",
            r#"{"other.kept": "Kept", "other.lost": "Lost"}"#,
        )
        .write(
            "src/app.js",
            "t('menu.moved');\nt('menu.lost');\nt('other.lost');\n",
        )
        .commit("move a key")
        .texts("en", "menu.open=Open")
        .write(
            "other/en.json",
            r#"{"other.kept": "Kept", "menu.moved": "Moved"}"#,
        );
    let (_site, server) = serve(&history, &["locales", "other"]);
    let (_, page) = server.get("/health/garden/");
    for part in [
        "menu.lost</bdi></th>",
        "other.lost</bdi></th>",
        "src/app.js:3",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("menu.moved"), "{page}");
}
