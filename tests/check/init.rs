//! `gitglot init`, and `gitglot` without a command, in a clone.

use std::fs;
use std::path::Path;

use super::common::{commit, gitglot};
use super::{Run, TestSite, clone, has_git, site};

/// Runs the program, and returns its status and both outputs.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let output = gitglot()
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

#[test]
fn init_writes_a_configuration_that_works_in_every_clone() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    fs::create_dir(folder.join("deep")).unwrap();
    let (status, text) = run(&folder.join("deep"), &["init"]);
    assert_eq!(status, 0, "{text}");
    assert!(
        text.starts_with("wrote gitglot.toml: 1 component"),
        "{text}"
    );
    assert!(!folder.join(".github").exists());
    let moved = site.path("elsewhere");
    fs::rename(&folder, &moved).unwrap();
    let written = fs::read_to_string(moved.join("gitglot.toml")).unwrap();
    assert!(written.contains("repo = \".\"\n"), "{written}");
    let (status, text) = run(&moved, &["config", "check", "gitglot.toml", "--connect"]);
    assert_eq!(status, 0, "{text}");
    assert_eq!(Run::new(&moved, &[]).code, 0);
}

#[test]
fn init_writes_workflows_and_never_overwrites() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    fs::write(folder.join("gitglot.toml"), "mine").unwrap();
    let all = ["init", "--github", "--github-pages", "--gitlab"];
    let (status, text) = run(&folder, &all);
    assert_eq!(status, 0, "{text}");
    let files = [
        ".github/workflows/translations.yml",
        ".github/workflows/translations-site.yml",
        ".gitlab/translations.yml",
    ];
    for file in files {
        let written = fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(&format!("wrote {file}: ")), "{text}");
        assert!(
            !written.contains("{owner}") && !written.contains("{version}"),
            "{written}"
        );
        fs::write(folder.join(file), "mine").unwrap();
    }
    let (status, text) = run(&folder, &all);
    assert_eq!(status, 0, "{text}");
    for file in files.iter().chain(&["gitglot.toml"]) {
        assert!(text.contains(&format!("kept {file}, ")), "{text}");
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "mine");
    }
}

#[test]
#[cfg(unix)]
fn init_does_not_follow_links_of_the_repository() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    let outside = site.path("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join(".github")).unwrap();
    std::os::unix::fs::symlink(outside.join("file"), folder.join("gitglot.toml")).unwrap();
    let (status, text) = run(&folder, &["init", "--github"]);
    assert_eq!(status, 1, "{text}");
    assert!(text.contains("is a link: write the file by hand"), "{text}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn gitglot_alone_describes_the_repository_and_next_commands() {
    let site = site();
    let (status, text) = run(site.repository.dir(), &[]);
    assert_eq!(status, 0, "{text}");
    for part in [
        "branch main: 1 component",
        "  locales/*.json  (json, 2 files)",
        "  gitglot check ",
        "  gitglot serve ",
        "  gitglot init ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn gitglot_alone_outside_of_a_repository_prints_the_help() {
    let folder = tempfile::tempdir().unwrap();
    let (status, text) = run(folder.path(), &[]);
    assert_eq!(status, 2);
    assert!(text.contains("Usage: gitglot [COMMAND]"), "{text}");
}

#[test]
fn gitglot_alone_says_that_there_are_no_translations() {
    let site = TestSite::new(&commit("one").write("main.c", "int main;"));
    let (status, text) = run(site.repository.dir(), &[]);
    assert_eq!(status, 1);
    assert!(text.contains("no translation files were found"), "{text}");
}
