//! Tests of `gitglot check`, from the command line to its output, over scripted repositories.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

#[path = "../common/mod.rs"]
mod common;

mod bilingual;
mod bilingual_faults;
mod checkout;
mod comparison;
mod configuration;
mod credits;
mod digest;
mod errors;
mod faults;
mod formats;
mod gates;
mod groups;
mod hostile;
mod init;
mod integrations;
mod kinds_of_faults;
mod long_reports;
mod new_syntaxes;
mod parts;
mod relevance;
mod renames;
mod report_schema;
mod repository;
mod restored_texts;
mod review;
mod rules;
mod text_settings;
mod todo;
mod trust;
mod uses;
mod work_tree;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use common::{History, TestSite, commit, gitglot};

/// The output of a run, and its exit status.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    /// Runs `gitglot check` in a directory.
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        Self::of(folder, &[&["check"], arguments].concat())
    }

    /// Runs `gitglot` in a directory.
    fn of(folder: &Path, arguments: &[&str]) -> Self {
        let output = gitglot()
            .args(arguments)
            .current_dir(folder)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// The output as JSON. A report has the documented structure.
    fn json(&self) -> Value {
        let document: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.out, self.err));
        if document.get("findings").is_some() {
            report_schema::assert_valid(&document);
        }
        document
    }

    /// Each finding as `file key check`, sorted.
    fn findings(&self) -> Vec<String> {
        let document = self.json();
        let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
        let findings = document["findings"].as_array().unwrap().iter();
        let lines = findings.map(|it| {
            ["file", "key", "check"]
                .map(|name| text(it, name))
                .join(" ")
        });
        let mut lines: Vec<String> = lines.collect();
        lines.sort();
        lines
    }
}

const EN: &str = r#"{
  "hello": "Hello {name}, welcome back",
  "count": "You have {{count}} new files",
  "percent": "There are %d items here",
  "link": "Please read <a href=\"x\">this page</a> now",
  "days": "{n, plural, one {# day left} other {# days left}}",
  "title": "Choose your colour",
  "gone": "An old text"
}
"#;

const DE: &str = r#"{
  "hello": "Hallo {name}, willkommen zurück",
  "count": "Du hast {{count}} neue Dateien",
  "percent": "Hier sind %d Dinge",
  "link": "Bitte lies <a href=\"x\">diese Seite</a> jetzt",
  "days": "{n, plural, one {# Tag übrig} other {# Tage übrig}}",
  "title": "Wähle deine Farbe",
  "gone": "Ein alter Text"
}
"#;

/// A correct state on `main`, and on `change` a new source text, a changed one, a removed one and a broken translation
/// of each kind.
fn history() -> History {
    let en = EN
        .replace("colour", "color")
        .replace("\"gone\": \"An old text\"", "\"fresh\": \"A new text\"");
    let de = DE
        .replace(" {name}", "")
        .replace("{{count}} ", "")
        .replace("%d ", "")
        .replace("</a>", "")
        .replace(" other {# Tage übrig}", "");
    commit("one")
        .write("locales/en.json", EN)
        .write("locales/de.json", DE)
        .branch_at("change", "one")
        .commit("two")
        .write("locales/en.json", en)
        .write("locales/de.json", de)
}

fn site() -> TestSite {
    TestSite::new(&history())
}

fn has_git() -> bool {
    let git = Command::new("git")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    git.is_ok_and(|status| status.success())
}

/// Runs git in a directory, without the user's configuration.
fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "protocol.file.allow=always",
        "-c",
        "user.name=Anna",
        "-c",
        "user.email=anna@example.org",
    ]);
    command
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env_remove("GIT_DIR");
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A clone with a working tree on a branch.
fn clone(site: &TestSite, branch: &str, flags: &[&str]) -> PathBuf {
    let folder = site.path("clone");
    let url = format!("file://{}", site.repository.dir().display());
    git(
        site.folder.path(),
        &[
            &["clone", "-q", "--branch", branch],
            flags,
            &[&url, folder.to_str().unwrap()],
        ]
        .concat(),
    );
    folder
}
