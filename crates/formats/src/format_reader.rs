//! The interface of the readers.

use super::entry::{EntrySink, Part, PartSink};
use super::error::ReadError;
use super::outline::Outline;

/// Whether a file could be read.
pub type ReadResult = Result<(), ReadError>;

/// Parses one format.
pub trait FormatReader: Send + Sync {
    /// Emits every entry of the file to `sink`, in file order. A file without bytes, or with only a byte order mark,
    /// has no entries.
    ///
    /// # Errors
    /// If the file does not parse or exceeds a limit. Then `sink` was not called.
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult;

    /// As [`FormatReader::read`], and then emits the alternatives of the entries: what a translation has for a template that
    /// groups the same texts differently. An alternative has another id than all other entries of the file.
    ///
    /// # Errors
    /// As [`FormatReader::read`].
    fn read_all(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        self.read(bytes, sink)
    }

    /// Parses a version of a file against an earlier version. The parts in order give the entries that
    /// [`FormatReader::read_all`] emits for `new`. Old entries in no [`Part::Reused`] are removed or replaced.
    ///
    /// `outline` must be the outline of `old` from the same reader and becomes the outline of `new`; its memory is
    /// reused. The default outline is that of any `old` without entries. With a different outline the parts mean
    /// nothing.
    ///
    /// # Errors
    /// The error of [`FormatReader::read`] for `new`. Then `sink` was not called and `outline` is unchanged.
    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: PartSink<'_>,
    ) -> ReadResult {
        // A reader that reuses no entries has only default outlines.
        let _ = (old, outline);
        self.read_all(new, &mut |entry| sink(Part::Entry(entry)))
    }
}
