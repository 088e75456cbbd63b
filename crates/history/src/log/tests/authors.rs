//! Who wrote a commit.

use crate::log::authors::{AuthorResolver, PeopleTable, Person, Usernames};
use crate::log::origins::Accounts;
use crate::testing::json_component;
use gitglot_git::Mailmap;
use gitglot_model::{Commit, CommitId, OffsetTime, Signature, TreeId, steps};

pub(super) fn signature(name: &str, email: &str) -> Signature {
    Signature {
        name: name.into(),
        email: email.into(),
        time: OffsetTime {
            seconds: 1_600_000_000,
            offset: 0,
        },
    }
}

pub(super) fn commit_of(name: &str, email: &str, message: &str) -> Commit {
    Commit {
        id: CommitId([1; 20]),
        tree: TreeId([2; 20]),
        parents: Vec::new(),
        author: signature(name, email),
        committer: signature("Committer", "committer@example.org"),
        message: message.into(),
    }
}

fn resolver(platforms: &[&str]) -> AuthorResolver {
    let mut settings = json_component();
    settings.platforms = platforms.iter().map(|&it| it.to_owned()).collect();
    AuthorResolver::new(Mailmap::default(), Accounts::of(&settings))
}

fn author(commit: &Commit) -> Person {
    resolver(&[]).author(commit)
}

#[test]
fn a_person_is_known_by_the_address_in_lower_case_and_without_one_by_name() {
    let person = author(&commit_of(" Ada ", "Ada@Example.org", ""));
    assert_eq!(
        (&*person.identity, &*person.full_name),
        ("ada@example.org", "Ada")
    );
    assert_eq!(person.named, 1_600_000_000, "the time of the committer");
    assert_eq!(author(&commit_of("Ada", "", "")).identity, "Ada");
}

#[test]
fn the_first_human_co_author_of_a_bot_counts() {
    let message = "Update\n\nCo-authored-by: Weblate <hosted@weblate.example>\nco-authored-BY: Ben <ben@example.org>";
    for (name, email) in [
        ("renovate[bot]", "renovate@example.org"),
        ("Robot", "1+robot[bot]@users.example.org"),
        ("Crowdin Bot", "support@example.org"),
    ] {
        assert_eq!(author(&commit_of(name, email, message)).full_name, "Ben");
        assert_eq!(author(&commit_of(name, email, "")).full_name, name);
    }
    let human = commit_of("Ada", "ada@example.org", message);
    assert_eq!(author(&human).full_name, "Ada");
}

#[test]
fn platforms_are_found_in_author_and_committer_and_can_be_configured() {
    let mut commit = commit_of("Ada", "ada@example.org", "");
    assert!(!resolver(&[]).is_by_platform(&commit));
    commit.committer = signature("Hosted Weblate", "hosted@example.org");
    assert!(resolver(&[]).is_by_platform(&commit));
    let own = commit_of("Our Texts", "texts@example.org", "");
    assert!(!resolver(&[]).is_by_platform(&own));
    assert!(resolver(&["OUR texts"]).is_by_platform(&own));
}

#[test]
fn a_line_that_names_no_address_is_no_co_author() {
    let message = "Co-authored-by: nobody\nCo-authored-by: Ben <ben@example.org";
    let bot = commit_of("x[bot]", "x@example.org", message);
    assert_eq!(author(&bot).identity, "ben@example.org");
}

#[test]
fn the_table_of_people_keeps_the_newest_name_that_is_not_empty() {
    let person = |name: &str, named| Person {
        identity: "ada@example.org".into(),
        full_name: name.into(),
        named,
    };
    let mut people = PeopleTable::default();
    let first = people.intern(&person("Ada", 1));
    assert_eq!(people.intern(&person("Ada Lovelace", 2)), first);
    assert_eq!(people.intern(&person("", 3)), first);
    assert_eq!(people.list(), [person("Ada Lovelace", 2)]);
}

#[test]
fn usernames_come_from_names_and_are_numbered() {
    let mut names = Usernames::default();
    let full_names = ["  Ada  King ", "", "Ada", "Ada 2", "Ada", "ADA", ""];
    let usernames = full_names.map(|name| names.add(name));
    let expected = [
        "ada-king",
        "unknown",
        "ada",
        "ada-2",
        "ada-3",
        "ada-4",
        "unknown-2",
    ];
    assert_eq!(usernames, expected);
}

#[test]
fn people_of_one_name_take_linear_time() {
    let work = |people: usize| {
        let mut names = Usernames::default();
        steps::of(|| {
            for at in 0..people {
                names.add("Ada");
                names.add(&format!("Ada {at}"));
            }
        })
    };
    assert!(work(2_000) <= work(1_000) * 21 / 10);
}
