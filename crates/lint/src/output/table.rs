//! The table of languages of a component.

use std::iter;

use super::escape;
use crate::report::{ChangeCounts, ComponentReport, Counts, StaleCount};

/// The heading and the rows; the last one is the sum of the translations. Numbers of an unchanged language are left
/// out.
fn rows(component: &ComponentReport) -> Vec<Vec<String>> {
    let mut languages = component.languages.iter();
    let has_base =
        component.totals.changes.is_some() || languages.any(|language| language.changes.is_some());
    let capital = |name: &str| name[..1].to_uppercase() + &name[1..];
    let first = ["Language", "Code", "Strings", "Translated"];
    let mut heading = first.map(str::to_owned).to_vec();
    heading.extend(Counts::default().shown().map(|(_, name)| capital(name)));
    if has_base {
        let names = ChangeCounts::default().shown();
        heading.extend(names.map(|(_, name)| format!("+{}", capital(name))));
    }
    let row = |[name, code]: [String; 2], counts: Counts, changes: Option<ChangeCounts>| {
        let mut cells = vec![name, code, counts.strings.to_string(), translated(counts)];
        cells.extend(counts.shown().map(|(number, _)| number.to_string()));
        if has_base {
            let changes = changes.unwrap_or_default().shown().into_iter();
            cells.extend(changes.map(|(number, _)| match number {
                StaleCount::Known(0) => String::new(),
                number => number.to_string(),
            }));
        }
        cells
    };
    let languages = component.languages.iter().map(|language| {
        let source = if language.is_source { " (source)" } else { "" };
        let name = escape::line_start(&language.name) + source;
        let names = [name, escape::line(&language.language)];
        row(names, language.counts, language.changes)
    });
    let (counts, changes) = (component.totals.counts, component.totals.changes);
    let sum = row(
        ["All translations".to_owned(), String::new()],
        counts,
        changes,
    );
    iter::once(heading).chain(languages).chain([sum]).collect()
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

/// Aligned columns: the first two to the left, numbers to the right.
pub(super) fn plain(component: &ComponentReport) -> String {
    let lines = rows(component);
    let mut widths = vec![0; lines.first().map_or(0, Vec::len)];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, width))| match column {
            0 | 1 => format!("  {cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        out.push_str(cells.collect::<String>().trim_end());
        out.push('\n');
    }
    out
}
