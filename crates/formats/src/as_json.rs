//! The values of a file in another syntax, written as JSON: the formats of JSON then read it. Each value remembers its place
//! in the file.

use std::fmt::Write as _;

use super::entry_list::EntryList;
use super::error::{MAX_BYTES, MAX_DEPTH, ReadErrorKind, SyntaxError};
use super::json::{JsonNode, TreeEntries, with_tree};
use serde_json::Value;

/// Most values of a file after the expansion of references.
const MAX_VALUES: usize = 2_000_000;

/// A JSON text, to which values are appended in order.
#[derive(Default)]
pub(super) struct JsonWriter {
    json: String,
    /// Offsets in the JSON text, in order, and in the file.
    places: Vec<(usize, usize)>,
    depth: usize,
    values: usize,
}

impl JsonWriter {
    /// Begins an object or array, whose offset in the file is `at`.
    ///
    /// # Errors
    /// If it is nested too deep, or there are too many values.
    pub(super) fn open(&mut self, bracket: char, at: usize) -> Result<(), SyntaxError> {
        if self.depth >= MAX_DEPTH {
            return Err(ReadErrorKind::TooDeep(MAX_DEPTH).at(at));
        }
        self.depth += 1;
        self.value(at)?;
        self.json.push(bracket);
        Ok(())
    }

    pub(super) fn close(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        self.json.push(bracket);
    }

    /// Begins a member. Its value follows.
    pub(super) fn name(&mut self, name: &str, at: usize) -> Result<(), SyntaxError> {
        self.value(at)?;
        self.quoted(name);
        self.json.push(':');
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str, at: usize) -> Result<(), SyntaxError> {
        self.value(at)?;
        self.quoted(text);
        Ok(())
    }

    /// A number, `true`, `false` or `null` in the notation of JSON.
    pub(super) fn plain(&mut self, json: &str, at: usize) -> Result<(), SyntaxError> {
        self.value(at)?;
        self.json.push_str(json);
        Ok(())
    }

    /// A number; one that JSON does not have is a text.
    pub(super) fn number(&mut self, number: f64, at: usize) -> Result<(), SyntaxError> {
        let text = number.to_string();
        if number.is_finite() {
            self.plain(&text, at)
        } else {
            self.text(&text, at)
        }
    }

    /// Counts a step that writes nothing.
    ///
    /// # Errors
    /// If there were too many.
    pub(super) fn step(&mut self, at: usize) -> Result<(), SyntaxError> {
        self.values += 1;
        if self.values > MAX_VALUES || self.json.len() > MAX_BYTES {
            Err(ReadErrorKind::TooMuchText.at(at))
        } else {
            Ok(())
        }
    }

    /// Separates a value from the one before it.
    fn value(&mut self, at: usize) -> Result<(), SyntaxError> {
        self.step(at)?;
        if !matches!(self.json.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.json.push(',');
        }
        self.places.push((self.json.len(), at));
        Ok(())
    }

    fn quoted(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = write!(self.json, "{}", Value::from(text));
    }

    /// Adds the entries of the text that was written.
    pub(super) fn read(
        self,
        entries: TreeEntries,
        list: &mut EntryList,
    ) -> Result<(), SyntaxError> {
        let read = self.with_tree(|root| entries(root, list));
        list.map_offsets(&mut |at| self.place(at));
        read
    }

    /// Calls `read` with the root value, if one was written. It has offsets in the JSON text; errors have those in the file.
    pub(super) fn with_tree(
        &self,
        read: impl FnOnce(JsonNode<'_>) -> Result<(), SyntaxError>,
    ) -> Result<(), SyntaxError> {
        if self.json.is_empty() {
            return Ok(());
        }
        let read = with_tree(&self.json, read);
        read.map_err(|error| error.kind.at(self.place(error.at)))
    }

    /// The offset in the file of one in the JSON text.
    pub(super) fn place(&self, at: usize) -> usize {
        let after = self.places.partition_point(|&(json, _)| json <= at);
        let before = after.checked_sub(1).and_then(|last| self.places.get(last));
        before.map_or(0, |&(_, place)| place)
    }
}
