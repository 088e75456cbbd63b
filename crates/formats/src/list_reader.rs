//! Readers that parse a whole text into a list.

use std::borrow::Cow;

use super::as_json::JsonWriter;
use super::entry::EntrySink;
use super::entry_list::EntryList;
use super::error::{ReadError, SyntaxError};
use super::format_reader::{FormatReader, ReadResult};
use super::input::{BYTE_ORDER_MARK, located, unicode, unicode_or_latin1, utf8};
use super::json::{TreeEntries, read_tree};
use super::offsets::FileOffsets;

/// A format as a function that adds the entries of a text, which has no byte order mark and is not empty. Offsets are
/// relative to the text.
type TextEntries = fn(&str, &mut EntryList) -> Result<(), SyntaxError>;

/// The reader of a format that is always parsed in full.
pub(super) enum ListReader {
    /// A text in UTF-8, or in UTF-16 with a byte order mark.
    Text(TextEntries),
    /// Such a text, or one in ISO 8859-1.
    Java(TextEntries),
    /// JSON.
    Tree(TreeEntries),
    /// A text whose values are written as JSON.
    Written(fn(&str) -> Result<JsonWriter, SyntaxError>, TreeEntries),
}

impl FormatReader for ListReader {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        self.list(bytes)?.emit(sink);
        Ok(())
    }

    fn read_all(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        let list = self.list(bytes)?;
        list.emit(sink);
        list.emit_alternatives(sink);
        Ok(())
    }
}

impl ListReader {
    /// The entries of a file.
    pub(super) fn list(&self, bytes: &[u8]) -> Result<EntryList, ReadError> {
        let decoded = match self {
            Self::Java(_) => unicode_or_latin1(bytes)?,
            Self::Text(_) | Self::Written(..) => unicode(bytes)?,
            Self::Tree(_) => Cow::Borrowed(utf8(bytes)?),
        };
        let text = decoded.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&decoded);
        let mut list = EntryList::default();
        if !text.is_empty() {
            let parsed = match self {
                Self::Text(entries) | Self::Java(entries) => entries(text, &mut list),
                Self::Tree(entries) => read_tree(text, *entries, &mut list),
                Self::Written(write, entries) => {
                    write(text).and_then(|json| json.read(*entries, &mut list))
                }
            };
            let checked = parsed.and_then(|()| list.check_size());
            checked.map_err(|error| located(text, error))?;
        }
        list.set_offsets(FileOffsets::new(bytes, text));
        Ok(list)
    }
}
