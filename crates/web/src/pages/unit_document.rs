//! What the page of a document has besides its texts.

use crate::parts::LocalizedText;
use crate::request::PageRequest;
use gitglot_catalog::{RecordedSource, RecordedValue, UnitView};
use gitglot_model::FileFormat;
use gitglot_model::address::commit_page;

/// What a document says that it was made from.
pub(super) struct MadeFrom {
    /// The name of the field.
    pub(super) field: LocalizedText,
    /// The commit or the date.
    pub(super) value: LocalizedText,
    /// The page of the commit.
    pub(super) page: Option<String>,
    pub(super) is_date: bool,
    /// Why it has no effect.
    pub(super) problem: Option<&'static str>,
}

impl MadeFrom {
    /// `None` if the document says nothing.
    pub(super) fn of(request: &PageRequest<'_>, view: UnitView<'_>) -> Option<Self> {
        let recorded = RecordedSource::of(view, request.budget)?;
        let (value, page, problem) = match recorded.value {
            RecordedValue::Commit(commit) => {
                let page = commit_page(&view.component.component.repo, commit);
                (commit.to_owned(), page, None)
            }
            RecordedValue::Date(date, problem) => (date.to_owned(), None, problem),
        };
        Some(Self {
            field: LocalizedText::name(recorded.field),
            value: LocalizedText::name(value),
            page,
            is_date: matches!(recorded.value, RecordedValue::Date(..)),
            problem,
        })
    }
}

/// The path of the file of a string that has one of its own, if the file exists.
pub(super) fn document_file(view: UnitView<'_>) -> Option<String> {
    let (of, translation) = (&view.component.component, view.translation);
    let is_there = view.unit.translated() || view.unit.fuzzy() || translation.is_template;
    let code = (!translation.is_template).then_some(&*translation.file_code);
    let own = match of.file_format {
        FileFormat::Document if !of.filemask.has_groups() => Some(translation.path.to_string()),
        _ => of.file_of_string(code, &view.component.key(view.source)),
    };
    own.filter(|_| is_there)
}
