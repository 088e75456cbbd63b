//! The report as one JSON document.

use std::collections::BTreeMap;

use serde::Serialize;

use super::escape;
use super::shared::OutputStyle;
use crate::gates::GateOutcome;
use crate::report::Report;

/// Why the document can always be written: it has only texts and numbers, and its keys are texts.
const WRITABLE: &str = "texts and numbers can be written";

#[derive(Serialize)]
struct Document<'a> {
    status: &'static str,
    failed: &'a [String],
    undecided: &'a [String],
    #[serde(flatten)]
    report: &'a Report,
    /// The documentation of each kind of finding.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    help: BTreeMap<&'static str, String>,
}

impl<'a> Document<'a> {
    fn new(report: &'a Report, outcome: &'a GateOutcome, style: OutputStyle<'_>) -> Self {
        let help = style.help(report).into_iter();
        Self {
            help: help.map(|(kind, page)| (kind.id(), page)).collect(),
            status: outcome.status(),
            failed: &outcome.failed,
            undecided: &outcome.undecided,
            report,
        }
    }
}

/// Writes the document without whitespace.
pub fn document(report: &Report, outcome: &GateOutcome) -> String {
    let document = Document::new(report, outcome, OutputStyle::default());
    escape::json(&serde_json::to_string(&document).expect(WRITABLE)).into_owned()
}

/// Writes the document. `status` is `passed`, `failed` or `unknown`.
pub(super) fn write(report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
    let document = Document::new(report, outcome, style);
    let text = serde_json::to_string_pretty(&document).expect(WRITABLE);
    escape::json_text(text)
}
