//! The stored form of a batch: a line for each file, with checksums that chain all lines.
//!
//! A [`BatchLines`] is self-contained: with the checksum of the batch before it, it can be verified, appended and
//! copied without any other data. Source: `docs/spec/ids-and-ledger.md#checksums`. Must not do I/O.

use std::fmt;

use serde::de::DeserializeOwned;

use super::error::LedgerError;
use super::record::{Assignments, Batch, RULES};

/// One of the two files, in the order in which a batch is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LedgerFile {
    /// `ids.jsonl`.
    Ids,
    /// `ledger.jsonl`.
    Moves,
}

impl LedgerFile {
    /// The file name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ids => "ids.jsonl",
            Self::Moves => "ledger.jsonl",
        }
    }

    /// A problem with a line, counted from 1.
    pub fn damaged(self, line: u32, reason: impl fmt::Display) -> LedgerError {
        LedgerError::Damaged(format!("line {line} of {}: {reason}", self.name()))
    }
}

/// The checksum of a line and of all lines before it. The default is the one before the first line.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Checksum(u64);

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The newest batch of a ledger: identifies its whole content.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LedgerHead {
    /// The number of batches.
    pub batches: u32,
    /// The checksum of the last batch.
    pub checksum: Checksum,
}

/// The text before and after the 16 digits of the checksum at the end of a line.
const FIELD: (&str, &str) = (",\"checksum\":\"", "\"}");
const DIGITS: usize = 16;

impl Checksum {
    /// The checksum of the next line; `content` is the line without its checksum.
    fn next(self, file: LedgerFile, content: &str) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.0.to_be_bytes());
        hasher.update(file.name().as_bytes());
        hasher.update(content.as_bytes());
        let mut first = [0; 8];
        hasher.finalize_xof().fill(&mut first);
        Self(u64::from_be_bytes(first))
    }

    /// Adds the checksum to a line, as its last field.
    fn append_to(self, content: &str) -> String {
        let open = content.strip_suffix('}').unwrap_or(content);
        format!("{open}{}{self}{}", FIELD.0, FIELD.1)
    }
}

/// Splits a line into its content and its checksum. A line that an older version wrote has none.
fn split(line: &str) -> (String, Option<&str>) {
    let split = || {
        let line = line.strip_suffix(FIELD.1)?;
        let (open, digits) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
        Some((format!("{}}}", open.strip_suffix(FIELD.0)?), Some(digits)))
    };
    split().unwrap_or_else(|| (line.to_owned(), None))
}

/// Whether the bytes after the last newline are a complete line and a damaged newline. A line that a crash interrupted
/// is shorter.
pub(super) fn has_damaged_newline(tail: &[u8]) -> bool {
    let line = tail
        .split_last()
        .and_then(|(_, line)| std::str::from_utf8(line).ok());
    line.is_some_and(|line| {
        split(line).1.is_some() || serde_json::from_str::<serde_json::Value>(line).is_ok()
    })
}

/// The lines of one batch, without newlines.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct BatchLines {
    /// The line of `ids.jsonl`.
    pub ids: String,
    /// The line of `ledger.jsonl`.
    pub moves: String,
}

/// A verified batch.
#[derive(Debug)]
pub struct VerifiedBatch {
    /// The moves.
    pub batch: Batch,
    /// The new ids.
    pub ids: Assignments,
    /// The checksum of the batch.
    pub checksum: Checksum,
    /// The lines with checksums, if an older version wrote them without.
    pub upgraded: Option<BatchLines>,
}

impl BatchLines {
    /// Encodes the batch that follows the one with the checksum `after`, and returns its checksum.
    ///
    /// # Errors
    /// Never for these types; the encoder's error type requires it.
    pub fn encode(
        after: Checksum,
        batch: &Batch,
        ids: &Assignments,
    ) -> serde_json::Result<(Self, Checksum)> {
        let (ids, moves) = (serde_json::to_string(ids)?, serde_json::to_string(batch)?);
        Ok(Self::seal(after, &ids, &moves))
    }

    fn seal(after: Checksum, ids: &str, moves: &str) -> (Self, Checksum) {
        let middle = after.next(LedgerFile::Ids, ids);
        let end = middle.next(LedgerFile::Moves, moves);
        let (ids, moves) = (middle.append_to(ids), end.append_to(moves));
        (Self { ids, moves }, end)
    }

    /// The checksum of the batch, if it follows the one with the checksum `after`.
    pub fn checksum(&self, after: Checksum) -> Option<Checksum> {
        let ((ids, _), (moves, _)) = (split(&self.ids), split(&self.moves));
        let (sealed, checksum) = Self::seal(after, &ids, &moves);
        (sealed == *self).then_some(checksum)
    }

    /// Verifies and decodes batch `number`, which follows the one with the checksum `after`.
    ///
    /// # Errors
    /// When a checksum does not match, a line is invalid, or a newer version wrote it.
    pub fn decode(&self, after: Checksum, number: u32) -> Result<VerifiedBatch, LedgerError> {
        let ((ids, ids_sum), (moves, moves_sum)) = (split(&self.ids), split(&self.moves));
        let (sealed, checksum) = Self::seal(after, &ids, &moves);
        for (file, sum, line, sealed) in [
            (LedgerFile::Ids, ids_sum, &self.ids, &sealed.ids),
            (LedgerFile::Moves, moves_sum, &self.moves, &sealed.moves),
        ] {
            if sum.is_some() && line != sealed {
                let reason = "the checksum does not match this line and the lines before it";
                return Err(file.damaged(number, reason));
            }
        }
        if let Ok(RulesField { rules }) = serde_json::from_str(&moves)
            && rules > RULES
        {
            return Err(LedgerError::Newer(rules));
        }
        let batch: Batch = parse(LedgerFile::Moves, number, &moves)?;
        let ids: Assignments = parse(LedgerFile::Ids, number, &ids)?;
        let (of_moves, of_ids) = (batch.batch, ids.batch);
        for (file, found) in [(LedgerFile::Moves, of_moves), (LedgerFile::Ids, of_ids)] {
            if found != number {
                return Err(file.damaged(number, format_args!("it is batch {found}, not {number}")));
            }
        }
        Ok(VerifiedBatch {
            batch,
            ids,
            checksum,
            upgraded: (ids_sum.is_none() || moves_sum.is_none()).then_some(sealed),
        })
    }
}

/// The only field of a line of `ledger.jsonl` that all versions share.
#[derive(serde::Deserialize)]
struct RulesField {
    rules: u32,
}

fn parse<T: DeserializeOwned>(
    file: LedgerFile,
    number: u32,
    content: &str,
) -> Result<T, LedgerError> {
    serde_json::from_str(content).map_err(|error| file.damaged(number, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(number: u32) -> (Batch, Assignments) {
        let batch = Batch {
            batch: number,
            seen: 5,
            rules: RULES,
            moves: Vec::new(),
        };
        (
            batch,
            Assignments {
                batch: number,
                first_change: 7,
                ..Assignments::default()
            },
        )
    }

    fn encoded(after: Checksum, number: u32) -> (BatchLines, Checksum) {
        let (batch, ids) = batch(number);
        BatchLines::encode(after, &batch, &ids).unwrap()
    }

    #[test]
    fn a_batch_is_decoded_as_encoded_and_is_plain_json() {
        let (lines, checksum) = encoded(Checksum::default(), 1);
        let decoded = lines.decode(Checksum::default(), 1).unwrap();
        assert_eq!((decoded.batch, decoded.ids), batch(1));
        assert_eq!((decoded.checksum, decoded.upgraded), (checksum, None));
        for line in [&lines.ids, &lines.moves] {
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(json["checksum"].as_str().unwrap().len(), DIGITS);
        }
    }

    #[test]
    fn every_flipped_bit_of_a_batch_is_detected() {
        let (_, first) = encoded(Checksum::default(), 1);
        let (lines, _) = encoded(first, 2);
        for (of_ids, line) in [(true, lines.ids.clone()), (false, lines.moves.clone())] {
            for bit in 0..line.len() * 8 {
                let mut bytes = line.clone().into_bytes();
                bytes[bit / 8] ^= 1 << (bit % 8);
                // Files are decoded as UTF-8 before.
                let Ok(flipped) = String::from_utf8(bytes) else {
                    continue;
                };
                let mut damaged = lines.clone();
                *if of_ids {
                    &mut damaged.ids
                } else {
                    &mut damaged.moves
                } = flipped;
                let error = damaged.decode(first, 2).unwrap_err().to_string();
                assert!(error.contains("line 2 of "), "{error}");
            }
        }
    }

    #[test]
    fn a_batch_of_a_different_history_is_detected() {
        let (lines, _) = encoded(Checksum(1), 2);
        assert!(lines.decode(Checksum(2), 2).is_err());
        assert!(lines.decode(Checksum(1), 3).is_err());
    }

    #[test]
    fn lines_without_checksums_are_upgraded() {
        let (sealed, checksum) = encoded(Checksum(3), 4);
        let lines = BatchLines {
            ids: split(&sealed.ids).0,
            moves: split(&sealed.moves).0,
        };
        for lines in [
            lines.clone(),
            BatchLines {
                ids: sealed.ids.clone(),
                ..lines.clone()
            },
        ] {
            let decoded = lines.decode(Checksum(3), 4).unwrap();
            assert_eq!(
                (decoded.checksum, decoded.upgraded.unwrap()),
                (checksum, sealed.clone())
            );
        }
    }

    #[test]
    fn unknown_fields_and_newer_rules_are_rejected() {
        let (batch, ids) = batch(1);
        let ids = serde_json::to_string(&ids).unwrap();
        let moves = serde_json::to_string(&batch).unwrap();
        let decode = |moves: String| {
            BatchLines {
                ids: ids.clone(),
                moves,
            }
            .decode(Checksum::default(), 1)
            .unwrap_err()
        };
        assert!(
            decode(moves.replace("\"seen\"", "\"more\":1,\"seen\""))
                .to_string()
                .contains("unknown field `more`")
        );
        let newer = moves.replace(&format!("\"rules\":{RULES}"), "\"rules\":999,\"more\":1");
        assert!(matches!(decode(newer), LedgerError::Newer(999)));
    }

    #[test]
    fn a_damaged_newline_differs_from_an_interrupted_line() {
        let line = encoded(Checksum::default(), 1).0.moves;
        assert!(has_damaged_newline(format!("{line}K").as_bytes()));
        assert!(has_damaged_newline(
            format!("{}K", split(&line).0).as_bytes()
        ));
        for length in 0..=line.len() {
            assert!(!has_damaged_newline(&line.as_bytes()[..length]), "{length}");
        }
    }
}
