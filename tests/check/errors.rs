//! Errors name the next step.

use std::path::Path;
use std::process::Output;

use super::common::{TestSite, commit, gitglot};
use super::{DE, EN, Run, site};

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
        let text = error(site.repository.dir(), &["discover", "."]);
        assert!(text.contains(&format!("{expected}: {named}")), "{text}");
    }
}

const RAILS: [&str; 3] = [
    "en:\n  x: A\n  y: B\n",
    "de:\n  x: C\n  y: D\n",
    "fr:\n  x: E\n  y: F\n",
];

/// Two components of Rails, of which the commit `broken` breaks files of the first.
fn rails(broken: &[(&str, &str)]) -> TestSite {
    let mut history = commit("one");
    for folder in ["a", "b"] {
        for (code, text) in ["en", "de", "fr"].into_iter().zip(RAILS) {
            history = history.write(&format!("{folder}/config/locales/{code}.yml"), text);
        }
    }
    history = history.commit("broken");
    for (path, text) in broken {
        history = history.write(path, *text);
    }
    TestSite::new(&history)
}

#[test]
fn a_template_that_does_not_parse_does_not_hide_its_component() {
    let (en, marks) = ("a/config/locales/en.yml", "<<<<<<< HEAD\nen:\n");
    for (broken, expected) in [
        (&[(en, "en:\n  x: [1\n")][..], &[en][..]),
        (
            &[
                (en, marks),
                ("a/config/locales/de.yml", marks),
                ("a/config/locales/fr.yml", marks),
            ],
            &["a/config/locales/de.yml", en, "a/config/locales/fr.yml"],
        ),
    ] {
        let site = rails(broken);
        let folder = site.repository.dir();
        for flags in [
            &["--format", "json"][..],
            &["--format", "json", "--base", "HEAD"],
            &["--format", "json", "--base", "HEAD~1"],
        ] {
            let run = Run::new(folder, flags);
            let expected: Vec<String> = expected
                .iter()
                .map(|path| format!("{path}  parse-error"))
                .collect();
            assert_eq!(run.findings(), expected, "{flags:?}");
            assert_eq!(run.code, 1, "{flags:?}");
            assert_eq!(run.json()["notes"], serde_json::json!([]), "{flags:?}");
        }
    }
    // The other component is not needed.
    let run = Run::new(
        rails(&[(en, marks)]).repository.dir(),
        &["--format", "json", "--component", "a-config-locales"],
    );
    assert_eq!(run.findings(), [format!("{en}  parse-error")]);
}

#[test]
fn broken_files_that_are_perhaps_no_translations_are_no_errors() {
    let broken = "{\"a\": [";
    let site = rails(&[
        ("test/locales/en.json", broken),
        ("test/locales/de.json", "{}"),
        ("lib/generators/app/templates/locales/en.json", broken),
        (
            "lib/generators/app/templates/locales/de.json",
            "{\"a\": \"b\"}",
        ),
        ("schema/data.json", broken),
        ("schema/other.json", "{}"),
        ("c/locales/en.yml", "en:\n  m: A\n"),
        ("c/locales/de.yml", "de:\n  n: B\n"),
    ]);
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    assert_eq!(run.findings(), [""; 0]);
    let notes = run.json()["notes"].clone();
    let notes: Vec<&str> = notes
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|note| note.as_str())
        .collect();
    let [left_out, template] = &notes[..] else {
        panic!("{notes:?}")
    };
    assert!(
        left_out.starts_with("c/locales/*.yml: left out: "),
        "{left_out}"
    );
    assert!(
        template.starts_with("lib/generators/app/templates/locales/en.json: line 1"),
        "{template}"
    );
}
