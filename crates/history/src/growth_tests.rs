//! Tests that twice as much input takes twice as many steps.

use std::sync::Arc;

use crate::History;
use crate::testing::read_steps;
use gitglot_git::Repository;
use gitglot_model::{Component, ComponentSettings, FileFormat, FileMask, Slug, Timestamp, steps};
use gitglot_testkit::{Repo, commit};

/// Some texts of a language.
fn texts(language: usize, count: usize) -> String {
    let lines = (0..count).map(|at| format!("k{at}=Text {at} of {language};"));
    gitglot_testkit::json_texts(&lines.collect::<String>())
}

/// The path of a language before and after all files are renamed.
fn path(language: usize, is_new: bool) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    let (first, second) = (letter(language / 26), letter(language));
    if is_new {
        format!("locales/{first}{second}-{first}{second}.json")
    } else {
        format!("old/app.{first}{second}.json")
    }
}

#[test]
fn files_that_are_renamed_together_take_linear_time() {
    let work = |languages: usize| {
        let mut history = commit("one").write("locales/en.json", texts(1_000, 20));
        for language in 0..languages {
            history = history.write(&path(language, false), texts(language, 20));
        }
        history = history.commit("two");
        for language in 0..languages {
            history = history.rename(&path(language, false), &path(language, true));
        }
        steps::of(|| {
            let read = read_steps(&history, &["one", "two"]);
            assert_eq!(read.state.translations.len(), languages + 1);
        })
    };
    let (one, two) = (work(40), work(80));
    assert!(two <= one * 24 / 10, "{one} {two}");
}

#[test]
fn source_code_that_did_not_change_is_not_parsed_again() {
    let module = |language: usize| {
        let lines = (0..300).map(|at| format!("  k{at}: 'Text {at} of {language}',\n"));
        format!(
            "export default {{\n{}  f: () => 1,\n}}\n",
            lines.collect::<String>()
        )
    };
    let history = commit("one")
        .write("locales/en.js", module(1))
        .write("locales/cs.js", module(2));
    let history = history.commit("two").write("README", "x");
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), &history);
    let repository = Repository::open(repo.dir()).unwrap();
    let (slug, mask) = (
        Slug::new("app").unwrap(),
        FileMask::new("locales/*.js").unwrap(),
    );
    let settings = ComponentSettings::new(slug, mask, "locales/en.js", FileFormat::JavaScript);
    let mut history = History::new(Arc::new(Component::new(settings)), "en");
    let mut work = |tip: &str| {
        let now = Timestamp::from_seconds(4_000_000_000);
        history
            .step(&repository, repo.id(tip), now, &|_| {})
            .unwrap();
        steps::of(|| assert_eq!(history.project(&repository).unwrap().problems.len(), 2))
    };
    let (first, second) = (work("one"), work("two"));
    assert!(second * 20 < first, "{first} {second}");
}
