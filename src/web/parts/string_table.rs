//! The table of strings with source, translation and state.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{LangAttrs, LocalizedText, UnitStatus};
use crate::catalog::UnitView;

/// A table of strings.
#[derive(Template)]
#[template(path = "web/parts/string_table.html")]
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

impl StringRow {
    /// Builds the row of a unit that links to `href`.
    pub(crate) fn new(view: UnitView<'_>, href: String, location: Option<LocalizedText>) -> Self {
        let texts = &view.component.texts;
        let source_attrs = LangAttrs::of_code(&view.component.project.source_language);
        Self {
            key: LocalizedText::name(texts.get(view.source.context)),
            href,
            location,
            source: LocalizedText::short(source_attrs, texts.get(view.source.source)),
            target: LocalizedText::short(
                LangAttrs::of(&view.translation.language),
                texts.get(view.unit.target),
            ),
            state: UnitStatus::of(view),
        }
    }
}
