//! Errors name the next step.

use std::path::Path;

use super::common::{TestSite, commit, gitglot};
use super::{DE, EN, site};

/// The error of a command.
fn error(folder: &Path, arguments: &[&str]) -> String {
    let output = gitglot()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_wrong_branch_lists_near_names() {
    let site = site();
    let folder = site.repository.dir();
    for command in ["check", "discover"] {
        let text = error(folder, &[command, "--branch", "chagne"]);
        let expected = "there is no branch 'chagne', but change, main";
        assert!(text.contains(expected), "{command}: {text}");
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
fn a_component_that_does_not_exist_is_an_error_of_a_check() {
    let site = site();
    let text = error(site.repository.dir(), &["check", "--component", "foo"]);
    let expected = "no component 'foo' was found, but locales: choose one of these";
    assert!(text.contains(expected), "{text}");
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
