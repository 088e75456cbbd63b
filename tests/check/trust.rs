//! What a pull request can read and write on the machine that checks it: nothing but its repository.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::{History, TestSite, commit};
use super::{Run, clone, git, has_git};

const SECRET: &str = "c2VjcmV0dG9rZW4";

pub fn base() -> History {
    commit("one")
        .write("l/en.properties", "a=Hello {name}\n")
        .write("l/cs.properties", "a=Ahoj {name}\n")
}

/// A clone at the branch `pr`, with a secret in git's configuration.
pub fn pull_request(
    base: &History,
    change: impl FnOnce(History) -> History,
) -> (TestSite, PathBuf) {
    let history = base.clone().branch_at("pr", "one").commit("two");
    let site = TestSite::new(&change(history));
    let folder = clone(&site, "pr", &[]);
    let header = format!("AUTHORIZATION: basic {SECRET}");
    git(
        &folder,
        &["config", "http.https://host.example/.extraheader", &header],
    );
    (site, folder)
}

pub fn component(filemask: &str, template: &str) -> String {
    format!(
        "[check]\nsource_checks = true\n[[project]]\nslug = 'p'\n[[project.component]]\nslug = 'c'\nrepo = '.'\n\
         filemask = '{filemask}'\ntemplate = '{template}'\nfile_format = 'properties'\n"
    )
}

/// Runs with every report, and returns the run and everything that it wrote.
fn run_with_reports(site: &TestSite, folder: &Path, flags: &[&str]) -> (Run, String) {
    let files = ["markdown", "json", "sarif"].map(|it| (it, site.path(it)));
    let writes = files
        .clone()
        .map(|(format, path)| format!("{format}:{}", path.display()));
    let writes: Vec<&str> = writes.iter().flat_map(|it| ["--write", it]).collect();
    let run = Run::new(
        folder,
        &[flags, &["--format", "github"], &writes[..]].concat(),
    );
    let mut all = format!("{}{}", run.out, run.err);
    for (_, path) in files {
        all.push_str(&fs::read_to_string(&path).unwrap_or_default());
        drop(fs::remove_file(path));
    }
    (run, all)
}

pub const STATES: [&[&str]; 4] = [
    &["--base", "origin/main", "--new-only"],
    &["--base", "origin/main", "--worktree"],
    &["--worktree"],
    &[],
];

#[test]
fn masks_and_templates_do_not_lead_out_of_the_repository_or_to_git() {
    if !has_git() {
        return;
    }
    for (filemask, template) in [
        (".git/con*", "l/en.properties"),
        (".GIT/con*", "l/en.properties"),
        ("git~1/con*", "l/en.properties"),
        ("./.git/con*", "l/en.properties"),
        ("l/../.git/con*", "l/en.properties"),
        ("../*/en.properties", "l/en.properties"),
        ("/proc/self/env*n", "l/en.properties"),
        ("l/*.properties", ".git/config"),
        ("l/*.properties", "l/../.git/config"),
        ("l/*.properties", "/proc/self/environ"),
        ("l/*.properties", "../outside.properties"),
    ] {
        let (site, folder) = pull_request(&base(), |history| {
            history.write("gitglot.toml", component(filemask, template))
        });
        fs::write(site.path("outside.properties"), format!("a={SECRET}\n")).unwrap();
        for flags in STATES {
            let (run, all) = run_with_reports(&site, &folder, flags);
            assert_eq!(run.code, 2, "{filemask} {template} {flags:?}: {all}");
            assert!(
                !all.contains(SECRET),
                "{filemask} {template} {flags:?}: {all}"
            );
            assert!(run.err.contains("gitglot.toml:"), "{}", run.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn no_link_of_a_pull_request_is_followed() {
    use std::os::unix::fs::symlink;
    if !has_git() {
        return;
    }
    for (link, target, filemask, template) in [
        ("x", "../home", "x/*.properties", "l/en.properties"),
        ("x", ".git", "x/con*", "l/en.properties"),
        ("l/x", "../../home", "l/x/*.properties", "l/en.properties"),
        (
            "l/de.properties",
            "../../home/de.properties",
            "l/*.properties",
            "l/en.properties",
        ),
        ("t", ".git", "l/*.properties", "t/config"),
        ("t", "../home", "l/*.properties", "t/de.properties"),
        ("x", "/proc/self", "x/env*n", "l/en.properties"),
    ] {
        let (site, folder) = pull_request(&base(), |history| history.write("README", "x"));
        fs::create_dir(site.path("home")).unwrap();
        fs::write(site.path("home/de.properties"), format!("a={SECRET}\n")).unwrap();
        symlink(target, folder.join(link)).unwrap();
        fs::write(folder.join("gitglot.toml"), component(filemask, template)).unwrap();
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "-m", "links"]);
        for flags in STATES {
            let (_, all) = run_with_reports(&site, &folder, flags);
            assert!(!all.contains(SECRET), "{link} -> {target} {flags:?}: {all}");
            assert!(
                !all.contains("CARGO_"),
                "{link} -> {target} {flags:?}: {all}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_or_submodule_in_place_of_a_translation_is_an_error() {
    if !has_git() {
        return;
    }
    let path = "l/cs.properties";
    for is_submodule in [false, true] {
        let (_site, folder) = pull_request(&base(), |history| history.write("README", "x"));
        fs::write(
            folder.join("gitglot.toml"),
            component("l/*.properties", "l/en.properties"),
        )
        .unwrap();
        fs::remove_file(folder.join(path)).unwrap();
        if is_submodule {
            git(&folder, &["rm", "-q", "--cached", path]);
            let entry = format!("160000,{},{path}", "1".repeat(40));
            git(&folder, &["update-index", "--add", "--cacheinfo", &entry]);
            fs::create_dir(folder.join(path)).unwrap();
        } else {
            std::os::unix::fs::symlink("en.properties", folder.join(path)).unwrap();
            git(&folder, &["add", path]);
        }
        git(&folder, &["commit", "-q", "-m", "replace"]);
        for flags in &STATES[..2] {
            let run = Run::new(&folder, flags);
            assert_eq!(run.code, 1, "{flags:?}: {}{}", run.out, run.err);
            let expected = "replaces the file with 1 translations by a link or a submodule";
            assert!(run.out.contains(expected), "{flags:?}: {}", run.out);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_file_that_is_a_link_is_refused() {
    if !has_git() {
        return;
    }
    let (site, folder) = pull_request(&base(), |history| history.write("README", "x"));
    fs::write(site.path("secret"), SECRET).unwrap();
    std::os::unix::fs::symlink("../secret", folder.join("gitglot.toml")).unwrap();
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-q", "-m", "a link"]);
    for flags in STATES {
        let named = [flags, &["--config", "gitglot.toml"]].concat();
        for flags in [flags, &named] {
            let (run, all) = run_with_reports(&site, &folder, flags);
            assert_eq!(run.code, 2, "{flags:?}: {all}");
            assert!(
                run.err.contains("is not a regular file"),
                "{flags:?}: {all}"
            );
            assert!(!all.contains(SECRET), "{flags:?}: {all}");
        }
    }
}

#[test]
fn with_a_base_the_commit_is_checked_unless_a_flag_selects_the_files_on_disk() {
    if !has_git() {
        return;
    }
    let (_site, folder) = pull_request(&base(), |history| history.write("README", "x"));
    fs::write(folder.join("l/cs.properties"), "a=Ahoj\n").unwrap();
    let json = ["--base", "origin/main", "--format", "json"];
    let run = Run::new(&folder, &json);
    assert_eq!(
        (run.code, &run.json()["state"]),
        (0, &"commit".into()),
        "{}",
        run.err
    );
    let run = Run::new(&folder, &[&json[..], &["--worktree"]].concat());
    assert_eq!(
        (run.code, &run.json()["state"]),
        (1, &"worktree".into()),
        "{}",
        run.err
    );
}

#[test]
fn a_configuration_of_the_repository_reaches_no_other_repository_and_runs_nothing() {
    if !has_git() {
        return;
    }
    let (site, folder) = pull_request(&base(), |history| history.write("README", "x"));
    let marker = site.path("marker");
    let remote = component("l/*.properties", "l/en.properties").replace(
        "repo = '.'",
        &format!(
            "repo = 'https://127.0.0.1:9/x.git'\ncredential_helper = '!touch {}; echo username=a'",
            marker.display()
        ),
    );
    fs::write(folder.join("gitglot.toml"), &remote).unwrap();
    // A file with a single repository describes the one that it is in.
    for flags in [&["--config", "gitglot.toml"][..], &[]] {
        let run = Run::new(&folder, &[flags, &["--format", "json"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(run.json()["components"][0]["name"], "p/c");
    }
    let other = TestSite::new(&base());
    let second = component("l/*.properties", "l/en.properties")
        .replace("'c'", "'d'")
        .replace(
            "repo = '.'",
            &format!("repo = '{}'", other.repository.dir().display()),
        );
    let second = second.split_once("[[project]]\nslug = 'p'\n").unwrap().1;
    fs::write(folder.join("gitglot.toml"), format!("{remote}{second}")).unwrap();
    let run = Run::new(&folder, &["--config", "gitglot.toml"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--trust-config"), "{}", run.err);
    // Outside of a repository, the file names local repositories, and remote ones with the flag.
    let outside = tempfile::tempdir().unwrap();
    fs::write(
        outside.path().join("gitglot.toml"),
        format!("{remote}{second}"),
    )
    .unwrap();
    let run = Run::new(
        outside.path(),
        &["--config", "gitglot.toml", "--format", "json"],
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.json()["components"][0]["name"], "p/d");
    assert!(
        run.json()["notes"][0]
            .as_str()
            .unwrap()
            .contains("p/c is not checked")
    );
    fs::write(outside.path().join("gitglot.toml"), &remote).unwrap();
    let run = Run::new(outside.path(), &["--config", "gitglot.toml"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("only remote repositories"), "{}", run.err);
    let trusted = ["--config", "gitglot.toml", "--trust-config"];
    let run = Run::new(outside.path(), &trusted);
    assert!(run.err.contains("127.0.0.1:9"), "{}", run.err);
    assert!(!marker.exists());
}

#[cfg(unix)]
#[test]
fn reports_do_not_follow_links() {
    use std::os::unix::fs::symlink;
    if !has_git() {
        return;
    }
    let (site, folder) = pull_request(&base(), |history| history.write("README", "x"));
    let names = ["report.json", "badge.svg", "badge.json"];
    for name in names {
        fs::write(site.path(name), "victim").unwrap();
        symlink(format!("../{name}"), folder.join(name)).unwrap();
    }
    let flags = [
        "--write",
        "json:report.json",
        "--badge",
        "badge.svg",
        "--badge-json",
        "badge.json",
    ];
    let run = Run::new(&folder, &flags);
    assert_eq!(run.code, 0, "{}", run.err);
    for name in names {
        assert_eq!(fs::read_to_string(site.path(name)).unwrap(), "victim");
        assert!(folder.join(name).symlink_metadata().unwrap().is_file());
        assert_ne!(fs::read_to_string(folder.join(name)).unwrap(), "victim");
    }
    symlink("..", folder.join("up")).unwrap();
    let run = Run::new(&folder, &["--write", "json:up/report.json"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert_eq!(
        fs::read_to_string(site.path("report.json")).unwrap(),
        "victim"
    );
}
