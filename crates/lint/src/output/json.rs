//! The report as one JSON document.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::escape;
use super::shared::OutputStyle;
use crate::finding::Finding;
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

/// Writes the document, with a line for each finding. `status` is `passed`, `failed` or `unknown`.
pub(super) fn write(report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
    let document = Document::new(report, outcome, style);
    let mut text = Vec::with_capacity(report.findings.iter().map(length).sum());
    let mut serializer = Serializer::with_formatter(&mut text, Lines::default());
    document.serialize(&mut serializer).expect(WRITABLE);
    escape::json_text(String::from_utf8(text).expect(WRITABLE))
}

/// The bytes of a finding, usually more than it takes: a large document would be copied with each growth.
fn length(finding: &Finding) -> usize {
    let texts = [&finding.source, &finding.target, &finding.previous_source];
    let texts: usize = texts.into_iter().flatten().map(String::len).sum();
    384 + finding.message.len() + finding.file.len() + finding.component.len() + texts
}

/// The depth of what begins on a line of its own: fields of the document, and entries of their lists and objects.
const DEPTH_OF_LINES: usize = 2;

/// Writes the fields of a document and the entries of each on lines of their own, and what is in these without spaces.
#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the list or object that ends has entries.
    has_entries: bool,
}

impl Lines {
    fn begin(&mut self, out: &mut (impl Write + ?Sized), mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_entries = false;
        out.write_all(mark)
    }

    fn entry(&self, out: &mut (impl Write + ?Sized), is_first: bool) -> io::Result<()> {
        if !is_first {
            out.write_all(b",")?;
        }
        if self.depth <= DEPTH_OF_LINES {
            self.line(out)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut (impl Write + ?Sized), mark: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_entries && self.depth < DEPTH_OF_LINES {
            self.line(out)?;
        }
        out.write_all(mark)
    }

    fn line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        write!(out, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.entry(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.entry(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let is_line = self.depth <= DEPTH_OF_LINES;
        out.write_all(if is_line { &b": "[..] } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_of_a_field_has_a_line() {
        let document = serde_json::json!({
            "findings": [{"at": [1, 2], "key": "a"}, {}],
            "help": {"same": "x"},
            "notes": [],
            "version": 1
        });
        let mut text = Vec::new();
        let mut serializer = Serializer::with_formatter(&mut text, Lines::default());
        document.serialize(&mut serializer).unwrap();
        let expected = r#"{
  "findings": [
    {"at":[1,2],"key":"a"},
    {}
  ],
  "help": {
    "same": "x"
  },
  "notes": [],
  "version": 1
}"#;
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
