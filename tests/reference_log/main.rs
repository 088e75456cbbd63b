//! Compares the change log of random histories with a slow reference implementation of the rules.
//!
//! `GITGLOT_RANDOM_HISTORIES=5000` sets their number, `GITGLOT_RANDOM_COMMITS=30` their length, and
//! `GITGLOT_RANDOM_SEED=7` selects different ones.
//!
//! Real histories take minutes and up to some GB of memory; see `common/corpora.rs` for the directory:
//! `GITGLOT_CORPORA=DIRECTORY GITGLOT_CORPUS=libredirect,ublock cargo test --release --test reference_log -- --ignored`.

mod branches;
mod broken_files;
#[path = "../common/corpora.rs"]
mod corpora;
#[path = "../reference/mod.rs"]
mod reference;
mod renames;

use gitglot_git::Repository;
use gitglot_history::Projection;
use gitglot_model::FileFormat;
use gitglot_testkit::{ANNA, History, Repo, commit};
use reference::compare::{Line, Pair, component, lines, stale};
use reference::random;

#[test]
fn random_histories_give_the_log_of_the_reference() {
    let commits = random::number("GITGLOT_RANDOM_COMMITS", 12) as usize;
    random::each_plan(commits, random::run_plan);
}

/// Follows a history's commits, given by label, as tips. Both logs must agree after each, and have all properties of a
/// log.
fn follow(history: &History, tips: &[&str]) -> Vec<Line> {
    lines(&followed(history, tips))
}

fn followed(history: &History, tips: &[&str]) -> Projection {
    let dir = tempfile::tempdir().expect("a folder");
    let repo = Repo::with(&dir.path().join("r.git"), history);
    let repository = Repository::open(repo.dir()).expect("a repository");
    let mut pair = Pair::new(
        component("locales/*.json", "locales/en.json", FileFormat::Json),
        "en",
    );
    for tip in tips {
        let id = repo.id(tip);
        if let Err(wrong) = pair.step(&repository, id, 1_700_000_000_000_000) {
            panic!("at {tip}: {wrong}");
        }
    }
    pair.projection.expect("a template")
}

fn count(lines: &[Line], action: u8) -> usize {
    lines.iter().filter(|line| line.action == action).count()
}

fn start() -> History {
    commit("start").texts("en", "a=one").texts("cs", "a=jedna")
}

#[test]
fn an_impossible_date_and_an_empty_name_leave_the_log_in_order() {
    let log = follow(
        &start()
            .commit("odd")
            .author_line(" <> 99999999999999999 +9999")
            .write("locales/cs.json", r#"{"a": "dva"}"#)
            .commit("worse")
            .author_line("Nobody <> -5 +0000")
            .committer_line(" <x@y> 0 -0000")
            .write("locales/cs.json", r#"{"a": "3"}"#)
            .commit("end")
            .by_at(ANNA, "2021-01-01")
            .write("locales/cs.json", r#"{"a": "pet"}"#),
        &["odd", "worse", "end"],
    );
    assert_eq!(count(&log, 2), 3);
}

#[test]
fn a_merge_of_a_thousand_branches_is_written_branch_by_branch() {
    let text = |history: History, at: u16| history.texts(&format!("l{at}"), &format!("a={at}"));
    let mut history = start();
    for at in 0..999 {
        history = text(
            history
                .branch_at(&format!("b{at}"), "start")
                .commit(&format!("c{at}")),
            at,
        );
    }
    history = history.branch("main").commit("all");
    for at in 0..999 {
        history = text(history.merge(&format!("c{at}")), at);
    }
    let log = follow(&history, &["all"]);
    assert_eq!(count(&log, 20), 1);
    assert!(count(&log, 5) > 500, "{}", count(&log, 5));
}

#[test]
fn a_path_that_was_a_folder_before_is_read_as_the_file_it_is_now() {
    let log = follow(
        &start()
            .commit("folder")
            .delete("locales/cs.json")
            .write("locales/cs.json/de.json", "{}")
            .commit("file")
            .delete("locales/cs.json")
            .write("locales/cs.json", r#"{"a": "dva"}"#),
        &["file"],
    );
    assert_eq!((count(&log, 25), count(&log, 2)), (1, 1));
}

#[test]
fn a_language_file_renamed_after_the_first_read_keeps_its_texts() {
    let log = follow(
        &start()
            .commit("renamed")
            .rename("locales/cs.json", "locales/sk.json"),
        &["start", "renamed"],
    );
    assert_eq!((count(&log, 5), count(&log, 25)), (1, 0));
}

#[test]
#[ignore = "takes minutes and much memory"]
fn real_histories_give_the_log_of_the_reference() {
    let wanted = std::env::var("GITGLOT_CORPUS").unwrap_or_else(|_| "libredirect".into());
    for corpus in corpora::all()
        .into_iter()
        .filter(|corpus| wanted.split(',').any(|it| it == corpus.name))
    {
        let dir = tempfile::tempdir().expect("a folder");
        let bare = dir.path().join("bare.git");
        let tip = corpus.clone_to(&bare).parse().expect("an id");
        let (text, name) = (|key: &str| corpus.text(key), &corpus.name);
        let format: FileFormat = text("file_format").parse().unwrap();
        let repository = Repository::open(&bare).expect("a repository");
        let mut pair = Pair::new(
            component(&text("filemask"), &text("template"), format),
            "en",
        );
        if let Err(wrong) = pair.step(&repository, tip, 4_000_000_000_000_000) {
            panic!("{name}: {wrong}");
        }
        eprintln!(
            "{name}: {} entries in both logs",
            pair.reference.log.entries.len()
        );
    }
}

#[test]
fn a_text_written_before_its_key_appeared_is_not_stale() {
    let history = start()
        .branch_at("side", "start")
        .commit("early")
        .texts("en", "a=one;b=two")
        .texts("cs", "a=jedna;b=dva")
        .commit("given_up")
        .texts("en", "a=one")
        .branch("main")
        .commit("merged")
        .merge("given_up")
        .texts("cs", "a=jedna;b=dva")
        .branch_at("other", "merged")
        .commit("aside")
        .write("README", "x")
        .branch("main")
        .commit("appears")
        .merge("aside")
        .texts("en", "a=one;b=two");
    let projection = followed(&history, &["start", "merged", "appears"]);
    let log = lines(&projection);
    let written: Vec<_> = log
        .iter()
        .filter(|line| line.key.as_deref() == Some(".b"))
        .map(|line| line.action)
        .collect();
    assert_eq!(written, [5, 13], "the text precedes its key");
    assert!(stale(&projection).is_empty());
}

#[test]
fn a_text_that_returns_with_its_key_is_current() {
    let history = start()
        .commit("both")
        .texts("en", "a=one;b=two")
        .texts("cs", "a=jedna;b=dva")
        .commit("without")
        .texts("en", "a=one")
        .commit("again")
        .texts("en", "a=one;b=second")
        .commit("changed")
        .texts("en", "a=one;b=third");
    let returned = followed(&history, &["start", "again"]);
    assert_eq!(count(&lines(&returned), 30), 1, "the source is another");
    assert!(stale(&returned).is_empty());
    let changed = followed(&history, &["start", "again", "changed"]);
    assert_eq!(
        stale(&changed),
        [("cs".to_owned(), ".b".to_owned(), "second".to_owned())]
    );
}

#[test]
fn a_file_that_replaces_another_in_a_force_push_has_its_own_texts() {
    let history = commit("start")
        .texts("cs", "a=tri")
        .texts("en", "a=one;b=two")
        .commit("later")
        .texts("cs", "a=tri;b=dva")
        .commit("other")
        .write("locales/pt-PT.json", "{}")
        .write("locales/pt_PT.json", "{\n \"a\": \"tri\"\n}\n")
        .commit("end")
        .delete("locales/cs.json");
    let log = follow(&history, &["end", "start"]);
    let emptied = log
        .iter()
        .filter(|line| line.action == 2 && line.key.as_deref() == Some(".b"));
    assert_eq!(
        emptied.map(|line| line.target.as_str()).collect::<Vec<_>>(),
        [""]
    );
}

#[test]
fn completion_follows_the_text_that_completes_a_language() {
    let history = commit("start")
        .texts("en", "a=one")
        .texts("pt_PT", "b=dois")
        .branch_at("one", "start")
        .commit("doubled")
        .texts("pt-PT", "a=")
        .branch_at("two", "start")
        .commit("adds")
        .texts("en", "b=two")
        .commit("end")
        .write("README", "x");
    let log = follow(&history, &["doubled", "end"]);
    let written = log
        .iter()
        .filter(|line| line.language.as_deref() == Some("pt_PT") && matches!(line.action, 1 | 5));
    assert_eq!(written.map(|line| line.action).collect::<Vec<_>>(), [5, 1]);
}
