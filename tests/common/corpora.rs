//! The corpora: bundles of public repositories for tests with real histories. They are not part of this repository.
//!
//! The environment variable `GITGLOT_CORPORA` names a directory that contains `corpora/corpora.json`, the bundles next
//! to it, and the table of expected counts in `../log.md`. The directory `corpora` itself works too. Tests that need it are
//! ignored by default, and fail without it.

#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// One repository.
pub struct Corpus {
    pub name: String,
    /// Its description in `corpora.json`.
    pub json: Value,
    folder: PathBuf,
}

/// The directory that `GITGLOT_CORPORA` names.
pub fn root() -> PathBuf {
    let root = std::env::var_os("GITGLOT_CORPORA");
    PathBuf::from(root.expect("set GITGLOT_CORPORA to the directory with the corpora and records"))
}

/// The directory with `corpora.json`.
fn folder() -> PathBuf {
    let root = root();
    if root.join("corpora.json").exists() {
        root
    } else {
        root.join("corpora")
    }
}

/// All corpora.
pub fn all() -> Vec<Corpus> {
    let folder = folder();
    let list = std::fs::read(folder.join("corpora.json"))
        .expect("GITGLOT_CORPORA names a directory with corpora.json");
    let mut list: Value = serde_json::from_slice(&list).expect("a list of corpora");
    let list = list["corpora"].as_array_mut().expect("a list of corpora");
    let corpus = |json: Value| {
        let name = json["name"].as_str().expect("a name").to_owned();
        Corpus {
            name,
            json,
            folder: folder.clone(),
        }
    };
    std::mem::take(list).into_iter().map(corpus).collect()
}

/// The text with the table of expected counts.
pub fn table() -> String {
    std::fs::read_to_string(folder().join("../log.md"))
        .expect("a table of expected counts in log.md")
}

impl Corpus {
    pub fn text(&self, key: &str) -> String {
        self.json[key].as_str().expect("a text").to_owned()
    }

    /// Clones the bundle to a bare repository. Returns the tip of the branch.
    pub fn clone_to(&self, bare: &Path) -> String {
        let git = |arguments: &[&str]| {
            let output = Command::new("git").args(arguments).output().expect("git");
            assert!(output.status.success(), "git {arguments:?} fails");
            String::from_utf8(output.stdout)
                .expect("text")
                .trim()
                .to_owned()
        };
        let (bundle, bare) = (
            self.folder.join(self.text("bundle")),
            bare.to_string_lossy(),
        );
        git(&["clone", "-q", "--bare", &bundle.to_string_lossy(), &bare]);
        git(&["-C", &bare, "rev-parse", &self.text("branch")])
    }
}
