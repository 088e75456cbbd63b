//! The parts of files with several languages (`docs/spec/change-log.md#parts`): one for each language, in a form of its own,
//! which one reader reads for all formats.
//!
//! A part has no places, so that it stays the same when other parts of its file change.

use super::as_json::JsonWriter;
use super::entry::{BilingualFields, EntrySink, RawEntry};
use super::error::{ReadError, ReadErrorKind, SyntaxError};
use super::format_reader::{FormatReader, ReadResult};
use super::input::{BYTE_ORDER_MARK, located, utf8};
use super::json::{split_catalog, split_languages, with_tree};
use super::part_list::{FileParts, MAGIC, PartList};
use super::records::records;
use super::{code, columns, yaml};
use gitglot_model::{FileFormat, PluralForm, TableColumns};

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
        FileFormat::YamlLanguages => yaml::as_json(text).and_then(|json| written(&json, &mut list)),
        FileFormat::ModuleLanguages => {
            code::javascript(text).and_then(|json| written(&json, &mut list))
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

/// Reads parts. Of a whole file it reads the part with the source texts, but of tables, whose settings it does not know.
pub(super) struct PartReader(pub(super) FileFormat);

impl FormatReader for PartReader {
    /// The offset of an entry of a part is its index.
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        let no_part = || located("", ReadErrorKind::syntax("this is no part of a file", 0));
        if let Some(entries) = bytes.strip_prefix(MAGIC) {
            // All are read before the first one is emitted.
            entries_of(entries).try_for_each(|entry| entry.map(drop).ok_or_else(no_part))?;
            for (index, entry) in entries_of(entries).flatten().enumerate() {
                entry.emit(index, sink);
            }
            return Ok(());
        }
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
