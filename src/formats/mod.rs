//! Bytes of a translation file → entries in file order, or the reason why it cannot be read.
//! One file per format behind [`Reader`].
//!
//! Knows neither git nor HTTP, nor what a template or a unit is.

use crate::model::FileFormat;

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

/// Why a file could not be read: one sentence with the place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(pub String);

/// Where the entries of one version of a file stand in its bytes, so that the next
/// version need only be read where it differs. Opaque to callers.
#[derive(Clone, Debug, Default)]
pub struct Outline {}

/// What [`Reader::reread`] found.
#[derive(Clone, Debug)]
pub struct Reread {
    /// The entries of the old version, as 0-based places in its list, that
    /// the entries given to the sink take the place of.
    pub replaced: std::ops::Range<usize>,
    /// The outline of the new version.
    pub outline: Outline,
}

/// Reads one format.
pub trait Reader: Send + Sync {
    /// Gives every entry of the file to `sink`, in file order.
    ///
    /// # Errors
    /// When the file does not parse or goes beyond the limits; entries given until then count for nothing.
    fn read(&self, bytes: &[u8], sink: &mut dyn FnMut(RawEntry<'_>)) -> Result<Outline, ReadError>;

    /// Reads a version of a file whose previous version is known: gives only the entries of the part
    /// that differs. Equal to [`Reader::read`] in all that follows from it.
    ///
    /// # Errors
    /// As [`Reader::read`].
    fn reread(
        &self,
        old: &[u8],
        outline: &Outline,
        new: &[u8],
        sink: &mut dyn FnMut(RawEntry<'_>),
    ) -> Result<Reread, ReadError>;
}

/// The reader of that format.
pub fn reader(format: FileFormat) -> &'static dyn Reader {
    match format {
        FileFormat::Json | FileFormat::WebExtension => &Unwritten,
    }
}

struct Unwritten;

impl Reader for Unwritten {
    fn read(&self, _: &[u8], _: &mut dyn FnMut(RawEntry<'_>)) -> Result<Outline, ReadError> {
        Err(ReadError("not written".into()))
    }

    fn reread(&self, _: &[u8], _: &Outline, _: &[u8], _: &mut dyn FnMut(RawEntry<'_>)) -> Result<Reread, ReadError> {
        Err(ReadError("not written".into()))
    }
}
