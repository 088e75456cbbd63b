//! The small table of languages: what the change does to each, and its errors. Languages with the same numbers share a row.

use std::cmp::Reverse;
use std::fmt::Write;

use super::{cell_text, in_words};
use crate::listed::listed;
use crate::report::{ChangeCounts, Report};
use gitglot_checks::Severity;
use gitglot_model::{SeededMap, SeededSet, counted};

/// Most rows.
const MAX_ROWS: usize = 8;

/// Most names of a row.
const MAX_NAMES: usize = 3;

struct Row<'a> {
    names: Vec<&'a str>,
    is_source: bool,
    numbers: String,
    errors: usize,
}

/// Writes the table; nothing if no language changes or has errors.
pub(super) fn write(out: &mut String, report: &Report) {
    let mut rows = rows(report);
    rows.sort_by_key(|row| (Reverse(row.errors), !row.is_source));
    if rows.is_empty() {
        return;
    }
    let has_base = report.read.base.is_some();
    let second = if has_base { "Change" } else { "State" };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "| Language | {second} | Errors |\n|---|---|--:|");
    for row in rows.iter().take(MAX_ROWS) {
        let names = listed(row.names.iter(), MAX_NAMES);
        let names = names + if row.is_source { " (source)" } else { "" };
        let cells = [&*names, &*row.numbers].map(cell_text);
        let _ = writeln!(out, "| {} | {} |", cells.join(" | "), row.errors);
    }
    out.push('\n');
    let others = rows.iter().skip(MAX_ROWS).map(|row| row.names.len()).sum();
    if others > 0 {
        let _ = writeln!(out, "Not in this table: {}.\n", counted(others, "language"));
    }
}

/// The rows in the order of the report: with a base the languages that change, and all with errors.
fn rows(report: &Report) -> Vec<Row<'_>> {
    let mut errors: SeededMap<(&str, &str, &str), usize> = SeededMap::default();
    for finding in &report.findings {
        if finding.severity == Severity::Error {
            *errors
                .entry((&finding.component, &finding.file, &finding.language))
                .or_default() += 1;
        }
    }
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut known: SeededMap<(String, usize, bool), usize> = SeededMap::default();
    let mut seen: SeededSet<(usize, &str)> = SeededSet::default();
    for component in &report.components {
        for language in &component.languages {
            let errors = errors.get(&(&*component.name, &*language.file, &*language.language));
            let errors = errors.copied().unwrap_or_default();
            let has_changes =
                (language.changes).is_some_and(|changes| changes != ChangeCounts::default());
            if errors == 0 && !has_changes {
                continue;
            }
            let numbers = in_words(language.counts, language.changes);
            let id = (numbers.clone(), errors, language.is_source);
            let at = *known.entry(id).or_insert(rows.len());
            let is_first = seen.insert((at, &*language.name));
            match rows.get_mut(at) {
                Some(row) if is_first => row.names.push(&language.name),
                Some(_) => {}
                None => rows.push(Row {
                    names: vec![&language.name],
                    is_source: language.is_source,
                    numbers,
                    errors,
                }),
            }
        }
    }
    rows
}
