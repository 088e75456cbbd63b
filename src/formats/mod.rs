//! Bytes of a translation file → entries in file order, or the reason why it cannot be read.
//! One file per format behind [`Reader`].
//!
//! A JSON format says in its file what its values mean (`grammar`); going over the bytes (`lexer`), reading a
//! file whole (`whole`) and reading only what differs from another version (`splice`) are shared. A file is
//! lexed to its end before its first entry is given; nothing is allocated for an entry.
//!
//! Knows neither git nor HTTP, nor what a template or a unit is.

mod error;
mod grammar;
mod json;
mod lexer;
mod line;
mod outline;
#[cfg(test)]
mod properties;
mod repeats;
mod segment;
mod spell;
mod splice;
#[cfg(test)]
mod trial;
mod webextension;
mod whole;

use std::ops::Range;

pub use error::{Expected, ReadError, ReadErrorKind};
pub use line::line_of;
pub use outline::Outline;

use crate::model::FileFormat;

/// A file may have this many bytes, not more.
pub const MAX_BYTES: usize = 64 << 20;

/// Objects and arrays may stand this deep in each other, not deeper.
pub const MAX_DEPTH: usize = 1000;

/// One translatable text of a file, in file order, as the format's reader gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawEntry<'a> {
    /// The id of the text: a key path with leading dot (json), the bare key (webextension).
    pub context: &'a str,
    /// The text; numbers and booleans in Python's spelling (`units.md` 2).
    pub text: &'a str,
    /// The developer's note (webextension `description`), else `""`.
    pub note: &'a str,
    /// Whether the value counts as a translation (`units.md` 4, "State").
    pub translated: bool,
}

/// A piece of a file's list of entries, told against the list of the version before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part<'a> {
    /// These entries of the old list, as 0-based places in it, stand here as they were. Never empty;
    /// the ranges of one reread ascend and do not overlap.
    Kept(Range<usize>),
    /// This entry stands here. It may be equal to one of the old list that was not kept.
    Entry(RawEntry<'a>),
}

/// Reads one format.
pub trait Reader: Send + Sync {
    /// Gives every entry of the file to `sink`, in file order, and makes `outline` the file's, whatever
    /// it was before (its memory is used again). A file without a byte, also behind a byte order mark, is
    /// good and has no entry.
    ///
    /// # Errors
    /// When the file does not parse or goes beyond the limits; then `sink` was not called and
    /// `outline` is what it was.
    fn read(&self, bytes: &[u8], outline: &mut Outline, sink: &mut dyn FnMut(RawEntry<'_>)) -> Result<(), ReadError>;

    /// Reads a version of a file against another whose bytes and outline are known: only what differs is
    /// read. The parts put together in the order given are the list that [`Reader::read`] gives for `new`;
    /// old entries in no [`Part::Kept`] are gone or have become the entries given at their place.
    /// Makes `outline`, which must be that of `old` from the same reader, the one of `new`; with another
    /// outline the parts mean nothing.
    ///
    /// # Errors
    /// As [`Reader::read`] for `new`: the same error, `sink` was not called, `outline` is still that of `old`.
    fn reread(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: &mut dyn FnMut(Part<'_>),
    ) -> Result<(), ReadError>;
}

/// The reader of that format.
pub fn reader(format: FileFormat) -> &'static dyn Reader {
    match format {
        FileFormat::Json => &json::Json,
        FileFormat::WebExtension => &webextension::WebExtension,
    }
}
