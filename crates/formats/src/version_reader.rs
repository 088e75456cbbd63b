//! The reader of bilingual formats: an entry whose bytes an earlier version of the file has is not parsed again.

use std::borrow::Cow;

use super::entry::{EntrySink, Part, PartSink};
use super::error::{ReadError, SyntaxError};
use super::format_reader::{FormatReader, ReadResult};
use super::incremental::{Block, Comparison, Scopes, Version, are_ambiguous};
use super::input::{BYTE_ORDER_MARK, located};
use super::offsets::FileOffsets;
use super::outline::Outline;

/// A format whose entries are blocks of bytes.
pub(super) trait BlockFormat: Send + Sync {
    /// Decodes a file.
    ///
    /// # Errors
    /// If the file is too large, or its bytes are not in its encoding.
    fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError>;

    /// Adds the entries of a text to the version of the comparison, which may know an earlier one with these scopes.
    /// Returns whether the next version can be compared with it.
    ///
    /// # Errors
    /// If the text does not parse.
    fn read(
        &self,
        text: &str,
        comparison: &mut Comparison<'_>,
        scopes: &mut Scopes,
    ) -> Result<bool, SyntaxError>;
}

/// The reader of a format.
pub(super) struct VersionReader<F>(pub(super) F);

/// A version that was read.
struct ReadVersion {
    version: Version,
    scopes: Scopes,
    is_comparable: bool,
}

impl<F: BlockFormat> VersionReader<F> {
    /// Reads a file of which `text` is the content, against an earlier one.
    fn version(
        &self,
        bytes: &[u8],
        text: &str,
        old: &[u8],
        blocks: &[Block],
        mut scopes: Scopes,
    ) -> Result<ReadVersion, ReadError> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let mut comparison = Comparison::new(old, blocks, text);
        let read = self.0.read(text, &mut comparison, &mut scopes);
        let mut version = comparison.version;
        let checked = read.and_then(|has_blocks| version.list.check_size().map(|()| has_blocks));
        let has_blocks = checked.map_err(|error| located(text, error))?;
        version.list.set_offsets(FileOffsets::new(bytes, text));
        // Without new texts, there are no new pairs of texts.
        let is_ambiguous = version.list.len() > 0 && are_ambiguous(&version.blocks);
        Ok(ReadVersion {
            version,
            scopes,
            is_comparable: has_blocks && !is_ambiguous,
        })
    }
}

impl<F: BlockFormat> FormatReader for VersionReader<F> {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        self.reparse(b"", &mut Outline::default(), bytes, &mut |part| {
            if let Part::Entry(entry) = part {
                sink(entry);
            }
        })
    }

    fn reparse(
        &self,
        old: &[u8],
        outline: &mut Outline,
        new: &[u8],
        sink: PartSink<'_>,
    ) -> ReadResult {
        let decoded = F::decode(new)?;
        let Outline { blocks, scopes, .. } = &mut *outline;
        // Versions can only be compared if they have the bytes of their files.
        let is_file = matches!(decoded, Cow::Borrowed(_));
        let compared = (is_file && !blocks.is_empty())
            .then(|| self.version(new, &decoded, old, blocks, scopes.clone()))
            .and_then(Result::ok)
            // Scopes of old versions stay, until they are too many.
            .filter(|read| {
                read.is_comparable && read.scopes.len() <= 2 * read.version.blocks.len()
            });
        let read = match compared.filter(|read| !read.version.blocks.is_empty()) {
            Some(read) => read,
            None => self.version(new, &decoded, b"", &[], Scopes::default())?,
        };
        read.version.emit(sink);
        *outline = Outline::default();
        if is_file && read.is_comparable {
            (outline.blocks, outline.scopes) = (read.version.blocks, read.scopes);
        }
        Ok(())
    }
}
