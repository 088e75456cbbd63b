//! The texts of revisions of real repositories, compared with those of plain git.
//!
//! `GITGLOT_CORPORA=DIRECTORY cargo test --release --test revisions -- --include-ignored` compares more than 2,000
//! revisions with their files; see `common/corpora.rs` for the directory.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

#[path = "../common/corpora.rs"]
mod corpora;

use super::{at, fresh};
use gitglot_git::Repository;
use gitglot_history::{HistoryError, Projection};
use gitglot_model::{CommitId, Component, ComponentSettings, FileFormat, FileMask, Slug};

/// Reads blobs of a repository by their path, as `git show` does.
struct Git {
    process: std::process::Child,
    output: BufReader<std::process::ChildStdout>,
}

impl Git {
    fn new(folder: &std::path::Path) -> Self {
        let mut process = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        Self { process, output }
    }

    fn show(&mut self, commit: CommitId, path: &str) -> Option<Vec<u8>> {
        let input = self.process.stdin.as_mut().unwrap();
        writeln!(input, "{commit}:{path}").unwrap();
        input.flush().unwrap();
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        if header.trim_end().ends_with("missing") {
            return None;
        }
        let size: usize = header.split_whitespace().nth(2)?.parse().ok()?;
        let mut bytes = vec![0; size + 1];
        self.output.read_exact(&mut bytes).unwrap();
        bytes.pop();
        Some(bytes)
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The texts of a file by key; `None` if it does not parse.
fn texts(bytes: &[u8], format: FileFormat) -> Option<BTreeMap<String, String>> {
    fn leaves(value: &serde_json::Value, key: &str, found: &mut BTreeMap<String, String>) {
        match value {
            serde_json::Value::Object(members) => members
                .iter()
                .for_each(|(name, value)| leaves(value, &format!("{key}.{name}"), found)),
            serde_json::Value::String(text) => {
                found.insert(key.to_owned(), text.clone());
            }
            _ => {}
        }
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let mut found = BTreeMap::new();
    if format == FileFormat::WebExtension {
        for (key, message) in value.as_object()? {
            let text = message.get("message").and_then(|text| text.as_str());
            found.insert(key.clone(), text.unwrap_or_default().to_owned());
        }
    } else {
        leaves(&value, "", &mut found);
    }
    Some(found)
}

#[test]
#[ignore = "takes minutes without optimization"]
fn two_thousand_revisions_have_the_texts_of_git() {
    let mut checked = 0;
    for corpus in corpora::all() {
        let format: FileFormat = match corpus.json["file_format"].as_str() {
            Some("json") => FileFormat::Json,
            Some("webextension") => FileFormat::WebExtension,
            _ => continue,
        };
        let folder = tempfile::tempdir().unwrap();
        let bare = folder.path().join("r.git");
        let tip = corpus.clone_to(&bare).parse().unwrap();
        let repository = Repository::open(&bare).unwrap();
        let component = Component::new(ComponentSettings::new(
            Slug::new("c").unwrap(),
            FileMask::new(&corpus.text("filemask")).unwrap(),
            &corpus.text("template"),
            format,
        ));
        let tip = fresh(&component, "en", &repository, tip).unwrap();
        let listed = Command::new("git")
            .arg("-C")
            .arg(&bare)
            .args(["rev-list", "HEAD"])
            .output()
            .unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let commits: Vec<CommitId> = listed.lines().map(|id| id.parse().unwrap()).collect();
        let mut git = Git::new(&bare);
        let (mut random, mut units, mut without) = (0x9E37_79B9_7F4A_7C15_u64, 0, 0);
        for _ in 0..300 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let commit = commits[(random >> 33) as usize % commits.len()];
            match at(&component, &tip, &repository, commit) {
                Ok(state) => {
                    units += compare(&state, &mut git, commit, format);
                    checked += 1;
                }
                Err(HistoryError::NothingAt { .. }) => without += 1,
                Err(error) => panic!("{} {commit}: {error}", corpus.name),
            }
        }
        println!(
            "{}: {units} units equal, {without} commits without files",
            corpus.name
        );
    }
    assert!(checked == 0 || checked >= 2000, "{checked}");
}

/// Compares the texts of a state with those of git. Returns their number.
fn compare(state: &Projection, git: &mut Git, commit: CommitId, format: FileFormat) -> usize {
    let mut count = 0;
    for translation in &state.translations {
        let bytes = git.show(commit, &translation.path).unwrap();
        // A file that does not parse has the texts of an older version.
        let Some(found) = texts(&bytes, format) else {
            continue;
        };
        for (unit, source) in translation.units.iter().zip(state.sources.iter()) {
            let key = state.texts.get(source.context);
            let wanted = found.get(key).map_or("", String::as_str);
            let is_text = found.contains_key(key) || state.texts.get(unit.target()).is_empty();
            let target = if translation.is_template {
                source.source
            } else {
                unit.target()
            };
            assert!(
                !is_text || state.texts.get(target) == wanted,
                "{commit} {} {key}: {:?}, not {wanted:?}",
                translation.path,
                state.texts.get(target)
            );
            count += 1;
        }
        if translation.is_template {
            let keys: std::collections::BTreeSet<&str> = state
                .sources
                .iter()
                .map(|source| state.texts.get(source.context))
                .collect();
            for key in found.keys() {
                assert!(
                    keys.contains(&**key),
                    "{commit} {}: {key} is missing",
                    translation.path
                );
            }
        }
    }
    count
}
