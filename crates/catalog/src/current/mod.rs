//! The state of units and translations as current Weblate shows it (docs/spec/current-api.md): plural forms, contexts,
//! states and last changes. Everything is derived from the rows and the log.

mod recent;
mod source_language;
mod units;
mod updates;

use std::sync::Arc;

use crate::component::ComponentSnapshot;
use crate::translation::TranslationSnapshot;
use crate::views::TranslationView;
use gitglot_model::LineageId;
use gitglot_model::language::resolve_current;

pub use recent::{current_last_entry, recent_changes};
pub(crate) use source_language::FIRST_ID_WITHOUT_FILE;
use source_language::{LINEAGE_WITHOUT_FILE, sources_of_files};
pub use units::Forms;
pub(crate) use updates::{unread_changes, unread_source_changes};

impl ComponentSnapshot {
    /// The translation of the source language.
    pub fn source_translation(&self) -> Option<TranslationView<'_>> {
        let find = || {
            let mut views = self.current_translations();
            Some(views.position(TranslationView::is_source)? as u32)
        };
        let index = (*self.current.source.get_or_init(find))?;
        Some(self.view_of(self.current_translation_at(index)?))
    }

    /// The code of the source language.
    pub fn source_code(&self) -> Arc<str> {
        let resolve = || resolve_current(&self.project.source_language).code;
        self.current.source_code.get_or_init(resolve).clone()
    }

    /// Finds the row of the string with an `id_hash` of the current API.
    pub fn row_in_current(&self, id_hash: i64) -> Option<u32> {
        let view = self.source_translation()?;
        let mut units = view.units_from(0);
        units.find_map(|unit| (unit.current_hashes().0 == id_hash).then(|| unit.string()))
    }

    /// Finds a translation by the code that its language has in current Weblate.
    pub fn translation_in_current(&self, code: &str) -> Option<TranslationView<'_>> {
        let mut views = self.current_translations();
        views.find(|view| &*view.translation.current_language.code == code)
    }

    /// The translation of the source language, if the files are bilingual and none is in that language.
    pub(crate) fn without_file(&self) -> Option<&TranslationSnapshot> {
        let build = || {
            let code = self.source_code();
            let is_source = |view: TranslationView<'_>| {
                view.is_source() || view.translation.current_language.code == code
            };
            let has_sources = self.shape.has_template() || self.views_by_path().any(is_source);
            (!has_sources).then(|| Box::new(sources_of_files(self)))
        };
        self.current.without_file.get_or_init(build).as_deref()
    }

    /// The translation at an index of [`Self::translations`], or after the last one that [without a
    /// file](Self::without_file).
    pub(crate) fn current_translation_at(&self, index: u32) -> Option<&TranslationSnapshot> {
        Some(self.logged_translation(index)?.revised())
    }

    /// The same translation as Weblate 3.4 sees it, as the log does.
    pub(crate) fn logged_translation(&self, index: u32) -> Option<&TranslationSnapshot> {
        let (index, count) = (index as usize, self.translations.len());
        let without_file = || self.without_file().filter(|_| index == count);
        let own = self.translations.get(index).map(Arc::as_ref);
        own.or_else(without_file)
    }

    /// All translations in the order of [`Self::current_translation_at`].
    pub(crate) fn current_translations(&self) -> impl Iterator<Item = TranslationView<'_>> {
        let without_file = self
            .without_file()
            .map(|translation| self.view_of(translation));
        let views = self.views_by_path().map(TranslationView::revised);
        views.chain(without_file)
    }

    /// The index of a translation in that order.
    pub(crate) fn current_index(&self, lineage: LineageId) -> Option<u32> {
        if lineage == LINEAGE_WITHOUT_FILE {
            return Some(self.translations.len() as u32);
        }
        self.translation_index(lineage)
    }
}
