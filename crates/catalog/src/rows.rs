//! The rows of a component: its sources and the units of its translations.

use gitglot_history::UnitState;
use gitglot_model::{SourceId, TextId, Timestamp, UnitId};

/// One string of the template.
#[derive(Clone, Copy, Debug)]
pub struct SourceRow {
    /// Its number.
    pub id: SourceId,
    /// Position in the template, 1-based, with gaps for duplicate keys.
    pub position: u32,
    /// Words of the source text (docs/spec/units.md#words).
    pub words: u32,
    /// Hash of the context (docs/spec/units.md#hashes).
    pub id_hash: i64,
    /// Hash of source and context (docs/spec/units.md#hashes).
    pub content_hash: i64,
    /// The context.
    pub context: TextId,
    /// The source text.
    pub source: TextId,
    /// The template's note.
    pub note: TextId,
    /// When the key first appeared.
    pub since: Timestamp,
}

/// One string in one language.
#[derive(Clone, Copy, Debug)]
pub struct UnitRow {
    /// Its number.
    pub id: UnitId,
    /// The text.
    pub target: TextId,
    /// The file's own note.
    pub note: TextId,
    pub(super) flags: u8,
}

/// What a snapshot adds to the units of a file: five bytes each, because large components have millions of units.
#[derive(Debug)]
pub(super) struct UnitRows {
    pub ids: Box<[UnitId]>,
    pub flags: Box<[u8]>,
}

impl UnitRows {
    /// The row at an index, with the texts of its unit.
    pub fn get(&self, at: usize, unit: &UnitState) -> Option<UnitRow> {
        let (&id, &flags) = (self.ids.get(at)?, self.flags.get(at)?);
        Some(UnitRow {
            id,
            target: unit.target(),
            note: unit.note,
            flags,
        })
    }
}

pub(super) const TRANSLATED: u8 = 1;
pub(super) const FUZZY: u8 = 2;
pub(super) const FAILING: u8 = 4;
pub(super) const PLURAL: u8 = 8;

impl UnitRow {
    /// State 20 of Weblate: translated and not stale.
    pub fn translated(&self) -> bool {
        self.flags & TRANSLATED != 0
    }

    /// State 10 of Weblate: translated, but the source has changed since.
    pub fn fuzzy(&self) -> bool {
        self.flags & FUZZY != 0
    }

    /// Whether the source or the target has plural forms.
    pub fn plural(&self) -> bool {
        self.flags & PLURAL != 0
    }

    /// Whether a check fails.
    pub fn failing(&self) -> bool {
        self.flags & FAILING != 0
    }
}
