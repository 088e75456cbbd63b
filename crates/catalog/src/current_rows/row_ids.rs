//! The ids of rows (docs/spec/current-api.md#changes). The lower half is the id of the entry that a row comes from, the upper
//! half is 0 for the main row of the entry. Rows of [strings that are read again](super::gaps) come from no entry: their lower
//! half is the id of the unit, and the upper half has a bit of its own and the index of the commit.

use gitglot_model::{ChangeId, LineageId, UnitId};

/// Bits of the lower half.
const LOWER_BITS: u32 = 32;
/// The bit of the upper half for strings that are read again. Ids remain below 2^53.
const REREAD: u64 = 1 << 20;

pub(super) const REMOTE: u64 = 1;
pub(super) const REBASED: u64 = 2;
pub(super) const ALERT: u64 = 3;
pub(super) const LOCKED: u64 = 4;
/// Rows about a translation: of a new or updated string, of a changed source, and of the file.
const FIRST_OF_TRANSLATION: u64 = 8;
/// Rows about the strings of a new translation.
const FIRST_OF_KEY: u64 = FIRST_OF_TRANSLATION + 3 * (1 << 16);

pub(super) fn string(of: LineageId) -> u64 {
    FIRST_OF_TRANSLATION + 3 * u64::from(of.0)
}

pub(super) fn source(of: LineageId) -> u64 {
    string(of) + 1
}

pub(super) fn file(of: LineageId) -> u64 {
    string(of) + 2
}

/// The part of a string, given its number in the log: ids of keys depend on the order in which files were read.
pub(super) fn key(number: u32) -> u64 {
    FIRST_OF_KEY + u64::from(number)
}

/// The id of a row that is not the main one of its entry.
pub(super) fn part(entry: ChangeId, part: u64) -> u64 {
    part << LOWER_BITS | u64::from(entry.0)
}

/// The id of the row of a unit that a commit, given its index, reads again.
pub(super) fn reread(commit: u32, unit: UnitId) -> u64 {
    (REREAD + u64::from(commit)) << LOWER_BITS | u64::from(unit.0)
}

/// The commit and unit of an id, if it is that of a string that is read again.
pub(super) fn as_reread(id: u64) -> Option<(u32, UnitId)> {
    let commit = (id >> LOWER_BITS).checked_sub(REREAD)?;
    Some((u32::try_from(commit).ok()?, UnitId(lower(id))))
}

/// The entry that a row comes from.
pub(super) fn entry_of(id: u64) -> ChangeId {
    ChangeId(lower(id))
}

/// The translation that the id of a row names, if it does.
pub(super) fn lineage(id: u64) -> Option<LineageId> {
    let own = (id >> LOWER_BITS).checked_sub(FIRST_OF_TRANSLATION)? / 3;
    u16::try_from(own).ok().map(LineageId)
}

fn lower(id: u64) -> u32 {
    (id & u64::from(u32::MAX)) as u32
}
