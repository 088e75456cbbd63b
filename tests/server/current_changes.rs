//! The change log of the current API: one row per string (docs/spec/current-api.md#changes).

use std::collections::HashSet;

use serde_json::Value;

use crate::common::{ANNA, History, Server, TestSite, commit, component, project, until};

/// Pushes like those that were recorded from a real server.
fn history() -> History {
    commit("start")
        .message("Start\n")
        .by_at(ANNA, "2021-01-02 10:00")
        .write("locales/en.json", r#"{"open": "Open", "stop": "Stop"}"#)
        .write("locales/cs.json", r#"{"open": "Otevřít", "stop": "Stát"}"#)
        .write("locales/de.json", r#"{"open": "Öffnen", "stop": ""}"#)
        .commit("source changed")
        .message("Source\n")
        .by_at(ANNA, "2021-01-03 10:00")
        .write("locales/en.json", r#"{"open": "Open", "stop": "Halt"}"#)
        .commit("translation changed")
        .message("Translation\n")
        .by_at(ANNA, "2021-01-04 10:00")
        .write(
            "locales/cs.json",
            r#"{"open": "Otevřít", "stop": "Zastavit"}"#,
        )
        .commit("key added")
        .message("Key\n")
        .by_at(ANNA, "2021-01-05 10:00")
        .write(
            "locales/en.json",
            r#"{"open": "Open", "stop": "Halt", "sow": "Sow"}"#,
        )
        .write(
            "locales/cs.json",
            r#"{"open": "Otevřít", "stop": "Zastavit", "sow": "Zasít"}"#,
        )
        .commit("language added, key and language removed")
        .message("More\n")
        .by_at(ANNA, "2021-01-06 10:00")
        .write("locales/en.json", r#"{"stop": "Halt", "sow": "Sow"}"#)
        .write("locales/sk.json", r#"{"stop": "Zastaviť"}"#)
        .delete("locales/de.json")
}

/// A row in a line: action, language, texts, and states.
fn line(row: &Value) -> String {
    let language = row["translation"].as_str().unwrap_or("/-/");
    let language = language.trim_end_matches('/').rsplit('/').next().unwrap();
    let (target, old) = (
        row["target"].as_str().unwrap(),
        row["old"].as_str().unwrap(),
    );
    let details = &row["details"];
    let about = match details["context"].as_str() {
        Some(context) => format!("{context} {} -> {}", details["old_state"], details["state"]),
        None => details["filename"].as_str().unwrap_or_default().to_owned(),
    };
    format!("{} {language} {old:?} -> {target:?} {about}", row["action"])
}

/// The rows of a list of the current API, oldest first.
fn rows(server: &Server, path: &str) -> Vec<Value> {
    let list = server.json(path);
    let mut rows = list["results"].as_array().unwrap().clone();
    assert_eq!(rows.len() as u64, list["count"].as_u64().unwrap());
    rows.reverse();
    rows
}

fn serve() -> (TestSite, Server) {
    let site = TestSite::new(&history());
    let repo = site.path("garden.git");
    let repo = repo.to_str().unwrap();
    let components = [
        component("app", repo, "locales", ""),
        component("linked", repo, "locales", ""),
    ];
    let server = start(&site, &components);
    (site, server)
}

fn start(site: &TestSite, components: &[String]) -> Server {
    let config = site.path("gitglot.toml");
    std::fs::write(&config, project("garden", components)).unwrap();
    let arguments = ["serve", "--config", config.to_str().unwrap()];
    Server::start(&arguments, &site.path("state"))
}

#[test]
fn each_push_writes_the_rows_of_weblate() {
    let (_site, server) = serve();
    let all = rows(
        &server,
        "/current/api/components/garden/app/changes/?page_size=1000",
    );
    let lines: Vec<String> = all.iter().map(line).collect();
    let expected = [
        // The import, without what does not exist any more.
        "21 - \"\" -> \"\" ",
        "71 en \"\" -> \"Stop\" stop -1 -> 20",
        "0 en \"\" -> \"\" locales/en.json",
        "71 cs \"\" -> \"Stát\" stop -1 -> 20",
        "0 cs \"\" -> \"\" locales/cs.json",
        "101 - \"\" -> \"\" ",
        "21 - \"\" -> \"\" ",
        "59 en \"Stop\" -> \"Halt\" stop 20 -> 20",
        "0 en \"\" -> \"\" locales/en.json",
        "30 cs \"Stop\" -> \"Halt\" stop 20 -> 11",
        "59 cs \"Stát\" -> \"Stát\" stop 20 -> 11",
        "0 cs \"\" -> \"\" locales/en.json",
        "101 - \"\" -> \"\" ",
        "21 - \"\" -> \"\" ",
        "59 cs \"Stát\" -> \"Zastavit\" stop 11 -> 20",
        "0 cs \"\" -> \"\" locales/cs.json",
        "101 - \"\" -> \"\" ",
        "21 - \"\" -> \"\" ",
        "71 en \"\" -> \"Sow\" sow -1 -> 20",
        "0 en \"\" -> \"\" locales/en.json",
        "71 cs \"\" -> \"Zasít\" sow -1 -> 20",
        "0 cs \"\" -> \"\" locales/cs.json",
        "101 - \"\" -> \"\" ",
        "21 - \"\" -> \"\" ",
        "0 en \"\" -> \"\" locales/en.json",
        "0 cs \"\" -> \"\" locales/en.json",
        "71 sk \"\" -> \"Zastaviť\" stop -1 -> 20",
        "71 sk \"\" -> \"\" sow -1 -> 0",
        "0 sk \"\" -> \"\" locales/sk.json",
        "25 - \"\" -> \"locales/de.json\" ",
    ];
    assert_eq!(lines, expected);
    // Only the component that owns the clone logs updates of the repository.
    let linked = "/current/api/components/garden/linked/changes/?page_size=1000";
    assert_eq!(rows(&server, linked).len(), all.len() - 9);
    let heads = &all[5]["details"];
    assert_eq!(
        heads["previous_remote_revision"],
        all[0]["details"]["new_head"]
    );
    assert_eq!(heads["branch"], "main");
    assert!(all[1]["user"].is_null() && all[7]["user"].is_string());
}

#[test]
fn units_know_when_their_source_or_text_last_changed() {
    let (_site, server) = serve();
    for (language, wanted) in [
        (
            "en",
            ["stop 2021-01-02 2021-01-03", "sow 2021-01-05 2021-01-05"],
        ),
        (
            "cs",
            ["stop 2021-01-02 2021-01-04", "sow 2021-01-05 2021-01-05"],
        ),
        (
            "sk",
            ["stop 2021-01-02 2021-01-06", "sow 2021-01-05 2021-01-05"],
        ),
    ] {
        let path = format!("/current/api/translations/garden/app/{language}/units/");
        let units = server.json(&path);
        let units = units["results"].as_array().unwrap().iter().map(|unit| {
            let day = |field: &str| &unit[field].as_str().unwrap()[..10];
            let context = unit["context"].as_str().unwrap();
            format!("{context} {} {}", day("timestamp"), day("last_updated"))
        });
        assert_eq!(units.collect::<Vec<_>>(), wanted, "{language}");
    }
    for (query, wanted) in [
        ("last_changed:2021-01-04", 1),
        ("last_changed:%3E2021-01-04", 5),
    ] {
        let found = server.json(&format!("/current/api/units/?q=path:garden/app+{query}"));
        assert_eq!(found["count"], wanted, "{query}");
    }
}

#[test]
fn rows_have_ids_filters_and_lists_of_their_translation() {
    let (_site, server) = serve();
    let all = rows(&server, "/current/api/changes/?page_size=1000");
    let ids: HashSet<u64> = all.iter().map(|row| row["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    assert!(ids.iter().all(|id| *id < 1 << 53));
    for row in &all {
        assert_eq!(
            server.json(&format!("/current/api/changes/{}/", row["id"])),
            *row
        );
    }
    let times: Vec<&str> = all
        .iter()
        .map(|row| row["timestamp"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted());
    let own = rows(&server, "/current/api/translations/garden/app/sk/changes/");
    let lines: Vec<String> = own.iter().map(line).collect();
    assert_eq!(lines[0], "71 sk \"\" -> \"Zastaviť\" stop -1 -> 20");
    assert_eq!(lines.len(), 3);
    let sources = rows(&server, "/current/api/projects/garden/changes/?action=30");
    assert_eq!(sources.len(), 2);
    let none = rows(&server, "/current/api/changes/?user=nobody");
    assert!(none.is_empty());
    let after = rows(
        &server,
        "/current/api/changes/?timestamp_after=2021-01-06&page_size=1000",
    );
    assert_eq!(after.len(), 8 + 6);
    // Pages are parts of the whole list.
    let page = server.json("/current/api/changes/?page_size=4&page=3");
    let whole: Vec<&Value> = all.iter().rev().skip(8).take(4).collect();
    assert_eq!(
        page["results"]
            .as_array()
            .unwrap()
            .iter()
            .collect::<Vec<_>>(),
        whole
    );
}

#[test]
fn a_broken_file_is_named_with_its_language_and_sent_as_it_is() {
    let broken = r#"{"stop": "Zastavit""#;
    let history = history()
        .commit("file broken")
        .message("Break\n")
        .by_at(ANNA, "2021-01-07 10:00")
        .write("locales/cs.json", broken);
    let site = TestSite::new(&history);
    let repo = site.path("garden.git");
    let components = [component("app", repo.to_str().unwrap(), "locales", "")];
    let server = start(&site, &components);
    let all = rows(&server, "/current/api/changes/?timestamp_after=2021-01-07");
    let lines: Vec<String> = all.iter().map(line).collect();
    let expected = [
        "101 - \"\" -> \"\" ",
        "21 - \"\" -> \"\" ",
        "24 cs \"\" -> \"\" locales/cs.json",
        "47 - \"\" -> \"\" ",
        "14 - \"\" -> \"\" ",
    ];
    assert_eq!(lines, expected);
    let fingerprint = all[3]["details"]["fingerprint"].as_str().unwrap();
    assert_eq!(fingerprint.len(), 64);
    let own = rows(&server, "/current/api/translations/garden/app/cs/changes/");
    assert_eq!(own.last().unwrap()["action"], 24);
    // The log of 3.4 has no text for it, and its download is the last readable version.
    let older = server.json("/api/changes/?action=24");
    assert_eq!(
        (&older["count"], &older["results"][0]["target"]),
        (&1.into(), &"".into())
    );
    let file = |root: &str| {
        server
            .get(&format!("{root}/translations/garden/app/cs/file/"))
            .1
    };
    assert_eq!(file("/current/api"), broken);
    assert!(file("/api").contains("Zasít"));
}

#[test]
fn untranslated_plurals_have_a_row_whenever_their_file_is_read() {
    let template = |open: &str, more: &str| {
        format!(r#"{{"open": "{open}", "beds_one": "Bed", "beds_other": "Beds"{more}}}"#)
    };
    let history = commit("start")
        .message("Start\n")
        .by_at(ANNA, "2021-01-02 10:00")
        .write("locales/en.json", template("Open", ""))
        .write("locales/de.json", r#"{"open": "Öffnen"}"#)
        .write("locales/ja.json", r#"{"open": "開く"}"#)
        .commit("source changed")
        .message("Source\n")
        .by_at(ANNA, "2021-01-03 10:00")
        .write("locales/en.json", template("Open it", ""))
        .commit("plural translated")
        .message("Translation\n")
        .by_at(ANNA, "2021-01-03 11:00")
        .write(
            "locales/de.json",
            r#"{"open": "Öffnen", "beds_one": "Beet", "beds_other": "Beete"}"#,
        )
        .commit("key added")
        .message("Key\n")
        .by_at(ANNA, "2021-01-03 12:00")
        .write("locales/en.json", template("Open it", r#", "sow": "Sow""#))
        .commit("plural removed")
        .message("Removal\n")
        .by_at(ANNA, "2021-01-04 10:00")
        .write("locales/de.json", r#"{"open": "Öffnen"}"#)
        .commit("translated again")
        .message("Again\n")
        .by_at(ANNA, "2021-01-05 10:00")
        .write("locales/de.json", r#"{"open": "Aufmachen"}"#);
    let site = TestSite::new(&history);
    let repo = site.path("garden.git");
    let plurals = "file_format = 'i18nextv4'";
    let app = component("app", repo.to_str().unwrap(), "locales", "");
    let app = app.replace("file_format = 'json'", plurals);
    assert!(app.contains(plurals));
    let server = start(&site, &[app]);
    let of = |language: &str| {
        let list =
            format!("/current/api/translations/garden/app/{language}/changes/?page_size=1000");
        let rows = rows(&server, &list);
        let is_plural = |row: &&Value| row["details"]["context"] == "beds";
        for row in &rows {
            let path = format!("/current/api/changes/{}/", row["id"]);
            assert_eq!(server.json(&path), *row);
        }
        rows.iter().filter(is_plural).map(line).collect::<Vec<_>>()
    };
    let none = r#""\u{1e}\u{1e}""#;
    let some = r#""Beet\u{1e}\u{1e}Beete""#;
    let expected = [
        format!("71 de \"\" -> {none} beds -1 -> 0"),
        // The template was read, then the file.
        format!("59 de {none} -> {none} beds 0 -> 0"),
        format!("59 de {none} -> {some} beds 0 -> 20"),
        format!("59 de {some} -> {none} beds 20 -> 0"),
        format!("59 de {none} -> {none} beds 0 -> 0"),
    ];
    assert_eq!(of("de"), expected);
    // A language with one form has nothing to fill.
    assert_eq!(of("ja"), ["71 ja \"\" -> \"\" beds -1 -> 0"]);
    let all = rows(&server, "/current/api/changes/?page_size=1000");
    let ids: HashSet<u64> = all.iter().map(|row| row["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    assert!(ids.iter().all(|id| *id < 1 << 53));
    let updated = "/current/api/units/?q=language:de+change_action:string-updated-in-the-repository+AND+change_time:2021-01-05";
    assert_eq!(server.json(updated)["count"], 2);
    // Only a changed source of a translated string is recent content, until six hours have passed.
    let recent = |language: &str| {
        let path = format!("/current/api/translations/garden/app/{language}/statistics/");
        let own = server.json(&path);
        let last = own["last_change"].as_str().unwrap();
        (
            own["recent_changes"].as_u64().unwrap(),
            last[..10].to_owned(),
        )
    };
    assert_eq!(recent("ja"), (1, "2021-01-03".to_owned()));
    assert_eq!(recent("de"), (0, "2021-01-05".to_owned()));
    assert_eq!(recent("en"), (0, "2021-01-03".to_owned()));
}

#[test]
fn new_fuzzy_texts_have_a_row_with_the_source_that_their_file_names() {
    let file = |comments: &str, source: &str, text: &str| {
        format!("{comments}msgid \"{source}\"\nmsgstr \"{text}\"\n")
    };
    let named = "#, fuzzy\n#| msgid \"Open\"\n";
    let history = commit("start")
        .message("Start\n")
        .by_at(ANNA, "2021-01-02 10:00")
        .write("po/cs.po", file(named, "Open it", "Otevřít"))
        .write("po/de.po", file("", "Open it", "Öffnen"))
        .commit("merged")
        .message("Merge\n")
        .by_at(ANNA, "2021-01-03 10:00")
        .write(
            "po/cs.po",
            file("", "Open it", "Otevřít to") + &file(named, "Open all", "Otevřít"),
        )
        .write(
            "po/de.po",
            file("", "Open it", "Öffnen") + &file("#, fuzzy\n", "Open all", "Öffnen"),
        )
        .commit("marked")
        .message("Mark\n")
        .by_at(ANNA, "2021-01-04 10:00")
        .write(
            "po/cs.po",
            file(named, "Open it", "Otevřít to") + &file("", "Open all", "Otevřít"),
        );
    let site = TestSite::new(&history);
    let repo = site.path("garden.git");
    let component = format!(
        "[[project.component]]\nslug = 'app'\nrepo = '{}'\nbranch = 'main'\nfilemask = 'po/*.po'\n\
         file_format = 'po'\n",
        repo.display()
    );
    let server = start(&site, &[component]);
    let all = rows(&server, "/current/api/changes/?page_size=1000");
    let is_of_string = |row: &&Value| row["details"]["context"].is_string();
    let others = all.iter().filter(is_of_string).map(line);
    let lines: Vec<String> = others.filter(|it| !it.starts_with("90")).collect();
    let expected = [
        "30 cs \"Open\" -> \"Open it\"  -1 -> 10",
        "71 cs \"\" -> \"Otevřít\"  -1 -> 10",
        "71 de \"\" -> \"Öffnen\"  -1 -> 20",
        "59 cs \"Otevřít\" -> \"Otevřít to\"  10 -> 20",
        "30 cs \"Open\" -> \"Open all\"  -1 -> 10",
        "71 cs \"\" -> \"Otevřít\"  -1 -> 10",
        "71 de \"\" -> \"Öffnen\"  -1 -> 10",
        // Marks of existing texts change no source.
        "59 cs \"Otevřít to\" -> \"Otevřít to\"  20 -> 10",
        "59 cs \"Otevřít\" -> \"Otevřít\"  10 -> 20",
    ];
    assert_eq!(lines, expected);
    for row in &all {
        let path = format!("/current/api/changes/{}/", row["id"]);
        assert_eq!(server.json(&path), *row);
    }
    let own = "/current/api/translations/garden/app/cs/changes/?action=30";
    assert_eq!(rows(&server, own).len(), 2);
    let changed = server.json("/current/api/units/?q=changed:2021-01-03");
    assert_eq!(changed["count"], 1);
    assert_eq!(changed["results"][0]["source"][0], "Open all");
    // The last push of this file is more than six hours later.
    let of = |language: &str| {
        let path = format!("/current/api/translations/garden/app/{language}/statistics/");
        server.json(&path)["recent_changes"].as_u64()
    };
    assert_eq!((of("cs"), of("de")), (Some(0), Some(0)));
}

#[test]
fn rows_keep_their_ids_in_each_replay_of_a_ledger() {
    // Several threads read the files of all these languages.
    let languages = "cs da de el es et eu fa fi fr ga gl hr hu id is it ja ko lt lv nb nl";
    let push = |history: History, keys: usize| {
        let languages = ["en"].into_iter().chain(languages.split(' '));
        languages.fold(history, |history, language| {
            // Each language has other keys.
            let keys = (0..keys).filter(|key| {
                language == "en" || key % 7 != usize::from(language.as_bytes()[0]) % 7
            });
            let texts = keys.map(|key| (format!("key{key}"), format!("{language} {key}")));
            let texts: std::collections::BTreeMap<_, _> = texts.collect();
            let path = format!("locales/{language}.json");
            history.write(&path, serde_json::to_string(&texts).unwrap())
        })
    };
    let mut site = TestSite::new(&push(commit("start"), 15));
    let repo = site.path("garden.git");
    let components = [component("app", repo.to_str().unwrap(), "locales", "")];
    let mut server = start(&site, &components);
    let list = "/current/api/components/garden/app/changes/?page_size=1000";
    for keys in [25, 30] {
        site.repository.push(&push(commit(&keys.to_string()), keys));
        server.poll("garden");
        let last = format!("key{}", keys - 1);
        until("the push", || {
            let mut rows = rows(&server, list).into_iter();
            rows.any(|row| row["details"]["context"] == *last)
                .then_some(())
        });
    }
    let ids = |server: &Server| -> Vec<(Value, String)> {
        let rows = rows(server, list).into_iter();
        rows.map(|row| (row["id"].clone(), line(&row))).collect()
    };
    let live = ids(&server);
    let added = live.iter().filter(|(_, row)| row.starts_with("71 "));
    assert!(added.count() > 500);
    for _ in 0..3 {
        server.kill();
        let _ = std::fs::remove_dir_all(site.path("state/checkpoint"));
        server = start(&site, &components);
        assert_eq!(ids(&server), live);
    }
}
