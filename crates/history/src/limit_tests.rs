//! Tests of the limits of reading.

use std::sync::Arc;

use super::{History, HistoryError, Layouts, RevisionInput, read_tip, state_within};
use gitglot_git::Repository;
use gitglot_model::{
    Component, ComponentSettings, FileFormat, FileMask, Slug, Timestamp, WorkLimit, WorkMeter,
};
use gitglot_testkit::{Repo, commit};

fn component() -> Component {
    Component::new(ComponentSettings::new(
        Slug::new("component").unwrap(),
        FileMask::new("l/*.json").unwrap(),
        "l/en.json",
        FileFormat::Json,
    ))
}

/// The commit `one` with ids of 8 bytes, and `two` with 40 bytes more.
fn repository(folder: &std::path::Path) -> (Repo, Repository) {
    let long = "k".repeat(18);
    let history = commit("one")
        .write("l/en.json", r#"{"a": {"b": "A", "c": "B"}}"#)
        .write("l/cs.json", r#"{"a": {"b": "Á"}}"#)
        .commit("two")
        .write(
            "l/cs.json",
            format!(r#"{{"a": {{"b": "Á"}}, "{long}": "x", "{long}2": "y"}}"#),
        )
        .commit("three")
        .write("l/cs.json", r#"{"a": {"b": "Á", "d": "Č"}}"#);
    let path = folder.join("repository.git");
    (Repo::with(&path, &history), Repository::open(path).unwrap())
}

#[test]
fn too_many_bytes_of_ids_are_an_error_that_leaves_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (repo, repository) = repository(folder.path());
    let mut history = History::new(Arc::new(component()), "en");
    history.set_max_id_bytes(40);
    let step = |history: &mut History, label: &str| {
        let seen = Timestamp::from_seconds(1 << 40);
        history.step(&repository, repo.id(label), seen, &|_| {})
    };
    step(&mut history, "one").unwrap();
    assert_eq!(history.id_bytes(), 8);
    let error = step(&mut history, "two").unwrap_err();
    assert!(matches!(error, HistoryError::TooManyIds), "{error}");
    assert!(error.to_string().contains("more than 64 MB of ids"));
    assert_eq!(history.id_bytes(), 8, "the ids of the failed step are gone");
    assert_eq!(history.project(&repository).unwrap().id_bytes, 8);

    // With more room the history goes on, as if nothing had happened.
    history.set_max_id_bytes(60);
    step(&mut history, "three").unwrap();
    let projection = history.project(&repository).unwrap();
    let mut straight = History::new(Arc::new(component()), "en");
    step(&mut straight, "three").unwrap();
    let expected = straight.project(&repository).unwrap();
    let texts = |projection: &super::Projection| -> Vec<String> {
        let translations = projection.translations.iter();
        let units = translations.flat_map(|it| &it.units);
        units
            .map(|unit| projection.texts.get(unit.target()).to_owned())
            .collect()
    };
    assert_eq!(texts(&projection), texts(&expected));
    assert_eq!(
        (projection.id_bytes, history.log().len()),
        (8 + 39 + 4, straight.log().len())
    );
}

#[test]
fn a_component_without_a_history_has_the_same_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (repo, repository) = repository(folder.path());
    let read = |max| read_tip(&component(), "en", &repository, repo.id("two"), max);
    assert!(matches!(read(46), Err(HistoryError::TooManyIds)));
    assert_eq!(read(47).unwrap().id_bytes, 8 + 39);
}

/// A limit that ends work at once.
struct Stop;

impl WorkLimit for Stop {
    fn meter(&self) -> WorkMeter<'_> {
        Box::new(|_| false)
    }
}

#[test]
fn reading_a_revision_ends_when_the_work_may_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (repo, repository) = repository(folder.path());
    let component = component();
    let mut history = History::new(Arc::new(component.clone()), "en");
    let seen = Timestamp::from_seconds(1 << 40);
    history
        .step(&repository, repo.id("three"), seen, &|_| {})
        .unwrap();
    let projection = history.project(&repository).unwrap();
    let input = RevisionInput {
        component: &component,
        layouts: &Arc::new(Layouts::configured(&component, "en")),
        log: &projection.log,
        texts: &projection.texts,
    };
    let read = state_within(input, &repository, repo.id("one"), &Stop);
    assert!(matches!(read, Err(HistoryError::Stopped)));
}
