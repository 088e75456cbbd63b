//! The parts of files with several languages (`docs/spec/change-log.md#parts`): one for each language, in a form of its own,
//! which one reader reads for all formats.
//!
//! A part has no places, so that it stays the same when other parts of its file change.

use super::as_json::JsonWriter;
use super::code::Language;
use super::entry_list::MAX_TEXT;
use super::error::{ReadError, ReadErrorKind, SyntaxError};
use super::format_reader::{BilingualFields, EntrySink, FormatReader, RawEntry, ReadResult};
use super::input::{BYTE_ORDER_MARK, located, utf8};
use super::json::{split_catalog, split_languages, with_tree};
use super::outline::Outline;
use super::records::{push_text, records};
use super::{code, columns, yaml};
use gitglot_model::{FileFormat, PluralForm, SeededMap, TableColumns};
use std::ops::Range;
use std::sync::Arc;

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

/// Splits a file of a format with parts. `columns`: what the settings say about tables.
///
/// # Errors
/// If the file does not parse, or has too many languages.
pub fn split(
    format: FileFormat,
    columns: &TableColumns,
    bytes: &[u8],
) -> Result<FileParts, ReadError> {
    Ok(list_of(format, columns, bytes)?.finish())
}

/// The entries of a file by part.
pub(super) fn list_of(
    format: FileFormat,
    columns: &TableColumns,
    bytes: &[u8],
) -> Result<PartList, ReadError> {
    let decoded = utf8(bytes)?;
    let text = decoded.strip_prefix(BYTE_ORDER_MARK).unwrap_or(decoded);
    let mut list = PartList::new();
    let parsed = match format {
        FileFormat::StringCatalog => with_tree(text, |root| split_catalog(root, &mut list)),
        FileFormat::JsonLanguages => with_tree(text, |root| split_languages(root, &mut list)),
        FileFormat::YamlLanguages => yaml::with_json(text, |json| written(&json, &mut list)),
        FileFormat::ModuleLanguages => {
            code::with_json(text, Language::JavaScript, |json| written(&json, &mut list))
        }
        FileFormat::CsvColumns => columns::split(text, columns, &mut list),
        _ => Err(ReadErrorKind::syntax(
            "files of this format have no parts",
            0,
        )),
    };
    parsed.map_err(|error| located(text, error))?;
    list.sort(bytes.len() - text.len());
    Ok(list)
}

/// Adds the entries of a file that was written as JSON.
fn written(json: &JsonWriter, list: &mut PartList) -> Result<(), SyntaxError> {
    let split = json.with_tree(|root| split_languages(root, list));
    list.map_offsets(&|at| json.place(at));
    split
}

/// The parts of a file, to which entries are added.
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
        let mut list = Self {
            parts: Vec::new(),
            indexes: SeededMap::default(),
            size: 0,
            source_language: None,
            strings: None,
            is_by_language: false,
            buffer: Vec::new(),
        };
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

    fn finish(self) -> FileParts {
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
    fn map_offsets(&mut self, moved: &dyn Fn(usize) -> usize) {
        let entries = self.parts.iter_mut().flat_map(|part| &mut part.entries);
        entries.for_each(|entry| entry.offset = of(entry.offset));
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
        let end = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        let length = u32::try_from(entry.context.len()).unwrap_or(u32::MAX);
        for text in [entry.text, entry.note, fields.flags] {
            push_text(text.as_bytes(), piece);
        }
        self.size += piece.len() + entry.context.len();
        if self.size > MAX_TEXT {
            return Err(ReadErrorKind::TooMuchText.at(entry.offset));
        }
        part.entries.push(NewEntry {
            piece: piece.as_slice().into(),
            context: end.saturating_sub(length)..end,
            offset: entry.offset,
        });
        Ok(())
    }
}

/// Reads parts. Of a whole file it reads the part with the source texts, but of tables, whose settings it does not know.
pub(super) struct PartReader(pub(super) FileFormat);

impl FormatReader for PartReader {
    /// The offset of an entry of a part is its index.
    fn read(&self, bytes: &[u8], outline: &mut Outline, sink: EntrySink<'_>) -> ReadResult {
        let no_part = || located("", ReadErrorKind::syntax("this is no part of a file", 0));
        if let Some(entries) = bytes.strip_prefix(MAGIC) {
            // All are read before the first one is emitted.
            entries_of(entries).try_for_each(|entry| entry.map(drop).ok_or_else(no_part))?;
            *outline = Outline::default();
            for (index, entry) in entries_of(entries).flatten().enumerate() {
                entry.emit(index, sink);
            }
            return Ok(());
        }
        *outline = Outline::default();
        if bytes.is_empty() {
            return Ok(());
        }
        let file = split(self.0, &TableColumns::default(), bytes)?;
        if self.0 == FileFormat::CsvColumns {
            // It was not split, so that only the settings of a component can be the reason.
            let problem = "the first row has other columns than the settings key_column, note_columns and \
                           language_columns: correct them";
            return Err(located("", ReadErrorKind::syntax(problem, 0)));
        }
        if let Some(source) = file.parts.first() {
            let entries = source.pieces.iter().skip(1);
            for (piece, &offset) in entries.zip(&source.offsets) {
                if let Some(Some(entry)) = entries_of(piece).next() {
                    entry.emit(offset, sink);
                }
            }
        }
        Ok(())
    }
}

/// An entry of a part.
struct PartEntry<'a> {
    bits: u8,
    forms: &'a str,
    context: &'a str,
    text: &'a str,
    note: &'a str,
    flags: &'a str,
}

/// The entries of a part.
fn entries_of(part: &[u8]) -> impl Iterator<Item = Option<PartEntry<'_>>> {
    records(part, |bytes| {
        Some(PartEntry {
            bits: bytes.byte()?,
            forms: bytes.text()?,
            context: bytes.text()?,
            text: bytes.text()?,
            note: bytes.text()?,
            flags: bytes.text()?,
        })
    })
}

impl PartEntry<'_> {
    fn emit(&self, offset: usize, sink: EntrySink<'_>) {
        let forms = self.forms.bytes().filter_map(PluralForm::from_code);
        let forms: Vec<PluralForm> = forms.collect();
        let bit = |index: u8| self.bits & 1 << index != 0;
        let fields = BilingualFields {
            flags: self.flags,
            fuzzy: bit(2),
            ..BilingualFields::default()
        };
        sink(RawEntry {
            context: self.context,
            text: self.text,
            forms: &forms,
            note: self.note,
            translated: bit(0),
            translatable: bit(1),
            offset,
            bilingual: None,
            keyed: Some(&fields),
            alternative: None,
        });
    }
}
