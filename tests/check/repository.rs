//! Revisions, incomplete clones and the location of the repository.

use std::path::PathBuf;

use super::common::{TestSite, commit};
use super::{DE, EN, Run, clone, git, has_git, site};

#[test]
fn revisions_that_are_no_commits_are_refused() {
    let site = site();
    let tree = "main^{tree}";
    for (flags, message) in [
        (["--revision", "nope"], "the revision 'nope' does not exist"),
        (["--base", "nope"], "the revision 'nope' does not exist"),
        (
            ["--base", "mian"],
            "give a branch, a tag or a commit id, such as main",
        ),
        (["--base", tree], "is not a commit"),
        (["--revision", tree], "is not a commit"),
        (["--revision", "main..change"], "is not a commit"),
    ] {
        let run = Run::new(site.repository.dir(), &flags);
        assert_eq!(run.code, 2, "{flags:?}: {}", run.err);
        assert!(run.err.contains(message), "{flags:?}: {}", run.err);
        assert_eq!(run.out, "");
    }
}

#[test]
fn totals_count_the_first_file_of_a_language() {
    let history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/he.json", EN)
        .write("locales/iw.json", "{}");
    let site = TestSite::new(&history);
    let run = Run::new(site.repository.dir(), &["--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let component = &report["components"][0];
    assert_eq!(component["languages"].as_array().unwrap().len(), 3);
    assert_eq!(component["totals"]["translated_percent"], 100.0);
    assert_eq!(component["totals"]["missing"], 0);
    let notes = report["notes"].to_string();
    assert!(notes.contains("gitglot serve uses only"), "{notes}");
}

#[test]
fn an_ambiguous_revision_is_refused() {
    // Enough blobs that two ids begin with the same four digits.
    let mut history = commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE);
    for at in 0..900 {
        history = history.write(&format!("files/{at}"), format!("{at}"));
    }
    let site = TestSite::new(&history);
    let ids: Vec<String> = (0..900)
        .map(|at| {
            let text = at.to_string();
            let id = gitglot_git::blob_id(text.as_bytes(), text.len() as u64);
            id.unwrap().to_string()
        })
        .collect();
    let mut prefixes: Vec<&str> = ids.iter().map(|id| &id[..4]).collect();
    prefixes.sort_unstable();
    let twice = prefixes.windows(2).find(|pair| pair[0] == pair[1]).unwrap()[0];
    let run = Run::new(site.repository.dir(), &["--revision", twice]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("is ambiguous") || run.err.contains("is not a commit"),
        "{}",
        run.err
    );
}

#[test]
fn a_base_without_a_common_ancestor_is_refused() {
    let history = super::history()
        .branch("other")
        .commit("root")
        .write("locales/en.json", EN);
    let site = TestSite::new(&history);
    let run = Run::new(
        site.repository.dir(),
        &["--revision", "other", "--base", "main"],
    );
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no common ancestor"), "{}", run.err);
}

#[test]
fn a_shallow_clone_does_not_know_stale_strings() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &["--depth", "1"]);
    let run = Run::new(&folder, &["--format", "json"]);
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!(
        (&report["history"], &report["totals"]["stale"]),
        (&"shallow".into(), &"unknown".into())
    );
    assert!(
        !run.findings()
            .iter()
            .any(|finding| finding.ends_with("stale"))
    );
    let gate = Run::new(&folder, &["--fail-on", "stale"]);
    assert_eq!(gate.code, 2);
    assert!(gate.err.contains("fetch-depth: 0"), "{}", gate.err);
    let base = Run::new(&folder, &["--base", "HEAD~1"]);
    assert_eq!(base.code, 2);
    assert!(base.err.contains("fetch-depth: 0"), "{}", base.err);
}

#[test]
fn the_repository_is_found_from_any_folder() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "main", &[]);
    for here in [folder.clone(), folder.join("locales")] {
        for arguments in [&["--format", "json"][..], &[".", "--format", "json"]] {
            let run = Run::new(&here, arguments);
            assert_eq!(run.code, 0, "{}", run.err);
            let report = run.json();
            assert_eq!(
                report["components"][0]["languages"][1]["file"],
                "locales/de.json"
            );
            assert_eq!(report["branch"], "main");
            assert_eq!(report["state"], "commit");
        }
    }
    let outside = tempfile::tempdir().unwrap();
    let run = Run::new(outside.path(), &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no git repository"), "{}", run.err);
}

#[test]
fn a_name_of_a_branch_and_a_tag_is_ambiguous() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    git(&folder, &["branch", "twice", "origin/main"]);
    git(&folder, &["tag", "twice", "HEAD"]);
    let run = Run::new(&folder, &["--base", "twice"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("'twice' is ambiguous"), "{}", run.err);
    assert!(run.err.contains("heads/twice"), "{}", run.err);
    let base = ["--base", "heads/twice", "--format", "json"];
    let named = Run::new(&folder, &base);
    assert_eq!(
        named.json()["base"]["revision"],
        "heads/twice",
        "{}",
        named.err
    );
}

/// A clone that gets the texts when git needs them.
fn partial_clone(site: &TestSite, flags: &[&str]) -> PathBuf {
    let allowed = ["config", "uploadpack.allowFilter", "true"];
    git(site.repository.dir(), &allowed);
    clone(site, "change", &[&["--filter=blob:none"], flags].concat())
}

#[test]
fn a_partial_clone_names_the_next_step() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = partial_clone(&site, &[]);
    let run = Run::new(&folder, &["--format", "json"]);
    assert_eq!(run.json()["history"], "partial", "{}", run.err);
    let base = Run::new(&folder, &["--base", "origin/main"]);
    assert_eq!(base.code, 2);
    assert!(base.err.contains("clone without --filter"), "{}", base.err);
}

#[test]
fn detection_names_the_texts_that_a_clone_lacks() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = partial_clone(&site, &["--no-checkout"]);
    let run = Run::new(&folder, &["--revision", "HEAD"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("clone without --filter"), "{}", run.err);
}

#[test]
fn a_linked_work_tree_and_a_detached_head_are_checked() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    let linked = folder.with_file_name("linked");
    let path = linked.to_str().unwrap();
    git(&folder, &["worktree", "add", "--quiet", "--detach", path]);
    let base = ["--base", "origin/main", "--format", "json"];
    let (here, there) = (Run::new(&folder, &base), Run::new(&linked, &base));
    assert_eq!(here.findings(), there.findings(), "{}", there.err);
    assert!(!here.findings().is_empty());
    assert_eq!(here.json()["branch"], "change");
    assert_eq!(there.json()["branch"], serde_json::Value::Null);
    // Each work tree has its own index.
    std::fs::write(linked.join("locales/de.json"), "{").unwrap();
    git(&linked, &["add", "locales/de.json"]);
    let staged = ["--staged", "--format", "json"];
    assert_eq!(Run::new(&linked, &staged).code, 1);
    assert_eq!(Run::new(&folder, &staged).code, Run::new(&folder, &[]).code);
}

#[test]
fn a_submodule_is_checked_as_a_repository() {
    if !has_git() {
        return;
    }
    let site = site();
    let folder = clone(&site, "change", &[]);
    let outer = folder.with_file_name("outer");
    std::fs::create_dir(&outer).unwrap();
    git(&outer, &["init", "--quiet"]);
    let url = folder.to_str().unwrap();
    git(&outer, &["submodule", "--quiet", "add", url, "inner"]);
    let base = ["--base", "origin/main", "--format", "json"];
    let arguments = ["--base", "HEAD~1", "--format", "json"];
    let inner = Run::new(&outer.join("inner"), &arguments);
    assert_eq!(inner.findings(), Run::new(&folder, &base).findings());
    let run = Run::new(&outer, &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no translation files"), "{}", run.err);
}
