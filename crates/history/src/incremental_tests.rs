//! The log of PO files does not depend on whether their versions are parsed against each other.
//!
//! A step reads its versions against each other, and a step of one commit reads each of them in full.

use std::sync::Arc;

use proptest::prelude::*;

use crate::History;
use gitglot_git::Repository;
use gitglot_model::{
    CommitId, Component, ComponentSettings, FileFormat, FileMask, KeyId, Slug, Timestamp,
};
use gitglot_testkit::{History as Commits, Repo, commit};

/// A string of the files: its source, its text and its state.
#[derive(Clone, Debug)]
struct Entry {
    source: u8,
    text: u8,
    fuzzy: bool,
    plural: bool,
}

fn entry() -> impl Strategy<Value = Entry> {
    (
        0..12u8,
        0..4u8,
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.2),
    )
        .prop_map(|(source, text, fuzzy, plural)| Entry {
            source,
            text,
            fuzzy,
            plural,
        })
}

/// A file in which every version has other references.
fn file(version: usize, forms: usize, entries: &[Entry]) -> String {
    let mut file = format!(
        "msgid \"\"\nmsgstr \"\"\n\"PO-Revision-Date: {version}\\n\"\n\"Plural-Forms: nplurals={forms}; plural=n%{forms};\\n\"\n"
    );
    for (at, entry) in entries.iter().enumerate() {
        let (source, text) = (entry.source, ["", "x", "y", "z"][usize::from(entry.text)]);
        file += &format!("\n#: a.c:{}\n", version + at);
        if entry.fuzzy {
            file += &format!("#, fuzzy\n#| msgid \"Source number {}\"\n", source / 2);
        }
        file += &if entry.plural {
            format!("msgid \"Sources {source}\"\nmsgid_plural \"s\"\nmsgstr[0] \"{text}\"\n")
        } else {
            format!("msgid \"Source {source}\"\nmsgstr \"{text}\"\n")
        };
    }
    file
}

/// The entries and the renames of the log after some tips, each a step.
fn log(repository: &Repository, tips: &[CommitId]) -> Vec<String> {
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new("po/*.po").unwrap());
    let settings = ComponentSettings::new(slug, mask, "", FileFormat::Po);
    let mut history = History::new(Arc::new(Component::new(settings)), "en");
    for &tip in tips {
        let now = Timestamp::from_seconds(4_000_000_000);
        history.step(repository, tip, now, &|_| {}).unwrap();
    }
    let state = history.project(repository).unwrap();
    let text = |id| state.texts.get(id);
    let key = |key: KeyId| text(state.log.keys[key.0 as usize]);
    let of_entry = |entry: gitglot_model::LogEntry| {
        let commit = &state.log.commits[entry.commit as usize];
        let lineage = entry
            .lineage
            .map(|it| state.log.lineages[usize::from(it.0)].language);
        let texts = [entry.target, entry.previous, entry.source].map(text);
        let (action, moved) = (entry.action, entry.moved);
        let (key, language) = (entry.key.map(key), lineage.map(text));
        format!(
            "{} {action:?} {language:?} {key:?} {texts:?} {moved}",
            commit.id
        )
    };
    let entries = state.log.iter().map(of_entry);
    let renames = state.log.renames();
    let renames = renames.map(|it| format!("{} > {} {:?}", key(it.from), key(it.to), it.evidence));
    entries.chain(renames).collect()
}

/// The log of some commits, which is the same if each is read alone.
fn log_of(commits: &Commits, labels: &[String]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = Repository::open(repo.dir()).unwrap();
    let tips: Vec<CommitId> = labels.iter().map(|label| repo.id(label)).collect();
    let alone = log(&repository, &tips);
    let together = log(&repository, &tips[tips.len() - 1..]);
    assert_eq!(together, alone);
    together
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 24,
        max_shrink_iters: 200,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_log_is_the_same_for_any_way_of_reading(
        mut entries in prop::collection::vec(entry(), 0..10),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..5u8, entry(), 1..3usize), 1..8),
    ) {
        let mut commits = Commits::default();
        let mut labels = Vec::new();
        for (version, (at, change, entry, forms)) in changes.into_iter().enumerate() {
            let at = at.index(entries.len() + 1);
            match change {
                0 => entries.insert(at, entry),
                1 if at < entries.len() => drop(entries.remove(at)),
                2 if at < entries.len() => entries.rotate_left(at),
                _ if at < entries.len() => entries[at] = entry,
                _ => {}
            }
            labels.push(format!("c{version}"));
            let cs = file(version, forms, &entries);
            let de = file(version, 2, &entries[..at.min(entries.len())]);
            commits = commits.commit(&labels[version]).write("po/cs.po", cs).write("po/de.po", de);
        }
        log_of(&commits, &labels);
    }
}

#[test]
fn a_changed_source_gives_the_same_log() {
    let of = |line: usize, fields: &str| {
        let other = |n| {
            format!(
                "#: a.c:{}\nmsgid \"Other {n}\"\nmsgstr \"Jiny {n}\"\n\n",
                line + n
            )
        };
        format!("{}#: a.c:{line}\n{fields}\n{}", other(1), other(2))
    };
    let old = "msgid \"Open the file\"\nmsgstr \"Otevrit soubor\"\n";
    let changed = "#, fuzzy\n#| msgid \"Open the file\"\nmsgid \"Open the files\"\nmsgstr \"Otevrit soubor\"\n";
    let done = "msgid \"Open the files\"\nmsgstr \"Otevrit soubory\"\n";
    let commits = commit("old")
        .write("po/cs.po", of(1, old))
        .commit("changed")
        .write("po/cs.po", of(7, changed))
        .commit("done")
        .write("po/cs.po", of(9, done));
    let found = log_of(&commits, &["old", "changed", "done"].map(str::to_owned));
    let of_new = found.iter().filter(|line| line.contains("Open the files"));
    assert!(of_new.count() >= 2, "{found:#?}");
}
