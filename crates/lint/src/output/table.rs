//! The table of languages of a component.

use std::fmt::Write;
use std::iter;

use super::escape;
use crate::report::{ChangeCounts, ComponentReport, Counts, StaleCount};

/// The heading and the rows; the last one is the sum of the translations. Numbers of an unchanged language are left
/// out.
pub(super) fn rows(component: &ComponentReport) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let has_base = component.totals.changes.is_some()
        || component.languages.iter().any(|it| it.changes.is_some());
    let mut heading = vec![
        "Language",
        "Code",
        "Strings",
        "Translated",
        "Missing",
        "Stale",
        "Left over",
        "Failing",
    ];
    if has_base {
        heading.extend([
            "+Added",
            "+Removed",
            "+Translated",
            "+Missing",
            "+Stale",
            "+Left over",
            "+Failing",
        ]);
    }
    let languages = component.languages.iter().map(|it| {
        let name = if it.is_source {
            format!("{} (source)", it.name)
        } else {
            it.name.clone()
        };
        row(
            &escape::line_start(&name),
            &escape::line(&it.language),
            it.counts,
            it.changes,
            has_base,
        )
    });
    let totals = component.totals;
    let sum = row(
        "All translations",
        "",
        totals.counts,
        totals.changes,
        has_base,
    );
    (heading, languages.chain(iter::once(sum)).collect())
}

/// The translated percentage.
pub(super) fn translated(counts: Counts) -> String {
    let tenths = counts.tenths();
    let percent = format!("{}.{} %", tenths / 10, tenths % 10);
    match counts.parse_errors {
        0 => percent,
        _ if counts.strings == 0 => "does not parse".to_owned(),
        // The files that parse count.
        1 => format!("{percent} (1 file does not parse)"),
        broken => format!("{percent} ({broken} files do not parse)"),
    }
}

fn row(
    name: &str,
    code: &str,
    counts: Counts,
    changes: Option<ChangeCounts>,
    has_base: bool,
) -> Vec<String> {
    let mut cells = vec![
        name.to_owned(),
        code.to_owned(),
        counts.strings.to_string(),
        translated(counts),
        counts.missing.to_string(),
        counts.stale.to_string(),
        counts.left_over.to_string(),
        counts.failing.to_string(),
    ];
    if has_base {
        let changes = changes.unwrap_or_default();
        let known = StaleCount::Known;
        let numbers = [
            known(changes.added),
            known(changes.removed),
            known(changes.translated),
            known(changes.missing),
            changes.stale,
            known(changes.left_over),
            known(changes.failing),
        ];
        cells.extend(numbers.map(|number| {
            if number == StaleCount::Known(0) {
                String::new()
            } else {
                number.to_string()
            }
        }));
    }
    cells
}

/// Aligned columns: the first two to the left, numbers to the right.
pub(super) fn plain(component: &ComponentReport) -> String {
    let (heading, rows) = rows(component);
    let heading: Vec<String> = heading.into_iter().map(str::to_owned).collect();
    let lines = || iter::once(&heading).chain(&rows);
    let mut widths = vec![0; heading.len()];
    for line in lines() {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for line in lines() {
        let start = out.len();
        for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                0 | 1 => write!(out, "  {cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        out.truncate(
            out.get(start..)
                .map_or(start, |line| start + line.trim_end().len()),
        );
        out.push('\n');
    }
    out
}
