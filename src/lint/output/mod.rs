//! Writes a report (`docs/spec/lint.md#formats`).

pub mod badge;
mod checkstyle;
mod escape;
mod github;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod sarif;
mod table;
mod text;

use std::str::FromStr;

use rustc_hash::FxHashMap;

use super::{Finding, GateOutcome, HistoryRead, Report};

pub use escape::line;
pub use json::document;

/// How to write a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON document.
    Json,
    /// Workflow commands of GitHub Actions, which become annotations.
    GitHub,
    /// A Code Quality report of GitLab.
    GitLab,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    JUnit,
    /// Tables for a comment or a job summary.
    Markdown,
    /// Checkstyle XML.
    Checkstyle,
}

/// Facts that some formats need.
#[derive(Clone, Copy, Default, Debug)]
pub struct OutputStyle {
    /// Whether to colour text.
    pub colour: bool,
    /// Findings of the base that the report does not contain.
    pub hidden: usize,
}

impl Format {
    /// All formats with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("text", Self::Text),
        ("json", Self::Json),
        ("github", Self::GitHub),
        ("gitlab", Self::GitLab),
        ("sarif", Self::Sarif),
        ("junit", Self::JUnit),
        ("markdown", Self::Markdown),
        ("checkstyle", Self::Checkstyle),
    ];

    /// Writes a report.
    pub fn write(self, report: &Report, outcome: &GateOutcome, style: OutputStyle) -> String {
        match self {
            Self::Text => text::write(report, outcome, style),
            Self::Json => json::write(report, outcome),
            Self::GitHub => github::write(report),
            Self::GitLab => gitlab::write(report),
            Self::Sarif => sarif::write(report),
            Self::JUnit => junit::write(report),
            Self::Markdown => markdown::write(report, outcome, style),
            Self::Checkstyle => checkstyle::write(report),
        }
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| format).ok_or_else(|| {
            let names = Self::ALL.map(|(name, _)| name).join(", ");
            format!("'{name}' is not a format: use one of {names}")
        })
    }
}

/// The message with the key and, for a stale string, the texts, on one line.
fn message(finding: &Finding) -> String {
    let mut text = escape::line(&finding.message);
    if !finding.key.is_empty() {
        text = format!("{}: {text}", escape::line(&finding.key));
    }
    if let (Some(previous), Some(source)) = (&finding.previous_source, &finding.source) {
        text.push_str(&format!(
            " Before: {} Now: {}",
            escape::line(previous),
            escape::line(source)
        ));
    }
    text
}

/// Identifies a finding: equal findings have equal fingerprints in every run. `seen` separates repeated ones.
fn fingerprint(finding: &Finding, seen: &mut FxHashMap<String, u32>) -> String {
    let mut hash = blake3::Hasher::new();
    for part in [
        &*finding.component,
        &*finding.file,
        &finding.key,
        finding.check.id(),
    ] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    let first = hash
        .finalize()
        .to_hex()
        .get(..32)
        .unwrap_or_default()
        .to_owned();
    let count = seen.entry(first.clone()).or_insert(0);
    *count += 1;
    if *count == 1 {
        first
    } else {
        format!("{first}-{count}")
    }
}

/// Describes the input on one line.
fn read_line(report: &Report) -> String {
    let read = &report.read;
    let mut line = escape::line(&read.repository);
    let commit = read
        .commit
        .as_deref()
        .map_or("no commit", |commit| commit.get(..12).unwrap_or(commit));
    line.push_str(match read.state {
        "index" => ", staged files on ",
        "worktree" => ", working tree on ",
        _ => ", commit ",
    });
    line.push_str(commit);
    match &read.branch {
        Some(branch) => line.push_str(&format!(" ({})", escape::line(branch))),
        None => line.push_str(" (detached)"),
    }
    if let Some(base) = &read.base {
        let commit = base.commit.get(..12).unwrap_or(&base.commit);
        line.push_str(&format!(
            ", base {commit} ({})",
            escape::line(&base.revision)
        ));
    }
    line.push_str(match read.history {
        HistoryRead::Complete => ", complete history",
        HistoryRead::Shallow => ", shallow clone: stale strings are unknown",
        HistoryRead::Partial => ", partial clone: stale strings are unknown",
        HistoryRead::None => ", history not read: stale strings are unknown",
    });
    line
}
