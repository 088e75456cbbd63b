//! The objects of a shared ledger that contain batches. Each has a hash and names the hash of the one before it.
//! Source: `docs/spec/ids-and-ledger.md#shared-ledger`. Must not do I/O.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::batch_lines::BatchLines;

/// Version of the format of batch objects.
const FORMAT: u32 = 1;
/// Length of the hash at the end of a batch object, as hexadecimal digits.
const HASH: usize = 64;

/// The part of a batch that a replica needs and the files of a state directory do not record.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct BatchDetails {
    /// The branch of each component that moved.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub branches: BTreeMap<String, String>,
    /// The names of packs with the git objects of the batch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<String>,
}

/// The first line of a batch object.
#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    /// The hash of the object of the batch before. Older versions did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(flatten)]
    details: BatchDetails,
}

/// The content of a batch object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredBatch {
    /// The branches and packs.
    pub details: BatchDetails,
    /// The lines of the files.
    pub lines: BatchLines,
}

/// Why a batch object is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BatchObjectError {
    #[error("it is not text")]
    NotText,
    #[error("it is too short")]
    TooShort,
    #[error("its hash does not match its content")]
    Hash,
    #[error("a line is missing")]
    MissingLine,
    #[error("its first line is invalid")]
    Header,
    #[error("a newer version wrote it")]
    Newer,
}

/// A decoded batch object.
#[derive(Debug)]
pub(super) struct BatchObject {
    pub batch: StoredBatch,
    /// The hash of the object before it.
    pub previous: Option<String>,
    /// Its own hash.
    pub hash: String,
}

/// Encodes a batch object: a line with the details, the two lines of the batch, and a hash of all. Returns also the
/// hash.
pub(super) fn encode(batch: &StoredBatch, previous: Option<String>) -> (Vec<u8>, String) {
    let header = Header {
        format: FORMAT,
        previous,
        details: batch.details.clone(),
    };
    // Strings and numbers always serialize.
    let header = serde_json::to_string(&header).unwrap_or_default();
    let text = format!("{header}\n{}\n{}\n", batch.lines.ids, batch.lines.moves);
    let hash = blake3::hash(text.as_bytes()).to_string();
    (format!("{text}{hash}\n").into_bytes(), hash)
}

impl BatchObject {
    /// Decodes a batch object.
    ///
    /// # Errors
    /// When it is invalid.
    pub fn decode(content: &[u8]) -> Result<Self, BatchObjectError> {
        let text = std::str::from_utf8(content).map_err(|_| BatchObjectError::NotText)?;
        let end = text.len().saturating_sub(HASH + 1);
        let split = text.split_at_checked(end);
        let (signed, hash) = split.ok_or(BatchObjectError::TooShort)?;
        let hash = hash.trim_end_matches('\n');
        if blake3::hash(signed.as_bytes()).to_hex().as_str() != hash {
            return Err(BatchObjectError::Hash);
        }
        let mut lines = signed.lines();
        let mut next = || lines.next().ok_or(BatchObjectError::MissingLine);
        let (header, ids, moves) = (next()?, next()?, next()?);
        let header: Header = serde_json::from_str(header).map_err(|_| BatchObjectError::Header)?;
        if header.format != FORMAT {
            return Err(BatchObjectError::Newer);
        }
        Ok(Self {
            batch: StoredBatch {
                details: header.details,
                lines: BatchLines {
                    ids: ids.to_owned(),
                    moves: moves.to_owned(),
                },
            },
            previous: header.previous,
            hash: hash.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> StoredBatch {
        StoredBatch {
            details: BatchDetails {
                packs: vec!["packs/1.pack".to_owned()],
                ..BatchDetails::default()
            },
            lines: BatchLines {
                ids: "{}".to_owned(),
                moves: "{\"batch\":1}".to_owned(),
            },
        }
    }

    #[test]
    fn an_object_is_decoded_as_encoded() {
        let (content, hash) = encode(&batch(), Some("before".to_owned()));
        let object = BatchObject::decode(&content).unwrap();
        assert_eq!(
            (object.batch, object.previous.as_deref(), object.hash),
            (batch(), Some("before"), hash)
        );
    }

    #[test]
    fn an_object_without_the_hash_of_the_one_before_is_readable() {
        let text = "{\"format\":1,\"packs\":[\"packs/1.pack\"]}\n{}\n{\"batch\":1}\n";
        let hash = blake3::hash(text.as_bytes()).to_string();
        let object = BatchObject::decode(format!("{text}{hash}\n").as_bytes()).unwrap();
        assert_eq!((object.batch, object.previous), (batch(), None));
    }
}
