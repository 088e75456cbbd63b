//! The change log of random histories beside a slow reference of the rules, which shares nothing with the fold.
//!
//! `GITGLOT_RANDOM_HISTORIES=5000` tries that many; `GITGLOT_RANDOM_COMMITS=30` makes them that long.
//!
//! Real histories, where `../shared/corpora` is there, take minutes and up to some GB:
//! `GITGLOT_CORPORA=libredirect,ublock cargo test --release --test reference_log -- --ignored`.

mod reference;

use gitglot::example;
use gitglot::git::Repository;
use gitglot::history::Projection;
use gitglot::model::FileFormat;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use reference::compare::{Line, Pair, component, lines, stale};
use reference::random;

fn number(variable: &str, usual: u32) -> u32 {
    std::env::var(variable).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_histories_give_the_log_of_the_reference() {
    let cases = number("GITGLOT_RANDOM_HISTORIES", 40);
    let commits = number("GITGLOT_RANDOM_COMMITS", 12) as usize;
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let mut runner = TestRunner::new(config);
    let outcome = runner.run(&random::plans(commits), |plan| random::trial(&plan).map_err(TestCaseError::fail));
    match outcome {
        Ok(()) => {}
        // The plan itself says less than the script in the message.
        Err(TestError::Fail(wrong, _)) => panic!("{wrong}"),
        Err(error) => panic!("{error}"),
    }
}

/// Follows a script's commits, given by label, as tips; both logs must agree and keep their promises after each.
fn follow(script: &str, tips: &[&str]) -> Vec<Line> {
    lines(&followed(script, tips))
}

fn followed(script: &str, tips: &[&str]) -> Projection {
    let dir = tempfile::tempdir().expect("a folder");
    let repo = example::build_at(script, dir.path().join("r.git")).expect("a script");
    let repository = Repository::open(repo.dir()).expect("a repository");
    let mut pair = Pair::new(component("locales/*.json", "locales/en.json", FileFormat::Json), "en");
    for tip in tips {
        let id = repo.id(tip).expect("a label");
        if let Err(wrong) = pair.step(&repository, id, 1_700_000_000_000_000) {
            panic!("at {tip}: {wrong}");
        }
    }
    pair.projection.expect("a template")
}

fn count(lines: &[Line], action: u8) -> usize {
    lines.iter().filter(|line| line.action == action).count()
}

const PEOPLE: &str = "person anna Example Maintainer <anna@example.org>\n";
const START: &str = "commit start\n  write locales/en.json \"{\\\"a\\\": \\\"one\\\"}\"\n  \
                     write locales/cs.json \"{\\\"a\\\": \\\"jedna\\\"}\"\n";

#[test]
fn an_impossible_date_and_an_empty_name_leave_the_log_in_order() {
    let log = follow(
        &format!(
            "{PEOPLE}{START}\
             commit odd\n  by \" <> 99999999999999999 +9999\"\n  write locales/cs.json \"{{\\\"a\\\": \\\"dva\\\"}}\"\n\
             commit worse\n  by \"Nobody <> -5 +0000\"\n  committed by \" <x@y> 0 -0000\"\n  write locales/cs.json \"{{\\\"a\\\": \\\"3\\\"}}\"\n\
             commit end\n  by anna 2021-01-01\n  write locales/cs.json \"{{\\\"a\\\": \\\"pet\\\"}}\"\n"
        ),
        &["odd", "worse", "end"],
    );
    assert_eq!(count(&log, 2), 3);
}

#[test]
fn a_merge_of_a_thousand_branches_is_told_branch_by_branch() {
    let mut script = format!("{PEOPLE}{START}");
    for at in 0..999 {
        script += &format!(
            "branch b{at} at start\ncommit c{at}\n  write locales/l{at}.json \"{{\\\"a\\\": \\\"{at}\\\"}}\"\n"
        );
    }
    script += "branch main\ncommit all\n";
    for at in 0..999 {
        script += &format!("  merge c{at}\n");
    }
    for at in 0..999 {
        script += &format!("  take locales/l{at}.json from c{at}\n");
    }
    let log = follow(&script, &["all"]);
    assert_eq!(count(&log, 20), 1);
    assert!(count(&log, 5) > 500, "{}", count(&log, 5));
}

#[test]
fn a_path_that_was_a_folder_before_is_read_as_the_file_it_is_now() {
    let log = follow(
        &format!(
            "{PEOPLE}{START}\
             commit folder\n  delete locales/cs.json\n  write locales/cs.json/de.json \"{{}}\"\n\
             commit file\n  delete locales/cs.json\n  write locales/cs.json \"{{\\\"a\\\": \\\"dva\\\"}}\"\n"
        ),
        &["file"],
    );
    assert_eq!((count(&log, 25), count(&log, 2)), (1, 1));
}

#[test]
fn a_file_that_flips_between_broken_and_good_is_told_once_for_each_broken_version() {
    let mut script = format!("{PEOPLE}{START}");
    for at in 0..10 {
        script += &format!(
            "commit broken{at}\n  write locales/cs.json \"{{\"\n\
             commit good{at}\n  write locales/cs.json \"{{\\\"a\\\": \\\"{at}\\\"}}\"\n"
        );
    }
    let log = follow(&script, &["broken2", "good4", "good3", "broken8", "good9"]);
    assert_eq!(count(&log, 24), 1);
}

#[test]
fn a_broken_file_below_a_late_merge_keeps_the_version_before_however_far_back_it_is() {
    let log = follow(
        &format!(
            "{PEOPLE}{START}\
             commit broken\n  write locales/cs.json \"{{\"\n\
             commit later\n  write README \"x\"\n\
             branch side at later\ncommit aside\n  write README \"y\"\n\
             branch main\ncommit mended\n  write locales/cs.json \"{{\\\"a\\\": \\\"dva\\\"}}\"\n\
             branch side at aside\ncommit merged\n  merge mended\n  write README \"z\"\n"
        ),
        &["mended", "merged"],
    );
    // The merge keeps its own broken version, so the older text is the present one again.
    assert_eq!(log.iter().filter(|line| line.action == 2).count(), 2);
}

#[test]
fn a_file_that_is_broken_after_a_force_push_keeps_the_version_of_its_own_branch() {
    let log = follow(
        &format!(
            "{PEOPLE}{START}commit old\n{}branch other at start\ncommit plain\n  write README \"x\"\n\
             commit broken\n  write locales/cs.json \"{{\"\n",
            write("cs", "a=jina"),
        ),
        &["start", "old", "broken"],
    );
    let texts: Vec<&str> = log.iter().filter(|line| line.action == 2).map(|line| &*line.target).collect();
    assert_eq!(texts, ["jina", "jedna"]);
}

#[test]
fn a_language_file_renamed_after_the_first_read_keeps_its_texts() {
    let log = follow(
        &format!("{PEOPLE}{START}commit renamed\n  move locales/cs.json locales/sk.json\n"),
        &["start", "renamed"],
    );
    assert_eq!((count(&log, 5), count(&log, 25)), (1, 0));
}

/// A line of a script that writes texts of one language: `a=one b=two`.
fn write(language: &str, texts: &str) -> String {
    let texts: Vec<String> = texts
        .split_whitespace()
        .filter_map(|text| text.split_once('='))
        .map(|(key, text)| format!("\\\"{key}\\\": \\\"{text}\\\""))
        .collect();
    format!("  write locales/{language}.json \"{{{}}}\"\n", texts.join(", "))
}

#[test]
fn what_a_merge_on_a_branch_decides_is_told_by_the_merge_into_the_mainline() {
    let script = format!(
        "{PEOPLE}{START}branch left at start\ncommit left\n{}branch right at start\ncommit right\n{}\
         branch left at left\ncommit decided\n  merge right\n{}branch main\ncommit merged\n  merge decided\n{}",
        write("cs", "a=leva"),
        write("cs", "a=prava"),
        write("cs", "a=obe"),
        write("cs", "a=obe"),
    );
    let log = follow(&script, &["start", "merged"]);
    let texts: Vec<&str> = log.iter().filter(|line| line.action == 2).map(|line| &*line.target).collect();
    assert_eq!(texts, ["leva", "prava", "obe"]);
    let last = log.iter().rposition(|line| line.action == 2).expect("a text");
    assert!(log[last..].iter().all(|line| line.commit == log[last].commit), "it is the merge that ends the log");
}

#[test]
fn a_text_that_two_branches_write_is_up_to_date_if_one_of_them_has_the_present_source() {
    let script = format!(
        "{PEOPLE}{START}branch old at start\ncommit old\n{}branch new at start\ncommit source\n{}commit new\n{}\
         branch old at old\ncommit both\n  merge new\n{}{}branch main\ncommit merged\n  merge both\n{}{}",
        write("cs", "a=prvni"),
        write("en", "a=first"),
        write("cs", "a=prvni"),
        write("en", "a=first"),
        write("cs", "a=prvni"),
        write("en", "a=first"),
        write("cs", "a=prvni"),
    );
    let projection = followed(&script, &["start", "merged"]);
    assert_eq!(count(&lines(&projection), 2), 1);
    assert!(stale(&projection).is_empty());
}

#[test]
fn a_key_that_a_branch_removes_and_brings_back_changed_is_told_as_new_again() {
    let script = format!(
        "{PEOPLE}{START}branch side at start\ncommit without\n{}commit again\n{}branch main\ncommit merged\n  \
         merge again\n{}",
        write("en", "b=two"),
        write("en", "a=other b=two"),
        write("en", "a=other b=two"),
    );
    let log = follow(&script, &["start", "merged"]);
    let told: Vec<_> = log.iter().filter(|line| line.key.as_deref() == Some(".a")).map(|line| line.action).collect();
    assert_eq!(told, [13, 5, 13, 30]);
}

#[test]
fn a_second_entry_of_a_key_on_a_branch_is_no_change_of_its_source() {
    let double = "  write locales/en.json \"{\\\"k\\\": \\\"one\\\", \\\"a.b\\\": \\\"old\\\", \\\"a\\\": {\\\"b\\\": \\\"twice\\\"}}\"\n";
    let script = format!(
        "{PEOPLE}commit start\n{}commit newer\n{}branch side at start\ncommit doubled\n{double}branch main\n\
         commit merged\n  merge doubled\n{}",
        write("en", "k=one a.b=old"),
        write("en", "k=one a.b=new"),
        write("en", "k=one"),
    );
    let log = follow(&script, &["merged"]);
    let sources: Vec<&str> = log.iter().filter(|line| line.action == 30).map(|line| &*line.target).collect();
    assert_eq!(sources, ["new"]);
}

#[test]
fn a_broken_version_that_a_branch_mends_is_told_and_its_merge_is_not() {
    let script = format!(
        "{PEOPLE}{START}branch side at start\ncommit broken\n  write locales/cs.json \"{{\"\ncommit mended\n{}\
         branch main\ncommit merged\n  merge mended\n",
        write("cs", "a=jedna"),
    );
    let log = follow(&script, &["start", "merged"]);
    assert_eq!((count(&log, 24), count(&log, 20)), (1, 0));
}

#[test]
#[ignore = "takes minutes and much memory"]
fn real_histories_give_the_log_of_the_reference() {
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    let Ok(list) = std::fs::read(shared.join("corpora.json")) else { return };
    let list: serde_json::Value = serde_json::from_slice(&list).expect("the list of corpora");
    let wanted = std::env::var("GITGLOT_CORPORA").unwrap_or_else(|_| "libredirect".into());
    for corpus in list["corpora"].as_array().expect("a list") {
        let text = |key: &str| corpus[key].as_str().expect("a text").to_owned();
        let name = text("name");
        if !wanted.split(',').any(|it| it == name) {
            continue;
        }
        let dir = tempfile::tempdir().expect("a folder");
        let bare = dir.path().join("bare.git");
        let git = |arguments: &[&str]| {
            let output = std::process::Command::new("git").args(arguments).output().expect("git");
            assert!(output.status.success(), "{arguments:?}");
            String::from_utf8(output.stdout).expect("text").trim().to_owned()
        };
        let bundle = shared.join(text("bundle"));
        git(&["clone", "-q", "--bare", &bundle.to_string_lossy(), &bare.to_string_lossy()]);
        let tip = git(&["-C", &bare.to_string_lossy(), "rev-parse", &text("branch")]).parse().expect("an id");
        let format = FileFormat::from_name(&text("file_format")).expect("a format");
        let repository = Repository::open(&bare).expect("a repository");
        let mut pair = Pair::new(component(&text("filemask"), &text("template"), format), "en");
        if let Err(wrong) = pair.step(&repository, tip, 4_000_000_000_000_000) {
            panic!("{name}: {wrong}");
        }
        eprintln!("{name}: {} entries in both logs", pair.reference.log.entries.len());
    }
}

#[test]
fn a_text_that_a_branch_wrote_before_its_key_appeared_is_not_outdated() {
    let script = format!(
        "{PEOPLE}{START}branch side at start\ncommit early\n{}{}commit given_up\n{}branch main\ncommit merged\n  \
         merge given_up\n{}branch other at merged\ncommit aside\n  write README \"x\"\nbranch main\n\
         commit appears\n  merge aside\n{}",
        write("en", "a=one b=two"),
        write("cs", "a=jedna b=dva"),
        write("en", "a=one"),
        write("cs", "a=jedna b=dva"),
        write("en", "a=one b=two"),
    );
    let projection = followed(&script, &["start", "merged", "appears"]);
    let log = lines(&projection);
    let told: Vec<_> = log.iter().filter(|line| line.key.as_deref() == Some(".b")).map(|line| line.action).collect();
    assert_eq!(told, [5, 13], "the text came before its key");
    assert!(stale(&projection).is_empty());
}

#[test]
fn a_text_that_returns_with_its_key_is_up_to_date_with_the_source_that_it_returns_to() {
    let script = format!(
        "{PEOPLE}{START}commit both\n{}{}commit without\n{}commit again\n{}commit changed\n{}",
        write("en", "a=one b=two"),
        write("cs", "a=jedna b=dva"),
        write("en", "a=one"),
        write("en", "a=one b=second"),
        write("en", "a=one b=third"),
    );
    let returned = followed(&script, &["start", "again"]);
    assert_eq!(count(&lines(&returned), 30), 1, "the source is another");
    assert!(stale(&returned).is_empty());
    let changed = followed(&script, &["start", "again", "changed"]);
    assert_eq!(stale(&changed), [("cs".to_owned(), ".b".to_owned(), "second".to_owned())]);
}

#[test]
fn a_file_that_takes_the_place_of_another_after_a_force_push_has_its_own_texts() {
    let start = format!(
        "{PEOPLE}commit start\n{}{}commit later\n{}commit other\n{}commit end\n  delete locales/cs.json\n",
        write("cs", "a=tri"),
        write("en", "a=one b=two"),
        write("cs", "a=tri b=dva"),
        "  write locales/pt-PT.json \"{}\"\n  write locales/pt_PT.json \"{\\n \\\"a\\\": \\\"tri\\\"\\n}\\n\"\n",
    );
    let log = follow(&start, &["end", "start"]);
    let emptied = log.iter().filter(|line| line.action == 2 && line.key.as_deref() == Some(".b"));
    assert_eq!(emptied.map(|line| line.target.as_str()).collect::<Vec<_>>(), [""]);
}

#[test]
fn a_language_that_returns_on_a_branch_returns_whole() {
    let script = format!(
        "{PEOPLE}commit start\n{}{}commit gone\n  delete locales/cs.json\nbranch side at gone\ncommit back\n{}\
         commit shorter\n{}{}branch main\ncommit merged\n  merge shorter\n{}{}",
        write("en", "a=one b=two"),
        write("cs", "a=jedna b=dve"),
        write("cs", "a=jedna b=dva"),
        write("en", "a=one"),
        write("cs", "a=jedna"),
        write("en", "a=one"),
        write("cs", "a=jedna"),
    );
    let log = follow(&script, &["gone", "merged"]);
    let told: Vec<_> = log.iter().filter(|line| line.action == 2).map(|line| line.target.as_str()).collect();
    assert_eq!(told, ["dva"], "the merge loses the key, and yet the branch's file stands in the log as it was");
}

#[test]
fn a_merge_that_leaves_a_string_out_by_its_own_hand_updates_the_template() {
    let script = format!(
        "{PEOPLE}commit start\n{}branch side at start\ncommit side\n{}branch main\ncommit more\n{}commit merged\n  \
         merge side\n{}",
        write("en", "a=one b=two"),
        write("en", "a=one b=two c=three"),
        write("en", "a=one b=two d=four"),
        write("en", "a=one c=three d=four"),
    );
    let log = follow(&script, &["merged"]);
    let merge = log.last().map(|line| line.commit);
    let told: Vec<_> = log.iter().filter(|line| Some(line.commit) == merge).map(|line| line.action).collect();
    assert_eq!(told, [20, 0]);
}

#[test]
fn a_file_that_a_merge_gives_back_is_told_on_its_branch_from_where_the_branch_changes_the_template() {
    let branch = [
        ("tried", write("cs", "a=pokus")),
        ("undone", write("cs", "a=jedna")),
        ("template", write("en", "a=one b=two")),
        ("retried", write("cs", "a=znovu")),
        ("redone", write("cs", "a=jedna")),
    ];
    let branch: String = branch.iter().map(|(label, write)| format!("commit {label}\n{write}")).collect();
    let script = format!(
        "{PEOPLE}{START}branch side at start\n{branch}branch main\ncommit merged\n  merge redone\n{}{}",
        write("en", "a=one b=two"),
        write("cs", "a=jedna"),
    );
    let log = follow(&script, &["start", "merged"]);
    let updates = log.iter().filter(|line| line.action == 0 && line.language.as_deref() == Some("cs"));
    assert_eq!(updates.count(), 3, "at the start, and twice since the merge's new string is there");
    assert_eq!(count(&log, 2), 0);
}

#[test]
fn a_string_that_a_branch_brings_without_its_text_is_empty_until_its_merge_drops_it() {
    let script = format!(
        "{PEOPLE}{START}commit known\n{}{}branch side at start\ncommit brings\n{}branch main\ncommit merged\n  \
         merge brings\n{}{}",
        write("en", "a=one b=two"),
        write("cs", "a=jedna b=dva"),
        write("en", "a=one b=two"),
        write("en", "a=one"),
        write("cs", "a=jedna"),
    );
    let log = follow(&script, &["known", "merged"]);
    let told = log.iter().filter(|line| line.action == 2).map(|line| line.target.as_str());
    assert_eq!(told.collect::<Vec<_>>(), [""]);
}

#[test]
fn a_broken_file_for_which_another_version_stands_after_a_force_push_has_the_texts_of_that_one() {
    let script = format!(
        "{PEOPLE}commit start\n{}{}commit broken\n  write locales/pt_PT.json \"{{\"\ncommit other\n{}commit end\n  \
         delete locales/pt-PT.json\n",
        write("en", "a=one"),
        write("pt_PT", "a=um"),
        write("pt-PT", "a=dois"),
    );
    let log = follow(&script, &["end", "broken"]);
    let told = log.iter().filter(|line| line.action == 2).map(|line| line.target.as_str());
    assert_eq!(told.collect::<Vec<_>>(), ["dois", "um"]);
}

#[test]
fn a_language_is_told_as_complete_after_the_text_that_completes_it_whichever_of_its_files_has_that() {
    let script = format!(
        "{PEOPLE}commit start\n{}{}branch one at start\ncommit doubled\n{}branch two at start\ncommit gains\n{}\
         commit end\n  write README \"x\"\n",
        write("en", "a=one"),
        write("pt_PT", "b=dois"),
        write("pt-PT", "a="),
        write("en", "b=two"),
    );
    let log = follow(&script, &["doubled", "end"]);
    let told = log.iter().filter(|line| line.language.as_deref() == Some("pt_PT") && matches!(line.action, 1 | 5));
    assert_eq!(told.map(|line| line.action).collect::<Vec<_>>(), [5, 1]);
}
