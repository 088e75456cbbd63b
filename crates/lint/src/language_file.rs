//! A file of a component in one state.

use std::sync::Arc;

use super::file::ParsedFile;
use gitglot_model::BlobId;
use gitglot_model::language::Language;

/// A blob, and whether the language of the file has a single plural form.
pub type ParsedFileKey = (BlobId, bool);

/// A file of a component.
#[derive(Clone, Debug)]
pub(super) struct LanguageFile {
    pub(super) path: Arc<str>,
    pub(super) language: Language,
    pub(super) blob: BlobId,
    /// Whether the language has a single plural form, which some formats depend on.
    pub(super) single_form: bool,
    pub(super) content: Arc<ParsedFile>,
}

impl LanguageFile {
    pub(super) fn key(&self) -> ParsedFileKey {
        (self.blob, self.single_form)
    }
}
