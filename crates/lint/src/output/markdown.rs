//! Markdown tables for a comment on a pull request or a job summary.
//!
//! All texts of the repository are in `<code>`, where Markdown, mentions and links have no effect.

use std::fmt::Write;

use super::parts::{self, OutputStyle};
use super::{escape, table};
use crate::{ComponentReport, Finding, GateOutcome, Report};

/// Writes the tables.
pub(super) fn write(report: &Report, outcome: &GateOutcome, style: OutputStyle) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "### Translations: {}\n", outcome.status());
    for gate in &outcome.failed {
        let _ = writeln!(out, "- Failed gate: {}", code(gate));
    }
    for gate in &outcome.undecided {
        let _ = writeln!(out, "- Cannot decide the gate {}", code(gate));
    }
    if !outcome.failed.is_empty() || !outcome.undecided.is_empty() {
        out.push('\n');
    }
    findings(&mut out, &report.findings);
    if style.hidden > 0 {
        let _ = writeln!(
            out,
            "{} findings that are also in the base are not listed.\n",
            style.hidden
        );
    }
    for component in &report.components {
        numbers(&mut out, component);
    }
    for note in &report.notes {
        let _ = writeln!(out, "- {}", code(note));
    }
    let _ = writeln!(
        out,
        "\n<sub>Read: {}</sub>",
        code(&parts::read_line(report))
    );
    out
}

fn findings(out: &mut String, findings: &[Finding]) {
    if findings.is_empty() {
        out.push_str("No findings.\n\n");
        return;
    }
    out.push_str("| Severity | File | Key | Check | Message |\n|---|---|---|---|---|\n");
    for finding in findings {
        let mut message = code(&finding.message);
        let texts = [
            ("before", &finding.previous_source),
            ("source", &finding.source),
            ("translation", &finding.target),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                let _ = write!(message, "<br>{name}: {}", code(text));
            }
        }
        let location = code(&format!("{}:{}", finding.file, finding.line));
        let key = if finding.key.is_empty() {
            String::new()
        } else {
            code(&finding.key)
        };
        let (severity, check) = (finding.severity.name(), finding.check.id());
        let _ = writeln!(
            out,
            "| {severity} | {location} | {key} | `{check}` | {message} |"
        );
    }
    out.push('\n');
}

/// The table of a component; with a base only the languages that change.
fn numbers(out: &mut String, component: &ComponentReport) {
    let (heading, mut rows) = table::rows(component);
    let all = rows.len();
    if component.totals.changes.is_some() {
        let changed: Vec<bool> = component
            .languages
            .iter()
            .map(|it| it.changes.is_none_or(|changes| changes != <_>::default()))
            .collect();
        let mut changed = changed.into_iter();
        rows.retain(|_| changed.next().unwrap_or(true));
    }
    let _ = writeln!(
        out,
        "<details><summary>{}</summary>\n",
        code(&component.name)
    );
    let _ = writeln!(
        out,
        "| {} |\n|---|---{}|",
        heading.join(" | "),
        "|--:".repeat(heading.len().saturating_sub(2))
    );
    for row in &rows {
        let cells: Vec<String> = row.iter().map(|cell| cell_text(cell)).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    if rows.len() < all {
        let _ = writeln!(
            out,
            "\n{} unchanged languages are not listed.",
            all - rows.len()
        );
    }
    out.push_str("\n</details>\n\n");
}

fn cell_text(text: &str) -> String {
    escaped(text, "|*`@")
}

/// Text that is shown as it is.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text, "|\\`*_["))
}

/// Text of HTML in which these characters have no meaning in Markdown.
fn escaped(text: &str, special: &str) -> String {
    let mut out = String::new();
    for char in escape::xml(text).chars() {
        if special.contains(char) {
            let _ = write!(out, "&#{};", u32::from(char));
        } else {
            out.push(char);
        }
    }
    out
}
