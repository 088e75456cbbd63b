//! Versions that do not parse.

use super::*;

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
fn files_that_one_commit_breaks_are_reported_by_path() {
    let history = start()
        .commit("added")
        .texts("be", "a=adzin")
        .commit("broken")
        .write("locales/be.json", "{")
        .write("locales/cs.json", "{");
    let log = follow(&history, &["start", "broken"]);
    let reports = log.iter().filter(|line| line.action == 24);
    let paths: Vec<&str> = reports.map(|line| &*line.target).collect();
    assert_eq!(paths, ["locales/be.json", "locales/cs.json"]);
}
