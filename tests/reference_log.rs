//! Compares the change log of random histories with a slow reference implementation of the rules.
//!
//! `GITGLOT_RANDOM_HISTORIES=5000` sets their number, `GITGLOT_RANDOM_COMMITS=30` their length.
//!
//! Real histories take minutes and up to some GB of memory; see `common/corpora.rs` for the directory:
//! `GITGLOT_CORPORA=DIRECTORY GITGLOT_CORPUS=libredirect,ublock cargo test --release --test reference_log -- --ignored`.

#[path = "common/corpora.rs"]
mod corpora;
#[path = "common/history.rs"]
mod history;
mod reference;

use gitglot::git::Repository;
use gitglot::history::Projection;
use gitglot::model::FileFormat;
use history::{ANNA, History, Repo, commit};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use reference::compare::{Line, Pair, component, lines, stale};
use reference::random;

fn number(variable: &str, usual: u32) -> u32 {
    std::env::var(variable)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(usual)
}

#[test]
fn random_histories_give_the_log_of_the_reference() {
    let cases = number("GITGLOT_RANDOM_HISTORIES", 40);
    let commits = number("GITGLOT_RANDOM_COMMITS", 12) as usize;
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 4000,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&random::plans(commits), |plan| {
        random::run_plan(&plan).map_err(TestCaseError::fail)
    });
    match outcome {
        Ok(()) => {}
        // The message describes the history better than the plan.
        Err(TestError::Fail(wrong, _)) => panic!("{wrong}"),
        Err(error) => panic!("{error}"),
    }
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

/// Writes texts of one language, as `a=one b=two`.
trait Texts {
    fn texts(self, language: &str, texts: &str) -> Self;
}

impl Texts for History {
    fn texts(self, language: &str, texts: &str) -> Self {
        let texts = texts
            .split_whitespace()
            .filter_map(|text| text.split_once('='));
        let texts: Vec<String> = texts
            .map(|(key, text)| format!(r#""{key}": "{text}""#))
            .collect();
        self.write(
            &format!("locales/{language}.json"),
            format!("{{{}}}", texts.join(", ")),
        )
    }
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
fn each_broken_version_of_a_file_is_reported_once() {
    let mut history = start();
    for at in 0..10 {
        history = history
            .commit(&format!("broken{at}"))
            .write("locales/cs.json", "{");
        history = history
            .commit(&format!("good{at}"))
            .texts("cs", &format!("a={at}"));
    }
    let log = follow(&history, &["broken2", "good4", "good3", "broken8", "good9"]);
    assert_eq!(count(&log, 24), 1);
}

#[test]
fn a_broken_file_keeps_an_arbitrarily_old_readable_version() {
    let log = follow(
        &start()
            .commit("broken")
            .write("locales/cs.json", "{")
            .commit("later")
            .write("README", "x")
            .branch_at("side", "later")
            .commit("aside")
            .write("README", "y")
            .branch("main")
            .commit("fixed")
            .write("locales/cs.json", r#"{"a": "dva"}"#)
            .branch_at("side", "aside")
            .commit("merged")
            .merge("fixed")
            .write("README", "z"),
        &["fixed", "merged"],
    );
    // The merge keeps the broken version of its first parent, so the older text applies again.
    assert_eq!(log.iter().filter(|line| line.action == 2).count(), 2);
}

#[test]
fn a_file_broken_by_a_force_push_keeps_its_own_branchs_version() {
    let log = follow(
        &start()
            .commit("old")
            .texts("cs", "a=jina")
            .branch_at("other", "start")
            .commit("plain")
            .write("README", "x")
            .commit("broken")
            .write("locales/cs.json", "{"),
        &["start", "old", "broken"],
    );
    let texts: Vec<&str> = log
        .iter()
        .filter(|line| line.action == 2)
        .map(|line| &*line.target)
        .collect();
    assert_eq!(texts, ["jina", "jedna"]);
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
fn a_mainline_merge_writes_the_resolution_of_a_branch_merge() {
    let history = start()
        .branch_at("left", "start")
        .commit("left")
        .texts("cs", "a=leva")
        .branch_at("right", "start")
        .commit("right")
        .texts("cs", "a=prava")
        .branch_at("left", "left")
        .commit("decided")
        .merge("right")
        .texts("cs", "a=obe")
        .branch("main")
        .commit("merged")
        .merge("decided")
        .texts("cs", "a=obe");
    let log = follow(&history, &["start", "merged"]);
    let texts: Vec<&str> = log
        .iter()
        .filter(|line| line.action == 2)
        .map(|line| &*line.target)
        .collect();
    assert_eq!(texts, ["leva", "prava", "obe"]);
    let last = log
        .iter()
        .rposition(|line| line.action == 2)
        .expect("a text");
    assert!(
        log[last..]
            .iter()
            .all(|line| line.commit == log[last].commit),
        "it is the merge that ends the log"
    );
}

#[test]
fn a_text_of_two_branches_is_current_if_one_has_the_present_source() {
    let history = start()
        .branch_at("old", "start")
        .commit("old")
        .texts("cs", "a=prvni")
        .branch_at("new", "start")
        .commit("source")
        .texts("en", "a=first")
        .commit("new")
        .texts("cs", "a=prvni")
        .branch_at("old", "old")
        .commit("both")
        .merge("new")
        .texts("en", "a=first")
        .texts("cs", "a=prvni")
        .branch("main")
        .commit("merged")
        .merge("both")
        .texts("en", "a=first")
        .texts("cs", "a=prvni");
    let projection = followed(&history, &["start", "merged"]);
    assert_eq!(count(&lines(&projection), 2), 1);
    assert!(stale(&projection).is_empty());
}

#[test]
fn a_key_that_a_branch_removes_and_restores_changed_is_new_again() {
    let history = start()
        .branch_at("side", "start")
        .commit("without")
        .texts("en", "b=two")
        .commit("again")
        .texts("en", "a=other b=two")
        .branch("main")
        .commit("merged")
        .merge("again")
        .texts("en", "a=other b=two");
    let log = follow(&history, &["start", "merged"]);
    let written: Vec<_> = log
        .iter()
        .filter(|line| line.key.as_deref() == Some(".a"))
        .map(|line| line.action)
        .collect();
    assert_eq!(written, [13, 5, 13, 30]);
}

#[test]
fn a_duplicate_entry_on_a_branch_does_not_change_the_source() {
    let history = commit("start")
        .texts("en", "k=one a.b=old")
        .commit("newer")
        .texts("en", "k=one a.b=new")
        .branch_at("side", "start")
        .commit("doubled")
        .write(
            "locales/en.json",
            r#"{"k": "one", "a.b": "old", "a": {"b": "twice"}}"#,
        )
        .branch("main")
        .commit("merged")
        .merge("doubled")
        .texts("en", "k=one");
    let log = follow(&history, &["merged"]);
    let sources: Vec<&str> = log
        .iter()
        .filter(|line| line.action == 30)
        .map(|line| &*line.target)
        .collect();
    assert_eq!(sources, ["new"]);
}

#[test]
fn a_parse_error_that_a_branch_repairs_is_reported_without_merge() {
    let history = start()
        .branch_at("side", "start")
        .commit("broken")
        .write("locales/cs.json", "{")
        .commit("fixed")
        .texts("cs", "a=jedna")
        .branch("main")
        .commit("merged")
        .merge("fixed");
    let log = follow(&history, &["start", "merged"]);
    assert_eq!((count(&log, 24), count(&log, 20)), (1, 0));
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
        let format = FileFormat::from_name(&text("file_format")).expect("a format");
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
fn a_text_written_before_its_key_appeared_is_not_outdated() {
    let history = start()
        .branch_at("side", "start")
        .commit("early")
        .texts("en", "a=one b=two")
        .texts("cs", "a=jedna b=dva")
        .commit("given_up")
        .texts("en", "a=one")
        .branch("main")
        .commit("merged")
        .merge("given_up")
        .texts("cs", "a=jedna b=dva")
        .branch_at("other", "merged")
        .commit("aside")
        .write("README", "x")
        .branch("main")
        .commit("appears")
        .merge("aside")
        .texts("en", "a=one b=two");
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
        .texts("en", "a=one b=two")
        .texts("cs", "a=jedna b=dva")
        .commit("without")
        .texts("en", "a=one")
        .commit("again")
        .texts("en", "a=one b=second")
        .commit("changed")
        .texts("en", "a=one b=third");
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
        .texts("en", "a=one b=two")
        .commit("later")
        .texts("cs", "a=tri b=dva")
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
fn a_language_that_returns_on_a_branch_returns_with_all_texts() {
    let history = commit("start")
        .texts("en", "a=one b=two")
        .texts("cs", "a=jedna b=dve")
        .commit("gone")
        .delete("locales/cs.json")
        .branch_at("side", "gone")
        .commit("back")
        .texts("cs", "a=jedna b=dva")
        .commit("shorter")
        .texts("en", "a=one")
        .texts("cs", "a=jedna")
        .branch("main")
        .commit("merged")
        .merge("shorter")
        .texts("en", "a=one")
        .texts("cs", "a=jedna");
    let log = follow(&history, &["gone", "merged"]);
    let written: Vec<_> = log
        .iter()
        .filter(|line| line.action == 2)
        .map(|line| line.target.as_str())
        .collect();
    assert_eq!(
        written,
        ["dva"],
        "the merge loses the key, and yet the branch's file is in the log unchanged"
    );
}

#[test]
fn a_merge_that_drops_a_string_updates_the_template() {
    let history = commit("start")
        .texts("en", "a=one b=two")
        .branch_at("side", "start")
        .commit("side")
        .texts("en", "a=one b=two c=three")
        .branch("main")
        .commit("more")
        .texts("en", "a=one b=two d=four")
        .commit("merged")
        .merge("side")
        .texts("en", "a=one c=three d=four");
    let log = follow(&history, &["merged"]);
    let merge = log.last().map(|line| line.commit);
    let written: Vec<_> = log
        .iter()
        .filter(|line| Some(line.commit) == merge)
        .map(|line| line.action)
        .collect();
    assert_eq!(written, [20, 0]);
}

#[test]
fn a_reverted_file_is_updated_once_its_branch_changes_the_template() {
    let branch = commit("tried")
        .texts("cs", "a=pokus")
        .commit("undone")
        .texts("cs", "a=jedna")
        .commit("template")
        .texts("en", "a=one b=two")
        .commit("retried")
        .texts("cs", "a=znovu")
        .commit("redone")
        .texts("cs", "a=jedna");
    let history = start()
        .branch_at("side", "start")
        .then(branch)
        .branch("main")
        .commit("merged")
        .merge("redone")
        .texts("en", "a=one b=two")
        .texts("cs", "a=jedna");
    let log = follow(&history, &["start", "merged"]);
    let updates = log
        .iter()
        .filter(|line| line.action == 0 && line.language.as_deref() == Some("cs"));
    assert_eq!(
        updates.count(),
        3,
        "at the start, and twice since the merge's new string is there"
    );
    assert_eq!(count(&log, 2), 0);
}

#[test]
fn a_string_that_a_branch_adds_without_text_is_empty() {
    let history = start()
        .commit("known")
        .texts("en", "a=one b=two")
        .texts("cs", "a=jedna b=dva")
        .branch_at("side", "start")
        .commit("brings")
        .texts("en", "a=one b=two")
        .branch("main")
        .commit("merged")
        .merge("brings")
        .texts("en", "a=one")
        .texts("cs", "a=jedna");
    let log = follow(&history, &["known", "merged"]);
    let written = log
        .iter()
        .filter(|line| line.action == 2)
        .map(|line| line.target.as_str());
    assert_eq!(written.collect::<Vec<_>>(), [""]);
}

#[test]
fn a_broken_file_gets_the_texts_of_its_new_fallback_version() {
    let history = commit("start")
        .texts("en", "a=one")
        .texts("pt_PT", "a=um")
        .commit("broken")
        .write("locales/pt_PT.json", "{")
        .commit("other")
        .texts("pt-PT", "a=dois")
        .commit("end")
        .delete("locales/pt-PT.json");
    let log = follow(&history, &["end", "broken"]);
    let written = log
        .iter()
        .filter(|line| line.action == 2)
        .map(|line| line.target.as_str());
    assert_eq!(written.collect::<Vec<_>>(), ["dois", "um"]);
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
