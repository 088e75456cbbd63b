//! Readers that parse a whole text into a list.

use std::borrow::Cow;

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::input::{BYTE_ORDER_MARK, located, utf8};
use super::{FormatReader, Outline, RawEntry, ReadError};

/// A format as a function of the text of a file.
pub(super) trait ListFormat: Send + Sync {
    /// Decodes the file; UTF-8 by default.
    ///
    /// # Errors
    /// If the bytes have a different encoding, or the file exceeds a limit.
    fn decode<'b>(&self, bytes: &'b [u8]) -> Result<Cow<'b, str>, ReadError> {
        utf8(bytes).map(Cow::Borrowed)
    }

    /// Adds the entries of the text, which has no byte order mark and is not empty. Offsets are relative to the text.
    fn parse(&self, text: &str, list: &mut EntryList) -> Result<(), SyntaxError>;
}

/// The reader of a [`ListFormat`].
pub(super) struct ListReader<F>(pub(super) F);

impl<F: ListFormat> FormatReader for ListReader<F> {
    fn read(
        &self,
        bytes: &[u8],
        outline: &mut Outline,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), ReadError> {
        let decoded = self.0.decode(bytes)?;
        let text = decoded.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&decoded);
        let mut list = EntryList::default();
        if !text.is_empty() {
            let parsed = self
                .0
                .parse(text, &mut list)
                .and_then(|()| list.check_size());
            parsed.map_err(|error| located(text, error))?;
        }
        let skipped = decoded.len() - text.len();
        match decoded {
            Cow::Borrowed(_) => list.shift_offsets(skipped),
            // Only Latin-1 is decoded: one byte per character.
            Cow::Owned(_) => list.count_characters(text),
        }
        *outline = Outline::default();
        list.emit(sink);
        Ok(())
    }
}

/// Context, text and note of each entry of a text.
#[cfg(test)]
pub(super) fn parsed(format: &impl ListFormat, text: &str) -> Vec<(String, String, String)> {
    let mut list = EntryList::default();
    format.parse(text, &mut list).unwrap();
    let mut found = Vec::new();
    list.emit(&mut |entry| {
        let (context, text, note) = (entry.context, entry.text, entry.note);
        found.push((context.to_owned(), text.to_owned(), note.to_owned()));
    });
    found
}
