//! The snapshot of a component: rows of sources and units with their ids, names of keys, and what is derived once.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::arrivals::Arrivals;
use super::current_cache::CurrentCache;
use super::ids::IdOrder;
use super::rows::SourceRow;
use super::source_changes::SourceChanges;
use super::template_checks::{TemplateChecks, wording_file};
use super::translation::TranslationSnapshot;
use gitglot_checks::{Checker, ComponentChecks};
use gitglot_history::{Projection, SourceString, TranslationState, UnitState};
use gitglot_model::address::encoded;
use gitglot_model::{
    Component, KeyId, KeyRename, LineageId, LogEntry, Project, RenameIndex, UnitId, UserId,
};

/// A component at a tip. Immutable. It dereferences to the projection that it was built from, which has other
/// `sources` and `translations`: without ids.
#[derive(Clone, Debug)]
pub struct ComponentSnapshot {
    /// Its project.
    pub project: Arc<Project>,
    /// Its configuration.
    pub component: Arc<Component>,
    /// What was read at the tip, without the people of the log ([`problems_of`](crate::problems_of) has all problems).
    pub projection: Projection,
    /// The template's strings, in template order.
    pub sources: Arc<[SourceRow]>,
    /// Their ids.
    pub(super) source_order: IdOrder,
    /// The translations, by path.
    pub translations: Vec<Arc<TranslationSnapshot>>,
    /// Indexes into `translations`, by language name, then by id.
    pub(super) by_name: Vec<u32>,
    /// The user of each person in the log.
    pub users: Vec<UserId>,
    /// For each key of the log, its row in `sources`, or `u32::MAX`.
    pub(super) rows_of_keys: Arc<[u32]>,
    /// For each lineage of the log, its index in `translations`, or `u32::MAX`.
    pub(super) indexes_of_lineages: Vec<u32>,
    /// The checks of its units.
    pub(super) checks: ComponentChecks,
    /// The modern checks of its template, once they are needed.
    pub(super) template_checks: Arc<OnceLock<TemplateChecks>>,
    /// What is stored once it was asked for.
    pub(super) current: CurrentCache,
    /// The index of the log's renames, once it was asked for.
    pub(super) renames: OnceLock<RenameIndex>,
    /// The strings that came from other components.
    pub(super) arrivals: Arc<Arrivals>,
    /// How much the sources of stale units changed.
    pub(super) source_changes: SourceChanges,
}

impl Deref for ComponentSnapshot {
    type Target = Projection;

    fn deref(&self) -> &Projection {
        &self.projection
    }
}

impl ComponentSnapshot {
    /// The index in `translations` of the translation of a lineage of the log, if its file still exists.
    pub fn translation_index(&self, lineage: LineageId) -> Option<u32> {
        let index = *self.indexes_of_lineages.get(usize::from(lineage.0))?;
        (index != u32::MAX).then_some(index)
    }

    pub(super) fn translation_of(&self, lineage: LineageId) -> Option<&Arc<TranslationSnapshot>> {
        self.translations
            .get(self.translation_index(lineage)? as usize)
    }

    /// Approximate size in memory of everything that it does not share with other snapshots, in bytes.
    pub fn memory(&self) -> usize {
        let rows = |translation: &TranslationSnapshot| {
            translation.unit_count()
                * (size_of::<UnitId>() + size_of::<u8>() + size_of::<UnitState>())
                + translation.stale.len() * 16
                + translation.id_order.memory()
                + 512
        };
        let translation = |translation: &Arc<TranslationSnapshot>| {
            rows(translation) + translation.revised.as_deref().map_or(0, rows)
        };
        let strings = size_of::<SourceRow>() + size_of::<SourceString>() + 8;
        self.texts.bytes()
            + self.texts.count() * 4
            + self.sources.len() * strings
            + self.source_order.memory()
            + self.translations.iter().map(translation).sum::<usize>()
            + 4096
    }

    /// The checks of its units.
    pub fn checks(&self) -> &ComponentChecks {
        &self.checks
    }

    /// What identifies a string in the files: its context, in bilingual files with its source.
    pub fn key(&self, source: &SourceRow) -> String {
        let (context, text) = (
            self.texts.get(source.context),
            self.texts.get(source.source),
        );
        self.shape.key(context, text).into_owned()
    }

    /// The renamed keys of the log.
    pub fn renames(&self) -> &RenameIndex {
        self.renames.get_or_init(|| RenameIndex::of(&self.log))
    }

    /// The row in `sources` of a key of the log, if the string still exists.
    pub fn row_of_key(&self, key: KeyId) -> Option<u32> {
        let row = *self.rows_of_keys.get(key.0 as usize)?;
        ((row as usize) < self.sources.len()).then_some(row)
    }

    /// The row in `sources` of the string of an entry, if it still exists.
    pub(super) fn string_of(&self, entry: &LogEntry) -> Option<u32> {
        self.row_of_key(entry.key?)
    }

    /// The context of a key of the log, whether or not the string still exists.
    pub fn context_of_key(&self, key: KeyId) -> Option<&str> {
        let row = self.row_of_key(key);
        if let Some(source) = row.and_then(|row| self.sources.get(row as usize)) {
            return Some(self.texts.get(source.context));
        }
        Some(self.shape.context(self.log_key(key)?))
    }

    /// The source text in a key of the log of bilingual files, whether or not the string still exists.
    pub fn source_of_key(&self, key: KeyId) -> Option<&str> {
        self.shape.source(self.log_key(key)?)
    }

    /// The old key of a rename as people see it; for a message of a bilingual file with a new source text, the old
    /// source text.
    pub fn old_name(&self, rename: KeyRename) -> Option<&str> {
        let source = |key| self.shape.source(self.log_key(key)?);
        let old = source(rename.from).filter(|&old| source(rename.to) != Some(old));
        old.or_else(|| self.context_of_key(rename.from))
    }

    /// The new key of a rename, as the old one.
    pub fn new_name(&self, rename: KeyRename) -> Option<&str> {
        self.old_name(KeyRename {
            from: rename.to,
            to: rename.from,
            ..rename
        })
    }

    /// A key as people see it; of a bilingual file without a context, its source text.
    pub fn name_of_key(&self, key: KeyId) -> Option<&str> {
        Some(self.shape.context_or_source(self.log_key(key)?))
    }

    fn log_key(&self, key: KeyId) -> Option<&str> {
        Some(self.texts.get(*self.log.keys.get(key.0 as usize)?))
    }

    /// `project/component`
    pub fn path(&self) -> String {
        [
            self.project.slug.as_str(),
            "/",
            self.component.slug.as_str(),
        ]
        .concat()
    }

    /// `project/component/language` of one of its translations, percent-encoded.
    pub fn path_of(&self, translation: &TranslationSnapshot) -> String {
        [&*self.path(), "/", &encoded(&translation.language.code)].concat()
    }

    /// With the strings that came from other components.
    #[must_use]
    pub fn with_arrivals(self, arrivals: Arc<Arrivals>) -> Self {
        Self { arrivals, ..self }
    }

    /// The strings that came from other components.
    pub fn arrivals(&self) -> &Arc<Arrivals> {
        &self.arrivals
    }

    /// The strings of the template, or of all bilingual files.
    pub fn strings(&self) -> &[SourceString] {
        &self.projection.sources
    }

    /// The key of a string, by its row.
    pub fn key_of(&self, string: u32) -> Option<KeyId> {
        Some(self.strings().get(string as usize)?.key)
    }

    /// The states of the translations, by path.
    pub(super) fn states(&self) -> impl Iterator<Item = &Arc<TranslationState>> {
        self.projection.translations.iter()
    }

    pub(super) fn template_checks(&self) -> &TemplateChecks {
        let format = self.component.file_format;
        let new = || {
            let wording = wording_file(self.states(), format, &self.project.source_language);
            TemplateChecks::new(&self.checks, format, &self.sources, &self.texts, wording)
        };
        self.template_checks.get_or_init(new)
    }

    /// What people read in place of the source of a string.
    pub(super) fn wording(&self, string: u32) -> Option<&str> {
        let text = self.template_checks().wording(string)?;
        Some(self.texts.get(text))
    }

    /// The modern checks of its translations, with what the template shows.
    pub fn current_checker(&self) -> &Checker {
        &self.template_checks().checker
    }
}
