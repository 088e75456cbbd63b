//! Which commits write entries, and in which order.

use crate::testing::{read, read_steps};
use gitglot_testkit::{History, branch_at, commit};

fn start() -> History {
    commit("start").texts("en", "a=One").texts("cs", "a=Jedna")
}

#[test]
fn side_commits_write_before_their_merge() {
    let commits = start()
        .branch_at("side", "start")
        .commit("side")
        .texts("cs", "a=Jeden")
        .branch("main")
        .commit("main")
        .write("README", "")
        .commit("merge")
        .merge("side")
        .texts("cs", "a=Jeden");
    assert_eq!(
        read(&commits).log()[5..],
        [
            "side: Translation changed cs a=Jeden",
            "side: Resource update cs",
            "merge: Merged repository",
        ]
    );
}

#[test]
fn a_merge_among_side_commits_writes_nothing() {
    let commits = start()
        .branch_at("inner", "start")
        .commit("inner")
        .texts("cs", "a=Jeden")
        .branch_at("side", "start")
        .commit("outer")
        .write("README", "")
        .commit("inner merge")
        .merge("inner")
        .texts("cs", "a=Jeden")
        .branch("main")
        .commit("main")
        .write("LICENSE", "")
        .commit("merge")
        .merge("inner merge")
        .texts("cs", "a=Jeden");
    let read = read(&commits);
    assert_eq!(read.entries_of("inner merge"), [""; 0]);
    assert_eq!(read.entries_of("merge"), ["Merged repository"]);
    assert_eq!(read.entries_of("inner").len(), 2);
}

#[test]
fn a_merge_that_brings_no_change_of_the_files_is_not_reported() {
    let commits = start()
        .branch_at("side", "start")
        .commit("side")
        .write("README", "")
        .branch("main")
        .commit("main")
        .write("LICENSE", "")
        .commit("merge")
        .merge("side")
        .write("README", "");
    assert_eq!(read(&commits).entries_of("merge"), [""; 0]);
}

#[test]
fn a_force_push_is_one_entry_before_the_differences_to_the_old_tip() {
    let commits = start()
        .commit("old")
        .texts("cs", "a=Stará")
        .then(branch_at("main", "start"))
        .commit("new")
        .texts("cs", "a=Nová");
    assert_eq!(
        read_steps(&commits, &["old", "new"]).entries_of("new"),
        [
            "Rebased repository",
            "Translation changed cs a=Nová",
            "Resource update cs",
        ]
    );
}

#[test]
fn a_push_of_the_main_branch_merged_into_another_one_is_compared_with_the_old_tip() {
    let commits = start()
        .branch_at("fork", "start")
        .commit("fork")
        .texts("de", "a=Eins")
        .branch("main")
        .commit("tip")
        .texts("cs", "a=Jeden")
        .branch("fork")
        .commit("merge")
        .merge("tip")
        .texts("cs", "a=Jeden")
        .then(branch_at("main", "merge"));
    let read = read_steps(&commits, &["tip", "merge"]);
    assert_eq!(read.entries_of("tip").len(), 2);
    assert_eq!(
        read.entries_of("fork"),
        [
            "New translation de a=Eins",
            "Translation completed de",
            "Resource update de",
        ]
    );
    assert_eq!(read.entries_of("merge"), ["Merged repository"]);
}

#[test]
fn a_clock_that_is_ahead_does_not_move_later_commits() {
    let person = gitglot_testkit::ANNA;
    let commits = commit("start")
        .by_at(person, "2020-01-01")
        .texts("en", "a=One")
        .commit("ahead")
        .by_at(person, "2035-01-01")
        .texts("en", "a=Two")
        .commit("later")
        .by_at(person, "2020-01-03")
        .texts("en", "a=Three");
    let read = read(&commits);
    let times: Vec<i64> = (read.state.log.mainline.iter().map(|it| it.time)).collect();
    assert_eq!((times[1], times[2] - times[0]), (times[0], 2 * 86_400));
}
