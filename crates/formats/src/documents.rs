//! Formats of which each file is one string, and the content of groups of such files
//! (`docs/spec/change-log.md#groups`).

use std::borrow::Cow;

use super::entry::{BilingualFields, EntrySink, RawEntry};
use super::error::{ReadError, ReadErrorKind};
use super::format_reader::{FormatReader, ReadResult};
use super::input::{BYTE_ORDER_MARK, limits, located, unicode};
use super::records::{push_text, records};
use gitglot_model::{FileFormat, MAX_GROUPED_BYTES};

/// How the content of a group begins. No text does.
const MAGIC: &[u8] = b"\0gitglot group 1\n";

/// The id of the only string of a file that is a translation of its own.
pub const SINGLE_DOCUMENT: &str = "document";

/// The most characters of texts of stores, by their paths (docs/spec/formats.md#appstore).
const LIMITS: [(&str, &str); 9] = [
    ("title.txt", "max-length:30"),
    ("name.txt", "max-length:30"),
    ("subtitle.txt", "max-length:30"),
    ("short_description.txt", "max-length:80"),
    ("keywords.txt", "max-length:100"),
    ("promotional_text.txt", "max-length:170"),
    ("full_description.txt", "max-length:4000"),
    ("description.txt", "max-length:4000"),
    ("release_notes.txt", "max-length:4000"),
];

/// Whether bytes are the content of a group.
pub fn is_group(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The files in the content of a group, by their paths.
pub(super) fn documents(content: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    files(content.strip_prefix(MAGIC).unwrap_or_default()).flatten()
}

/// Whether bytes are a group of files with different paths of a list, and nothing else.
pub(super) fn is_group_of(content: &[u8], paths: &[&str]) -> bool {
    let mut left = paths.to_vec();
    let mut found = files(content.strip_prefix(MAGIC).unwrap_or_default());
    found.all(|file| {
        let at = file.and_then(|(path, _)| left.iter().position(|known| *known == path));
        at.map(|at| left.swap_remove(at)).is_some()
    })
}

/// Adds a file to the content of a group, which is empty before the first.
pub fn add_document(key: &str, bytes: &[u8], content: &mut Vec<u8>) {
    if content.is_empty() {
        content.extend_from_slice(MAGIC);
    }
    push_text(key.as_bytes(), content);
    push_text(bytes, content);
}

/// Emits the string of a file.
pub fn read_document(format: FileFormat, key: &str, bytes: &[u8], sink: EntrySink<'_>) {
    emit(format, key, bytes, 0, sink);
}

fn emit(format: FileFormat, key: &str, bytes: &[u8], offset: usize, sink: EntrySink<'_>) {
    let text = match bytes.len() {
        ..=MAX_GROUPED_BYTES => unicode(bytes).unwrap_or_else(|_| String::from_utf8_lossy(bytes)),
        _ => Cow::Borrowed(""),
    };
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    // People mark documents as current by line breaks at the end. Stores show none.
    let text = match format {
        FileFormat::Document if !text.trim().is_empty() => text,
        _ => text.trim_end_matches(['\n', '\r']),
    };
    let fields = BilingualFields {
        flags: flags(format, key),
        ..BilingualFields::default()
    };
    sink(RawEntry {
        keyed: format.has_states().then_some(&fields),
        ..RawEntry::new(key, text, offset)
    });
}

fn flags(format: FileFormat, key: &str) -> &'static str {
    if format != FileFormat::AppStore {
        return "";
    }
    if key.starts_with("changelogs/") {
        return "max-length:500";
    }
    let limit = LIMITS.iter().find(|(name, _)| *name == key);
    limit.map_or("", |(_, flag)| flag)
}

/// Reads a file as one string, and the content of a group as one for each file.
pub(super) struct DocumentReader(pub(super) FileFormat);

impl FormatReader for DocumentReader {
    fn read(&self, bytes: &[u8], sink: EntrySink<'_>) -> ReadResult {
        let Some(content) = bytes.strip_prefix(MAGIC) else {
            limits(bytes)?;
            if !bytes.is_empty() {
                emit(self.0, SINGLE_DOCUMENT, bytes, 0, sink);
            }
            return Ok(());
        };
        // All are read before the first one is emitted.
        files(content).try_for_each(|file| file.map(drop).ok_or_else(damaged))?;
        for (key, text) in files(content).flatten() {
            let offset = text.as_ptr().addr() - bytes.as_ptr().addr();
            emit(self.0, key, text, offset, sink);
        }
        Ok(())
    }
}

/// The error for bytes that start like a group but are not one.
pub(super) fn damaged() -> ReadError {
    located("", ReadErrorKind::syntax("this is no group of files", 0))
}

/// The files in the content of a group after [`MAGIC`], by their paths.
fn files(content: &[u8]) -> impl Iterator<Item = Option<(&str, &[u8])>> {
    records(content, |bytes| Some((bytes.text()?, bytes.bytes()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::entries;

    #[test]
    fn a_group_has_a_string_for_each_file() {
        let mut content = Vec::new();
        add_document("title.txt", b"App\n", &mut content);
        add_document("changelogs/1.txt", b"One\r\n\r\nTwo\r\n\n", &mut content);
        add_document(
            "large.txt",
            &vec![b'a'; MAX_GROUPED_BYTES + 1],
            &mut content,
        );
        add_document("latin1.txt", b"caf\xe9", &mut content);
        let found = entries(FileFormat::AppStore, &content).unwrap();
        let texts: Vec<_> = found.iter().map(|it| (&*it.context, &*it.text)).collect();
        let changelog = ("changelogs/1.txt", "One\r\n\r\nTwo");
        let last = ("latin1.txt", "caf\u{FFFD}");
        assert_eq!(
            texts,
            [("title.txt", "App"), changelog, ("large.txt", ""), last]
        );
        content.pop();
        assert!(entries(FileFormat::AppStore, &content).is_err());
    }

    #[test]
    fn a_file_of_its_own_is_a_string() {
        let found = entries(FileFormat::Document, "\u{FEFF}# Title\n".as_bytes()).unwrap();
        assert_eq!(
            (&*found[0].context, &*found[0].text),
            ("document", "# Title\n")
        );
        assert!(entries(FileFormat::Document, b"").unwrap().is_empty());
    }

    #[test]
    fn texts_of_stores_have_limits() {
        let flags = |key| flags(FileFormat::AppStore, key);
        assert_eq!(flags("changelogs/12.txt"), "max-length:500");
        assert_eq!(flags("short_description.txt"), "max-length:80");
        assert_eq!(flags("video.txt"), "");
    }
}
