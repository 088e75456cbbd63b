//! The state of a component at any commit, compared with a history that ends there and with plain git.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::sync::Arc;

mod real_repositories;
#[allow(dead_code, reason = "these tests use a part of it")]
#[path = "../reference/mod.rs"]
mod reference;

use gitglot_git::Repository;
use gitglot_history::{History as Log, HistoryError, Layouts, Projection, RevisionInput, state_at};
use gitglot_model::{CommitId, Component, FileFormat, Timestamp};
use gitglot_testkit::{History, Repo, commit};
use reference::compare::component;
use reference::random;

/// The history of a component up to a commit.
fn fresh(
    component: &Component,
    language: &str,
    repository: &Repository,
    tip: CommitId,
) -> Result<Projection, HistoryError> {
    let mut log = Log::new(Arc::new(component.clone()), language);
    log.step(
        repository,
        tip,
        Timestamp::from_seconds(1_900_000_000),
        &|_| (),
    )?;
    log.project(repository)
}

fn at(
    component: &Component,
    tip: &Projection,
    repository: &Repository,
    commit: CommitId,
) -> Result<Projection, HistoryError> {
    let input = RevisionInput {
        component,
        layouts: &tip.layouts,
        log: &tip.log,
        texts: &tip.texts,
    };
    state_at(input, repository, commit)
}

/// The rows of a state: language and path, then position, key, source, target, whether it is translated, and the
/// source that a stale text was written for.
fn rows(state: &Projection) -> Vec<String> {
    let text = |id| state.texts.get(id);
    let mut rows = Vec::new();
    for translation in &state.translations {
        let stale: BTreeMap<u32, _> = translation.stale.iter().copied().collect();
        for ((row, unit), source) in (0..).zip(&translation.units).zip(state.sources.iter()) {
            rows.push(format!(
                "{} {}: {} {} {:?} {:?} {} {:?}",
                translation.language.code,
                translation.path,
                source.position,
                text(source.context),
                text(source.source),
                text(unit.target()),
                unit.translated(),
                stale.get(&row).map(|&source| text(source)),
            ));
        }
    }
    rows
}

fn first_parents(repository: &Repository, tip: CommitId) -> Vec<CommitId> {
    let mut reader = repository.reader();
    let next = |commit: &CommitId| {
        let header = reader.commit_header(*commit).ok()?;
        header.parents.first().copied()
    };
    std::iter::successors(Some(tip), next).collect()
}

/// The first difference between the mainline states of a log and logs that end there.
fn mainline_difference(plan: &random::Plan) -> Result<(), String> {
    let built = random::build(plan);
    let component = component("locales/*.json", "locales/en.json", FileFormat::Json);
    let repository = Repository::open(built.repo.dir()).unwrap();
    let &last = built.ids.last().unwrap();
    let Ok(tip) = fresh(&component, "en", &repository, last) else {
        return Ok(());
    };
    // A history that ends before a rename knows nothing of it.
    let in_place = |commit| {
        let mut reader = repository.reader();
        let tree = reader.commit_header(commit).unwrap().tree;
        reader.entry_at(tree, "locales/en.json").unwrap().is_some()
    };
    for commit in first_parents(&repository, last) {
        let Ok(wanted) = fresh(&component, "en", &repository, commit) else {
            continue;
        };
        if !in_place(commit) || paths(&wanted.layouts) != paths(&tip.layouts) {
            continue;
        }
        let found = at(&component, &tip, &repository, commit)
            .map_err(|error| format!("{commit}: {error}\n{:?}", built.history))?;
        let (found, wanted) = (rows(&found), rows(&wanted));
        let differ = |(a, b): (&String, &String)| (a != b).then(|| format!("{a}\nnot {b}"));
        if let Some(wrong) = found.iter().zip(&wanted).find_map(differ) {
            return Err(format!("{commit}: {wrong}\n{:?}", built.history));
        }
        if found.len() != wanted.len() {
            return Err(format!(
                "{commit}: {} rows, not {}\n{:?}",
                found.len(),
                wanted.len(),
                built.history
            ));
        }
    }
    Ok(())
}

#[test]
fn mainline_states_are_those_of_a_history_that_ends_there() {
    random::each_plan(12, mainline_difference);
}

fn with(label: &str, files: &[(&str, &str)]) -> History {
    write(commit(label), files)
}

fn write(history: History, files: &[(&str, &str)]) -> History {
    files
        .iter()
        .fold(history, |history, (path, text)| history.write(path, text))
}

const EN: &str = "locales/en.json";
const CS: &str = "locales/cs.json";

/// The rows of a commit, by both ways.
fn both(history: &History, tip: &str, commit: &str) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("r.git"), history);
    let repository = Repository::open(repo.dir()).unwrap();
    let component = component("locales/*.json", EN, FileFormat::Json);
    let tip = fresh(&component, "en", &repository, repo.id(tip)).unwrap();
    let found = at(&component, &tip, &repository, repo.id(commit)).unwrap();
    let wanted = fresh(&component, "en", &repository, repo.id(commit)).unwrap();
    (rows(&found), rows(&wanted))
}

#[test]
fn a_branch_continues_the_log_of_its_mainline() {
    let history = with(
        "start",
        &[
            (EN, r#"{"a": "A", "b": "B"}"#),
            (CS, r#"{"a": "á", "b": "bé"}"#),
        ],
    )
    .then(with("source", &[(EN, r#"{"a": "A!", "b": "B"}"#)]))
    .branch_at("side", "source")
    .then(with("one", &[(EN, r#"{"a": "A!", "b": "B!", "c": "C"}"#)]))
    .then(with("two", &[(CS, r#"{"a": "á!", "b": "bé", "c": "cé"}"#)]))
    .then(with(
        "three",
        &[(EN, r#"{"a": "A!", "b": "B!", "c": "C!"}"#)],
    ))
    .branch("main")
    .then(with("tip", &[(CS, r#"{"a": "á", "b": "b"}"#)]));
    for commit in ["one", "two", "three"] {
        let (found, wanted) = both(&history, "tip", commit);
        assert_eq!(found, wanted, "{commit}");
    }
    let (three, _) = both(&history, "tip", "three");
    let stale = |key: &str| three.iter().find(|row| row.contains(key)).cloned();
    assert!(stale("cs.json: 2 .b").unwrap().ends_with("Some(\"B\")"));
}

#[test]
fn texts_that_move_on_a_branch_keep_the_source_that_they_were_written_for() {
    let history = with(
        "start",
        &[
            (EN, r#"{"a": "A", "b": "B", "c": "C"}"#),
            (CS, r#"{"a": "á", "b": "bé", "c": "cé"}"#),
        ],
    )
    .then(with(
        "source",
        &[(EN, r#"{"a": "A!", "b": "B", "c": "C"}"#)],
    ))
    .branch_at("side", "source")
    .then(with(
        "renamed",
        &[
            (EN, r#"{"n.a": "A!", "n.b": "B", "c": "C"}"#),
            (CS, r#"{"n.a": "á", "b": "bé", "c": "cé"}"#),
        ],
    ))
    .then(with(
        "later",
        &[
            (EN, r#"{"n.a": "A!", "n.b": "B!", "c": "C"}"#),
            (CS, r#"{"n.a": "á", "n.b": "bé", "c": "cé"}"#),
        ],
    ))
    .then(with(
        "again",
        &[
            (EN, r#"{"m.a": "A!", "n.b": "B!", "c": "C"}"#),
            (CS, r#"{"m.a": "á", "n.b": "bé", "c": "cé"}"#),
        ],
    ))
    .branch("main")
    .then(with("tip", &[(CS, r#"{"a": "á", "b": "b", "c": "cé"}"#)]));
    for commit in ["renamed", "later", "again"] {
        let (found, wanted) = both(&history, "tip", commit);
        assert_eq!(found, wanted, "{commit}");
    }
    let (again, _) = both(&history, "tip", "again");
    let stale = |key: &str| again.iter().find(|row| row.contains(key)).cloned();
    assert!(stale(".m.a").unwrap().ends_with("Some(\"A\")"));
    assert!(stale(".n.b").unwrap().ends_with("Some(\"B\")"));
}

#[test]
fn a_branch_that_merges_the_mainline_takes_its_texts() {
    let history = with(
        "start",
        &[
            (EN, r#"{"a": "A", "b": "B"}"#),
            (CS, r#"{"a": "á", "b": "bé"}"#),
        ],
    )
    .then(with("written", &[(CS, r#"{"a": "áá", "b": "bé"}"#)]))
    .then(with("source", &[(EN, r#"{"a": "A!", "b": "B"}"#)]))
    .branch_at("side", "start")
    .then(with("own", &[(CS, r#"{"a": "á", "b": "bébé"}"#)]))
    .then(write(
        commit("merge").merge("source"),
        &[
            (EN, r#"{"a": "A!", "b": "B"}"#),
            (CS, r#"{"a": "áá", "b": "bébé"}"#),
        ],
    ));
    let (found, wanted) = both(&history, "source", "merge");
    assert_eq!(found, wanted);
    assert!(found.iter().any(|row| row.ends_with("Some(\"A\")")));
}

#[test]
fn a_broken_file_keeps_its_last_texts() {
    let history = with("start", &[(EN, r#"{"a": "A"}"#), (CS, r#"{"a": "á"}"#)])
        .then(with("broken", &[(CS, r#"{"a": "#)]))
        .then(with("tip", &[(CS, r#"{"a": "x"}"#)]));
    let (found, wanted) = both(&history, "tip", "broken");
    assert_eq!(found, wanted);
    assert_eq!(found.len(), 2);
}

#[test]
fn a_broken_template_keeps_the_order_of_a_version_that_another_file_has() {
    let history = with(
        "start",
        &[(EN, r#"{"a": "A", "b": "B"}"#), (CS, r#"{"a": "á"}"#)],
    )
    .then(with(
        "broken",
        &[(EN, r#"{"a": "#), (CS, r#"{"a": "A", "b": "B"}"#)],
    ));
    let (found, wanted) = both(&history, "broken", "broken");
    assert_eq!(found, wanted);
    assert_eq!(found.len(), 4);
}

#[test]
fn a_renamed_folder_is_found_at_older_commits() {
    let history = with(
        "start",
        &[
            ("old/en.json", r#"{"a": "A", "b": "B"}"#),
            ("old/cs.json", r#"{"a": "á", "b": "bé"}"#),
        ],
    )
    .then(with(
        "source",
        &[("old/en.json", r#"{"a": "A!", "b": "B"}"#)],
    ))
    .then(commit("moved").rename("old", "locales"));
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("r.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let component = component("locales/*.json", EN, FileFormat::Json);
    let tip = fresh(&component, "en", &repository, repo.id("moved")).unwrap();
    let found = rows(&at(&component, &tip, &repository, repo.id("source")).unwrap());
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[0].starts_with("cs old/cs.json: 1 .a") && found[0].ends_with("Some(\"A\")"));
}

#[test]
fn a_commit_without_the_files_is_an_error_that_says_so() {
    let history = commit("empty")
        .write("README", "hello")
        .then(with("tip", &[(EN, r#"{"a": "A"}"#)]));
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("r.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let component = component("locales/*.json", EN, FileFormat::Json);
    let tip = fresh(&component, "en", &repository, repo.id("tip")).unwrap();
    let error = at(&component, &tip, &repository, repo.id("empty")).unwrap_err();
    assert!(error.to_string().contains("choose a commit"), "{error}");
}

/// The masks, the template paths and the older paths of single files.
fn paths(layouts: &Layouts) -> Vec<&str> {
    let masks = layouts.list.iter().map(|layout| layout.mask.as_str());
    let templates = layouts.template_paths.iter().map(|path| &**path);
    let moved = layouts.moved.iter().map(|moved| &*moved.path);
    masks.chain(templates).chain(moved).collect()
}
