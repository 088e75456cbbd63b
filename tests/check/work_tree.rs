//! The working tree and the index.

use std::fs;

use super::{DE, Run, clone, git, gitglot, has_git, site};

#[test]
fn uncommitted_files_are_checked_with_a_note() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    let clean = Run::new(&folder, &["--format", "json"]);
    assert_eq!((clean.code, clean.err.as_str()), (0, ""));
    fs::write(folder.join("locales/de.json"), DE.replace("{{count}} ", "")).unwrap();
    let run = Run::new(&folder, &["--format", "json"]);
    assert_eq!(
        run.findings(),
        ["locales/de.json count i18next_interpolation"]
    );
    assert_eq!((run.code, &run.json()["state"]), (1, &"worktree".into()));
    assert!(
        run.err.contains("the files on disk are checked"),
        "{}",
        run.err
    );
    let head = Run::new(&folder, &["--revision", "HEAD", "--format", "json"]);
    assert_eq!(
        (head.code, &head.json()["state"]),
        (0, &"commit".into()),
        "{}",
        head.err
    );
    assert_eq!(Run::new(&folder, &["--staged"]).code, 0);
}

#[test]
fn a_new_file_on_disk_is_checked() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    fs::write(
        folder.join("locales/cs.json"),
        r#"{"title": "Vyberte barvu", "extra": "x"}"#,
    )
    .unwrap();
    let run = Run::new(
        &folder,
        &["--worktree", "--base", "HEAD", "--format", "json"],
    );
    assert!(
        run.findings()
            .contains(&"locales/cs.json extra left-over".to_owned()),
        "{}",
        run.out
    );
    assert_eq!(run.json()["totals"]["changes"]["missing"], 6);
}

#[test]
fn staged_files_are_read_from_the_index() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    fs::write(folder.join("locales/de.json"), DE.replace("{{count}} ", "")).unwrap();
    git(&folder, &["add", "locales/de.json"]);
    fs::write(folder.join("locales/de.json"), DE).unwrap();
    let run = Run::new(&folder, &["--staged", "--format", "json"]);
    assert_eq!(
        (run.code, run.findings()),
        (
            1,
            vec!["locales/de.json count i18next_interpolation".to_owned()]
        )
    );
    assert_eq!(run.json()["state"], "index");
    let hook = Run::new(
        &folder,
        &[
            "--staged",
            "--base",
            "HEAD",
            "--new-only",
            "--format",
            "json",
        ],
    );
    assert_eq!((hook.code, hook.findings().len()), (1, 1));
    // A second run after the commit has nothing new.
    git(&folder, &["commit", "-q", "-m", "broken"]);
    let hook = Run::new(
        &folder,
        &[
            "--staged",
            "--base",
            "HEAD",
            "--new-only",
            "--format",
            "json",
        ],
    );
    assert_eq!((hook.code, hook.findings().len()), (0, 0));
}

#[test]
fn a_staged_source_change_makes_translations_stale() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    fs::write(
        folder.join("locales/en.json"),
        super::EN.replace("colour", "color"),
    )
    .unwrap();
    git(&folder, &["add", "."]);
    for flags in [
        &["--staged"][..],
        &["--worktree"],
        &[],
        &["--staged", "--base", "HEAD"],
    ] {
        let run = Run::new(&folder, &[flags, &["--format", "json"]].concat());
        assert_eq!(
            run.findings(),
            ["locales/de.json title stale"],
            "{flags:?}: {}",
            run.err
        );
        assert_eq!(
            run.json()["findings"][0]["previous_source"],
            "Choose your colour"
        );
        assert_eq!(run.json()["findings"][0]["change"], "minor");
    }
}

#[test]
fn a_repository_without_commits_is_checked_on_disk() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    fs::create_dir(folder.path().join("locales")).unwrap();
    fs::write(folder.path().join("locales/en.json"), super::EN).unwrap();
    fs::write(folder.path().join("locales/de.json"), DE).unwrap();
    git(folder.path(), &["add", "."]);
    let run = Run::new(folder.path(), &["--format", "json"]);
    assert_eq!(
        (run.code, &run.json()["commit"]),
        (0, &().into()),
        "{}",
        run.err
    );
}

#[test]
fn the_first_translation_files_are_found_when_they_are_staged() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    git(path, &["init", "-q", "-b", "main"]);
    for commit in [false, true] {
        if commit {
            fs::write(path.join("README"), "x").unwrap();
            git(path, &["rm", "-q", "--cached", "-r", "locales"]);
            git(path, &["add", "README"]);
            git(path, &["commit", "-q", "-m", "x"]);
        } else {
            fs::create_dir(path.join("locales")).unwrap();
            fs::write(path.join("locales/en.json"), super::EN).unwrap();
            fs::write(path.join("locales/de.json"), DE).unwrap();
        }
        let run = Run::new(path, &[]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("git add"), "{}", run.err);
        git(path, &["add", "locales"]);
        let run = Run::new(path, &["--format", "json"]);
        assert_eq!((run.code, &run.json()["state"]), (0, &"worktree".into()));
    }
}

#[test]
fn a_bare_repository_has_no_working_tree() {
    let site = site();
    for flag in ["--worktree", "--staged"] {
        let run = Run::new(site.repository.dir(), &[flag]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("has no working tree"), "{}", run.err);
    }
}

#[test]
fn line_ends_of_the_user_are_no_change() {
    if !has_git() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, user) = (folder.path().join("repo"), folder.path().join("user"));
    fs::create_dir_all(path.join("locales")).unwrap();
    git(&path, &["init", "-q", "-b", "main"]);
    fs::write(path.join("locales/en.json"), super::EN).unwrap();
    fs::write(path.join("locales/de.json"), DE).unwrap();
    git(&path, &["add", "."]);
    git(&path, &["commit", "-q", "-m", "x"]);
    fs::write(path.join("locales/de.json"), DE.replace('\n', "\r\n")).unwrap();
    for (settings, state) in [("", "worktree"), ("[core]\n\tautocrlf = true\n", "commit")] {
        fs::write(&user, settings).unwrap();
        let output = gitglot()
            .args(["check", "--format", "json"])
            .env("GIT_CONFIG_GLOBAL", &user)
            .current_dir(&path)
            .output()
            .unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["state"], state, "{settings}");
    }
}
