//! Workflow commands of GitHub Actions: one annotation per finding.

use std::fmt::Write;

use super::{escape, shared};
use crate::{Report, Severity};

/// Writes a line per finding.
pub(super) fn write(report: &Report) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        let command = match finding.severity {
            Severity::Note => "notice",
            severity => severity.name(),
        };
        let mut title = finding.check.id().to_owned();
        if !finding.language.is_empty() {
            title = format!("{title} ({})", finding.language);
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "::{command} file={},line={},col={},title={}::{}",
            property(&finding.file),
            finding.line,
            finding.column,
            property(&title),
            data(&shared::message(finding)),
        );
    }
    out
}

/// The text after `::`, on one line. `%` begins an escape.
fn data(text: &str) -> String {
    escape::line(text).replace('%', "%25")
}

/// The value of a property, which also ends at `,` and `:`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
