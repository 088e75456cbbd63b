//! Checkstyle XML, which reviewdog and many CI servers read.

use std::fmt::Write;

use super::escape::xml;
use super::shared;
use crate::groups::by_file;
use crate::report::Report;
use gitglot_checks::Severity;

/// Writes the findings of each file.
pub(super) fn write(report: &Report) -> String {
    let mut out =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n".to_owned();
    for (file, findings) in by_file(&report.findings) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  <file name=\"{}\">", xml(file));
        for finding in findings {
            let severity = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "info",
            };
            let _ = writeln!(
                out,
                "    <error line=\"{}\" column=\"{}\" severity=\"{severity}\" message=\"{}\" source=\"gitglot.{}\"/>",
                finding.line,
                finding.column,
                xml(&shared::message(finding)),
                finding.check.id(),
            );
        }
        out.push_str("  </file>\n");
    }
    out.push_str("</checkstyle>\n");
    out
}
