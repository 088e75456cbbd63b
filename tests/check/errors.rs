//! Errors name the next step.

use std::path::Path;
use std::process::Output;

use super::common::{TestSite, commit, gitglot};
use super::{DE, EN, site};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let command = &mut gitglot();
    command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn succeeds(folder: &Path, arguments: &[&str]) -> bool {
    run(folder, arguments).status.success()
}

/// The error of a command.
fn error(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_branch_lists_near_names() {
    let site = site();
    let folder = site.repository.dir();
    let state = site.path("state");
    let state = ["--state-dir", state.to_str().unwrap()];
    // The second export has a mirror with another branch.
    assert!(succeeds(
        folder,
        &[&["export", ".", "../first"], &state[..]].concat()
    ));
    for command in [
        &["check"][..],
        &["discover"],
        &[&["export", ".", "../second"], &state[..]].concat(),
    ] {
        let text = error(folder, &[command, &["--branch", "chagne"]].concat());
        let expected = "there is no branch 'chagne', but change, main";
        assert!(text.contains(expected), "{command:?}: {text}");
    }
}

#[test]
fn a_wrong_mask_says_what_was_detected() {
    let site = site();
    let folder = site.repository.dir();
    let mask = ["--filemask", "l10n/*.json"];
    let template = ["--template", "l10n/en.json", "--file-format", "json"];
    for flags in [&mask[..], &[&mask[..], &template].concat()] {
        let text = error(folder, &[&["check"], flags].concat());
        assert!(text.contains("; detected are 'locales/*.json'"), "{text}");
    }
}

#[test]
fn the_name_of_a_repository_suggests_its_url() {
    let site = site();
    for command in ["check", "todo", "discover"] {
        let text = error(site.folder.path(), &[command, "some/app"]);
        assert!(text.contains("give https://github.com/some/app"), "{text}");
    }
}

#[test]
fn a_component_that_does_not_exist_is_an_error() {
    let site = site();
    let state = site.path("state");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--state-dir"];
    for command in [
        &["check"][..],
        &["todo"],
        &["discover"],
        &["site", ".", "../site"],
        &[&serve[..], &[state.to_str().unwrap()]].concat(),
    ] {
        let folder = site.repository.dir();
        let text = error(folder, &[command, &["--component", "foo"]].concat());
        let expected = "no component 'foo' was found, but locales: choose one of these";
        assert!(text.contains(expected), "{command:?}: {text}");
    }
}

#[test]
fn files_named_after_languages_are_not_called_unnamed() {
    let named = "named after languages, but none can be read as the source of the others";
    let alone = commit("one").write("i18n/de.json", DE);
    let broken = commit("one")
        .write("i18n/en.json", "{\"a\": \"x\" \"b")
        .write("i18n/de.json", DE)
        .write("i18n/fr.json", EN);
    for (history, expected) in [(alone, "1 .json file"), (broken, "3 .json files")] {
        let site = TestSite::new(&history);
        let text = error(site.repository.dir(), &["check"]);
        assert!(text.contains(&format!("{expected}: {named}")), "{text}");
    }
}
