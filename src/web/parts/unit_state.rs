//! The state of a unit as pages show it.

use crate::catalog::UnitView;
use crate::checks::SourceChange;

/// The state of a unit, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitStatus {
    Missing,
    Stale(SourceChange),
    Failing,
    Translated,
}

impl UnitStatus {
    /// Returns the state of a unit.
    pub(crate) fn of(view: UnitView<'_>) -> Self {
        match view.unit {
            unit if unit.fuzzy() => {
                Self::Stale(view.source_change().unwrap_or(SourceChange::Major))
            }
            _ if !view.modern_checks().is_empty() => Self::Failing,
            unit if unit.translated() => Self::Translated,
            _ => Self::Missing,
        }
    }

    /// The label on pages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Stale(SourceChange::Cosmetic) => "stale (cosmetic)",
            Self::Stale(SourceChange::Minor) => "stale (minor)",
            Self::Stale(SourceChange::Major) => "stale (major)",
            Self::Failing => "failing check",
            Self::Translated => "translated",
        }
    }

    /// The CSS class of the label.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Missing => "k-none",
            Self::Stale(_) => "k-stale",
            Self::Failing => "k-bad",
            Self::Translated => "k-good",
        }
    }
}
