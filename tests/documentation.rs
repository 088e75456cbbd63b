//! The documents match the program: the table of settings, every example command, and every link.

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::{Repo, Server, commit, gitglot};
use gitglot::config::{Setting, SettingGroup, setting_groups};

const CONFIGURATION: &str = include_str!("../docs/configuration.md");

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
    let groups = setting_groups();
    let tables: Vec<String> = groups.iter().map(table).collect();
    let missing = tables.iter().any(|table| !CONFIGURATION.contains(table));
    let rows = CONFIGURATION
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .count();
    let settings: usize = groups.iter().map(|group| group.settings.len()).sum();
    assert!(
        !missing && rows == settings,
        "docs/configuration.md differs from the settings; its tables should be:\n\n{}",
        tables.join("\n")
    );
}

/// The documents for users, relative to the repository.
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
        .collect();
    found.sort();
    found
}

/// The commands of all `sh` blocks without `skip="reason"` in the info string.
fn examples(text: &str) -> Vec<&str> {
    let mut blocks = text.split("\n```");
    let mut found = Vec::new();
    while let Some(block) = blocks.find(|block| block.starts_with("sh\n")) {
        found.extend(
            block
                .lines()
                .skip(1)
                .filter(|line| !line.is_empty() && !line.starts_with('#')),
        );
    }
    found
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

/// Runs a `curl` command against the demo; only the status matters.
fn run_curl(command: &str, server: &Server) {
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
    let agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .build()
        .new_agent();
    let request = headers.iter().fold(
        agent.get(format!("{}{url}", server.base)),
        |request, header| {
            let (name, value) = header.split_once(": ").unwrap();
            request.header(name, value)
        },
    );
    // Event streams never end: their body is not read.
    let response = request
        .call()
        .unwrap_or_else(|error| panic!("{command}: {error}"));
    assert_eq!(response.status().as_u16(), 200, "{command}");
}

#[test]
fn every_example_in_the_documents_works() {
    let folder = tempfile::tempdir().unwrap();
    let repository = folder.path().join("example.git");
    let (texts, translation) = (r#"{"hello": "Hello"}"#, r#"{"hello": "Ahoj"}"#);
    Repo::with(
        &repository,
        &commit("one")
            .write("locales/en.json", texts)
            .write("locales/cs.json", translation),
    );
    let server = Server::start(&["demo"], &folder.path().join("state"));
    let mut programs = BTreeSet::new();
    for path in documents() {
        for command in examples(&std::fs::read_to_string(&path).unwrap()) {
            let words = words(command);
            match &*words[0] {
                "curl" => run_curl(command, &server),
                "gitglot" => {
                    let output = gitglot()
                        .args(&words[1..])
                        .current_dir(&repository)
                        .output()
                        .unwrap();
                    assert!(
                        output.status.success(),
                        "{}: {command}: {output:?}",
                        path.display()
                    );
                    if let Some((_, file)) = command.split_once(" > ") {
                        std::fs::write(repository.join(file), &output.stdout).unwrap();
                    }
                }
                other => {
                    panic!(
                        "{}: {other} cannot run in a test: mark the block with skip=\"reason\"",
                        path.display()
                    )
                }
            }
            programs.insert(words[0].clone());
        }
    }
    assert_eq!(programs.len(), 2, "{programs:?}");
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
