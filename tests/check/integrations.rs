//! The commands of the GitHub Action, the GitLab template and the pre-commit hook, over a repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::{DE, clone, git, has_git, site};

pub(super) fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A shell that finds the program under test as `gitglot`.
pub(super) fn shell(folder: &Path) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_gitglot"))
        .parent()
        .unwrap()
        .to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs).chain(std::env::split_paths(&path)))
        .unwrap();
    let mut command = Command::new("sh");
    command
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("GITGLOT_CONFIG");
    for variable in [
        "GITHUB_BASE_REF",
        "GITHUB_OUTPUT",
        "GITHUB_STEP_SUMMARY",
        "RUNNER_TEMP",
    ] {
        command.env_remove(variable);
    }
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
#[cfg(unix)]
fn the_action_annotates_summarizes_and_returns_a_comment() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    let (summary, output) = (site.path("summary"), site.path("output"));
    let run = |variables: &[(&str, &str)]| -> Output {
        drop((fs::remove_file(&summary), fs::remove_file(&output)));
        let mut command = shell(&folder);
        command
            .arg(project("ci/github-action.sh"))
            .envs(variables.iter().copied());
        command
            .env("GITHUB_STEP_SUMMARY", &summary)
            .env("GITHUB_OUTPUT", &output)
            .env("RUNNER_TEMP", site.path("temp"));
        command.output().unwrap()
    };
    let done = run(&[("GITHUB_BASE_REF", "main")]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(
        text(&done.stdout)
            .lines()
            .all(|line| line.starts_with("::")),
        "{}",
        text(&done.stdout)
    );
    assert!(text(&done.stdout).contains("title=i18next_interpolation (de)"));
    let written = fs::read_to_string(&output).unwrap();
    assert!(
        written.starts_with("status=1\nreport=") && written.contains("\ncomment<<gitglot-"),
        "{written}"
    );
    assert!(
        fs::read_to_string(&summary)
            .unwrap()
            .starts_with("### Translations: failed")
    );
    let report = fs::read_to_string(site.path("temp/gitglot-report/report.json")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&report).unwrap()["base"]["revision"],
        "origin/main"
    );
    let page = fs::read_to_string(site.path("temp/gitglot-report/comparison.html")).unwrap();
    for part in [
        "<caption>",
        "i18next_interpolation",
        "origin/main",
        "Choose your <del>colour</del>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let passed = run(&[
        ("INPUT_BASE", "HEAD"),
        ("INPUT_FAIL_ON", "stale"),
        ("INPUT_FAIL_UNDER", "50"),
    ]);
    assert_eq!(passed.status.code(), Some(0), "{}", text(&passed.stderr));
    let wrong = run(&[("INPUT_BASE", "nope; touch owned")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        fs::read_to_string(&output)
            .unwrap()
            .starts_with("status=2\n")
            && !folder.join("owned").exists()
    );
}

#[test]
fn the_action_runs_the_scripts_and_never_expands_inputs_in_a_shell() {
    let action = fs::read_to_string(project("action.yml")).unwrap();
    for script in [
        "ci/install.sh",
        "ci/github-action.sh",
        "ci/github-digest.sh",
        "ci/github-site.sh",
    ] {
        assert!(
            action.contains(script) && project(script).exists(),
            "{script}"
        );
    }
    for line in action
        .lines()
        .filter(|line| line.trim_start().starts_with("run:"))
    {
        assert!(!line.contains("${{"), "{line}");
    }
}

#[test]
#[cfg(unix)]
fn the_gitlab_template_writes_its_reports() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    let template = fs::read_to_string(project("templates/check.yml")).unwrap();
    let line = |start: &str| {
        let mut lines = template.lines();
        let found = lines.find(|line| line.trim_start().starts_with(start));
        found
            .unwrap()
            .trim_start()
            .trim_start_matches("- ")
            .to_owned()
    };
    let script = format!("{} && {}", line("- git fetch "), line("- gitglot "));
    // GitLab fetches the commits of the merge request only.
    git(&folder, &["update-ref", "-d", "refs/remotes/origin/main"]);
    let mut command = shell(&folder);
    command.args(["-c", &script]);
    let done = command
        .env("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let report = fs::read_to_string(folder.join("gl-code-quality-report.json")).unwrap();
    assert!(
        !serde_json::from_str::<Vec<Value>>(&report)
            .unwrap()
            .is_empty()
    );
    assert!(
        fs::read_to_string(folder.join("translations.xml"))
            .unwrap()
            .contains("<testsuites")
    );
}

#[test]
#[cfg(unix)]
fn the_pre_commit_hook_checks_staged_files() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    let hooks = fs::read_to_string(project(".pre-commit-hooks.yaml")).unwrap();
    let entry = hooks
        .lines()
        .find_map(|line| line.trim().strip_prefix("entry: "))
        .unwrap();
    let hook = |folder: &Path| {
        shell(folder)
            .args(["-c", entry])
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(hook(&folder), Some(0));
    fs::write(folder.join("locales/de.json"), DE.replace("%d ", "")).unwrap();
    assert_eq!(hook(&folder), Some(0), "nothing is staged");
    git(&folder, &["add", "."]);
    assert_eq!(hook(&folder), Some(1));
    // `git commit -a` gives hooks an index of its own.
    git(&folder, &["reset", "-q"]);
    fs::copy(folder.join(".git/index"), folder.join(".git/other")).unwrap();
    let mut add = Command::new("git");
    add.args(["add", "."])
        .current_dir(&folder)
        .env("GIT_INDEX_FILE", folder.join(".git/other"));
    assert!(add.status().unwrap().success());
    let other = shell(&folder)
        .args(["-c", entry])
        .env("GIT_INDEX_FILE", ".git/other")
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(1));
}

/// Runs `ci/install.sh` with releases in a directory, and without gitglot and cargo in the path.
#[cfg(unix)]
fn install(releases: &Path, temp: &Path) -> Output {
    let mut command = Command::new("/bin/sh");
    command.arg(project("ci/install.sh"));
    command.args(["OWNER/gitglot", "v9.9.9", "/nowhere"]);
    command
        .env("PATH", "/usr/bin:/bin")
        .env("GITGLOT_RELEASES", format!("file://{}", releases.display()))
        .env("GITHUB_PATH", temp.join("path"))
        .env("RUNNER_TEMP", temp);
    command.output().unwrap()
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn the_action_installs_a_released_binary_with_the_right_checksum() {
    let tools = Command::new("sh")
        .args(["-c", "command -v curl sha256sum tar"])
        .stdout(std::process::Stdio::null())
        .status();
    if !tools.unwrap().success() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let name = "gitglot-9.9.9-x86_64-unknown-linux-musl";
    let release = folder.path().join("v9.9.9");
    fs::create_dir_all(release.join(name)).unwrap();
    fs::write(
        release.join(name).join("gitglot"),
        "#!/bin/sh\necho gitglot 9.9.9\n",
    )
    .unwrap();
    let pack = format!(
        "chmod +x {name}/gitglot && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz > {name}.tar.gz.sha256"
    );
    let packed = Command::new("sh")
        .args(["-c", &pack])
        .current_dir(&release)
        .status();
    assert!(packed.unwrap().success());
    let done = install(folder.path(), folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(
        text(&done.stdout).ends_with("gitglot 9.9.9\n"),
        "{}",
        text(&done.stdout)
    );
    let path = fs::read_to_string(folder.path().join("path")).unwrap();
    assert!(path.trim().ends_with("gitglot-bin"), "{path}");
    fs::write(release.join(format!("{name}.tar.gz")), "damaged").unwrap();
    let damaged = install(folder.path(), folder.path());
    assert!(!damaged.status.success(), "{}", text(&damaged.stdout));
}
