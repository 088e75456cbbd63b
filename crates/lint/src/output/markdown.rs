//! Markdown for a comment on a pull request or a job summary: what makes it pass, a small table of languages, a list of
//! strings with their findings, which fits a narrow window, then a folded table per component. What is not folded has
//! about 30 lines.
//!
//! All texts of the repository are in `<code>`, where mentions have no effect. Comments divide what would be a link.

mod language_table;

use std::fmt::Write;

use super::shared::{self, OutputStyle};
use super::{escape, table};
use crate::finding::Finding;
use crate::gates::GateOutcome;
use crate::groups::{Group, groups, languages_of};
use crate::report::{ChangeCounts, ComponentReport, Counts, Report, named};
use gitglot_model::counted;

/// Most strings that are listed.
const MAX_GROUPS: usize = 30;

/// Most bytes before the last string, and of the whole text. A comment on GitHub has at most 65,536 characters.
const MAX_BYTES_OF_LIST: usize = 40_000;
const MAX_BYTES: usize = 60_000;

/// Most lines of strings that are not folded.
const MAX_LINES: usize = 16;

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
    if !outcome.to_pass.is_empty() {
        let _ = writeln!(out, "- To pass: {}", code(&shared::to_pass(outcome)));
    }
    if !outcome.failed.is_empty() || !outcome.undecided.is_empty() {
        out.push('\n');
    }
    language_table::write(&mut out, report);
    findings(&mut out, &report.findings, style);
    if style.hidden > 0 {
        let hidden = style.hidden;
        let _ = writeln!(
            out,
            "{hidden} findings that are also in the base are not listed.\n"
        );
    }
    let mut left_out = 0;
    for component in &report.components {
        let mut part = String::new();
        renames(&mut part, component);
        numbers(&mut part, component);
        if out.len() + part.len() <= MAX_BYTES {
            out.push_str(&part)
        } else {
            left_out += 1
        }
    }
    if left_out > 0 {
        let left_out = counted(left_out, "component");
        let _ = writeln!(out, "The numbers of {left_out} are not listed.\n");
    }
    let notes = report.notes.len();
    let is_folded = notes > MAX_NOTES;
    if is_folded {
        let _ = writeln!(out, "<details><summary>{notes} notes</summary>\n");
    }
    for note in &report.notes {
        let note = code(note);
        if out.len() + note.len() <= MAX_BYTES {
            let _ = writeln!(out, "- {note}");
        }
    }
    if is_folded {
        out.push_str("\n</details>\n");
    }
    let read = code(&shared::read_line(report));
    let _ = writeln!(out, "\n<sub>Read: {read}</sub>");
    out
}

/// The lines of an item that are not folded.
fn lines_of(group: &Group<'_>) -> usize {
    1 + group.checks().count() + group.sources().into_iter().flatten().count()
}

fn findings(out: &mut String, findings: &[Finding], style: OutputStyle<'_>) {
    if findings.is_empty() {
        out.push_str("No findings.\n\n");
        return;
    }
    let groups = groups(findings);
    let mut severity = None;
    let (mut lines, mut is_folded) = (0, false);
    let mut listed = 0;
    for (at, group) in groups.iter().take(MAX_GROUPS).enumerate() {
        if out.len() > MAX_BYTES_OF_LIST {
            break;
        }
        listed = at + 1;
        lines += lines_of(group);
        if lines > MAX_LINES && !is_folded {
            is_folded = true;
            let more = groups.len() - at;
            let summary = format!("<summary>{more} more strings with findings</summary>");
            let _ = writeln!(out, "\n<details>{summary}\n");
        }
        let of_group = group.first.severity;
        let last = severity.replace(of_group);
        if last != Some(of_group) {
            out.push_str(if last.is_some() { "\n" } else { "" });
            let all = findings.iter();
            let count = all.filter(|other| other.severity == of_group).count();
            let _ = writeln!(out, "**{}**\n", counted(count, of_group.name()));
        }
        write_group(out, group, style);
    }
    if groups.len() > listed {
        let rest = groups.iter().skip(listed).map(|group| group.findings.len());
        let rest: usize = rest.sum();
        let _ = writeln!(
            out,
            "… and {rest} more findings of {} strings: the formats json, sarif and text list all of them.",
            groups.len() - listed
        );
    }
    out.push_str(if is_folded { "\n</details>\n\n" } else { "\n" });
}

/// Writes an item: the string with its checks and its source, then the place and the text of each language.
fn write_group(out: &mut String, group: &Group<'_>, style: OutputStyle<'_>) {
    for (at, findings) in group.checks().enumerate() {
        let first = findings[0];
        let id = first.check.id();
        let _ = match at {
            0 => write!(out, "- `{id}`"),
            _ => write!(out, "<br>**{}** {}", first.severity.name(), code(id)),
        };
        if at == 0 && !first.key.is_empty() {
            let _ = write!(out, " {}", code(&first.key.shown()));
        }
        if let Some(languages) = languages_of(findings) {
            let _ = write!(out, " in {}", cell_text(&languages));
        }
        if let Some(message) = shared_message(findings) {
            let _ = write!(out, ": {}", code(&escape::short(message, MAX_TEXT)));
        }
    }
    for (name, text) in ["before", "source"].into_iter().zip(group.sources()) {
        if let Some(text) = text {
            let _ = write!(out, "<br>{name}: {}", code(&escape::short(text, MAX_TEXT)));
        }
    }
    write_places(out, group, style);
}

/// The message of all findings of a check.
fn shared_message<'a>(findings: &[&'a Finding]) -> Option<&'a str> {
    let first = findings[0];
    let is_same = findings.iter().all(|other| other.message == first.message);
    is_same.then_some(&*first.message)
}

/// Writes the place and the text of each language, folded if there are several.
fn write_places(out: &mut String, group: &Group<'_>, style: OutputStyle<'_>) {
    let places = group.places();
    let own_messages: Vec<_> = (group.checks())
        .filter(|findings| shared_message(findings).is_none())
        .map(|findings| findings[0].check)
        .collect();
    let is_folded = places.len() > 1;
    if is_folded {
        out.push_str("<details><summary>all languages</summary>");
    }
    for findings in places.iter().take(MAX_PLACES) {
        let finding = findings[0];
        let place = code(&format!("{}:{}", finding.file, finding.line));
        let url = style.url(finding).map(|url| escaped(&url, "|\\`*_["));
        let _ = match url {
            Some(url) => write!(out, "<br><a href=\"{url}\">{place}</a>"),
            None => write!(out, "<br>{place}"),
        };
        let all = findings.iter();
        let with_message = all.filter(|other| own_messages.contains(&other.check));
        let messages = with_message.map(|other| &*other.message);
        let target = findings.iter().find_map(|other| other.target.as_deref());
        for text in messages.chain(target) {
            let _ = write!(out, " {}", code(&escape::short(text, MAX_TEXT)));
        }
    }
    if places.len() > MAX_PLACES {
        let _ = write!(out, "<br>… and {} more", places.len() - MAX_PLACES);
    }
    out.push_str(if is_folded { "</details>\n" } else { "\n" });
}

fn renames(out: &mut String, component: &ComponentReport) {
    let renames = &component.renames;
    if renames.is_empty() {
        return;
    }
    let count = counted(renames.len(), "renamed or moved string");
    let name = code(&component.name);
    let _ = writeln!(out, "<details><summary>{name} {count}</summary>\n");
    for rename in renames.iter().take(MAX_GROUPS) {
        let [old, new] = [&rename.old_key, &rename.new_key].map(|key| code(key));
        let from = rename.old_component.as_ref();
        let from = from.map_or_else(String::new, |old| format!(" from {}", code(old)));
        let _ = writeln!(out, "- {old}{from} → {new}");
    }
    if renames.len() > MAX_GROUPS {
        let _ = writeln!(out, "- … and {} more", renames.len() - MAX_GROUPS);
    }
    out.push_str("\n</details>\n\n");
}

/// The table of a component; with a base only the languages that change. A narrow window has no room for a column per
/// number.
fn numbers(out: &mut String, component: &ComponentReport) {
    let summary = component.summary.as_deref();
    let summary = summary.map_or_else(String::new, |text| format!(": {text}"));
    let has_base = component.totals.changes.is_some();
    let last = if has_base { "Changes" } else { "Findings" };
    let _ = writeln!(
        out,
        "<details><summary>{}{summary}</summary>\n\n| Language | Translated | {last} |\n|---|--:|---|",
        code(&component.name)
    );
    let mut unchanged = 0;
    for language in &component.languages {
        if has_base && language.changes == Some(ChangeCounts::default()) {
            unchanged += 1;
            continue;
        }
        let source = if language.is_source { ", source" } else { "" };
        let name = format!("{} ({}{source})", language.name, language.language);
        number_row(out, &name, language.counts, language.changes);
    }
    let totals = component.totals;
    number_row(out, "All translations", totals.counts, totals.changes);
    if unchanged > 0 {
        let unchanged = counted(unchanged, "unchanged language");
        let _ = writeln!(out, "\nNot listed: {unchanged}.");
    }
    out.push_str("\n</details>\n\n");
}

/// A row of numbers; those that are 0 are left out.
fn number_row(out: &mut String, name: &str, counts: Counts, changes: Option<ChangeCounts>) {
    let numbers = in_words(counts, changes);
    let strings = match counts.strings {
        0 => String::new(),
        strings => format!(" of {strings}"),
    };
    let translated = table::translated(counts);
    let cells = [name, &(translated + &strings), &numbers].map(cell_text);
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

/// The numbers of a change, without a base those of a state, in words.
fn in_words(counts: Counts, changes: Option<ChangeCounts>) -> String {
    match changes {
        Some(changes) => named(changes.shown()),
        None => named(counts.shown()),
    }
}

/// The text of a cell. Only `<code>` prevents a mention.
fn cell_text(text: &str) -> String {
    if text.contains('@') {
        code(text)
    } else {
        escaped(text, "|*`")
    }
}

/// Text that is shown as it is.
fn code(text: &str) -> String {
    const COMMENT: &str = "<!-- -->";
    let escaped = escaped(text, "|\\`*_[");
    let mut out = String::from("<code>");
    for (at, char) in escaped.char_indices() {
        let (before, rest) = escaped.split_at(at);
        let last = before.get(at.saturating_sub(3)..);
        let is_www = char == '.' && last.is_some_and(|last| last.eq_ignore_ascii_case("www"));
        let divides = char == '@' || is_www || (rest.starts_with("//") && before.ends_with(':'));
        out.push_str(if divides { COMMENT } else { "" });
        out.push(char);
    }
    out + "</code>"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_neither_links_nor_mentions() {
        let shown = code("see https://a.example WWW.a.example a@a.example b.json");
        let expected = "<code>see https:<!-- -->//a.example WWW<!-- -->.a.example a<!-- -->@a.example b.json</code>";
        assert_eq!(shown, expected);
        assert_eq!(cell_text("Czech (cs)"), "Czech (cs)");
        assert_eq!(cell_text("@ada"), "<code><!-- -->@ada</code>");
    }
}
