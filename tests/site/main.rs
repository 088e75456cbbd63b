//! Tests of `gitglot site`: the files of the examples and of scripted repositories.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

#[path = "../common/mod.rs"]
mod common;

mod contents;
mod links;
mod updates;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{History, TestSite, commit, component, gitglot, project};

/// The file that lists all others.
const MANIFEST: &str = "gitglot-site.txt";

/// The example repositories, and a configuration file that names them.
struct Examples {
    folder: tempfile::TempDir,
}

impl Examples {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = String::new();
        for demo in &gitglot::demo::DEMOS {
            let path = folder.path().join(demo.project);
            demo.write(&path).unwrap();
            config += &format!(
                "[[project]]\nslug = '{}'\nname = '{}'\n[[project.component]]\nslug = '{}'\nrepo = '{}'\n\
                 branch = '{}'\nfilemask = '{}'\ntemplate = '{}'\nfile_format = '{}'\n",
                demo.project,
                demo.project_name,
                demo.component,
                path.display(),
                demo.branch,
                demo.filemask,
                demo.template,
                demo.file_format.name(),
            );
        }
        fs::write(folder.path().join("gitglot.toml"), config).unwrap();
        Self { folder }
    }

    fn config(&self) -> String {
        self.path("gitglot.toml").to_str().unwrap().to_owned()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the site to a directory, from nothing but the repositories.
    fn write(&self, name: &str, options: &[&str]) -> Files {
        let state = tempfile::tempdir().unwrap();
        let state = state.path().to_str().unwrap();
        let config = self.config();
        let options = [&["--config", &*config, "--state-dir", state], options].concat();
        success(&run(&self.path(name), &options));
        Files::read(&self.path(name))
    }
}

/// Runs `gitglot site` for a directory, with everything that the options do not leave out.
fn run(directory: &Path, options: &[&str]) -> Output {
    let mut command = gitglot();
    command.args(["site", "--api"]).args(options);
    for which in ["--strings", "--changes"] {
        if !options.contains(&which) {
            command.args([which, "all"]);
        }
    }
    command.arg(directory);
    command.args(["--log-level", "error"]).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn success(output: &Output) {
    assert!(output.status.success(), "{}", errors(output));
}

/// All files of a directory, by their paths with slashes.
#[derive(PartialEq, Eq)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    fn read(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        collect(root, "", &mut files);
        Self(files)
    }

    fn text(&self, path: &str) -> &str {
        let bytes = self.0.get(path).unwrap_or_else(|| panic!("no file {path}"));
        std::str::from_utf8(bytes).unwrap()
    }

    fn json(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(self.text(path)).unwrap()
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// The paths with an extension.
    fn with<'a>(&'a self, extension: &'a str) -> impl Iterator<Item = &'a str> {
        let paths = self.0.keys().map(String::as_str);
        paths.filter(move |path| path.ends_with(extension))
    }

    /// The paths that only one of two sites has, or whose content differs.
    fn differences<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let all = self.0.keys().chain(other.0.keys());
        let differs = |path: &&String| self.0.get(*path) != other.0.get(*path);
        let mut paths: Vec<&str> = all.filter(differs).map(String::as_str).collect();
        paths.sort_unstable();
        paths.dedup();
        paths
    }
}

fn collect(folder: &Path, below: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{below}{name}");
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else {
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
}

/// A repository with two strings in two languages.
fn garden() -> TestSite {
    TestSite::new(&garden_history())
}

fn garden_history() -> History {
    commit("one")
        .write("l/en.json", r#"{"seed": "Seed", "rose": "A red rose"}"#)
        .write("l/cs.json", r#"{"seed": "Semeno", "rose": "Růže"}"#)
        .write("l/de.json", r#"{"seed": "Samen", "rose": "A red rose"}"#)
}

/// The configuration of the repository.
fn garden_config(site: &TestSite) -> String {
    let path = site.path("gitglot.toml");
    let repo = site.repository.dir().to_str().unwrap();
    fs::write(&path, project("garden", &[component("app", repo, "l", "")])).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Writes the site of the repository to `public`, with new ids.
fn write_garden(site: &TestSite, options: &[&str]) -> Files {
    let config = garden_config(site);
    let state = tempfile::tempdir().unwrap();
    let state = state.path().to_str().unwrap();
    let options = [&["--config", &*config, "--state-dir", state], options].concat();
    success(&run(&site.path("public"), &options));
    Files::read(&site.path("public"))
}
