//! Workflow commands of GitHub Actions: one annotation per string and check, most relevant first. GitHub shows ten errors,
//! ten warnings and ten notices of a step.

use super::{escape, shared};
use crate::finding::{Finding, FindingKind};
use crate::groups::{Group, codes_of, groups};
use crate::listed::listed;
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
    let mut commands = [Severity::Error, Severity::Warning, Severity::Note]
        .map(|severity| (severity, Vec::<String>::new()));
    for group in &groups {
        for findings in group.checks() {
            let first = findings[0];
            let mut of_severity = commands.iter_mut();
            if let Some((_, lines)) = of_severity.find(|(severity, _)| *severity == first.severity)
            {
                lines.push(annotation(group, first, findings));
            }
        }
    }
    let hidden = hidden(&commands);
    let [errors, warnings, notes] = commands.map(|(_, lines)| lines.concat());
    [errors, warnings, hidden, notes].concat()
}

/// The notice with the number of annotations that GitHub does not show.
fn hidden(commands: &[(Severity, Vec<String>); 3]) -> String {
    if commands.iter().all(|(_, lines)| lines.len() <= SHOWN) {
        return String::new();
    }
    let hidden = commands.iter().filter_map(|(severity, lines)| {
        // The notice itself is the first one.
        let shown = match severity {
            Severity::Note => SHOWN - 1,
            _ => SHOWN,
        };
        let more = lines.len().checked_sub(shown).filter(|&more| more > 0)?;
        Some(counted(more, severity.name()))
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

/// The command with the annotation of the findings of a check. It is at the source text for strings without a
/// translation in several languages, and if a new one is in a file that the change does not modify: reviewers would
/// not see it there, and the change of the source is its cause.
fn annotation(group: &Group<'_>, first: &Finding, findings: &[&Finding]) -> String {
    let codes = codes_of(findings);
    let is_missing = first.check == FindingKind::Missing && codes.len() > 1;
    // An old finding has another cause.
    let is_elsewhere = || (findings.iter()).any(|other| other.new && !other.relevance.is_changed);
    let source = first.relevance.source.as_ref();
    let source = source.filter(|source| is_missing || (source.is_changed && is_elsewhere()));
    let (file, position) = match source {
        Some(source) => (&source.file, format!("line={}", source.line)),
        None => (
            &first.file,
            format!("line={},col={}", first.line, first.column),
        ),
    };
    let id = first.check.id();
    let title = match codes.len() {
        0 => id.to_owned(),
        1 => format!("{id} ({})", first.language),
        count => format!("{id} ({count} languages)"),
    };
    let message = if is_missing {
        missing(group, first, &codes)
    } else {
        message(first, &codes)
    };
    let command = match first.severity {
        Severity::Note => "notice",
        severity => severity.name(),
    };
    let (file, title, message) = (property(file), property(&title), data(&message));
    format!("::{command} file={file},{position},title={title}::{message}\n")
}

/// The message of a string without a translation in several languages.
fn missing(group: &Group<'_>, first: &Finding, codes: &[&str]) -> String {
    let was_there = |it: &&Finding| it.check == FindingKind::Removed;
    let source = first.relevance.source.as_ref();
    let is_added = source.is_some_and(|source| source.is_changed)
        && first.new
        && !group.findings.iter().any(was_there);
    let new = if is_added { "new string, " } else { "" };
    let (key, count, languages) = (first.key.shown(), codes.len(), languages(codes));
    let key = escape::line(&key);
    format!("{key}: {new}untranslated in {count} languages: {languages}.")
}

/// The message of the first finding, and its languages if there are several.
fn message(first: &Finding, codes: &[&str]) -> String {
    let message = shared::message(first);
    match codes.len() {
        0 | 1 => message,
        count => format!("{message} In {count} languages: {}.", languages(codes)),
    }
}

fn languages(codes: &[&str]) -> String {
    listed(codes.iter().map(|code| escape::line(code)), MAX_LANGUAGES)
}

/// The text after `::`, on one line. `%` begins an escape.
fn data(text: &str) -> String {
    escape::line(text).replace('%', "%25")
}

/// The value of a property, which also ends at `,` and `:`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
