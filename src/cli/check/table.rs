//! The report of `check`: a table of languages per component.

use std::fmt::Write;
use std::iter;

use crate::catalog::{ComponentSnapshot, Snapshot, Statistics, percent};

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The tables, each followed by the files that cannot be read.
    pub text: String,
    /// Whether every file can be read and every language reaches the required percentage.
    pub passed: bool,
}

/// A row of a table.
#[derive(Clone, Debug)]
struct Row {
    language: String,
    code: String,
    statistics: Statistics,
}

/// Reports all components of `snapshot`. `fail_under` is the required percentage, 0 to 100.
pub fn report(snapshot: &Snapshot, fail_under: Option<f64>) -> Report {
    let mut report = Report { text: String::new(), passed: true };
    for component in snapshot.components() {
        let title = format!("{}/{}", component.project.slug, component.component.slug);
        let broken = component.problems.iter().filter(|problem| problem.broken);
        let problems: Vec<String> = broken.map(|problem| format!("{}: {}", problem.path, problem.reason)).collect();
        section(&mut report, &title, &rows(component), &problems, fail_under);
    }
    report
}

fn rows(component: &ComponentSnapshot) -> Vec<Row> {
    let translations = component.by_name.iter().filter_map(|&at| component.translations.get(at as usize));
    translations
        .map(|translation| Row {
            language: translation.language.name.to_string(),
            code: translation.language.code.to_string(),
            statistics: translation.statistics,
        })
        .collect()
}

fn section(report: &mut Report, title: &str, rows: &[Row], problems: &[String], fail_under: Option<f64>) {
    if !report.text.is_empty() {
        report.text.push('\n');
    }
    // Writing to a string cannot fail.
    let _ = writeln!(report.text, "{title}");
    let heading = ["Language", "Code", "Strings", "Translated", "Percent", "Outdated", "Failing", "Words"];
    let sum = Row {
        language: "All".to_owned(),
        code: String::new(),
        statistics: rows.iter().map(|row| row.statistics).sum(),
    };
    let cells = rows.iter().chain(iter::once(&sum)).map(Row::cells);
    write_table(&mut report.text, heading.map(str::to_owned), &cells.collect::<Vec<_>>());
    for problem in problems {
        let _ = writeln!(report.text, "cannot be read: {problem}");
    }
    if let Some(wanted) = fail_under {
        let below = rows.iter().any(|row| f64::from(row.tenths()) < wanted * 10.0);
        report.passed &= !below;
    }
    report.passed &= problems.is_empty();
}

impl Row {
    /// The translated share in tenths of a percent.
    fn tenths(&self) -> u32 {
        percent(self.statistics.translated.units, self.statistics.all.units, 1000)
    }

    fn cells(&self) -> [String; 8] {
        let Statistics { all, translated, fuzzy, failing } = self.statistics;
        let tenths = self.tenths();
        [
            self.language.clone(),
            self.code.clone(),
            all.units.to_string(),
            translated.units.to_string(),
            format!("{}.{} %", tenths / 10, tenths % 10),
            fuzzy.units.to_string(),
            failing.units.to_string(),
            all.words.to_string(),
        ]
    }
}

/// Writes aligned columns: the first two to the left, numbers to the right.
fn write_table(out: &mut String, heading: [String; 8], rows: &[[String; 8]]) {
    let lines = || iter::once(&heading).chain(rows);
    let mut widths = [0; 8];
    for line in lines() {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    for line in lines() {
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
            let _ = match column {
                0 | 1 => write!(out, "  {cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Count;

    fn row(language: &str, code: &str, numbers: [u64; 4]) -> Row {
        let [all, translated, fuzzy, failing] = numbers.map(|units| Count { units, words: units * 3 });
        Row { language: language.into(), code: code.into(), statistics: Statistics { all, translated, fuzzy, failing } }
    }

    fn reported(rows: &[Row], problems: &[&str], fail_under: Option<f64>) -> Report {
        let mut report = Report { text: String::new(), passed: true };
        let problems: Vec<String> = problems.iter().map(|problem| (*problem).to_owned()).collect();
        section(&mut report, "project/locales", rows, &problems, fail_under);
        report
    }

    #[test]
    fn a_table_has_a_row_for_each_language() {
        let rows = [row("Czech", "cs", [300, 299, 1, 12]), row("Norwegian Bokmål", "nb_NO", [300, 150, 0, 0])];
        let report = reported(&rows, &["locales/de.json: a comma is missing"], None);
        insta::assert_snapshot!(report.text, @r"
        project/locales
          Language          Code   Strings  Translated  Percent  Outdated  Failing  Words
          Czech             cs         300         299   99.7 %         1       12    900
          Norwegian Bokmål  nb_NO      300         150   50.0 %         0        0    900
          All                          600         449   74.8 %         1       12   1800
        cannot be read: locales/de.json: a comma is missing
        ");
        assert!(!report.passed, "a file cannot be read");
    }

    #[test]
    fn every_language_must_reach_the_required_percentage() {
        let rows = [row("Czech", "cs", [1000, 999, 0, 0]), row("German", "de", [1000, 800, 0, 0])];
        assert!(reported(&rows, &[], None).passed);
        assert!(reported(&rows, &[], Some(80.0)).passed);
        assert!(!reported(&rows, &[], Some(80.1)).passed);
        assert!(!reported(&rows[..1], &[], Some(100.0)).passed);
        assert!(!reported(&rows, &["x.json: broken"], Some(0.0)).passed);
        assert!(reported(&[row("Czech", "cs", [0; 4])], &[], Some(100.0)).passed);
    }
}
