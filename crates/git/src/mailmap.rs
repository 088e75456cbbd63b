//! `.mailmap` files, which give the people of a history one name and address each.

use gix::actor::SignatureRef;
use gix::bstr::ByteSlice;

use crate::error::GitError;
use crate::objects::reader::ObjectReader;
use crate::types::EntryKind;
use gitglot_model::{BlobId, TreeId};

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
        Ok(reader.entry_at(root, ".mailmap")?.and_then(EntryKind::file))
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
