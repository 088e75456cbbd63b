//! Helpers for the tests of this module.

use gitglot_model::FileFormat;

use super::entry_list::EntryList;
use super::error::SyntaxError;
use super::{Outline, Part, RawEntry, ReadError, reader};

/// An entry that owns its texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Owned {
    pub(super) context: String,
    pub(super) text: String,
    pub(super) note: String,
    pub(super) translated: bool,
}

impl From<RawEntry<'_>> for Owned {
    fn from(entry: RawEntry<'_>) -> Self {
        Self {
            context: entry.context.into(),
            text: entry.text.into(),
            note: entry.note.into(),
            translated: entry.translated,
        }
    }
}

/// All entries of a file.
pub(super) fn entries(format: FileFormat, bytes: &[u8]) -> Result<Vec<Owned>, ReadError> {
    let mut all = Vec::new();
    let result = reader(format).read(bytes, &mut |entry| all.push(Owned::from(entry)));
    assert!(
        result.is_ok() || all.is_empty(),
        "entries were emitted before the error"
    );
    result.map(|()| all)
}

/// All entries of a file; `outline` is the default one and becomes that of the file.
pub(super) fn read(
    format: FileFormat,
    bytes: &[u8],
    outline: &mut Outline,
) -> Result<Vec<Owned>, ReadError> {
    let found = reparse(format, b"", outline, &[], bytes).map(|(all, _)| all);
    assert_eq!(found, entries(format, bytes));
    found
}

/// The entries of `new` after an incremental parse against `old`, and the number of reused entries.
pub(super) fn reparse(
    format: FileFormat,
    old: &[u8],
    outline: &mut Outline,
    old_entries: &[Owned],
    new: &[u8],
) -> Result<(Vec<Owned>, usize), ReadError> {
    let (mut all, mut reused, mut until) = (Vec::new(), 0, 0);
    let result = reader(format).reparse(old, outline, new, &mut |part| match part {
        Part::Reused(range) => {
            assert!(
                range.start >= until && !range.is_empty(),
                "{range:?} after {until}"
            );
            until = range.end;
            reused += range.len();
            all.extend_from_slice(&old_entries[range]);
        }
        Part::Entry(entry) => all.push(entry.into()),
    });
    assert!(
        result.is_ok() || all.is_empty(),
        "entries were emitted before the error"
    );
    result.map(|()| (all, reused))
}

/// Context, text and note of each entry of a text.
pub(super) fn parsed(
    parse: fn(&str, &mut EntryList) -> Result<(), SyntaxError>,
    text: &str,
) -> Vec<(String, String, String)> {
    let mut list = EntryList::default();
    parse(text, &mut list).unwrap();
    let mut found = Vec::new();
    list.emit(&mut |entry| {
        let (context, text, note) = (entry.context, entry.text, entry.note);
        found.push((context.to_owned(), text.to_owned(), note.to_owned()));
    });
    found
}
