//! The table of strings with source, translation and state.

use askama::Template;
use askama::filters::HtmlSafe;

use super::LangAttrs;
use super::text::{push_escaped, push_name, push_short};
use crate::PAGE_CAPACITY;
use gitglot_catalog::{TranslationView, UnitView};
use gitglot_checks::{CheckProfile, SourceChange};

#[derive(Template)]
#[template(path = "parts/string_table.html")]
pub(crate) struct StringTable {
    /// Describes the table to screen readers.
    caption: &'static str,
    /// The rendered rows.
    rows: String,
}

impl HtmlSafe for StringTable {}

impl StringTable {
    /// A table without rows.
    pub(crate) fn new(caption: &'static str) -> Self {
        Self {
            caption,
            rows: String::with_capacity(PAGE_CAPACITY),
        }
    }

    /// Appends the row of a unit that links to `href`, if it has a page. `location` are component and language, in lists of
    /// several.
    // Written without a template: most of a site are such rows, and their parts would be texts of their own.
    pub(crate) fn push(
        &mut self,
        view: UnitView<'_>,
        attrs: &RowAttrs,
        href: Option<&str>,
        location: Option<&str>,
    ) {
        let texts = &view.component.texts;
        let rows = &mut self.rows;
        rows.push_str("\n<tr><th scope=\"row\">");
        if let Some(href) = href {
            rows.push_str("<a href=\"");
            push_escaped(rows, href);
            rows.push_str("\">");
        }
        push_name(rows, &view.name());
        if href.is_some() {
            rows.push_str("</a>");
        }
        if let Some(location) = location {
            rows.push_str(" <small class=\"quiet\">");
            push_name(rows, location);
            rows.push_str("</small>");
        }
        rows.push_str("</th><td>");
        push_short(rows, &attrs.source, texts.get(view.source.source));
        rows.push_str("</td><td>");
        push_short(rows, &attrs.target, texts.get(view.unit.target));
        let state = UnitStatus::of(view);
        rows.extend([
            "</td><td class=\"",
            state.class(),
            "\">",
            state.name(),
            "</td></tr>",
        ]);
    }
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

/// The state of a unit, as one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitStatus {
    Missing,
    Draft,
    Stale(SourceChange),
    Failing,
    Translated,
}

impl UnitStatus {
    /// Returns the state of a unit.
    pub(crate) fn of(view: UnitView<'_>) -> Self {
        match view.unit {
            _ if view.is_draft() => Self::Draft,
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
            Self::Draft => "draft",
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
            Self::Draft | Self::Stale(_) => "k-stale",
            Self::Failing => "k-bad",
            Self::Translated => "k-good",
        }
    }
}
