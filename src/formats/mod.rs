//! Parses translation files: bytes to entries in file order, or an error with line and column.
//!
//! Each format implements [`FormatReader`]. The JSON formats share a lexer (`json`) and differ in a dialect. A reader
//! parses a whole file before it emits the first entry. The rules are in `docs/spec/formats.md`.
//!
//! Must not depend on git, HTTP, templates or units.

#[cfg(test)]
mod all_formats_tests;
mod android;
mod entry_list;
mod error;
mod fluent;
#[cfg(test)]
mod hostile_tests;
mod input;
mod json;
mod jsonc;
mod line;
mod list_reader;
mod properties;
mod resx;
mod strings;
#[cfg(test)]
mod test_support;
#[cfg(test)]
mod written_tests;
mod xml;
mod yaml;

use std::ops::Range;

pub use error::{Expected, ReadError, ReadErrorKind};
pub use json::Outline;
pub use line::line_of;

pub use crate::model::{PLURAL_SEPARATOR, PluralForm};

use crate::model::FileFormat;
use list_reader::ListReader;

/// Largest file in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Largest number of nested levels.
pub const MAX_DEPTH: usize = 1000;

/// One translatable text of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry<'a> {
    /// The id of the text, in the notation of its format (`docs/spec/formats.md#formats`).
    pub context: &'a str,
    /// The text. Plural forms are joined with [`PLURAL_SEPARATOR`]. Numbers and booleans have Python's
    /// notation (`docs/spec/formats.md#values`).
    pub text: &'a str,
    /// The form of each part of a plural text; empty for a text without plural forms.
    pub forms: &'a [PluralForm],
    /// The developer's note, else `""`.
    pub note: &'a str,
    /// Whether the value counts as a translation (`docs/spec/units.md#state`).
    pub translated: bool,
    /// Whether the file allows a translation of the text.
    pub translatable: bool,
    /// Byte offset in the file where the entry begins.
    pub offset: usize,
}

impl Default for RawEntry<'_> {
    fn default() -> Self {
        Self {
            context: "",
            text: "",
            forms: &[],
            note: "",
            translated: false,
            translatable: true,
            offset: 0,
        }
    }
}

/// A part of the entries of a file, relative to the entries of an earlier version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// These entries of the earlier list, as 0-based indexes, unchanged. Never empty; the ranges of one parse
    /// ascend and do not overlap.
    Reused(Range<usize>),
    /// This entry. It may equal an earlier entry that was not reused.
    Entry(RawEntry<'a>),
}

/// Parses one format.
pub trait FormatReader: Send + Sync {
    /// Emits every entry of the file to `sink`, in file order, and sets `outline` to the outline of the file;
    /// its memory is reused. A file without bytes, or with only a byte order mark, has no entries.
    ///
    /// # Errors
    /// If the file does not parse or exceeds a limit. Then `sink` was not called and `outline` is unchanged.
    fn read(
        &self,
        bytes: &[u8],
        outline: &mut Outline,
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<(), ReadError>;

    /// Parses a version of a file against an earlier version. The parts in order give the entries that
    /// [`FormatReader::read`] emits for `new`. Old entries in no [`Part::Reused`] are removed or replaced.
    ///
    /// `outline` must be the outline of `old` from the same reader and becomes the outline of `new`. With a
    /// different outline the parts mean nothing.
    ///
    /// # Errors
    /// The error of [`FormatReader::read`] for `new`. Then `sink` was not called and `outline` is unchanged.
    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), ReadError> {
        let _ = old;
        self.read(new, outline, &mut |entry| sink(Part::Entry(entry)))
    }
}

/// Returns the reader of a format by Weblate's name.
pub fn reader_by_name(name: &str, single_form: bool) -> Option<&'static dyn FormatReader> {
    FileFormat::from_name(name).map(|format| reader_for(format, single_form))
}

/// Returns the reader of a format for files of a language. `single_form`: whether the language has a single plural
/// form.
pub fn reader_for(format: FileFormat, single_form: bool) -> &'static dyn FormatReader {
    match format {
        FileFormat::I18nextV4 if single_form => json::I18NEXT_V4_SINGLE_FORM,
        _ => reader(format),
    }
}

/// Returns the reader of a format.
pub fn reader(format: FileFormat) -> &'static dyn FormatReader {
    match format {
        FileFormat::Json | FileFormat::JsonNested => json::JSON,
        FileFormat::WebExtension => json::WEB_EXTENSION,
        FileFormat::I18next => json::I18NEXT,
        FileFormat::I18nextV4 => json::I18NEXT_V4,
        FileFormat::VueI18n => json::VUE_I18N,
        FileFormat::Arb => json::ARB,
        FileFormat::FormatJs => json::FORMATJS,
        FileFormat::GoI18nV1 => json::GO_I18N_V1,
        FileFormat::GoI18nV2 => json::GO_I18N_V2,
        FileFormat::Gotext => json::GOTEXT,
        FileFormat::ResJson => json::RESJSON,
        FileFormat::Jsonc => &ListReader(jsonc::Jsonc { json5: false }),
        FileFormat::Json5 => &ListReader(jsonc::Jsonc { json5: true }),
        FileFormat::AndroidResource => &ListReader(android::AndroidResource),
        FileFormat::AppleStrings => &ListReader(strings::Strings),
        FileFormat::Properties => &ListReader(properties::Properties { latin1: true }),
        FileFormat::PropertiesUtf8 => &ListReader(properties::Properties { latin1: false }),
        FileFormat::Yaml => &ListReader(yaml::Yaml {
            language_root: false,
        }),
        FileFormat::RubyYaml => &ListReader(yaml::Yaml {
            language_root: true,
        }),
        FileFormat::Resx => &ListReader(resx::Resx),
        FileFormat::Fluent => &ListReader(fluent::Fluent),
    }
}
