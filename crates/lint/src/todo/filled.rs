//! Reads a filled work list: JSON, PO or CSV.

use serde::Deserialize;

use gitglot_formats::ReadError;
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

/// Why a filled list cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FilledError {
    /// It is not JSON with the structure of a list.
    #[error(
        "the list is not valid: {0}; it needs the items of a list in JSON, each with id and proposal"
    )]
    Json(#[from] serde_json::Error),
    /// It is not a PO file.
    #[error("the list is not a valid PO file: {0}")]
    Po(#[from] ReadError),
    /// It is not a table.
    #[error("the list is not a valid CSV file: {0}")]
    Csv(#[from] csv::Error),
    /// A column of a table is missing.
    #[error("the table has no column {0}: keep the columns id, form and proposal")]
    Column(&'static str),
    /// A form of a table is no number.
    #[error("line {line}: {text:?} is not the number of a form")]
    Form {
        /// The line.
        line: u64,
        /// The value.
        text: String,
    },
}

/// A proposal for a string.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Proposal {
    pub(super) id: String,
    /// The source text that the list had, if it has one.
    pub(super) source: Option<Vec<String>>,
    #[serde(default, rename = "proposal")]
    pub(super) forms: Vec<String>,
}

/// The proposals of a list, in its order.
#[derive(Clone, Default, Debug, Deserialize)]
pub struct FilledList {
    #[serde(rename = "items")]
    pub(super) proposals: Vec<Proposal>,
}

impl FilledList {
    /// Reads a list. JSON begins with a brace, and a PO file has the keyword `msgid`.
    ///
    /// # Errors
    /// If it is not a list.
    pub fn parse(bytes: &[u8]) -> Result<Self, FilledError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let start = bytes.trim_ascii_start();
        let is_po = |line: &[u8]| line.starts_with(b"msgid ");
        if start.starts_with(b"{") {
            Ok(serde_json::from_slice(bytes)?)
        } else if start.split(|&byte| byte == b'\n').any(is_po) {
            Self::of_po(bytes)
        } else {
            Self::of_table(bytes)
        }
    }

    fn of_po(bytes: &[u8]) -> Result<Self, FilledError> {
        let mut proposals = Vec::new();
        gitglot_formats::read_file(FileFormat::Po, bytes, &mut |entry| {
            let Some(fields) = entry.bilingual else {
                return;
            };
            let texts = |text: &str| text.split(PLURAL_SEPARATOR).map(str::to_owned).collect();
            proposals.push(Proposal {
                id: entry.context.to_owned(),
                source: Some(texts(fields.source)),
                // A fuzzy text is the present one.
                forms: if fields.fuzzy {
                    Vec::new()
                } else {
                    texts(entry.text)
                },
            });
        })?;
        Ok(Self { proposals })
    }

    fn of_table(bytes: &[u8]) -> Result<Self, FilledError> {
        let mut table = csv::Reader::from_reader(bytes);
        let header = table.headers()?.clone();
        let column = |name: &'static str| {
            let at = header.iter().position(|column| column.trim() == name);
            at.ok_or(FilledError::Column(name))
        };
        let (id, form, proposal) = (column("id")?, column("form")?, column("proposal")?);
        let mut list = Self::default();
        for row in table.records() {
            let row = row?;
            let [id, number, text] = [id, form, proposal].map(|at| row.get(at).unwrap_or(""));
            let wrong = || FilledError::Form {
                line: row.position().map_or(0, csv::Position::line),
                text: number.to_owned(),
            };
            let form: usize = number.trim().parse().map_err(|_| wrong())?;
            let last = list.proposals.last_mut().filter(|last| last.id == id);
            match last {
                Some(last) if form == last.forms.len() => last.forms.push(text.to_owned()),
                None if form == 0 => list.proposals.push(Proposal {
                    id: id.to_owned(),
                    source: None,
                    forms: vec![text.to_owned()],
                }),
                _ => return Err(wrong()),
            }
        }
        Ok(list)
    }

    /// The proposals that have a text.
    pub(super) fn filled(&self) -> impl Iterator<Item = &Proposal> {
        let is_filled = |it: &&Proposal| it.forms.iter().any(|form| !form.is_empty());
        self.proposals.iter().filter(is_filled)
    }
}
