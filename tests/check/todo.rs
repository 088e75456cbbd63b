//! `gitglot todo`: a script makes a list, fills it, checks it and writes what is accepted.

use std::path::Path;

use serde_json::{Value, json};

use super::{Run, report_schema};
use crate::common::{TestSite, commit};

/// Runs `gitglot todo` in a directory.
fn todo(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(folder, &[&["todo"], arguments].concat())
}

fn list(folder: &Path, arguments: &[&str]) -> Value {
    let run = todo(folder, arguments);
    let list = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    report_schema::assert_list_is_valid(&list);
    list
}

const KEYS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/// Ten strings; the second commit changes the source of `a`. The German file has `a`, `z` with a lost placeholder, and a key
/// of an older template.
fn site() -> TestSite {
    let source = |a: &str| {
        let texts = KEYS.map(|key| (key, format!("Open {{count}} files of {key}")));
        let mut object: serde_json::Map<String, Value> = texts
            .into_iter()
            .map(|(key, text)| (key.to_owned(), text.into()))
            .collect();
        object.insert("a".to_owned(), a.into());
        object.insert("z".to_owned(), "Close {count} files".into());
        Value::Object(object).to_string()
    };
    let german =
        json!({"a": "{count} Dateien von a öffnen", "z": "Dateien schließen", "old": "Alt"});
    let history = commit("one")
        .write("locales/en.json", source("Open {count} files of a"))
        .write("locales/de.json", german.to_string())
        .write("locales/fr.json", "{}")
        .commit("two")
        .write("locales/en.json", source("Open {count} new files of a"));
    TestSite::new(&history)
}

fn texts<'v>(list: &'v Value, name: &str) -> Vec<&'v str> {
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| item[name].as_str().unwrap()).collect()
}

#[test]
fn a_script_fills_a_list_and_writes_what_is_accepted() {
    let site = site();
    let folder = super::clone(&site, "main", &[]);
    let mut list = list(&folder, &["--language", "de"]);
    for item in list["items"].as_array_mut().unwrap() {
        // A script in place of a translator.
        let proposal = match item["key"].as_str().unwrap() {
            "b" => "Dateien von b öffnen".to_owned(),
            "c" => "{number} Dateien von c öffnen".to_owned(),
            "a" => "{count} neue Dateien von a öffnen".to_owned(),
            "z" | "old" => continue,
            key => format!("{{count}} Dateien von {key} öffnen"),
        };
        item["proposal"] = json!([proposal]);
    }
    let path = folder.join("filled.json");
    std::fs::write(&path, list.to_string()).unwrap();
    let checked = todo(&folder, &["--validate", "filled.json", "--format", "json"]);
    assert_eq!(checked.code, 1, "{}", checked.err);
    let result: Value = serde_json::from_str(&checked.out).unwrap();
    report_schema::assert_validation_is_valid(&result);
    let counts = ["accepted", "refused", "unfilled"].map(|name| result[name].as_u64().unwrap());
    assert_eq!(counts, [8, 2, 2], "{}", checked.out);
    let verdicts = result["verdicts"].as_array().unwrap();
    let refused = verdicts.iter().filter(|it| it["accepted"] == false);
    let reasons: Vec<_> = refused
        .map(|it| {
            format!(
                "{} {}",
                it["key"].as_str().unwrap(),
                it["reason"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(
        reasons,
        [
            "b Missing placeholders: {count}.",
            "c Missing placeholders: {count}; extra placeholders: {number}."
        ]
    );
    let mut german: Value =
        serde_json::from_slice(&std::fs::read(folder.join("locales/de.json")).unwrap()).unwrap();
    german["z"] = json!("{count} Dateien schließen");
    german.as_object_mut().unwrap().remove("old");
    let accepted = verdicts.iter().filter(|it| it["accepted"] == true);
    for verdict in accepted {
        let mut items = list["items"].as_array().unwrap().iter();
        let item = items.find(|it| it["id"] == verdict["id"]).unwrap();
        german[item["key"].as_str().unwrap()] = item["proposal"][0].clone();
    }
    std::fs::write(folder.join("locales/de.json"), german.to_string()).unwrap();
    assert_eq!(Run::new(&folder, &[]).code, 0);
    let list = super::todo::list(&folder, &["--language", "de"]);
    assert_eq!(texts(&list, "key"), ["b", "c"]);
}

#[test]
fn an_item_has_what_the_work_needs() {
    let site = site();
    let list = list(site.repository.dir(), &["--language", "de"]);
    assert_eq!(list["total"], 12);
    assert_eq!(texts(&list, "kind")[..2], ["stale", "missing"]);
    let item = &list["items"][0];
    assert_eq!(item["key"], "a");
    assert_eq!(item["diff"], "Open {count} {+new +}files of a");
    assert_eq!(item["placeholders"], json!(["{count}"]));
    assert_eq!(item["translation"], json!(["{count} Dateien von a öffnen"]));
    assert_eq!(item["proposal"], json!([""]));
    // A text with work is no example.
    assert_eq!(item["examples"], json!([]));
    let last = texts(&list, "kind");
    assert_eq!(last[10..], ["failing", "left-over"]);
}

#[test]
fn pages_continue_after_a_string_that_is_done() {
    let site = site();
    let folder = super::clone(&site, "main", &[]);
    let all = list(&folder, &[]);
    let page = list(&folder, &["--limit", "3"]);
    assert_eq!(page["total"], all["total"]);
    let next = page["next"].as_str().unwrap();
    assert_eq!(page["items"][2]["id"], next);
    let before = list(&folder, &["--after", next]);
    let file = folder.join("locales/de.json");
    let german: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let mut done = german.clone();
    done["c"] = json!("{count} Dateien von c öffnen");
    std::fs::write(&file, done.to_string()).unwrap();
    let after = list(&folder, &["--after", next]);
    assert_eq!(texts(&after, "id"), texts(&before, "id"));
    assert_eq!(texts(&all, "id")[3..], texts(&before, "id"));
    let run = todo(&folder, &["--after", "0123"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("begin again without it"), "{}", run.err);
}

#[test]
fn a_query_and_a_base_select_strings() {
    let site = site();
    let folder = site.repository.dir();
    let found = list(folder, &["--query", "language:de is:fuzzy"]);
    assert_eq!(texts(&found, "key"), ["a"]);
    let base = list(folder, &["--base", "main~1"]);
    assert_eq!(texts(&base, "key"), ["a"]);
    let run = todo(folder, &["--query", "nope:x"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("nope"), "{}", run.err);
    let run = todo(folder, &["--language", "it"]);
    assert!(
        run.err.contains("no file has the language it"),
        "{}",
        run.err
    );
}

#[test]
fn po_and_csv_lists_are_read_again() {
    let site = site();
    let folder = super::clone(&site, "main", &[]);
    let run = todo(&folder, &["--format", "po"]);
    assert!(
        run.err.contains("select one with --language"),
        "{}",
        run.err
    );
    let po = todo(&folder, &["--language", "de", "--format", "po"]).out;
    let filled = po.replacen("msgstr \"\"\n\n", "msgstr \"Dateien\"\n\n", 2);
    std::fs::write(folder.join("de.po"), filled).unwrap();
    let checked = todo(&folder, &["--validate", "de.po"]);
    assert!(
        checked
            .out
            .contains("locales/de.json: b: Missing placeholders"),
        "{}",
        checked.out
    );
    let csv = todo(&folder, &["--language", "de", "--format", "csv"]).out;
    let filled = csv.replacen(",0,,missing", ",0,{count} Dateien,missing", 1);
    std::fs::write(folder.join("de.csv"), filled).unwrap();
    let checked = todo(&folder, &["--validate", "de.csv"]);
    assert_eq!(checked.code, 0);
    assert!(
        checked.out.contains("1 accepted, 0 refused, 11 not filled"),
        "{}",
        checked.out
    );
    let markdown = todo(&folder, &["--language", "de", "--format", "markdown"]).out;
    assert!(
        markdown.starts_with("### 12 strings with work\n"),
        "{markdown}"
    );
}

#[test]
fn a_proposal_with_a_forbidden_text_is_refused() {
    let site = site();
    let folder = super::clone(&site, "main", &[]);
    let forbid =
        "[[check.forbid]]\nlanguage = \"de\"\npattern = \"bitte\"\nmessage = \"No please.\"\n";
    std::fs::write(folder.join("gitglot.toml"), forbid).unwrap();
    let mut list = list(&folder, &["--language", "de"]);
    list["items"][0]["proposal"] = json!(["{count} Dateien bitte"]);
    std::fs::write(folder.join("filled.json"), list.to_string()).unwrap();
    let run = todo(&folder, &["--validate", "filled.json"]);
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("No please."), "{}", run.out);
}

#[test]
fn all_forms_of_a_plural_text_are_filled() {
    let head = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\
                \"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);\\n\"\n\n";
    let entry = "msgid \"%d file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\nmsgstr[2] \"\"\n";
    let done = "\nmsgid \"All files\"\nmsgstr \"Všechny soubory\"\n";
    let history = commit("one").write("po/cs.po", [head, entry, done].concat());
    let site = TestSite::new(&history);
    let folder = super::clone(&site, "main", &[]);
    let mut list = list(&folder, &[]);
    let item = &mut list["items"][0];
    let numbers: Vec<_> = item["forms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["numbers"])
        .collect();
    assert_eq!(numbers, [&json!([1]), &json!([2, 3, 4]), &json!([0, 5, 6])]);
    for (proposal, accepted) in [
        (json!(["%d soubor", "%d soubory", "%d souborů"]), true),
        (json!(["%d soubor", "soubory", "%d souborů"]), false),
        (json!(["%d soubor", "", "%d souborů"]), false),
        (json!(["%d soubor"]), false),
    ] {
        list["items"][0]["proposal"] = proposal;
        std::fs::write(folder.join("filled.json"), list.to_string()).unwrap();
        let run = todo(&folder, &["--validate", "filled.json"]);
        assert_eq!(run.code == 0, accepted, "{}", run.out);
    }
    list["items"][0]["proposal"] = json!(["%d soubor", "%d soubory", "%d souborů"]);
    list["items"][0]["source"] = json!(["%d document", "%d documents"]);
    std::fs::write(folder.join("filled.json"), list.to_string()).unwrap();
    let run = todo(&folder, &["--validate", "filled.json"]);
    assert!(run.out.contains("not that of the list"), "{}", run.out);
}
