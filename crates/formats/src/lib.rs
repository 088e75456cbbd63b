//! Parses translation files: bytes to entries in file order, or an error with line and column.
//!
//! Each format has a [`FormatReader`]. The JSON formats share a lexer (`json`) and differ in a dialect. A reader
//! parses a whole file before it emits the first entry. The rules are in `docs/spec/formats.md`.
//!
//! Must not depend on git, HTTP, templates or units.
//!
//! ```
//! use gitglot_formats::reader;
//! use gitglot_model::FileFormat;
//!
//! let mut texts = Vec::new();
//! reader(FileFormat::Json)
//!     .read(br#"{"hello": "Ahoj"}"#, &mut |entry| {
//!         texts.push(entry.text.to_owned());
//!     })
//!     .unwrap();
//! assert_eq!(texts, ["Ahoj"]);
//! ```

#[cfg(test)]
mod all_formats_tests;
mod android;
mod as_json;
mod code;
mod columns;
mod common_prefix;
mod documents;
mod entry;
mod entry_list;
mod error;
mod fault;
mod faults;
mod fluent;
mod format_reader;
#[cfg(test)]
mod hostile_tests;
mod incremental;
mod input;
mod json;
mod json_shape;
mod jsonc;
mod line;
mod list_reader;
mod offsets;
mod outline;
mod part_list;
mod part_versions;
mod parts;
mod plural_stem;
mod po;
mod properties;
mod records;
mod registry;
mod resx;
mod scan;
mod strings;
mod stringsdict;
#[cfg(test)]
mod syntax_pieces;
mod tables;
#[cfg(test)]
mod test_support;
mod toml;
mod ts;
mod version_reader;
#[cfg(test)]
mod written_tests;
mod xliff;
mod xml;
mod xml_encoding;
#[cfg(test)]
mod xml_naive_reader;
#[cfg(test)]
mod xml_property_tests;
mod xml_reader;
mod yaml;

pub use documents::{SINGLE_DOCUMENT, add_document, is_group, read_document};
pub use entry::{Alternative, BilingualFields, EntrySink, Part, PartSink, RawEntry, Revised};
pub use error::{MAX_BYTES, ReadError, ReadErrorKind};
pub use fault::{Fault, FaultKind, InvalidPart};
pub use faults::{faults, left_out};
pub use format_reader::{FormatReader, ReadResult};
pub use line::{line_in_part, line_of};
pub use outline::Outline;
pub use part_list::{FileParts, LanguagePart, PartPiece};
pub use part_versions::{PartVersions, SharedPart};
pub use parts::split;
pub use plural_stem::plural_stem;
pub use po::{merged_day, plural_forms, plural_rule, template_date};
pub use registry::{read_file, reader, reader_for};
pub use tables::{broken_table, table_at};
pub use xliff::is_same_xliff_text;
pub use yaml::yaml_error;
