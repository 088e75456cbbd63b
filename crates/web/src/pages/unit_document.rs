//! The files of documents.

use gitglot_catalog::UnitView;
use gitglot_model::FileFormat;

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
