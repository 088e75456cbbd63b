//! Tests the documented properties of the bundled histories.

use super::*;
use gitglot_git::{EntryKind, ObjectReader, Repository};
use gitglot_model::{CommitId, TreeId};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An example repository whose commits are found by the labels in the comments of its stream.
struct Built {
    imported: Imported,
    labels: Vec<(&'static str, CommitId)>,
    repository: Repository,
    _dir: tempfile::TempDir,
}

fn build(project: &str) -> Built {
    let demo = DEMOS.iter().find(|demo| demo.project == project).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let imported = demo.write(dir.path()).unwrap();
    let labels = labels(demo.stream, &imported);
    Built {
        imported,
        labels,
        repository: Repository::open(dir.path()).unwrap(),
        _dir: dir,
    }
}

/// The labels of a stream, each in a comment before its commit.
fn labels(stream: &'static [u8], imported: &Imported) -> Vec<(&'static str, CommitId)> {
    let lines: Vec<&[u8]> = stream.split(|byte| *byte == b'\n').collect();
    let text = |line: &'static [u8], prefix| std::str::from_utf8(line).ok()?.strip_prefix(prefix);
    let commit = |at: &[&'static [u8]]| {
        let (label, _, mark) = (
            text(at[0], "# ")?,
            text(at[1], "commit ")?,
            text(at[2], "mark :")?,
        );
        let id = imported.commits[&mark.parse().unwrap()];
        assert_eq!(
            text(at[3], "original-oid "),
            Some(&*id.to_string()),
            "{label}"
        );
        Some((label, id))
    };
    lines.windows(4).filter_map(commit).collect()
}

impl Built {
    fn id(&self, label: &str) -> CommitId {
        self.labels
            .iter()
            .find(|(name, _)| *name == label)
            .unwrap_or_else(|| panic!("no commit {label}"))
            .1
    }

    fn commit(&self, label: &str) -> gitglot_model::Commit {
        self.repository.reader().commit(self.id(label)).unwrap()
    }

    fn reader(&self, label: &str) -> (ObjectReader, TreeId) {
        (self.repository.reader(), self.commit(label).tree)
    }

    /// Every file in `folder`, by its path in there.
    fn files(&self, label: &str, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let (mut reader, tree) = self.reader(label);
        let mut files = BTreeMap::new();
        for entry in reader.list_files(tree, folder).unwrap() {
            let (EntryKind::File(blob) | EntryKind::Symlink(blob)) = entry.kind else {
                continue;
            };
            let bytes = reader.blob(blob).unwrap().to_vec();
            let path = String::from_utf8(entry.path.into()).unwrap();
            files.insert(path[folder.len() + 1..].to_owned(), bytes);
        }
        files
    }

    fn bytes(&self, label: &str, path: &str) -> Option<Vec<u8>> {
        let (mut reader, tree) = self.reader(label);
        let EntryKind::File(blob) = reader.entry_at(tree, path).unwrap()? else {
            return None;
        };
        Some(reader.blob(blob).unwrap().to_vec())
    }

    fn json(&self, label: &str, path: &str) -> serde_json::Result<Value> {
        serde_json::from_slice(
            &self
                .bytes(label, path)
                .unwrap_or_else(|| panic!("no {path} in {label}")),
        )
    }

    fn message(&self, label: &str, path: &str, key: &str) -> Option<String> {
        Some(
            self.json(label, path)
                .unwrap()
                .get(key)?
                .get("message")?
                .as_str()?
                .to_owned(),
        )
    }

    fn parents(&self, label: &str) -> usize {
        self.commit(label).parents.len()
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
fn both_streams_give_the_commit_ids_that_they_name() {
    for (demo, tip) in DEMOS.iter().zip([
        "4eca5d8e19de2fb63f99ab68b7a13c15b37967a0",
        "948976547b8466d595ee06377d51bea0f4e1461d",
    ]) {
        let built = build(demo.project);
        let count = built.labels.len();
        assert_eq!(
            built.imported.commits.len(),
            count,
            "every commit has a label"
        );
        assert!(
            (40..=80).contains(&count),
            "{} has {count} commits",
            demo.project
        );
        assert_eq!(
            built.imported.references[&format!("refs/heads/{}", demo.branch)].to_string(),
            tip
        );
    }
}

#[test]
fn together_they_fill_more_than_one_page_of_translations_and_of_units() {
    let (lamp, book) = (build("reading-lamp"), build("seedbook"));
    let languages = lamp.files("v2-1", "src/_locales");
    assert_eq!(languages.len(), 13);
    assert_eq!(
        lamp.json("v2-1", "src/_locales/en/messages.json")
            .unwrap()
            .as_object()
            .unwrap()
            .len(),
        53
    );
    let locales = book.files("v3", "locales");
    let codes: BTreeSet<_> = locales
        .keys()
        .filter_map(|path| path.strip_suffix(".json"))
        .collect();
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
    let files = lamp
        .files("v2-1", "src/_locales")
        .into_iter()
        .chain(book.files("v3", "locales"));
    for (path, bytes) in files.filter(|(path, bytes)| path.ends_with(".json") && !bytes.is_empty())
    {
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let value: Value =
            serde_json::from_slice(body).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(value.is_object(), "{path}");
    }
}

#[test]
fn the_reading_lamp_merges_branches_and_solves_a_conflict_by_hand() {
    let lamp = build("reading-lamp");
    for merge in [
        "merge-dictionary",
        "merge-german",
        "merge-weblate-1",
        "merge-weblate-2",
        "merge-weblate-3",
    ] {
        assert_eq!(lamp.parents(merge), 2, "{merge}");
    }
    let warmth = |label| {
        lamp.message(label, "_locales/de/messages.json", "warmth")
            .unwrap()
    };
    let words = [
        "dutch-start",
        "german-warmth",
        "german-review-1",
        "merge-german",
    ]
    .map(warmth);
    assert_eq!(
        words,
        ["Wärme", "Lichtwärme", "Farbtemperatur", "Lichtfarbe"]
    );
    // A merge loses nothing that its branch did not change.
    let lamp_on = |label| {
        lamp.message(label, "_locales/en/messages.json", "lampOn")
            .unwrap()
    };
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
    assert_eq!(
        lamp.files("french-notebook", "_locales"),
        lamp.files("move-sources", "src/_locales")
    );
    assert!(lamp.files("move-sources", "_locales").is_empty());
    assert!(
        lamp.bytes("brazilian-start", "src/_locales/eo/messages.json")
            .is_some()
    );
    assert!(
        lamp.bytes("esperanto-gone", "src/_locales/eo/messages.json")
            .is_none()
    );
}

#[test]
fn the_reading_lamp_has_a_key_that_returns_and_a_change_that_is_reverted() {
    let lamp = build("reading-lamp");
    let english = "src/_locales/en/messages.json";
    let night = |label| lamp.message(label, english, "nightMode");
    assert_eq!(night("merge-weblate-1").as_deref(), Some("Night mode"));
    assert_eq!(
        (night("schedule"), night("announcement").as_deref()),
        (None, Some("Dark pages"))
    );
    assert_ne!(
        lamp.bytes("word-list", english),
        lamp.bytes("clearer-texts", english)
    );
    assert_eq!(
        lamp.bytes("word-list-reverted", english),
        lamp.bytes("clearer-texts", english)
    );
}

#[test]
fn the_reading_lamp_has_stale_refreshed_and_missing_strings() {
    let lamp = build("reading-lamp");
    let texts = |label, language: &str, key| {
        lamp.message(
            label,
            &format!("src/_locales/{language}/messages.json"),
            key,
        )
    };
    let (before, after) = ("german-schedule", "v2-1");
    assert_ne!(
        texts(before, "en", "notebookEmpty"),
        texts(after, "en", "notebookEmpty")
    );
    assert_ne!(
        texts(before, "cs", "notebookEmpty"),
        texts(after, "cs", "notebookEmpty")
    );
    assert_eq!(
        texts(before, "fr", "notebookEmpty"),
        texts(after, "fr", "notebookEmpty")
    );
    assert_eq!(texts(after, "sv", "privacyNote"), None);
}

#[test]
fn the_reading_lamp_has_every_relation_of_notes() {
    let lamp = build("reading-lamp");
    let note = |language: &str, key: &str| {
        let file = lamp
            .json("v2-1", &format!("src/_locales/{language}/messages.json"))
            .unwrap();
        file[key]["description"].as_str().map(str::to_owned)
    };
    assert_eq!(note("cs", "appName"), note("en", "appName"));
    assert!(
        note("en", "appDescription").is_some()
            && note("cs", "appDescription") != note("en", "appDescription")
    );
    assert!(note("en", "lampOn").is_some() && note("cs", "lampOn").is_none());
    assert!(note("en", "options").is_none() && note("cs", "options").is_some());
}

#[test]
fn the_reading_lamp_names_people_bots_and_a_platform() {
    let lamp = build("reading-lamp");
    let names = |label| {
        let commit = lamp.commit(label);
        (commit.author.name, commit.committer.name)
    };
    assert_eq!(
        names("weblate-japanese"),
        ("Japanese Translator".into(), "Weblate".into())
    );
    assert_eq!(&*names("weblate-spanish").0, "Weblate");
    assert_eq!(&*names("v1-0").0, "lamp-release[bot]");
    let message = lamp.commit("weblate-spanish").message;
    assert!(
        message.contains("\nCo-authored-by: Passing Visitor <visitor@example.org>\n"),
        "{message}"
    );
    assert_eq!(&*names("czech-start").0, "Czech Transl.");
    assert!(
        String::from_utf8(lamp.bytes("v2-1", ".mailmap").unwrap())
            .unwrap()
            .contains("<czech@old.example.org>")
    );
}

#[test]
fn the_seedbook_has_every_json_type_and_unusual_keys() {
    let book = build("seedbook");
    let template = book.json("v3", "locales/template.json").unwrap();
    assert!(template["months"].is_array() && template["settings"]["showMoon"].is_boolean());
    assert!(template["settings"]["defaultArea"].is_f64() && template["settings"]["beta"].is_null());
    assert_eq!(template["app"]["version.label"], "Version {version}");
    assert_eq!(template["errors"][""], "Something went wrong.");
    assert!(
        template["errors"]["retry"] != template["errors.retry"]
            && template["errors.retry"].is_string()
    );
    let german = String::from_utf8(book.bytes("v3", "locales/de.json").unwrap()).unwrap();
    assert_eq!(german.matches("    \"offline\":").count(), 2);
}

#[test]
fn the_seedbook_has_unsupported_files_and_repairs_them() {
    let book = build("seedbook");
    let bytes = |label, code: &str| book.bytes(label, &format!("locales/{code}.json"));
    assert!(std::str::from_utf8(&bytes("arabic-broken", "ar").unwrap()).is_err());
    assert!(std::str::from_utf8(&bytes("arabic-repaired", "ar").unwrap()).is_ok());
    assert!(bytes("v3", "fa").unwrap().starts_with(b"\xef\xbb\xbf{"));
    assert_eq!(bytes("korean-blank", "ko").unwrap(), b"\n");
    assert_eq!(
        (
            bytes("turkish-empty", "tr").unwrap(),
            bytes("v3", "sw").unwrap()
        ),
        (Vec::new(), Vec::new())
    );
    assert_eq!(
        bytes("arabic-settings", "pt"),
        bytes("portuguese-renamed", "pt-PT")
    );
    assert_eq!(bytes("portuguese-renamed", "pt"), None);
    assert!(bytes("v3", "zh-CN").is_some() && bytes("v3", "zh_Hans").is_some());
    assert!(book.bytes("v3", "package.json").is_some());
    assert_eq!(book.parents("merge-settings"), 2);
}
