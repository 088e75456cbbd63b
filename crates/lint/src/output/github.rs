//! Workflow commands of GitHub Actions: one annotation per string and check, most relevant first. GitHub shows ten errors,
//! ten warnings and ten notices of a step.

use std::fmt::Write;

use super::{escape, shared};
use crate::finding::{Finding, FindingKind};
use crate::groups::{Group, codes_of, groups};
use crate::report::Report;
use gitglot_checks::Severity;
use gitglot_model::counted;

/// The annotations of each command that GitHub shows.
const SHOWN: usize = 10;

/// Languages that an annotation names.
const MAX_LANGUAGES: usize = 10;

/// Writes a line per string and check. If GitHub does not show all, the first notice has their number.
pub(super) fn write(report: &Report) -> String {
    let groups = groups(&report.findings);
    let mut commands = [Severity::Error, Severity::Warning, Severity::Note].map(Commands::new);
    for group in &groups {
        for findings in group.checks() {
            let Some(first) = findings.first() else {
                continue;
            };
            let of_severity = commands
                .iter_mut()
                .find(|command| command.severity == first.severity);
            if let Some(commands) = of_severity {
                commands.add(annotation(group, first, findings));
            }
        }
    }
    let hidden = hidden(&commands);
    let [errors, warnings, notes] = commands.map(|command| command.text);
    [errors, warnings, hidden, notes].concat()
}

/// The commands of a severity.
struct Commands {
    severity: Severity,
    text: String,
    count: usize,
}

impl Commands {
    fn new(severity: Severity) -> Self {
        Self {
            severity,
            text: String::new(),
            count: 0,
        }
    }

    fn add(&mut self, annotation: Annotation<'_>) {
        self.count += 1;
        let command = match self.severity {
            Severity::Note => "notice",
            severity => severity.name(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.text,
            "::{command} file={},line={}{},title={}::{}",
            property(annotation.file),
            annotation.line,
            annotation
                .column
                .map_or_else(String::new, |column| format!(",col={column}")),
            property(&annotation.title),
            data(&annotation.message),
        );
    }
}

/// The notice with the number of annotations that GitHub does not show.
fn hidden(commands: &[Commands; 3]) -> String {
    if commands.iter().all(|command| command.count <= SHOWN) {
        return String::new();
    }
    let hidden = commands.iter().filter_map(|command| {
        // The notice itself is the first one.
        let shown = match command.severity {
            Severity::Note => SHOWN - 1,
            _ => SHOWN,
        };
        let more = command.count.checked_sub(shown).filter(|&more| more > 0)?;
        Some(counted(more, command.severity.name()))
    });
    let hidden: Vec<String> = hidden.collect();
    if hidden.is_empty() {
        String::new()
    } else {
        format!(
            "::notice title=gitglot::Not shown as annotations: {}. The log of this step and the other reports list \
             them.\n",
            hidden.join(", ")
        )
    }
}

struct Annotation<'a> {
    file: &'a str,
    line: u32,
    column: Option<u32>,
    title: String,
    message: String,
}

/// The annotation of the findings of a check. It is at the source text for strings without a translation in several
/// languages, and if a new one is in a file that the change does not modify: reviewers would not see it there, and the change of
/// the source is its cause.
fn annotation<'a>(
    group: &Group<'a>,
    first: &'a Finding,
    findings: &[&'a Finding],
) -> Annotation<'a> {
    let codes = codes_of(findings);
    let is_missing = first.check == FindingKind::Missing && codes.len() > 1;
    // An old finding has another cause.
    let is_elsewhere = || (findings.iter()).any(|other| other.new && !other.relevance.is_changed);
    let source = first
        .relevance
        .source
        .as_ref()
        .filter(|source| is_missing || (source.is_changed && is_elsewhere()));
    let (file, line, column) = match source {
        Some(source) => (&*source.file, source.line, None),
        None => (&*first.file, first.line, Some(first.column)),
    };
    let id = first.check.id();
    let title = match codes.len() {
        0 => id.to_owned(),
        1 => format!("{id} ({})", first.language),
        count => format!("{id} ({count} languages)"),
    };
    Annotation {
        file,
        line,
        column,
        title,
        message: if is_missing {
            missing(group, first, &codes)
        } else {
            message(first, &codes)
        },
    }
}

/// The message of a string without a translation in several languages.
fn missing(group: &Group<'_>, first: &Finding, codes: &[&str]) -> String {
    let was_there = |it: &&Finding| it.check == FindingKind::Removed;
    let is_added = first
        .relevance
        .source
        .as_ref()
        .is_some_and(|source| source.is_changed)
        && first.new
        && !group.findings.iter().any(was_there);
    let start = if is_added {
        "new string, untranslated"
    } else {
        "untranslated"
    };
    format!(
        "{}: {start} in {} languages: {}.",
        escape::line(&first.key.shown()),
        codes.len(),
        listed(codes)
    )
}

/// The message of the first finding, and its languages if there are several.
fn message(first: &Finding, codes: &[&str]) -> String {
    let message = shared::message(first);
    match codes.len() {
        0 | 1 => message,
        count => format!("{message} In {count} languages: {}.", listed(codes)),
    }
}

fn listed(codes: &[&str]) -> String {
    let shown: Vec<String> = (codes.iter().take(MAX_LANGUAGES))
        .map(|code| escape::line(code))
        .collect();
    match codes.len().saturating_sub(MAX_LANGUAGES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The text after `::`, on one line. `%` begins an escape.
fn data(text: &str) -> String {
    escape::line(text).replace('%', "%25")
}

/// The value of a property, which also ends at `,` and `:`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
