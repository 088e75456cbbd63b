//! What the bundled histories promise, seen by reading the repositories that they make.

use super::*;
use crate::example::{Repo, build_at, tests::fsck};
use crate::model::CommitId;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A built history with what its commits hold.
struct Built {
    repo: Repo,
    git: gix::Repository,
    _dir: tempfile::TempDir,
}

fn build(project: &str) -> Built {
    let demo = demo().iter().find(|demo| demo.project == project).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let repo = build_at(demo.script, dir.path()).unwrap();
    let git = gix::open_opts(dir.path(), gix::open::Options::isolated()).unwrap();
    Built { repo, git, _dir: dir }
}

impl Built {
    fn commit(&self, label: &str) -> gix::Commit<'_> {
        let CommitId(id) = self.repo.id(label).unwrap_or_else(|| panic!("no commit {label}"));
        self.git.find_commit(gix::ObjectId::from(id)).unwrap()
    }

    /// Every file below `folder`, by its path behind it.
    fn files(&self, label: &str, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let tree = self.commit(label).tree_id().unwrap().detach();
        let files = crate::example::files::Files::read(&self.git, tree).unwrap();
        let below = files.under(folder.as_bytes()).unwrap_or_default().into_iter();
        below
            .map(|(path, item)| {
                let path = String::from_utf8(path).unwrap().trim_start_matches('/').to_owned();
                (path, self.git.find_blob(item.id).unwrap().take_data())
            })
            .collect()
    }

    fn bytes(&self, label: &str, path: &str) -> Option<Vec<u8>> {
        self.files(label, path).remove("")
    }

    fn json(&self, label: &str, path: &str) -> serde_json::Result<Value> {
        serde_json::from_slice(&self.bytes(label, path).unwrap_or_else(|| panic!("no {path} in {label}")))
    }

    fn message(&self, label: &str, path: &str, key: &str) -> Option<String> {
        Some(self.json(label, path).unwrap().get(key)?.get("message")?.as_str()?.to_owned())
    }

    fn parents(&self, label: &str) -> usize {
        self.commit(label).parent_ids().count()
    }
}

/// How many leaves a value has.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.values().map(leaves).sum(),
        Value::Array(list) => list.iter().map(leaves).sum(),
        _ => 1,
    }
}

#[test]
fn both_histories_are_the_same_each_time_and_sound() {
    for demo in demo() {
        let (one, two) = (build(demo.project), build(demo.project));
        assert_eq!(one.repo.labels().collect::<Vec<_>>(), two.repo.labels().collect::<Vec<_>>());
        let count = one.repo.labels().count();
        assert!((40..=80).contains(&count), "{} has {count} commits", demo.project);
        assert!(one.bytes(one.repo.labels().last().unwrap().0, "README.md").is_some());
        assert_eq!(one.git.head_name().unwrap().unwrap().shorten(), demo.branch);
        fsck(&one.repo);
    }
}

#[test]
fn together_they_fill_more_than_one_page_of_translations_and_of_units() {
    let (lamp, book) = (build("reading-lamp"), build("seedbook"));
    let languages = lamp.files("v2-1", "src/_locales");
    assert_eq!(languages.len(), 13);
    assert_eq!(lamp.json("v2-1", "src/_locales/en/messages.json").unwrap().as_object().unwrap().len(), 53);
    let locales = book.files("v3", "locales");
    let codes: BTreeSet<_> = locales.keys().filter_map(|path| path.strip_suffix(".json")).collect();
    let expected = [
        "ar",
        "be@tarask",
        "de",
        "en",
        "fa",
        "he",
        "ko",
        "languages.config",
        "pt-BR",
        "pt-PT",
        "sr@latin",
        "sw",
        "template",
        "tr",
        "zh-CN",
        "zh-Hant",
        "zh_Hans",
    ];
    assert_eq!(codes, expected.into());
    assert!(leaves(&book.json("v3", "locales/template.json").unwrap()) >= 60);
}

#[test]
fn at_the_tips_every_file_parses() {
    let (lamp, book) = (build("reading-lamp"), build("seedbook"));
    let files = lamp.files("v2-1", "src/_locales").into_iter().chain(book.files("v3", "locales"));
    for (path, bytes) in files.filter(|(path, bytes)| path.ends_with(".json") && !bytes.is_empty()) {
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let value: Value = serde_json::from_slice(body).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(value.is_object(), "{path}");
    }
}

#[test]
fn the_reading_lamp_merges_branches_and_solves_a_conflict_by_hand() {
    let lamp = build("reading-lamp");
    for merge in ["merge-dictionary", "merge-german", "merge-weblate-1", "merge-weblate-2", "merge-weblate-3"] {
        assert_eq!(lamp.parents(merge), 2, "{merge}");
    }
    let warmth = |label| lamp.message(label, "_locales/de/messages.json", "warmth").unwrap();
    let words = ["dutch-start", "german-warmth", "german-review-1", "merge-german"].map(warmth);
    assert_eq!(words, ["Wärme", "Lichtwärme", "Farbtemperatur", "Lichtfarbe"]);
    // A merge loses nothing that its branch did not change.
    let lamp_on = |label| lamp.message(label, "_locales/en/messages.json", "lampOn").unwrap();
    assert_eq!(
        ["french-start", "light-words", "merge-dictionary"].map(lamp_on),
        ["Lamp on", "Light the lamp", "Light the lamp"]
    );
}

#[test]
fn the_reading_lamp_has_a_broken_version_a_moved_folder_and_a_removed_language() {
    let lamp = build("reading-lamp");
    let polish = "_locales/pl/messages.json";
    assert!(lamp.json("polish-start", polish).is_ok());
    assert!(lamp.json("polish-broken", polish).is_err());
    assert!(lamp.json("polish-repaired", polish).is_ok());
    assert_eq!(lamp.files("french-notebook", "_locales"), lamp.files("move-sources", "src/_locales"));
    assert!(lamp.files("move-sources", "_locales").is_empty());
    assert!(lamp.bytes("brazilian-start", "src/_locales/eo/messages.json").is_some());
    assert!(lamp.bytes("esperanto-gone", "src/_locales/eo/messages.json").is_none());
}

#[test]
fn the_reading_lamp_has_a_key_that_returns_and_a_change_that_is_reverted() {
    let lamp = build("reading-lamp");
    let english = "src/_locales/en/messages.json";
    let night = |label| lamp.message(label, english, "nightMode");
    assert_eq!(night("merge-weblate-1").as_deref(), Some("Night mode"));
    assert_eq!((night("schedule"), night("announcement").as_deref()), (None, Some("Dark pages")));
    assert_ne!(lamp.bytes("word-list", english), lamp.bytes("clearer-texts", english));
    assert_eq!(lamp.bytes("word-list-reverted", english), lamp.bytes("clearer-texts", english));
}

#[test]
fn the_reading_lamp_has_stale_refreshed_and_missing_strings() {
    let lamp = build("reading-lamp");
    let texts =
        |label, language: &str, key| lamp.message(label, &format!("src/_locales/{language}/messages.json"), key);
    let (before, after) = ("german-schedule", "v2-1");
    assert_ne!(texts(before, "en", "notebookEmpty"), texts(after, "en", "notebookEmpty"));
    assert_ne!(texts(before, "cs", "notebookEmpty"), texts(after, "cs", "notebookEmpty"));
    assert_eq!(texts(before, "fr", "notebookEmpty"), texts(after, "fr", "notebookEmpty"));
    assert_eq!(texts(after, "sv", "privacyNote"), None);
}

#[test]
fn the_reading_lamp_has_every_relation_of_notes() {
    let lamp = build("reading-lamp");
    let note = |language: &str, key: &str| {
        let file = lamp.json("v2-1", &format!("src/_locales/{language}/messages.json")).unwrap();
        file[key]["description"].as_str().map(str::to_owned)
    };
    assert_eq!(note("cs", "appName"), note("en", "appName"));
    assert!(note("en", "appDescription").is_some() && note("cs", "appDescription") != note("en", "appDescription"));
    assert!(note("en", "lampOn").is_some() && note("cs", "lampOn").is_none());
    assert!(note("en", "options").is_none() && note("cs", "options").is_some());
}

#[test]
fn the_reading_lamp_names_people_bots_and_a_platform() {
    let lamp = build("reading-lamp");
    let names = |label| {
        let commit = lamp.commit(label);
        (commit.author().unwrap().name.to_string(), commit.committer().unwrap().name.to_string())
    };
    assert_eq!(names("weblate-japanese"), ("Japanese Translator".into(), "Weblate".into()));
    assert_eq!(names("weblate-spanish").0, "Weblate");
    assert_eq!(names("v1-0").0, "lamp-release[bot]");
    let message = lamp.commit("weblate-spanish").message_raw().unwrap().to_string();
    assert!(message.contains("\nCo-authored-by: Passing Visitor <visitor@example.org>\n"), "{message}");
    assert_eq!(names("czech-start").0, "Czech Transl.");
    assert!(String::from_utf8(lamp.bytes("v2-1", ".mailmap").unwrap()).unwrap().contains("<czech@old.example.org>"));
}

#[test]
fn the_seedbook_has_every_kind_of_leaf_and_odd_keys() {
    let book = build("seedbook");
    let template = book.json("v3", "locales/template.json").unwrap();
    assert!(template["months"].is_array() && template["settings"]["showMoon"].is_boolean());
    assert!(template["settings"]["defaultArea"].is_f64() && template["settings"]["beta"].is_null());
    assert_eq!(template["app"]["version.label"], "Version {version}");
    assert_eq!(template["errors"][""], "Something went wrong.");
    assert!(template["errors"]["retry"] != template["errors.retry"] && template["errors.retry"].is_string());
    let german = String::from_utf8(book.bytes("v3", "locales/de.json").unwrap()).unwrap();
    assert_eq!(german.matches("    \"offline\":").count(), 2);
}

#[test]
fn the_seedbook_has_odd_files_and_repairs_them() {
    let book = build("seedbook");
    let bytes = |label, code: &str| book.bytes(label, &format!("locales/{code}.json"));
    assert!(std::str::from_utf8(&bytes("arabic-broken", "ar").unwrap()).is_err());
    assert!(std::str::from_utf8(&bytes("arabic-repaired", "ar").unwrap()).is_ok());
    assert!(bytes("v3", "fa").unwrap().starts_with(b"\xef\xbb\xbf{"));
    assert_eq!(bytes("korean-blank", "ko").unwrap(), b"\n");
    assert_eq!((bytes("turkish-empty", "tr").unwrap(), bytes("v3", "sw").unwrap()), (Vec::new(), Vec::new()));
    assert_eq!(bytes("arabic-settings", "pt"), bytes("portuguese-renamed", "pt-PT"));
    assert_eq!(bytes("portuguese-renamed", "pt"), None);
    assert!(bytes("v3", "zh-CN").is_some() && bytes("v3", "zh_Hans").is_some());
    assert!(book.bytes("v3", "package.json").is_some());
    assert_eq!(book.parents("merge-settings"), 2);
}
