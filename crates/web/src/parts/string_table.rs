//! The table of strings with source, translation and state.

use askama::Template;
use askama::filters::HtmlSafe;

use super::text::{push_difference, push_escaped, push_found, push_short};
use super::{LangAttrs, SHORT, Time};
use crate::layout::{PAGE_CAPACITY, render};
use gitglot_catalog::query::{Filter, ShownText};
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

    /// Appends the row of a unit. A stale one shows how its source changed.
    // Written without a template: most of a site are such rows, and their parts would be texts of their own.
    pub(crate) fn push(&mut self, view: UnitView<'_>, attrs: &RowAttrs, row: &StringRow<'_>) {
        let texts = &view.component.texts;
        let rows = &mut self.rows;
        rows.push_str("\n<tr><th scope=\"row\">");
        if let Some(href) = row.href {
            rows.push_str("<a href=\"");
            push_escaped(rows, href);
            rows.push_str("\">");
        }
        let found = |rows: &mut String, attrs: &LangAttrs, shown, text: &str| match row.filter {
            Some(filter) => push_found(rows, attrs, text, |text| filter.highlights(shown, text)),
            None => push_short(rows, attrs, text),
        };
        found(rows, &LangAttrs::UNKNOWN, ShownText::Key, &view.name());
        if row.href.is_some() {
            rows.push_str("</a>");
        }
        if let Some(location) = row.location {
            rows.push_str(" <small class=\"quiet\">");
            push_short(rows, &LangAttrs::UNKNOWN, location);
            rows.push_str("</small>");
        }
        let (source, target) = (texts.get(view.source.source), texts.get(view.unit.target));
        let state = UnitStatus::of(view);
        // The text of the source language is its source.
        if view.translation.is_template {
            rows.push_str("</th><td colspan=\"2\">");
        } else {
            rows.push_str("</th><td>");
        }
        match state {
            UnitStatus::Stale(_) => {
                let previous = view.known_previous_source();
                push_difference(rows, &attrs.source, [previous, source], 2 * SHORT);
            }
            _ => found(rows, &attrs.source, ShownText::Source, source),
        }
        if !view.translation.is_template {
            rows.push_str("</td><td>");
            found(rows, &attrs.target, ShownText::Target, target);
        }
        rows.extend([
            "</td><td><span class=\"",
            state.class(),
            "\">",
            state.name(),
            "</span>",
        ]);
        if let Some(since) = row.since {
            rows.push_str(" <small class=\"quiet\">since ");
            rows.push_str(&render(since));
            rows.push_str("</small>");
        }
        if let Some(line) = row.line {
            rows.push_str(" <small><a href=\"");
            push_escaped(rows, line);
            rows.push_str("\" rel=\"nofollow\">line in the file</a></small>");
        }
        rows.push_str("</td></tr>");
    }
}

/// What the row of a unit has besides its texts.
#[derive(Clone, Copy, Default)]
pub(crate) struct StringRow<'r> {
    /// The page of the string, if it has one.
    pub(crate) href: Option<&'r str>,
    /// Component and language, in lists of several.
    pub(crate) location: Option<&'r str>,
    /// Since when it is in its state.
    pub(crate) since: Option<&'r Time>,
    /// The redirect to its line at the host of the repository.
    pub(crate) line: Option<&'r str>,
    /// The search whose matches are marked.
    pub(crate) filter: Option<&'r Filter>,
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
