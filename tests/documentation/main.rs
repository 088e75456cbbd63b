//! The documents match the program: the table of settings, every example command, and every link.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

mod citations;
#[path = "../common/mod.rs"]
mod common;
mod modules;
mod packages;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::{Repo, Server, commit, gitglot};
use gitglot::config::{Setting, SettingGroup, setting_groups};
use serde_json::Value;

fn row(setting: &Setting) -> String {
    let default = if setting.default.is_empty() {
        "–"
    } else {
        setting.default
    };
    format!("| `{}` | {default} | {} |\n", setting.flag(), setting.help)
}

fn table(group: &SettingGroup) -> String {
    let rows: String = group.settings.iter().map(row).collect();
    format!(
        "### {}\n\n| Flag | Default | Description |\n|---|---|---|\n{rows}",
        group.heading
    )
}

#[test]
fn the_configuration_reference_lists_every_setting() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let groups = setting_groups();
    let first = text.find(&format!("### {}\n", groups[0].heading)).unwrap();
    let end = text[first..].find("\nValues:\n").unwrap() + first;
    let tables: Vec<String> = groups.iter().map(table).collect();
    let expected = [&text[..first], &tables.join("\n"), &text[end..]].concat();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let current = std::fs::read_to_string(&path).unwrap();
    assert!(
        current == expected,
        "docs/configuration.md differs from the settings: run `just docs`, or this test with UPDATE_DOCS=1"
    );
}

/// The documents, except the specification.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = |path: &str| {
        let entries = std::fs::read_dir(root.join(path))
            .unwrap()
            .map(|entry| entry.unwrap().path());
        entries.filter(|path| path.extension().is_some_and(|ext| ext == "md"))
    };
    let mut found: Vec<PathBuf> = folder("")
        .chain(folder("docs"))
        .chain(folder("docs/deploy"))
        .chain(folder("example-repos"))
        .chain(folder("tests"))
        .chain(folder("benches"))
        .collect();
    found.sort();
    found
}

/// A code block with a language.
struct Example<'a> {
    language: &'a str,
    text: &'a str,
}

/// The code blocks with a language and without `skip="reason"` in the info string.
fn examples(text: &str) -> Vec<Example<'_>> {
    // Every second part is a block.
    let blocks = text.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    blocks
        .filter(|(info, _)| !info.is_empty() && !info.contains(" skip=\""))
        .map(|(language, text)| Example { language, text })
        .collect()
}

/// The commands of a `sh` block.
fn commands(text: &str) -> Vec<String> {
    let text = text.replace("\\\n", " ");
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Splits a command into words: single quotes group, `>` ends the command.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in command.split(" > ").next().unwrap_or_default().chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

/// The demo, and a repository with two languages: the site that the examples describe.
struct ExampleSite {
    folder: tempfile::TempDir,
    repository: PathBuf,
    demo: Server,
}

impl ExampleSite {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let repository = folder.path().join("example.git");
        let (texts, translation) = (r#"{"hello": "Hello"}"#, r#"{"hello": "Ahoj"}"#);
        Repo::with(
            &repository,
            &commit("one")
                .write("locales/en.json", texts)
                .write("locales/cs.json", translation),
        );
        let demo = Server::start(&["demo"], &folder.path().join("demo"));
        Self {
            folder,
            repository,
            demo,
        }
    }

    /// Runs an example; `context` is part of messages.
    fn run(&self, example: &Example<'_>, context: &str) {
        match example.language {
            "sh" => commands(example.text)
                .iter()
                .for_each(|command| self.run_command(command, context)),
            "toml" => self.load(example.text, context),
            "markdown" => self.request_links(example.text),
            other => {
                panic!("{context}: {other} cannot run in a test: mark it with skip=\"reason\"")
            }
        }
    }

    fn run_command(&self, command: &str, context: &str) {
        let words = words(command);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["curl", ..] => self.run_curl(command),
            ["gitglot", "serve", "--config", file] => {
                let file = self.repository.join(file).to_str().unwrap().to_owned();
                let state = self.folder.path().join("served");
                drop(Server::start(&["serve", "--config", &file], &state));
            }
            ["gitglot", ..] => {
                let output = self.gitglot(&words[1..]);
                assert!(output.status.success(), "{context}: {command}: {output:?}");
                let prints = !output.stdout.is_empty() || !output.stderr.is_empty();
                // An export only writes files.
                let writes = words
                    .last()
                    .is_some_and(|it| self.repository.join(it).is_dir());
                assert!(prints || writes, "{context}: {command} gives nothing");
                if let Some((_, file)) = command.split_once(" > ") {
                    std::fs::write(self.repository.join(file), &output.stdout).unwrap();
                }
            }
            _ => panic!(
                "{context}: {command} cannot run in a test: mark the block with skip=\"reason\""
            ),
        }
    }

    fn gitglot(&self, arguments: &[String]) -> std::process::Output {
        gitglot()
            .args(arguments)
            .env("XDG_STATE_HOME", self.folder.path())
            .current_dir(&self.repository)
            .output()
            .unwrap()
    }

    /// Loads a configuration file with projects, or one with the table `[check]`.
    fn load(&self, text: &str, context: &str) {
        let path = self.folder.path().join("example.toml");
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let (arguments, most) = match text.contains("[[project]]") {
            true => (vec!["config".to_owned(), "check".to_owned(), path], 0),
            // A gate may fail.
            false => (vec!["check".to_owned(), "--config".to_owned(), path], 1),
        };
        let output = self.gitglot(&arguments);
        let status = output.status.code().unwrap();
        assert!(status <= most, "{context}: {output:?}");
    }

    /// Requests the URLs of the host `HOST`; `P` is a project.
    fn request_links(&self, text: &str) {
        for link in text.split("(https://HOST").skip(1) {
            let path = link.split(')').next().unwrap();
            self.get(&path.replace("/P/", "/reading-lamp/"), &[], text);
        }
    }

    /// Runs a `curl` command against the demo, which has to answer with something.
    fn run_curl(&self, command: &str) {
        let (mut url, mut headers, mut arguments) =
            (None, Vec::new(), words(command).into_iter().skip(1));
        while let Some(argument) = arguments.next() {
            match &*argument {
                "-H" => headers.push(arguments.next().unwrap()),
                "-o" => drop(arguments.next()),
                "-N" | "-sI" => {}
                _ => {
                    url = argument
                        .strip_prefix("http://127.0.0.1:8000")
                        .map(str::to_owned)
                }
            }
        }
        let url = url.unwrap_or_else(|| panic!("{command}: has no URL of the demo"));
        self.get(&url, &headers, command);
    }

    fn get(&self, path: &str, headers: &[String], context: &str) {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .new_agent();
        let mut request = agent.get(format!("{}{path}", self.demo.base));
        for header in headers {
            let (name, value) = header.split_once(": ").unwrap();
            request = request.header(name, value);
        }
        let mut response = request
            .call()
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(response.status().as_u16(), 200, "{context}");
        let media = response.headers()["content-type"].to_str().unwrap();
        // Event streams never end: their body is not read.
        if !media.starts_with("text/event-stream") {
            let (media, body) = (media.to_owned(), response.body_mut().read_to_vec().unwrap());
            assert!(has_result(&media, &body), "{context}: the answer is empty");
        }
    }
}

/// Whether a response has something besides its frame: entries of a list, or rows below the names of columns.
fn has_result(media: &str, body: &[u8]) -> bool {
    match media.split(';').next().unwrap_or_default() {
        "application/json" => {
            let value: Value = serde_json::from_slice(body).unwrap();
            let list = value.get("results").unwrap_or(&value);
            list.as_array().is_none_or(|list| !list.is_empty()) && !list.is_null()
        }
        "text/csv" => body.iter().filter(|byte| **byte == b'\n').count() > 1,
        _ => !body.is_empty(),
    }
}

#[test]
fn every_example_in_the_documents_works() {
    let site = ExampleSite::start();
    let mut languages = BTreeSet::new();
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        for example in examples(&text) {
            site.run(&example, &path.display().to_string());
            languages.insert(example.language.to_owned());
        }
    }
    assert_eq!(languages.len(), 3, "{languages:?}");
}

#[test]
fn documents_name_existing_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        let folders = [root, &root.join("src"), &root.join("tests")];
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path =
                quoted.contains('/') && ["/", ".rs", ".md"].iter().any(|end| quoted.ends_with(end));
            let is_pattern = quoted.contains(['*', '{', ' ', '<', '$']);
            // The format that CONTRIBUTING.md adds as an example.
            let is_example = quoted == "crates/formats/src/lines.rs";
            if is_path && !is_pattern && !is_example && !quoted.starts_with('/') {
                let exists = folders.iter().any(|folder| folder.join(quoted).exists());
                assert!(exists, "{document}: there is no {quoted}");
            }
        }
    }
}

#[test]
fn links_between_documents_lead_to_existing_files_and_headings() {
    let slug = |heading: &str| -> String {
        let letters = heading
            .trim()
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        letters.collect::<String>().to_lowercase().replace(' ', "-")
    };
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://") && !link.contains(' ')) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                path.clone()
            } else {
                path.parent().unwrap().join(file)
            };
            assert!(target.exists(), "{}: {link}", path.display());
            if !anchor.is_empty() {
                let target = std::fs::read_to_string(&target).unwrap();
                let mut headings = target.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| slug(line.trim_start_matches('#')) == anchor);
                assert!(found, "{}: {link}", path.display());
            }
        }
    }
}
