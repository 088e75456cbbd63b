//! The table of strings with source, translation and state.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{LangAttrs, LocalizedText};
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_checks::{CheckProfile, SourceChange};

#[derive(Template)]
#[template(path = "parts/string_table.html")]
pub(crate) struct StringTable {
    /// Describes the table to screen readers.
    pub(crate) caption: &'static str,
    pub(crate) rows: Vec<StringRow>,
}

impl HtmlSafe for StringTable {}

/// A string in one language.
pub(crate) struct StringRow {
    key: LocalizedText,
    href: String,
    /// Component and language, in lists of several.
    location: Option<LocalizedText>,
    source: LocalizedText,
    target: LocalizedText,
    state: UnitStatus,
}

/// The languages of the texts of a row.
pub(crate) struct RowAttrs {
    source: LangAttrs,
    target: LangAttrs,
}

impl RowAttrs {
    /// Those of all rows of a translation.
    pub(crate) fn of(view: TranslationView<'_>) -> Self {
        Self {
            source: LangAttrs::of_code(&view.component.project.source_language),
            target: LangAttrs::of(&view.translation.language),
        }
    }
}

impl StringRow {
    /// Builds the row of a unit that links to `href`.
    pub(crate) fn new(
        view: UnitView<'_>,
        attrs: &RowAttrs,
        href: String,
        location: Option<LocalizedText>,
    ) -> Self {
        let texts = &view.component.texts;
        Self {
            key: LocalizedText::name(view.name()),
            href,
            location,
            source: LocalizedText::short(&attrs.source, texts.get(view.source.source)),
            target: LocalizedText::short(&attrs.target, texts.get(view.unit.target)),
            state: UnitStatus::of(view),
        }
    }
}

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
            _ if !view.failing_checks(CheckProfile::Current).is_empty() => Self::Failing,
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
