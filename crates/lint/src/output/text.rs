//! The text report: findings grouped by file, then a table per component.

use std::fmt::Write;

use super::shared::{self, OutputStyle};
use super::{escape, table};
use crate::finding::{Finding, FindingKind};
use crate::gates::GateOutcome;
use crate::groups::{by_file, codes_of, groups};
use crate::report::{Report, StaleCount};
use gitglot_checks::Severity;
use gitglot_model::counted;

/// Findings of strings without a translation that are listed per file.
const LISTED_MISSING: usize = 10;

const TEXT_WIDTH: usize = 100;

/// Findings that are listed one by one, unless all are.
const MAX_LISTED: usize = 25;

/// Lines of strings, components and notes in a summary. With the lines around them, it has at most 30.
const MAX_STRINGS: usize = 14;
const MAX_COMPONENTS: usize = 6;
const MAX_NOTES: usize = 3;

/// Kinds of findings with a line for their documentation.
const MAX_HELP: usize = 4;

pub(super) fn write(report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
    let mut out = String::new();
    let paint = AnsiStyle(style.colour);
    if !style.all && report.findings.len() > MAX_LISTED {
        overview(&mut out, report, paint);
        help(&mut out, report, style, 1);
    } else {
        details(&mut out, report, paint);
        help(&mut out, report, style, MAX_HELP);
    }
    let _ = writeln!(out, "read: {}", shared::read_line(report));
    let _ = writeln!(out, "{}", summary(report, outcome, style));
    to_pass(&mut out, outcome);
    out
}

/// All findings by file, then a table per component.
fn details(out: &mut String, report: &Report, paint: AnsiStyle) {
    for (path, findings) in by_file(&report.findings) {
        file(out, path, &findings, paint);
    }
    for component in &report.components {
        let name = paint.with(BOLD, &escape::line_start(&component.name));
        let _ = writeln!(out, "{name}");
        if let Some(summary) = &component.summary {
            let _ = writeln!(out, "  change: {summary}");
        }
        out.push_str(&table::plain(component));
        out.push('\n');
    }
    for note in &report.notes {
        let _ = writeln!(out, "note: {}", escape::line(note));
    }
}

/// A line per string, errors first, and a line per component.
fn overview(out: &mut String, report: &Report, paint: AnsiStyle) {
    let groups = groups(&report.findings);
    for group in groups.iter().take(MAX_STRINGS) {
        let first = group.first;
        let checks = group.checks().filter_map(|findings| {
            let id = findings.first()?.check.id();
            Some(match &codes_of(findings)[..] {
                [] => id.to_owned(),
                [code] => format!("{id} ({})", escape::line(code)),
                codes => format!("{id} ({} languages)", codes.len()),
            })
        });
        let checks: Vec<String> = checks.collect();
        let place = escape::short(&format!("{}:{}", first.file, first.line), TEXT_WIDTH);
        let others = match group.places().len() {
            0 | 1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        let _ = writeln!(
            out,
            "{} {}  {}  {place}{others}  {}",
            paint.severity(first.severity),
            paint.with(BOLD, &checks.join(", ")),
            escape::short(&first.key.shown(), TEXT_WIDTH),
            escape::short(&first.message, TEXT_WIDTH),
        );
    }
    if groups.len() > MAX_STRINGS {
        let _ = writeln!(
            out,
            "… and {} more strings with findings: --all lists all findings, --format json too",
            groups.len() - MAX_STRINGS
        );
    }
    for component in report.components.iter().take(MAX_COMPONENTS) {
        let counts = component.totals.counts;
        let tenths = counts.tenths();
        let name = paint.with(BOLD, &escape::line_start(&component.name));
        let change = component.summary.as_deref();
        let change = change.map_or_else(String::new, |change| format!(", change: {change}"));
        let languages = component.languages.iter();
        let languages = languages.filter(|language| !language.is_source).count();
        let _ = writeln!(
            out,
            "{name}: {}, {}.{} % translated, {} missing, {} stale, {} failing{change}",
            counted(languages, "language"),
            tenths / 10,
            tenths % 10,
            counts.missing,
            counts.stale,
            counts.failing,
        );
    }
    more(out, report.components.len(), MAX_COMPONENTS, "components");
    for note in report.notes.iter().take(MAX_NOTES) {
        let _ = writeln!(out, "note: {}", escape::short(note, 2 * TEXT_WIDTH));
    }
    more(out, report.notes.len(), MAX_NOTES, "notes");
}

/// A line per kind of finding with the address of its page, or one line for more than `most` kinds.
fn help(out: &mut String, report: &Report, style: OutputStyle<'_>, most: usize) {
    let pages = style.help(report);
    if pages.len() > most {
        let docs = style.docs.unwrap_or_default();
        let _ = writeln!(out, "help: {docs}checks/README.md explains the checks");
        return;
    }
    for (kind, page) in pages {
        let _ = writeln!(out, "help: {page} explains {}", kind.id());
    }
}

fn more(out: &mut String, count: usize, listed: usize, noun: &str) {
    if count > listed {
        let _ = writeln!(out, "… and {} more {noun}", count - listed);
    }
}

fn file(out: &mut String, path: &str, findings: &[&Finding], paint: AnsiStyle) {
    let path = paint.with(UNDERLINED, &escape::line_start(path));
    let _ = writeln!(out, "{path}");
    let mut missing = 0;
    for finding in findings {
        let is_missing = finding.check == FindingKind::Missing;
        missing += usize::from(is_missing);
        if !is_missing || missing <= LISTED_MISSING {
            write_finding(out, finding, paint);
        }
    }
    if missing > LISTED_MISSING {
        let more = missing - LISTED_MISSING;
        let _ = writeln!(
            out,
            "  … and {more} more strings without a translation (--format json lists all)"
        );
    }
    out.push('\n');
}

fn write_finding(out: &mut String, finding: &Finding, paint: AnsiStyle) {
    let position = format!("{}:{}", finding.line, finding.column);
    let severity = paint.severity(finding.severity);
    let is_new = finding.new;
    let old = if is_new { "" } else { " (in the base too)" };
    let key = escape::short(&finding.key.shown(), TEXT_WIDTH);
    let gap = if key.is_empty() { "" } else { "  " };
    let message = escape::short(&finding.message, 400);
    let check = paint.with(BOLD, finding.check.id());
    let line = format!("{position:<8} {severity}  {check}{gap}{key}  {message}{old}");
    let _ = writeln!(out, "  {line}");
    let texts = [
        ("previous source", &finding.previous_source),
        ("source", &finding.source),
        ("translation", &finding.target),
    ];
    let is_listed = !matches!(finding.check, FindingKind::Missing);
    for (name, text) in texts {
        if let Some(text) = text.as_deref().filter(|_| is_listed) {
            let text = format!("{name}: {}", escape::short(text, TEXT_WIDTH));
            let _ = writeln!(out, "           {}", paint.with(DIM, &text));
        }
    }
}

/// One line with what is left to do until the gates pass.
fn to_pass(out: &mut String, outcome: &GateOutcome) {
    if !outcome.to_pass.is_empty() {
        let _ = writeln!(out, "to pass: {}", escape::line(&shared::to_pass(outcome)));
    }
}

/// One line with the numbers of findings, and the result.
fn summary(report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
    let stale = match report.totals.counts.stale {
        StaleCount::Unknown => ", stale: unknown",
        StaleCount::Known(_) => "",
    };
    let hidden = match style.hidden {
        0 => String::new(),
        1 => ", 1 finding that is also in the base is not listed".to_owned(),
        hidden => format!(", {hidden} findings that are also in the base are not listed"),
    };
    let status = AnsiStyle(style.colour).status(outcome.status());
    let counts = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| {
        let all = report.findings.iter();
        let of_severity = all.filter(|finding| finding.severity == severity);
        counted(of_severity.count(), severity.name())
    });
    format!("{status}: {}{stale}{hidden}", counts.join(", "))
}

/// Codes of styles.
const BOLD: &str = "1";
const DIM: &str = "2";
const UNDERLINED: &str = "4";

/// Styles for a terminal.
#[derive(Clone, Copy)]
struct AnsiStyle(bool);

impl AnsiStyle {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn severity(self, severity: Severity) -> String {
        let code = match severity {
            Severity::Error => "31",
            Severity::Warning => "33",
            Severity::Note => "36",
        };
        self.with(code, &format!("{:<7}", severity.name()))
    }

    fn status(self, status: &str) -> String {
        self.with(if status == "passed" { "32" } else { "31" }, status)
    }
}
