//! Signatures and texts of commits, including malformed ones, and `.mailmap` files.

use gix::actor::SignatureRef;
use gix::bstr::ByteSlice;

use crate::{EntryKind, GitError, ObjectReader};
use gitglot_model::{BlobId, OffsetTime, Signature, TreeId};

/// A day in seconds, the limit of a UTC offset.
const DAY: i32 = 24 * 60 * 60;

/// Parses an `author` or `committer` line. A malformed line becomes the name.
pub(crate) fn signature(line: &[u8], encoding: Option<&[u8]>) -> Signature {
    match SignatureRef::from_bytes(line) {
        Ok(read) => {
            let read = read.trim();
            Signature {
                name: text(read.name, encoding).into(),
                email: text(read.email, encoding).into(),
                time: time(&read),
            }
        }
        Err(_) => Signature {
            name: text(line.trim(), encoding).into(),
            email: "".into(),
            time: OffsetTime::default(),
        },
    }
}

fn time(signature: &SignatureRef<'_>) -> OffsetTime {
    let offset = signature.time().map_or(0, |time| time.offset);
    OffsetTime {
        seconds: signature.seconds(),
        offset: if offset.abs() < DAY { offset } else { 0 },
    }
}

/// Decodes text of a commit as UTF-8, or as Latin-1 if the commit declares it, the only other common encoding of old
/// histories. Replaces invalid bytes.
pub(crate) fn text(bytes: &[u8], encoding: Option<&[u8]>) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if encoding.is_some_and(is_latin1) => {
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
        Err(_) => bytes.to_str_lossy().into_owned(),
    }
}

fn is_latin1(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [
        b"iso-8859-1",
        b"iso8859-1",
        b"iso88591",
        b"latin1",
        b"latin-1",
    ];
    NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The content of a `.mailmap` file; empty if there is none.
#[derive(Clone, Default, Debug)]
pub struct Mailmap {
    snapshot: gix::mailmap::Snapshot,
}

impl Mailmap {
    /// Reads the `.mailmap` in a root tree; empty if there is none, or one that is too large to be read.
    ///
    /// # Errors
    /// When the tree or the file is missing or corrupt.
    pub fn read(reader: &mut ObjectReader, root: TreeId) -> Result<Self, GitError> {
        let Some(blob) = Self::blob(reader, root)? else {
            return Ok(Self::default());
        };
        match reader.blob(blob) {
            Err(GitError::TooLarge { .. }) => Ok(Self::default()),
            found => Ok(Self::from_bytes(&found?)),
        }
    }

    /// Whether the `.mailmap` in a root tree is too large to be read.
    ///
    /// # Errors
    /// When the tree or the file is missing or corrupt.
    pub fn is_too_large(reader: &mut ObjectReader, root: TreeId) -> Result<bool, GitError> {
        let blob = Self::blob(reader, root)?;
        blob.map_or(Ok(false), |blob| reader.is_too_large(blob))
    }

    /// Like git, does not follow a symbolic link.
    fn blob(reader: &mut ObjectReader, root: TreeId) -> Result<Option<BlobId>, GitError> {
        Ok(match reader.entry_at(root, ".mailmap")? {
            Some(EntryKind::File(blob)) => Some(blob),
            _ => None,
        })
    }

    /// Parses a `.mailmap` file. Ignores malformed lines, as git does.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self {
            snapshot: gix::mailmap::Snapshot::from_bytes(bytes),
        }
    }

    /// The canonical name and email address of a person, or the given ones if the file has no entry. Email addresses
    /// and names are compared ASCII case-insensitively.
    pub fn resolve(&self, name: &str, email: &str) -> (String, String) {
        let given = SignatureRef {
            name: name.as_bytes().as_bstr(),
            email: email.as_bytes().as_bstr(),
            time: "",
        };
        let found = self.snapshot.resolve_cow(given);
        (found.name.to_string(), found.email.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_has_a_utc_offset() {
        let read = signature(b"Ada <ada@example.org> 1700000000 +0530", None);
        assert_eq!(&*read.name, "Ada");
        assert_eq!(&*read.email, "ada@example.org");
        assert_eq!(
            read.time,
            OffsetTime {
                seconds: 1_700_000_000,
                offset: 19_800
            }
        );
    }

    #[test]
    fn a_malformed_time_or_offset_keeps_the_name() {
        let read = signature(b"Ada <ada@example.org> 1700000000 +051800", None);
        assert_eq!((&*read.name, read.time.seconds), ("Ada", 1_700_000_000));
        assert!(read.time.offset.abs() < DAY);
        assert_eq!(&*signature(b"Ada <ada@example.org>", None).name, "Ada");
        assert_eq!(
            &*signature(b"nobody in particular", None).name,
            "nobody in particular"
        );
    }

    #[test]
    fn text_in_latin_1_is_read_and_other_bytes_are_replaced() {
        assert_eq!(text(b"Ren\xe9", Some(b"ISO-8859-1")), "René");
        assert_eq!(text("René".as_bytes(), Some(b"ISO-8859-1")), "René");
        assert_eq!(text(b"Ren\xe9", None), "Ren\u{fffd}");
    }

    const FILE: &[u8] = b"# people\nAda Lovelace <ada@example.org>\nAda Lovelace <ada@example.org> <ADA@old.example>\n\
        Bob <bob@example.org> bobby <shared@example.org>\nbroken line\n";

    #[test]
    fn addresses_are_compared_case_insensitively() {
        let mailmap = Mailmap::from_bytes(FILE);
        let ada = ("Ada Lovelace".to_owned(), "ada@example.org".to_owned());
        assert_eq!(mailmap.resolve("ada", "Ada@Example.ORG"), ada);
        assert_eq!(mailmap.resolve("A.", "ada@OLD.example"), ada);
    }

    #[test]
    fn names_distinguish_people_with_one_address() {
        let mailmap = Mailmap::from_bytes(FILE);
        assert_eq!(
            mailmap.resolve("bobby", "shared@example.org").1,
            "bob@example.org"
        );
        let eve = ("eve".to_owned(), "shared@example.org".to_owned());
        assert_eq!(mailmap.resolve("eve", "shared@example.org"), eve);
    }

    #[test]
    fn without_a_file_names_and_addresses_stay() {
        let given = ("X".to_owned(), "X@Example.org".to_owned());
        assert_eq!(Mailmap::default().resolve("X", "X@Example.org"), given);
    }
}
