//! The parts of a file with several languages, while it is split.

use std::ops::Range;
use std::sync::Arc;

use super::entry::RawEntry;
use super::entry_list::MAX_TEXT;
use super::error::{ReadErrorKind, SyntaxError};
use super::offsets::offset;
use super::records::push_text;
use gitglot_model::SeededMap;

/// How a part begins. No file of a format with parts does.
pub(super) const MAGIC: &[u8] = b"\0gitglot part 1\n";

/// Most languages of a file.
pub(super) const MAX_LANGUAGES: usize = 1_000;

/// The start of a part, or one of its entries. Versions of a file share equal ones.
pub type PartPiece = Arc<[u8]>;

/// The entries of one language of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LanguagePart {
    /// The code of the language in the file; `""` for the part with the source texts.
    pub code: String,
    /// Its content in pieces: the start of each part, then one for each entry.
    pub pieces: Vec<PartPiece>,
    /// Where each entry begins in the file.
    pub offsets: Vec<usize>,
}

/// A file of several languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileParts {
    /// The code of the language of the source texts, if the file names it.
    pub source_language: Option<String>,
    /// The part with the source texts, then one for each other language.
    pub parts: Vec<LanguagePart>,
    /// Whether the file has objects of keys below languages, not texts of languages below keys.
    pub is_by_language: bool,
}

/// The parts of a file, to which entries are added.
#[derive(Default)]
pub(super) struct PartList {
    pub(super) parts: Vec<PartEntries>,
    indexes: SeededMap<String, usize>,
    /// The bytes of all entries.
    pub(super) size: usize,
    pub(super) source_language: Option<String>,
    /// Where each string of a catalog begins, if a version without one of them has the entries of the others.
    pub(super) strings: Option<Vec<usize>>,
    pub(super) is_by_language: bool,
    buffer: Vec<u8>,
}

/// The entries of a part.
pub(super) struct PartEntries {
    pub(super) code: String,
    /// How many strings have the language.
    pub(super) uses: usize,
    pub(super) entries: Vec<NewEntry>,
}

/// An entry of a part, with what its piece does not have.
#[derive(Clone)]
pub(super) struct NewEntry {
    pub(super) piece: PartPiece,
    /// Where its context is in the piece.
    context: Range<u32>,
    pub(super) offset: usize,
}

impl NewEntry {
    pub(super) fn context(&self) -> &[u8] {
        let Range { start, end } = self.context;
        self.piece
            .get(start as usize..end as usize)
            .unwrap_or_default()
    }
}

impl PartList {
    pub(super) fn new() -> Self {
        let mut list = Self::default();
        list.add_part("");
        list
    }

    fn add_part(&mut self, code: &str) -> usize {
        let index = self.parts.len();
        self.parts.push(PartEntries {
            code: code.to_owned(),
            uses: 1,
            entries: Vec::new(),
        });
        self.indexes.insert(code.to_owned(), index);
        index
    }

    /// Sorts the entries of each part by their ids: the order of the file means nothing. `start` is the length of a byte order
    /// mark.
    pub(super) fn sort(&mut self, start: usize) {
        for part in &mut self.parts {
            part.entries.sort_by(|a, b| a.context().cmp(b.context()));
            if start > 0 {
                let entries = part.entries.iter_mut();
                entries.for_each(|entry| entry.offset += start);
            }
        }
        let strings = self.strings.iter_mut().flatten();
        strings.for_each(|at| *at += start);
    }

    pub(super) fn finish(self) -> FileParts {
        let part = |part: PartEntries| {
            let offsets = part.entries.iter().map(|entry| entry.offset).collect();
            let pieces = part.entries.into_iter().map(|entry| entry.piece);
            LanguagePart {
                code: part.code,
                pieces: std::iter::once(MAGIC.into()).chain(pieces).collect(),
                offsets,
            }
        };
        FileParts {
            source_language: self.source_language,
            parts: self.parts.into_iter().map(part).collect(),
            is_by_language: self.is_by_language,
        }
    }

    /// Replaces the offsets of entries.
    pub(super) fn map_offsets(&mut self, moved: &dyn Fn(usize) -> usize) {
        let entries = self.parts.iter_mut().flat_map(|part| &mut part.entries);
        entries.for_each(|entry| entry.offset = moved(entry.offset));
    }

    /// The part of a language, `""` for the source texts. It may stay without entries. `None` for what cannot be a code.
    ///
    /// # Errors
    /// If there are too many languages.
    pub(super) fn part(&mut self, code: &str, at: usize) -> Result<Option<usize>, SyntaxError> {
        if let Some(&index) = self.indexes.get(code) {
            if let Some(part) = self.parts.get_mut(index) {
                part.uses += 1;
            }
            return Ok(Some(index));
        }
        if code.contains(['/', '\0']) {
            return Ok(None);
        }
        if self.parts.len() > MAX_LANGUAGES {
            let message = format!("expected at most {MAX_LANGUAGES} languages, found more");
            return Err(ReadErrorKind::syntax(message, at));
        }
        Ok(Some(self.add_part(code)))
    }

    /// Adds an entry to a part. Only its context, text, forms, note, flags and state are kept.
    ///
    /// # Errors
    /// If there is too much text: an id and a note are in many parts.
    pub(super) fn push(&mut self, part: usize, entry: &RawEntry<'_>) -> Result<(), SyntaxError> {
        let Some(part) = self.parts.get_mut(part) else {
            return Ok(());
        };
        let fields = entry.keyed.copied().unwrap_or_default();
        let piece = &mut self.buffer;
        piece.clear();
        let bits = [entry.translated, entry.translatable, fields.fuzzy];
        piece.push(
            bits.iter()
                .rev()
                .fold(0, |all, &bit| all << 1 | u8::from(bit)),
        );
        let forms: String = entry.forms.iter().map(|form| form.code()).collect();
        push_text(forms.as_bytes(), piece);
        push_text(entry.context.as_bytes(), piece);
        let end = offset(piece.len());
        for text in [entry.text, entry.note, fields.flags] {
            push_text(text.as_bytes(), piece);
        }
        self.size += piece.len() + entry.context.len();
        if self.size > MAX_TEXT {
            return Err(ReadErrorKind::TooMuchText.at(entry.offset));
        }
        part.entries.push(NewEntry {
            piece: piece.as_slice().into(),
            context: end.saturating_sub(offset(entry.context.len()))..end,
            offset: entry.offset,
        });
        Ok(())
    }
}
