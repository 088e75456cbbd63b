//! Parts that several formats have: messages, fingerprints and the line that describes the input.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::escape;
use crate::finding::{Finding, FindingKind};
use crate::gates::GateOutcome;
use crate::report::{HistoryRead, Report};
use gitglot_model::SeededMap;

/// Steps that a report names of those that make its gates pass.
const MAX_STEPS: usize = 3;

/// Facts that some formats need.
#[derive(Clone, Copy, Default, Debug)]
pub struct OutputStyle<'a> {
    /// Whether to colour text.
    pub colour: bool,
    /// Findings of the base that the report does not contain.
    pub hidden: usize,
    /// Whether the text report lists all findings; else a long one is a summary.
    pub all: bool,
    /// The address of a line of a file, with `{path}` and `{line}`.
    pub file_url: Option<&'a str>,
    /// The address of the documentation, with a slash at the end.
    pub docs: Option<&'a str>,
}

/// A path as a part of a URL.
pub(super) fn uri(path: &str) -> String {
    const MARKS: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~');
    utf8_percent_encode(path, MARKS).to_string()
}

impl OutputStyle<'_> {
    /// The address of the line of a finding.
    pub fn url(&self, finding: &Finding) -> Option<String> {
        let url = self.file_url?.replace("{line}", &finding.line.to_string());
        Some(url.replace("{path}", &uri(&finding.file)))
    }

    /// The kinds of findings, the weightiest first, with the addresses of their documentation.
    pub(super) fn help(&self, report: &Report) -> Vec<(FindingKind, String)> {
        let Some(docs) = self.docs else {
            return Vec::new();
        };
        let findings = report.findings.iter();
        let kinds = findings.map(|finding| (Reverse(finding.severity), finding.check));
        let kinds: BTreeSet<_> = kinds.collect();
        let mut seen = BTreeSet::new();
        let kinds = kinds.into_iter().map(|(_, kind)| kind);
        let kinds = kinds.filter(|kind| seen.insert(*kind));
        kinds
            .map(|kind| (kind, format!("{docs}{}", kind.documentation())))
            .collect()
    }
}

/// What the gates need to pass, in one line.
pub(super) fn to_pass(outcome: &GateOutcome) -> String {
    let shown = outcome.to_pass.get(..MAX_STEPS).unwrap_or(&outcome.to_pass);
    let more = outcome.to_pass.len() - shown.len();
    let more = (more > 0).then(|| format!("and {more} more"));
    let steps: Vec<&str> = shown.iter().chain(&more).map(String::as_str).collect();
    steps.join("; ")
}

/// The message with the key and, for a stale string, the texts, on one line.
pub(in super::super) fn message(finding: &Finding) -> String {
    let mut text = escape::line(&finding.message);
    if !finding.key.is_empty() {
        text = format!("{}: {text}", escape::line(&finding.key.shown()));
    }
    if let (Some(previous), Some(source)) = (&finding.previous_source, &finding.source) {
        let (before, now) = (escape::line(previous), escape::line(source));
        text.push_str(&format!(" Before: {before} Now: {now}"));
    }
    text
}

/// Identifies a finding: equal findings have equal fingerprints in every run. `seen` separates repeated ones.
pub(super) fn fingerprint(finding: &Finding, seen: &mut SeededMap<String, u32>) -> String {
    let mut hash = blake3::Hasher::new();
    for part in [
        &*finding.component,
        &*finding.file,
        finding.key.id(),
        finding.check.id(),
    ] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    let first = hash.finalize().to_hex()[..32].to_owned();
    let count = seen.entry(first.clone()).or_insert(0);
    *count += 1;
    match count {
        1 => first,
        _ => format!("{first}-{count}"),
    }
}

/// Describes the input on one line.
pub(super) fn read_line(report: &Report) -> String {
    let read = &report.read;
    let mut line = escape::line(&read.repository);
    let short = |commit| str::get(commit, ..12).unwrap_or(commit);
    let commit = read.commit.as_deref().map_or("no commit", short);
    line.push_str(match read.state {
        "index" => ", staged files on ",
        "worktree" => ", working tree on ",
        _ => ", commit ",
    });
    line.push_str(commit);
    let branch = read
        .branch
        .as_deref()
        .map_or("detached".to_owned(), escape::line);
    line.push_str(&format!(" ({branch})"));
    if let Some(base) = &read.base {
        let revision = escape::line(&base.revision);
        line.push_str(&format!(", base {} ({revision})", short(&base.commit)));
    }
    line.push_str(match read.history {
        HistoryRead::Complete => ", complete history",
        HistoryRead::Compared => {
            ", history not read: --history full lists strings that were stale before"
        }
        HistoryRead::Shallow => ", shallow clone: stale strings are unknown",
        HistoryRead::Partial => ", partial clone: stale strings are unknown",
        HistoryRead::None => ", history not read: stale strings are unknown without --history full",
    });
    line
}
