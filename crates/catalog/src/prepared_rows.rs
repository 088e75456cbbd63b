//! The rows of a state that has no ids yet, and the snapshot of a component that they become with ids. The rows take
//! most of the time that a snapshot needs, and one thread gives ids to all components.

use std::cell::{Cell, OnceCell};
use std::sync::{Arc, OnceLock};

use super::component::ComponentSnapshot;
use super::current_cache::CurrentCache;
use super::ids::IdOrder;
use super::rows::SourceRow;
use super::source_changes::SourceChanges;
use super::template_checks::{TemplateChecks, wording_file};
use super::translation::TranslationSnapshot;
use super::translation_builder::TranslationBuilder;
use gitglot_checks::{ComponentChecks, Proceed};
use gitglot_history::{Projection, SourceString, TranslationState};
use gitglot_model::{
    Component, PLURAL_SEPARATOR, Project, ProjectionIds, Shape, SourceId, Texts, TranslationId,
    UnitId, steps, words,
};

/// Bytes of texts that are checked again at once when a component changes. More are checked in the background.
const MAX_AT_ONCE: usize = 1 << 20;

/// Results of earlier work that a new snapshot can reuse.
#[derive(Clone, Copy, Debug)]
pub enum PreviousResults<'a> {
    /// Nothing.
    Nothing,
    /// An older snapshot of the component.
    Snapshot(&'a ComponentSnapshot),
    /// For each translation, the rows that fail a check, ascending.
    Failing(&'a [Vec<u32>]),
}

/// The rows of a projection, with the results of the checks.
#[derive(Debug)]
pub struct PreparedRows {
    checks: ComponentChecks,
    template_checks: Arc<OnceLock<TemplateChecks>>,
    strings: Arc<[SourceString]>,
    /// Without their ids, unless the older snapshot has the same.
    sources: Arc<[SourceRow]>,
    rows_of_keys: Arc<[u32]>,
    translations: Vec<PreparedTranslation>,
}

/// A translation of prepared rows.
#[derive(Debug)]
enum PreparedTranslation {
    /// That of the older snapshot.
    Shared(Arc<TranslationSnapshot>),
    /// One with the ids of the older snapshot.
    WithIds(Box<TranslationSnapshot>),
    /// One whose units have their row in place of their id.
    New(Box<TranslationSnapshot>),
}

impl PreparedRows {
    /// Builds the rows of a projection until `proceed` returns `false`. Reuses results of `before`.
    pub fn new(
        component: &Component,
        source_language: &str,
        projection: &Projection,
        checks: &ComponentChecks,
        before: PreviousResults<'_>,
        proceed: Proceed<'_>,
    ) -> Self {
        let (texts, strings) = (&projection.texts, &projection.sources);
        let older = match before {
            PreviousResults::Snapshot(older) => Some(older),
            PreviousResults::Nothing | PreviousResults::Failing(_) => None,
        };
        let older = older.filter(|older| projection.log.continues(&older.log));
        // Results of another syntax do not count.
        let with_results = older.filter(|older| older.checks == *checks);
        let same_strings = |of: &&ComponentSnapshot| Arc::ptr_eq(&of.projection.sources, strings);
        let (sources, rows_of_keys) = match older.filter(same_strings) {
            Some(older) => (older.sources.clone(), older.rows_of_keys.clone()),
            None => source_rows(strings, texts, projection.shape),
        };
        let format = component.file_format;
        let own_wording = wording_file(projection.translations.iter(), format, source_language);
        let has_wording = |older: &&ComponentSnapshot| {
            let before = wording_file(older.states(), format, source_language);
            own_wording.map(Arc::as_ptr) == before.map(Arc::as_ptr)
        };
        let same_checks = with_results.filter(same_strings).filter(has_wording);
        let template_checks =
            same_checks.map_or_else(Arc::default, |older| older.template_checks.clone());
        let builder = TranslationBuilder {
            source_language,
            strings,
            sources: &sources,
            texts,
            checks,
            template_checks: &template_checks,
            difference: OnceCell::new(),
            wording: own_wording.cloned(),
            format,
            proceed,
            older: with_results,
            failing: match before {
                PreviousResults::Failing(failing) => Some(failing),
                _ => None,
            },
            left: Cell::new(MAX_AT_ONCE),
        };
        let translation = |(index, state): (usize, &Arc<TranslationState>)| {
            let known = older.and_then(|older| older.translation_of(state.lineage));
            let known = known.filter(|known| Arc::ptr_eq(&known.state, state));
            match known {
                Some(known) if same_checks.is_some() => PreparedTranslation::Shared(known.clone()),
                Some(known) => {
                    let built = builder.build(index, state.clone(), known.id, &known.rows.ids);
                    PreparedTranslation::WithIds(Box::new(built))
                }
                None => {
                    let rows: Vec<UnitId> = (0..state.units.len() as u32).map(UnitId).collect();
                    let built = builder.build(index, state.clone(), TranslationId(0), &rows);
                    PreparedTranslation::New(Box::new(built))
                }
            }
        };
        let translations = projection.translations.iter().enumerate().map(translation);
        Self {
            translations: translations.collect(),
            checks: checks.clone(),
            strings: strings.clone(),
            template_checks,
            sources,
            rows_of_keys,
        }
    }

    /// Whether these are the rows of a projection.
    pub fn is_of(&self, projection: &Projection) -> bool {
        let states = self.translations.iter().map(PreparedTranslation::state);
        Arc::ptr_eq(&self.strings, &projection.sources)
            && (states.map(Arc::as_ptr)).eq(projection.translations.iter().map(Arc::as_ptr))
    }

    /// For each translation, its id if its units have theirs, too.
    pub fn with_ids(&self) -> impl Iterator<Item = Option<TranslationId>> + '_ {
        self.translations.iter().map(|prepared| match prepared {
            PreparedTranslation::Shared(known) => Some(known.id),
            PreparedTranslation::WithIds(own) => Some(own.id),
            PreparedTranslation::New(_) => None,
        })
    }

    /// The hashes of the contexts of the strings (docs/spec/units.md#hashes).
    pub fn id_hashes(&self) -> impl Iterator<Item = i64> + '_ {
        self.sources.iter().map(|row| row.id_hash)
    }

    /// Gives ids to the rows, and combines them with their projection. `ids.units` is empty for translations that
    /// [have ids](Self::with_ids).
    pub fn into_component(
        self,
        project: Arc<Project>,
        component: Arc<Component>,
        projection: Projection,
        ids: ProjectionIds,
    ) -> ComponentSnapshot {
        let sources = numbered_sources(self.sources, &ids.sources);
        let prepared = self.translations.into_iter();
        let prepared = prepared.zip(ids.translations).zip(&ids.units);
        let translations = prepared.map(|((prepared, id), units)| prepared.numbered(id, units));
        let translations: Vec<_> = translations.collect();
        ComponentSnapshot {
            project,
            component,
            // Addresses of people stay where ids are given.
            projection: Projection {
                people: Arc::default(),
                ..projection
            },
            source_order: IdOrder::of(sources.iter().map(|source| source.id.0)),
            sources,
            by_name: by_name(&translations),
            indexes_of_lineages: indexes_of_lineages(&translations),
            translations,
            users: ids.people,
            rows_of_keys: self.rows_of_keys,
            checks: self.checks,
            template_checks: self.template_checks,
            current: CurrentCache::default(),
            renames: OnceLock::new(),
            arrivals: Arc::default(),
            source_changes: SourceChanges::default(),
        }
    }
}

impl ComponentSnapshot {
    /// Combines a projection, its ids and the results of the checks. Reuses results of `before`.
    pub fn new(
        project: Arc<Project>,
        component: Arc<Component>,
        projection: Projection,
        ids: ProjectionIds,
        checks: &ComponentChecks,
        before: PreviousResults<'_>,
    ) -> Self {
        let language = &project.source_language;
        let rows = PreparedRows::new(&component, language, &projection, checks, before, &|_| true);
        rows.into_component(project, component, projection, ids)
    }
}

impl PreparedTranslation {
    fn state(&self) -> &Arc<TranslationState> {
        match self {
            Self::Shared(known) => &known.state,
            Self::WithIds(own) | Self::New(own) => &own.state,
        }
    }

    fn numbered(self, id: TranslationId, units: &[UnitId]) -> Arc<TranslationSnapshot> {
        match self {
            Self::Shared(known) if known.id == id => known,
            Self::Shared(known) => Arc::new(numbered(with_rows_as_ids(&known), id, units)),
            Self::WithIds(own) if own.id == id => Arc::new(*own),
            Self::WithIds(own) => Arc::new(numbered(with_rows_as_ids(&own), id, units)),
            Self::New(own) => Arc::new(numbered(*own, id, units)),
        }
    }
}

/// Builds the rows of the template without ids, and the row of each key.
fn source_rows(
    strings: &[SourceString],
    texts: &Texts,
    shape: Shape,
) -> (Arc<[SourceRow]>, Arc<[u32]>) {
    steps::count(strings.len());
    let mut rows_of_keys = Vec::new();
    let row = |(row, string): (usize, &SourceString)| {
        let at = string.key.0 as usize;
        if rows_of_keys.len() <= at {
            rows_of_keys.resize(at + 1, u32::MAX);
        }
        rows_of_keys[at] = row as u32;
        let (source, context) = (texts.get(string.source), texts.get(string.context));
        let (id_hash, content_hash) = shape.hashes(context, source);
        SourceRow {
            id: SourceId(0),
            position: string.position,
            words: words(source.split(PLURAL_SEPARATOR).next().unwrap_or_default()),
            id_hash,
            content_hash,
            context: string.context,
            source: string.source,
            note: string.note,
            since: string.since,
        }
    };
    let rows = strings.iter().enumerate().map(row).collect();
    (rows, rows_of_keys.into())
}

/// The rows of the strings, with ids.
fn numbered_sources(sources: Arc<[SourceRow]>, ids: &[SourceId]) -> Arc<[SourceRow]> {
    if sources.iter().map(|row| row.id).eq(ids.iter().copied()) {
        return sources;
    }
    let numbered = sources.iter().zip(ids);
    numbered
        .map(|(row, &id)| SourceRow { id, ..*row })
        .collect()
}

/// The indexes of translations, by language name, then by id.
fn by_name(translations: &[Arc<TranslationSnapshot>]) -> Vec<u32> {
    let mut indexes: Vec<u32> = (0..translations.len() as u32).collect();
    indexes.sort_by_key(|&at| {
        let translation = &translations[at as usize];
        (translation.language.name.clone(), translation.id)
    });
    indexes
}

/// The index of each lineage's translation, or `u32::MAX`.
fn indexes_of_lineages(translations: &[Arc<TranslationSnapshot>]) -> Vec<u32> {
    let mut indexes = Vec::new();
    for (index, translation) in (0..).zip(translations) {
        let at = usize::from(translation.lineage.0);
        if indexes.len() <= at {
            indexes.resize(at + 1, u32::MAX);
        }
        indexes[at] = index;
    }
    indexes
}

/// A copy that has rows in place of the ids of units, and no results that take long.
fn with_rows_as_ids(translation: &TranslationSnapshot) -> TranslationSnapshot {
    let copy = |of: &TranslationSnapshot, rows: Vec<u32>| {
        let (state, flags) = (of.state.clone(), of.rows.flags.clone());
        let rows: Vec<UnitId> = rows.into_iter().map(UnitId).collect();
        TranslationSnapshot {
            statistics: of.statistics,
            blank: of.blank,
            ..TranslationSnapshot::new(of.id, state, rows, flags)
        }
    };
    let revised = translation.revised.as_ref();
    let revised = revised.zip(translation.state.revised());
    let revised = revised.map(|(of, (_, rows))| Box::new(copy(of, rows)));
    TranslationSnapshot {
        revised,
        ..copy(translation, (0..translation.unit_count() as u32).collect())
    }
}

/// Replaces rows, which are in place of the ids of units.
fn numbered(
    mut translation: TranslationSnapshot,
    id: TranslationId,
    units: &[UnitId],
) -> TranslationSnapshot {
    let of_row = |row: &UnitId| units.get(row.0 as usize).copied().unwrap_or(UnitId(0));
    let ids: Box<[UnitId]> = translation.rows.ids.iter().map(of_row).collect();
    steps::count(ids.len());
    translation.id_order = IdOrder::of(ids.iter().map(|id| id.0));
    (translation.id, translation.rows.ids) = (id, ids);
    let revised = translation.revised.take();
    translation.revised = revised.map(|revised| Box::new(numbered(*revised, id, units)));
    translation
}
