//! The report as one JSON document.

use serde::Serialize;

use super::escape;
use crate::lint::{GateOutcome, Report};

#[derive(Serialize)]
struct Document<'a> {
    status: &'static str,
    failed: &'a [String],
    undecided: &'a [String],
    #[serde(flatten)]
    report: &'a Report,
}

/// Writes the document without white space.
pub fn document(report: &Report, outcome: &GateOutcome) -> String {
    let GateOutcome { failed, undecided } = outcome;
    let document = Document {
        status: outcome.status(),
        failed,
        undecided,
        report,
    };
    escape::json(&serde_json::to_string(&document).unwrap_or_default())
}

/// Writes the document. `status` is `passed`, `failed` or `unknown`.
pub(super) fn write(report: &Report, outcome: &GateOutcome) -> String {
    let GateOutcome { failed, undecided } = outcome;
    let document = Document {
        status: outcome.status(),
        failed,
        undecided,
        report,
    };
    let mut text = escape::json(&serde_json::to_string_pretty(&document).unwrap_or_default());
    text.push('\n');
    text
}
