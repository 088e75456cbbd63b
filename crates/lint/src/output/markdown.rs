//! Markdown for a comment on a pull request or a job summary: a list of strings with their findings, which fits a narrow
//! window, then a table per component. What is not folded has about 30 lines.
//!
//! All texts of the repository are in `<code>`, where Markdown, mentions and links have no effect.

use std::fmt::Write;

use super::groups::{Group, groups};
use super::shared::{self, OutputStyle};
use super::{escape, table};
use crate::{ComponentReport, Finding, GateOutcome, Report};
use gitglot_model::counted;

/// Most strings that are listed. A comment on GitHub has at most 65,536 characters.
const MAX_GROUPS: usize = 30;

/// Most lines of strings that are not folded.
const MAX_LINES: usize = 20;

/// Most notes that are not folded.
const MAX_NOTES: usize = 3;

/// Most languages that are listed for each.
const MAX_PLACES: usize = 10;

/// Most characters of a text.
const MAX_TEXT: usize = 120;

/// Writes the list and the tables.
pub(super) fn write(report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
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
    findings(&mut out, &report.findings, style);
    if style.hidden > 0 {
        let _ = writeln!(
            out,
            "{} findings that are also in the base are not listed.\n",
            style.hidden
        );
    }
    for component in &report.components {
        renames(&mut out, component);
        numbers(&mut out, component);
    }
    let is_folded = report.notes.len() > MAX_NOTES;
    if is_folded {
        let _ = writeln!(
            out,
            "<details><summary>{} notes</summary>\n",
            report.notes.len()
        );
    }
    for note in &report.notes {
        let _ = writeln!(out, "- {}", code(note));
    }
    if is_folded {
        out.push_str("\n</details>\n");
    }
    let _ = writeln!(
        out,
        "\n<sub>Read: {}</sub>",
        code(&shared::read_line(report))
    );
    out
}

/// The lines of an item that are not folded.
fn lines_of(group: &Group<'_>) -> usize {
    let texts = [&group.first.previous_source, &group.first.source];
    2 + texts.into_iter().flatten().count()
}

fn findings(out: &mut String, findings: &[Finding], style: OutputStyle<'_>) {
    if findings.is_empty() {
        out.push_str("No findings.\n\n");
        return;
    }
    let groups = groups(findings);
    let mut severity = None;
    let (mut lines, mut is_folded) = (0, false);
    for (at, group) in groups.iter().take(MAX_GROUPS).enumerate() {
        lines += lines_of(group);
        if lines > MAX_LINES && !is_folded {
            is_folded = true;
            let _ = writeln!(
                out,
                "\n<details><summary>{} more strings with findings</summary>\n",
                groups.len() - at
            );
        }
        let of_group = group.first.severity;
        let last = severity.replace(of_group);
        if last != Some(of_group) {
            out.push_str(if last.is_some() { "\n" } else { "" });
            let count = findings.iter().filter(|it| it.severity == of_group).count();
            let plural = if count == 1 { "" } else { "s" };
            let _ = writeln!(out, "**{count} {}{plural}**\n", of_group.name());
        }
        write_group(out, group, style);
    }
    if groups.len() > MAX_GROUPS {
        let rest: usize = groups
            .iter()
            .skip(MAX_GROUPS)
            .map(|it| it.findings.len())
            .sum();
        let _ = writeln!(
            out,
            "… and {rest} more findings of {} strings: the formats json, sarif and text list all of them.",
            groups.len() - MAX_GROUPS
        );
    }
    out.push_str(if is_folded { "\n</details>\n\n" } else { "\n" });
}

/// Writes an item: the check, the string and its source, then the place and the text of each language.
fn write_group(out: &mut String, group: &Group<'_>, style: OutputStyle<'_>) {
    let first = group.first;
    let _ = write!(out, "- `{}`", first.check.id());
    if !first.key.is_empty() {
        let _ = write!(out, " {}", code(&first.key));
    }
    let count = group.findings.len();
    if count > 1 {
        let _ = write!(out, " in {count} languages");
    }
    let is_same = group.findings.iter().all(|it| it.message == first.message);
    if is_same {
        let _ = write!(out, ": {}", code(&escape::short(&first.message, MAX_TEXT)));
    }
    for (name, text) in [
        ("before", &first.previous_source),
        ("source", &first.source),
    ] {
        if let Some(text) = text {
            let _ = write!(out, "<br>{name}: {}", code(&escape::short(text, MAX_TEXT)));
        }
    }
    if count > 1 {
        out.push_str("<details><summary>all languages</summary>");
    }
    for finding in group.findings.iter().take(MAX_PLACES) {
        let place = code(&format!("{}:{}", finding.file, finding.line));
        let _ = match style.url(finding) {
            Some(url) => write!(
                out,
                "<br><a href=\"{}\">{place}</a>",
                escaped(&url, "|\\`*_[")
            ),
            None => write!(out, "<br>{place}"),
        };
        let message = Some(&finding.message).filter(|_| !is_same);
        for text in message.into_iter().chain(&finding.target) {
            let _ = write!(out, " {}", code(&escape::short(text, MAX_TEXT)));
        }
    }
    if count > MAX_PLACES {
        let _ = write!(out, "<br>… and {} more", count - MAX_PLACES);
    }
    out.push_str(if count > 1 { "</details>\n" } else { "\n" });
}

/// The renames of a component.
fn renames(out: &mut String, component: &ComponentReport) {
    let renames = &component.renames;
    if renames.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<details><summary>{} {}</summary>\n",
        code(&component.name),
        counted(renames.len(), "renamed or moved string")
    );
    for rename in renames.iter().take(MAX_GROUPS) {
        let [old, new] = [&rename.old_key, &rename.new_key].map(|key| code(key));
        let from = rename.old_component.as_ref();
        let from = from.map_or_else(String::new, |it| format!(" from {}", code(it)));
        let _ = writeln!(out, "- {old}{from} → {new}");
    }
    if renames.len() > MAX_GROUPS {
        let _ = writeln!(out, "- … and {} more", renames.len() - MAX_GROUPS);
    }
    out.push_str("\n</details>\n\n");
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
    let (heading, rows) = with_numbers(&heading, rows);
    let summary = component.summary.as_deref();
    let summary = summary.map_or_else(String::new, |it| format!(": {it}"));
    let _ = writeln!(
        out,
        "<details><summary>{}{summary}</summary>\n",
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

/// The columns of a table that have a number: a narrow window has no room for zeros.
fn with_numbers<'a>(
    heading: &[&'a str],
    rows: Vec<Vec<String>>,
) -> (Vec<&'a str>, Vec<Vec<String>>) {
    let is_listed = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        column < 4 || cells.into_iter().any(|cell| !matches!(&**cell, "" | "0"))
    };
    let listed: Vec<usize> = (0..heading.len()).filter(|&it| is_listed(it)).collect();
    let names = listed.iter().filter_map(|&it| heading.get(it).copied());
    let cells = |row: &Vec<String>| {
        let cells = listed.iter().filter_map(|&it| row.get(it).cloned());
        cells.collect()
    };
    (names.collect(), rows.iter().map(cells).collect())
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
