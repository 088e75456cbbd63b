//! What a pull request can change in the rules of its own check: it can add some.

use super::common::{History, TestSite, commit};
use super::trust::{STATES, base, component, pull_request};
use super::{Run, clone, has_git};

const BROKEN: &str = "a=Ahoj {evil}\n";

/// The findings of a run that are about the configuration.
fn configuration(run: &Run) -> Vec<String> {
    let findings = run.json()["findings"].as_array().unwrap().clone();
    let found = findings.iter().filter(|it| it["check"] == "configuration");
    found
        .map(|it| it["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_pull_request_cannot_weaken_its_own_check() {
    if !has_git() {
        return;
    }
    let weak = "[check]\nfail_on = []\nignore_keys = ['*']\nignore_checks = ['configuration']\n"
        .to_owned();
    let elsewhere = component("l/*.properties", "l/en.properties").replace(
        "'properties'",
        "'properties'\nchecks = 'modern'\ncheck_flags = 'ignore-python-brace-format'",
    );
    let with_table = base().write("gitglot.toml", "[check]\nfail_on = ['error', 'missing']\n");
    let with_component = base().write(
        "gitglot.toml",
        component("l/*.properties", "l/en.properties"),
    );
    for base in [base(), with_table, with_component] {
        for change in [Some(&weak), Some(&elsewhere), None] {
            let (_site, folder) = pull_request(&base, |history| {
                let history = history.write("l/cs.properties", BROKEN);
                match change {
                    Some(text) => history.write("gitglot.toml", text),
                    None => history.write("gitglot.toml", "").delete("gitglot.toml"),
                }
            });
            let flags = ["--base", "origin/main", "--new-only", "--format", "json"];
            for flags in [&flags[..], &[&flags[..], &["--worktree"]].concat()] {
                let run = Run::new(&folder, flags);
                assert_eq!(run.code, 1, "{change:?}: {}", run.out);
                assert!(
                    run.err.contains("failed gate: error: "),
                    "{change:?}: {}",
                    run.err
                );
            }
        }
    }
}

#[test]
fn a_change_of_the_configuration_is_a_finding() {
    if !has_git() {
        return;
    }
    let base = base().write("gitglot.toml", "[check]\nignore_keys = ['x']\n");
    let (_site, folder) = pull_request(&base, |history| {
        history.write(
            "gitglot.toml",
            format!(
                "{}[check.fail_under_language]\ncs = 1\n",
                "[check]\nignore_keys = ['*']\n"
            ),
        )
    });
    let flags = ["--base", "origin/main", "--new-only", "--format"];
    let run = Run::new(&folder, &[&flags[..], &["json"]].concat());
    let found = configuration(&run);
    let [message] = &found[..] else {
        panic!("{found:?}: {}", run.err)
    };
    assert!(
        message.contains("fail_under_language in [check], ignore_keys in [check]"),
        "{message}"
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let gate = [&flags[..], &["github", "--fail-on", "configuration"]].concat();
    let run = Run::new(&folder, &gate);
    assert_eq!(run.code, 1, "{}", run.err);
    let annotation = "::warning file=gitglot.toml,line=1,col=1,title=configuration::";
    assert!(run.out.starts_with(annotation), "{}", run.out);
    // Other settings are those of a server.
    let (_site, folder) = pull_request(&base, |history| {
        history.write(
            "gitglot.toml",
            "listen = '127.0.0.1:1'\n[check]\nignore_keys = ['x']\n",
        )
    });
    let run = Run::new(&folder, &["--base", "origin/main", "--format", "json"]);
    assert_eq!((run.code, configuration(&run)), (0, vec![]), "{}", run.err);
}

#[test]
fn a_pull_request_can_repair_the_configuration() {
    if !has_git() {
        return;
    }
    let base = base().write("gitglot.toml", "[check]\nfail_un = 3\n");
    let (_site, folder) = pull_request(&base, |history| history.write("README", "x"));
    assert_eq!(Run::new(&folder, STATES[0]).code, 2);
    let (_site, folder) = pull_request(&base, |history| {
        history.write("gitglot.toml", "[check]\nfail_under = 3\n")
    });
    let run = Run::new(&folder, &["--base", "origin/main", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let note = run.json()["notes"][0].as_str().unwrap().to_owned();
    assert!(
        note.contains("the configuration of the base does not apply"),
        "{note}"
    );
}

#[test]
fn a_pull_request_can_add_checks_and_components() {
    if !has_git() {
        return;
    }
    let add = |history: History| {
        history
            .write("m/en.properties", "b=Good day {name}\n")
            .write("m/de.properties", "b=Guten Tag\n")
            .write(
                "gitglot.toml",
                component("m/*.properties", "m/en.properties")
                    .replace("source_checks = true", "fail_under = 100"),
            )
    };
    for base in [
        base(),
        base().write(
            "gitglot.toml",
            component("l/*.properties", "l/en.properties"),
        ),
    ] {
        let (_site, folder) = pull_request(&base, add);
        let run = Run::new(&folder, &["--base", "origin/main", "--format", "json"]);
        assert_eq!(run.code, 1, "{}", run.err);
        let json = run.json();
        let components = json["components"].as_array().unwrap();
        let masks: Vec<&str> = components
            .iter()
            .map(|it| it["filemask"].as_str().unwrap())
            .collect();
        assert_eq!(masks, ["l/*.properties", "m/*.properties"]);
        assert!(
            run.findings()
                .iter()
                .any(|it| it.starts_with("m/de.properties b ")),
            "{}",
            run.out
        );
    }
}

#[test]
fn a_configured_mask_without_files_is_an_error() {
    if !has_git() {
        return;
    }
    let nowhere = component("nowhere/*.properties", "l/en.properties");
    let (_site, folder) = pull_request(&base(), |history| history.write("gitglot.toml", &nowhere));
    for flags in STATES {
        let run = Run::new(&folder, flags);
        assert_eq!(run.code, 2, "{flags:?}: {}", run.out);
        assert!(
            run.err
                .contains("'nowhere/*.properties' of p/c matches no file"),
            "{}",
            run.err
        );
    }
    // A change can repair it.
    let broken = base().write("gitglot.toml", nowhere);
    let (_site, folder) = pull_request(&broken, |history| {
        history.write(
            "gitglot.toml",
            component("l/*.properties", "l/en.properties"),
        )
    });
    let run = Run::new(&folder, STATES[0]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn the_deletion_of_all_files_is_a_finding() {
    if !has_git() {
        return;
    }
    let configured = base().write(
        "gitglot.toml",
        component("l/*.properties", "l/en.properties"),
    );
    for base in [base(), configured] {
        for hidden in [false, true] {
            let (_site, folder) = pull_request(&base, |history| match hidden {
                // Detection ignores this directory.
                true => history.rename("l", "z/node_modules"),
                false => history.delete("l"),
            });
            let run = Run::new(
                &folder,
                &["--base", "origin/main", "--new-only", "--format", "json"],
            );
            assert_eq!(run.code, 1, "{}", run.err);
            assert_eq!(run.findings(), ["l/en.properties  parse-error"]);
        }
    }
}

#[test]
fn moved_files_are_compared_with_their_old_place() {
    if !has_git() {
        return;
    }
    let configured = base().write(
        "gitglot.toml",
        component("l/*.properties", "l/en.properties"),
    );
    for base in [base(), configured.clone()] {
        let (_site, folder) = pull_request(&base, |history| {
            let history = history
                .rename("l", "texts")
                .write("texts/cs.properties", BROKEN);
            history.write(
                "gitglot.toml",
                component("texts/*.properties", "texts/en.properties"),
            )
        });
        let run = Run::new(
            &folder,
            &["--base", "origin/main", "--new-only", "--format", "json"],
        );
        assert_eq!(run.code, 1, "{}", run.err);
        let findings = run.findings();
        assert!(
            findings.iter().all(|it| !it.starts_with("l/")),
            "{findings:?}"
        );
        assert!(
            findings
                .iter()
                .any(|it| it.starts_with("texts/cs.properties a ")),
            "{findings:?}"
        );
        assert_eq!(run.json()["totals"]["changes"]["added"], 0, "{}", run.out);
    }
}

#[test]
fn a_branch_of_an_old_commit_is_checked_with_the_current_rules() {
    if !has_git() {
        return;
    }
    let history = base()
        .branch_at("pr", "one")
        .commit("two")
        .write("l/cs.properties", "a=\n")
        .branch("main")
        .commit("three")
        .write("gitglot.toml", "[check]\nfail_on = ['missing']\n");
    let site = TestSite::new(&history);
    let folder = clone(&site, "pr", &[]);
    let run = Run::new(&folder, &["--base", "origin/main"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("failed gate: missing"), "{}", run.err);
}

#[test]
fn notes_test_texts_and_files_of_tools_are_not_checked() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Hi {name}"}"#)
        .write("locales/de.json", r#"{"a": "Hallo"}"#)
        .write("locales/qqq.json", r#"{"a": "A greeting"}"#)
        .write("locales/en-XA.json", r#"{"a": "[Hi]"}"#)
        .write("locales/package.json", r#"{"files": [1]}"#);
    let site = TestSite::new(&history);
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    assert_eq!(run.findings(), ["locales/de.json a brace_format"]);
}

#[test]
fn excluded_files_are_not_checked() {
    let history = commit("one")
        .write("locales/en.json", r#"{"a": "Hi {name}"}"#)
        .write("locales/de.json", r#"{"a": "Hallo"}"#)
        .write("locales/nds.json", r#"{"a": "x"}"#)
        .write("docs/lang/en.json", r#"{"b": "By {name}"}"#)
        .write("docs/lang/de.json", r#"{"b": "Von"}"#);
    let site = TestSite::new(&history);
    let findings = |flags: &[&str]| {
        let flags = [&["--format", "json"][..], flags].concat();
        Run::new(site.repository.dir(), &flags).findings()
    };
    assert_eq!(findings(&[]).len(), 3);
    let found = findings(&["--exclude", "docs,locales/n??.json"]);
    assert_eq!(found, ["locales/de.json a brace_format"]);

    if !has_git() {
        return;
    }
    let configured = |exclude: &str| {
        let config = format!("[check]\nexclude = {exclude}\n");
        let site = TestSite::new(&history.clone().write("gitglot.toml", config));
        let folder = clone(&site, "main", &[]);
        Run::new(&folder, &["--format", "json"])
    };
    let run = configured("['docs', 'n??.json']");
    assert_eq!(run.findings(), ["locales/de.json a brace_format"]);
    let components = &run.json()["components"];
    assert_eq!(components[0]["languages"].as_array().unwrap().len(), 2);
    let wrong = configured("['../x']");
    assert!(
        wrong.err.contains("'../x' is not a path pattern"),
        "{}",
        wrong.err
    );
}
