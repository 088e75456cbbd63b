//! Entries of branches and their merges.

use super::*;

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
        .texts("en", "a=other;b=two")
        .branch("main")
        .commit("merged")
        .merge("again")
        .texts("en", "a=other;b=two");
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
        .texts("en", "k=one;a.b=old")
        .commit("newer")
        .texts("en", "k=one;a.b=new")
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
fn a_language_that_returns_on_a_branch_returns_with_all_texts() {
    let history = commit("start")
        .texts("en", "a=one;b=two")
        .texts("cs", "a=jedna;b=dve")
        .commit("gone")
        .delete("locales/cs.json")
        .branch_at("side", "gone")
        .commit("back")
        .texts("cs", "a=jedna;b=dva")
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
        .texts("en", "a=one;b=two")
        .branch_at("side", "start")
        .commit("side")
        .texts("en", "a=one;b=two;c=three")
        .branch("main")
        .commit("more")
        .texts("en", "a=one;b=two;d=four")
        .commit("merged")
        .merge("side")
        .texts("en", "a=one;c=three;d=four");
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
        .texts("en", "a=one;b=two")
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
        .texts("en", "a=one;b=two")
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
        .texts("en", "a=one;b=two")
        .texts("cs", "a=jedna;b=dva")
        .branch_at("side", "start")
        .commit("brings")
        .texts("en", "a=one;b=two")
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
fn a_force_push_before_a_move_writes_the_sources_of_that_time() {
    // After the move, a translation is most similar to the template of the new tip.
    let history = start()
        .commit("changed")
        .texts("en", "a=else")
        .texts("cs", "a=one")
        .commit("moved")
        .rename("locales/cs.json", "src/locales/cs.json")
        .rename("locales/en.json", "src/locales/en.json");
    let log = follow(&history, &["changed", "moved", "start"]);
    let sources = log.iter().filter(|line| line.action == 30);
    let texts: Vec<&str> = sources.map(|line| &*line.target).collect();
    assert_eq!(texts, ["else", "one"]);
}

#[test]
fn a_language_renamed_after_a_tip_without_files_keeps_its_entries() {
    let history = start()
        .branch_at("emptied", "start")
        .commit("emptied")
        .delete("locales/cs.json")
        .delete("locales/en.json")
        .branch("main")
        .commit("renamed")
        .rename("locales/cs.json", "locales/de.json");
    let log = follow(&history, &["start", "emptied", "renamed"]);
    let texts = log
        .iter()
        .filter(|line| line.action == 5 || line.action == 2);
    let languages: Vec<Option<&str>> = texts.map(|line| line.language.as_deref()).collect();
    assert_eq!(languages, [Some("de")], "{log:?}");
}
