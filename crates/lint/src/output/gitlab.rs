//! A Code Quality report of GitLab.

use serde_json::{Value, json};

use super::escape;
use super::shared::{self, fingerprint};
use crate::report::Report;
use gitglot_checks::Severity;

/// Writes an array of issues.
pub(super) fn write(report: &Report) -> String {
    let mut seen = <_>::default();
    let issues = report.findings.iter().map(|finding| {
        let severity = match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        };
        json!({
            "description": shared::message(finding),
            "check_name": finding.check.id(),
            "fingerprint": fingerprint(finding, &mut seen),
            "severity": severity,
            "location": {"path": &*finding.file, "lines": {"begin": finding.line}},
        })
    });
    escape::json_text(format!("{:#}", Value::Array(issues.collect())))
}
