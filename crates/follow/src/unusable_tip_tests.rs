//! Tips from which nothing can be shown, and ids that are not shown yet.
//! Source: `docs/spec/change-log.md#tips-without-a-template`.

use std::sync::Arc;

use super::component::Source;
use super::testing::{FollowSite, project, responses};
use crate::{HistoryMode, ProjectConfig};
use gitglot_model::FileFormat;
use gitglot_testkit::MemoryStore;
use gitglot_testkit::{History, Person, Repo, commit};

const APP: (&str, &str, &str, FileFormat) = ("app", "app/*.json", "app/en.json", FileFormat::Json);
const PARTS: (&str, &str, &str, FileFormat) = (
    "parts",
    "parts/*/l/*.json",
    "parts/a/l/en.json",
    FileFormat::Json,
);
const BEN: Person = Person {
    name: "Example Translator",
    email: "translator@example.org",
    offset: 0,
};

fn app(history: History, en: &str, cs: &str) -> History {
    history
        .write("app/en.json", format!(r#"{{"a": "{en}"}}"#))
        .write("app/cs.json", format!(r#"{{"a": "{cs}"}}"#))
}

fn part(history: History, en: &str) -> History {
    history
        .write("parts/a/l/en.json", format!(r#"{{"b": "{en}"}}"#))
        .write("parts/a/l/cs.json", r#"{"b": "dva"}"#)
}

/// A good state, tips from which nothing can be shown, and a good state after each.
fn history() -> History {
    let good = part(app(commit("good"), "one", "jedna"), "two");
    let gone = part(
        good.branch("gone").commit("gone").write("README", "x"),
        "three",
    );
    let back = app(gone.commit("gone-back").by(BEN), "one", "jiná");
    let broken = part(back.branch("broken").commit("broken"), "four");
    let broken = broken.write("app/en.json", "<<<<");
    let broken_back = app(broken.commit("broken-back").by(BEN), "one", "jiná");
    // The first parent never had the files.
    let ours = broken_back.branch_at("ours", "gone").commit("ours");
    let merge = part(ours.merge("good"), "five");
    app(merge.commit("ours-back").by(BEN), "one", "jiná")
}

struct Garden {
    repo: Repo,
    project: ProjectConfig,
    _folder: tempfile::TempDir,
}

impl Garden {
    fn new(history: &History) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("garden.git"), history);
        Self {
            project: project(repo.dir(), &[APP, PARTS]),
            repo,
            _folder: folder,
        }
    }

    fn site(&self) -> FollowSite {
        FollowSite::new(&self.project, None)
    }

    fn observe(&self, site: &mut FollowSite, labels: &[&str]) {
        for (nth, label) in (0..).zip(labels) {
            site.observe(self.repo.id(label), 10 * nth);
        }
    }
}

/// The targets of a component's units.
fn targets(site: &FollowSite, slug: &str) -> Vec<String> {
    let snapshot = site.snapshot();
    let units = snapshot.units_from(0);
    let units = units.filter(|unit| unit.component.component.slug.as_str() == slug);
    let target =
        |unit: gitglot_catalog::UnitView<'_>| unit.component.texts.get(unit.unit.target).to_owned();
    units.map(target).collect()
}

fn ids(site: &FollowSite) -> Vec<u32> {
    let snapshot = site.snapshot();
    let changes = snapshot.changes();
    changes.iter().map(|view| view.entry.id.0).collect()
}

fn authors(site: &FollowSite) -> Vec<u32> {
    let snapshot = site.snapshot();
    let changes = snapshot.changes();
    changes.iter().filter_map(|view| view.user()).collect()
}

#[test]
fn an_unusable_tip_keeps_the_last_state_and_a_restart_changes_nothing() {
    for (tip, reason) in [
        ("gone", "the template app/en.json is gone from"),
        ("broken", "the template app/en.json cannot be read at"),
        ("ours", "the template app/en.json is gone from"),
    ] {
        let garden = Garden::new(&history());
        let mut site = garden.site();
        garden.observe(&mut site, &["good"]);
        site.write_checkpoints();
        garden.observe(&mut site, &["good", tip]);
        assert_eq!(targets(&site, "app"), ["jedna", "one"], "{tip}");
        let failure = site.failures()[0].clone().unwrap();
        assert!(failure.starts_with(reason), "{tip}: {failure}");
        assert_eq!(site.failures()[1], None);
        let shown = responses(&site.published);
        for keeps_checkpoints in [true, false] {
            if !keeps_checkpoints {
                site.remove_checkpoints();
            }
            site.restart();
            assert_eq!(responses(&site.published), shown, "{tip}");
            assert_eq!(site.failures()[0].as_ref(), Some(&failure));
        }
    }
}

#[test]
fn every_id_is_shown_when_it_is_assigned_and_has_its_author() {
    for tips in [
        ["gone", "gone-back"],
        ["broken", "broken-back"],
        ["ours", "ours-back"],
    ] {
        let garden = Garden::new(&history());
        let mut site = garden.site();
        garden.observe(&mut site, &["good"]);
        let mut seen = 0;
        for (nth, tip) in (1..).zip(tips) {
            site.observe(garden.repo.id(tip), 10 * nth);
            let ids = ids(&site);
            assert!(
                ids.iter().copied().eq(1..=ids.len() as u32),
                "{tip}: {ids:?}"
            );
            assert!(ids.len() > seen, "{tip}");
            seen = ids.len();
            assert!(!authors(&site).contains(&0), "{tip}: {:?}", authors(&site));
        }
        assert_eq!(targets(&site, "app"), ["jiná", "one"], "{tips:?}");
        assert_eq!(site.failures(), [None, None]);
    }
}

#[test]
fn a_component_begins_at_its_first_tip_with_a_template() {
    let garden = Garden::new(&history());
    let mut site = garden.site();
    garden.observe(&mut site, &["ours"]);
    let reason = site.failures()[0].clone().unwrap();
    assert!(reason.contains("there is no file app/en.json"), "{reason}");
    assert!(targets(&site, "app").is_empty());
    let before = ids(&site);
    site.restart();
    assert_eq!(ids(&site), before, "nothing is recorded");
    site.observe(garden.repo.id("ours-back"), 20);
    assert_eq!(site.failures()[0], None);
    let now = ids(&site);
    assert!(now.iter().copied().eq(1..=now.len() as u32), "{now:?}");
    assert!(!authors(&site).contains(&0));
    assert_eq!(targets(&site, "app"), ["jiná", "one"]);
    let shown = responses(&site.published);
    site.restart();
    assert_eq!(responses(&site.published), shown);
}

#[test]
fn without_history_the_last_usable_tip_is_shown_after_a_restart() {
    for tip in ["gone", "broken", "ours"] {
        let garden = Garden::new(&history());
        let mut site = FollowSite::with_mode(&garden.project, None, HistoryMode::None);
        garden.observe(&mut site, &["good", tip]);
        assert_eq!(targets(&site, "app"), ["jedna", "one"], "{tip}");
        assert!(site.failures()[0].is_some(), "{tip}");
        let shown = responses(&site.published);
        site.restart();
        assert_eq!(responses(&site.published), shown, "{tip}");
        assert!(site.failures()[0].is_some(), "{tip}");
        site.observe(garden.repo.id("good"), 50);
        assert_eq!(site.failures(), [None, None], "{tip}");
    }
}

#[test]
fn a_second_file_of_a_language_is_a_problem_of_a_served_component() {
    let history = part(app(commit("good"), "one", "jedna"), "two")
        .commit("second")
        .write("parts/b/l/cs.json", r#"{"b": "jiná"}"#)
        .commit("removed")
        .delete("parts/b/l/cs.json");
    let garden = Garden::new(&history);
    let mut site = garden.site();
    garden.observe(&mut site, &["good", "second"]);
    assert_eq!(targets(&site, "parts"), ["dva", "two"]);
    assert_eq!(site.failures(), [None, None]);
    let problems = || {
        let snapshot = site.snapshot();
        let component = snapshot.component("garden", "parts").unwrap();
        component.problems.clone()
    };
    let found = problems();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, "parts/b/l/cs.json");
    assert_eq!(
        found[0].reason,
        "excluded: parts/a/l/cs.json is already the file of the language cs; use {language} and {name} instead of '*' \
         in the file mask"
    );
    let shown = responses(&site.published);
    for keeps_checkpoints in [true, false] {
        if !keeps_checkpoints {
            site.remove_checkpoints();
        }
        site.restart();
        assert_eq!(responses(&site.published), shown);
    }
    site.observe(garden.repo.id("removed"), 30);
    let snapshot = site.snapshot();
    let component = snapshot.component("garden", "parts").unwrap();
    assert!(component.problems.is_empty());
    let mut cold = garden.site();
    cold.observe(garden.repo.id("second"), 0);
    let reason = cold.failures()[1].clone().unwrap();
    assert!(
        reason.contains("is ambiguous"),
        "a new configuration: {reason}"
    );
}

#[test]
fn a_state_in_an_older_directory_has_its_template() {
    let history = part(
        app(commit("old"), "one", "jedna").rename("app", "old"),
        "two",
    )
    .commit("moved")
    .rename("old", "app");
    let garden = Garden::new(&history);
    let mut site = garden.site();
    garden.observe(&mut site, &["moved", "old"]);
    let snapshot = site.snapshot();
    let translations = &snapshot.component("garden", "app").unwrap().translations;
    let templates: Vec<(&str, bool)> = translations
        .iter()
        .map(|it| (&*it.path, it.is_template))
        .collect();
    assert_eq!(templates, [("old/cs.json", false), ("old/en.json", true)]);
    let shown = responses(&site.published);
    site.write_checkpoints();
    site.restart();
    assert!(site.is_restored(0));
    assert_eq!(responses(&site.published), shown);
}

#[test]
fn a_checkpoint_is_used_after_a_file_was_renamed_later() {
    let history = part(app(commit("good"), "one", "jedna"), "two")
        .commit("renamed")
        .rename("app/cs.json", "app/sk.json");
    let garden = Garden::new(&history);
    let mut site = garden.site();
    garden.observe(&mut site, &["good"]);
    site.write_checkpoints();
    garden.observe(&mut site, &["good", "renamed"]);
    let shown = responses(&site.published);
    site.restart();
    assert!(
        site.is_restored(0),
        "the checkpoint is from before the rename"
    );
    assert_eq!(responses(&site.published), shown);
}

#[test]
fn changes_wait_for_smaller_ids_that_a_replica_cannot_read_yet() {
    let store = Arc::<MemoryStore>::default();
    let good = part(app(commit("good"), "one", "jedna"), "two");
    let first = app(good.commit("first"), "one", "jiná");
    let garden = Garden::new(&part(first.commit("second"), "three"));
    let mut writer = FollowSite::new(&garden.project, Some(&store));
    let mut reader = FollowSite::new(&garden.project, Some(&store));
    writer.observe(garden.repo.id("good"), 0);
    reader.observe(garden.repo.id("good"), 0);
    let before = ids(&reader);
    writer.observe(garden.repo.id("first"), 10);
    writer.observe(garden.repo.id("second"), 20);
    // The repository of the first component cannot be read.
    reader.followed().components[0].source = Source::Unknown;
    reader.read_ledger();
    assert_eq!(targets(&reader, "parts"), ["dva", "three"]);
    assert_eq!(targets(&reader, "app"), ["jedna", "one"]);
    assert_eq!(ids(&reader), before, "the other changes have greater ids");
    assert_eq!(reader.snapshot().last_change().0 as usize, before.len());
    reader.observe(garden.repo.id("second"), 30);
    assert_eq!(ids(&reader), ids(&writer));
    assert_eq!(
        reader.snapshot().last_change(),
        writer.snapshot().last_change()
    );
}

#[test]
fn without_a_template_a_tip_without_readable_files_is_behind() {
    let po = |text: &str| {
        format!(
            r#"msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgid "one"
msgstr "{text}"
"#
        )
    };
    let good = commit("good").write("l/cs.po", po("jedna"));
    let broken = good.branch_at("broken", "good").commit("broken");
    let broken = broken.delete("l/cs.po").write("l/de.po", "garbage\n");
    let gone = broken.branch_at("gone", "good").commit("gone");
    let gone = gone.delete("l/cs.po").write("README", "x");
    // A file that does not parse keeps its last version, and has a problem.
    let unparsed = gone.branch_at("unparsed", "good").commit("unparsed");
    let unparsed = unparsed.write("l/cs.po", "garbage\n");
    let back = unparsed.commit("back").write("l/cs.po", po("jiná"));
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("garden.git"), &back);
    let project = project(repo.dir(), &[("app", "l/*.po", "", FileFormat::Po)]);
    for (tip, is_behind) in [("broken", true), ("gone", true), ("unparsed", false)] {
        let mut site = FollowSite::new(&project, None);
        site.observe(repo.id("good"), 0);
        site.observe(repo.id(tip), 10);
        assert_eq!(targets(&site, "app"), ["jedna"], "{tip}");
        for _ in 0..2 {
            let reason = site.failures()[0].clone();
            assert_eq!(reason.is_some(), is_behind, "{tip}: {reason:?}");
            if let Some(reason) = reason {
                assert!(reason.contains("(commit"), "{tip}: {reason}");
            }
            site.restart();
        }
        site.observe(repo.id("back"), 30);
        assert_eq!(site.failures(), [None], "{tip}");
        assert_eq!(targets(&site, "app"), ["jiná"], "{tip}");
    }
}
