//! The JSON formats.
//!
//! `lexer` and `tree` turn bytes into tokens. A `dialect` turns tokens into entries; `nested` and `webextension`
//! are dialects. `full_parse` parses a whole file, `incremental` the differences to an earlier version.

mod buffers;
mod common_prefix;
mod dialect;
mod duplicates;
mod full_parse;
mod incremental;
mod lexer;
mod nested;
#[cfg(test)]
mod property_tests;
mod python_repr;
mod segment;
mod shape;
mod text;
mod token;
mod tree;
mod unescape;
mod webextension;

pub use shape::Outline;

use super::{Part, RawEntry, ReadError, Reader};
use dialect::IncrementalDialect;

/// The format `json`.
pub(super) const JSON: &dyn Reader = &Incremental(nested::Json);

/// The format `webextension`.
pub(super) const WEB_EXTENSION: &dyn Reader = &Incremental(webextension::WebExtension);

/// A JSON format that is parsed against an earlier version.
struct Incremental<D>(D);

impl<D: IncrementalDialect> Reader for Incremental<D> {
    fn read(&self, bytes: &[u8], outline: &mut Outline, sink: &mut dyn FnMut(RawEntry<'_>)) -> Result<(), ReadError> {
        full_parse::read(&self.0, bytes, outline, sink)
    }

    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), ReadError> {
        incremental::reparse(&self.0, old, outline, new, sink)
    }
}
