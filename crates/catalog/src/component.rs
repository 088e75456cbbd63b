//! The snapshot of a component: rows of sources and units with their ids.

use std::sync::{Arc, OnceLock};

use super::arrivals::Arrivals;
use super::check_results::{
    CheckedUnits, ResultsCell, flags_of, is_checked, with_fitted, with_forms,
};
use super::current::{CurrentComponent, CurrentCounts};
use super::origins::OriginCell;
use super::rows::{FAILING, FUZZY, PLURAL, TRANSLATED, UnitRows};
use super::source_changes::SourceChanges;
use super::unit_text::{fitted, push_comment};
use super::{IdRun, IdRuns, SourceRow, Statistics, TranslationSnapshot};
use gitglot_checks::{CheckInput, CheckProfile, ComponentChecks, LanguageChecker, Proceed};
use gitglot_history::{
    ExpectedStrings, FileProblem, Layouts, MissingStrings, Projection, SourceString,
    TranslationState, UnitState,
};
use gitglot_model::language::resolve_current;
use gitglot_model::{
    BlobId, Commit, Component, FileFormat, LineageId, Log, PLURAL_SEPARATOR, Project,
    ProjectionIds, RenameIndex, Shape, SourceId, Texts, TranslationId, UnitId, UserId, words,
};

/// A component at a tip. Immutable.
#[derive(Clone, Debug)]
pub struct ComponentSnapshot {
    /// Its project.
    pub project: Arc<Project>,
    /// Its configuration.
    pub component: Arc<Component>,
    /// The texts of rows and log.
    pub texts: Texts,
    /// The commit at the tip.
    pub tip: Arc<Commit>,
    /// The template's blob.
    pub template_blob: BlobId,
    /// The template's strings, in template order.
    pub sources: Arc<[SourceRow]>,
    /// The translations, by path.
    pub translations: Vec<Arc<TranslationSnapshot>>,
    /// Indexes into `translations`, by language name, then by id.
    pub by_name: Vec<u32>,
    /// Files that are excluded or do not parse.
    pub problems: Vec<FileProblem>,
    /// The change log.
    pub log: Arc<Log>,
    /// The user of each person in the log.
    pub users: Vec<UserId>,
    /// For each key of the log, its row in `sources`, or `u32::MAX`.
    pub row_of_key: Arc<[u32]>,
    /// For each lineage of the log, its index in `translations`, or `u32::MAX`.
    pub translation_of_lineage: Vec<u32>,
    /// The strings that every bilingual file should have.
    pub expected: ExpectedStrings,
    /// The strings that each translation lacks, or nothing.
    pub(super) missing: Vec<Arc<MissingStrings>>,
    /// The path of the file that says how to contribute.
    pub guide: Option<Arc<str>>,
    /// The masks and templates that the component has had.
    pub layouts: Arc<Layouts>,
    /// The input of `sources`.
    pub(super) strings: Arc<[SourceString]>,
    /// The checks of its units.
    pub(super) checks: ComponentChecks,
    /// The sums of current Weblate, once they were asked for.
    pub(super) current: CurrentComponent,
    /// The index of the log's renames, once it was asked for.
    pub(super) renames: OnceLock<RenameIndex>,
    /// The strings that came from other components.
    pub(super) arrivals: Arc<Arrivals>,
    /// How much the sources of stale units changed.
    pub(super) source_changes: SourceChanges,
}

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
        let proceed = |_: usize| true;
        Self::new_while(
            project, component, projection, ids, checks, before, &proceed,
        )
    }

    /// As [`Self::new`], while the work may go on.
    pub fn new_while(
        project: Arc<Project>,
        component: Arc<Component>,
        projection: Projection,
        ids: ProjectionIds,
        checks: &ComponentChecks,
        before: PreviousResults<'_>,
        proceed: Proceed<'_>,
    ) -> Self {
        let (texts, strings) = (projection.texts, projection.sources);
        let older = match before {
            PreviousResults::Snapshot(older) if projection.log.continues(&older.log) => Some(older),
            _ => None,
        };
        let same_strings = older.filter(|older| Arc::ptr_eq(&older.strings, &strings));
        let (sources, row_of_key) = match same_strings {
            Some(older) => (older.sources.clone(), older.row_of_key.clone()),
            None => source_rows(&strings, &ids.sources, &texts, projection.shape),
        };
        let rows = TranslationBuilder {
            source_language: &project.source_language,
            strings: &strings,
            sources: &sources,
            texts: &texts,
            checks,
            format: component.file_format,
            proceed,
            older,
            failing: match before {
                PreviousResults::Failing(failing) => Some(failing),
                _ => None,
            },
        };
        let translations: Vec<_> = (projection.translations.into_iter())
            .zip(ids.translations)
            .zip(ids.units)
            .enumerate()
            .map(|(index, ((state, id), units))| rows.build(index, state, id, &units))
            .collect();
        let by_name = by_name(&translations);
        let translation_of_lineage = translation_of_lineage(&translations);
        Self {
            project,
            component,
            texts,
            tip: projection.tip,
            template_blob: projection.template_blob,
            sources,
            translations,
            by_name,
            problems: projection.problems,
            log: projection.log,
            users: ids.people,
            row_of_key,
            translation_of_lineage,
            expected: projection.expected,
            missing: projection.missing,
            guide: projection.guide,
            layouts: projection.layouts,
            strings,
            checks: checks.clone(),
            current: CurrentComponent::default(),
            renames: OnceLock::new(),
            arrivals: Arc::default(),
            source_changes: SourceChanges::default(),
        }
    }

    /// Whether this snapshot has the same rows of a translation, and therefore the same unit ids.
    pub fn has(&self, projection: &Projection, state: &Arc<TranslationState>) -> bool {
        projection.log.continues(&self.log)
            && self
                .translation_of(state.lineage)
                .is_some_and(|known| Arc::ptr_eq(&known.state, state))
    }

    fn translation_of(&self, lineage: LineageId) -> Option<&Arc<TranslationSnapshot>> {
        let index = self.translation_of_lineage.get(usize::from(lineage.0))?;
        self.translations.get(*index as usize)
    }

    /// The strings that every bilingual file should have and a translation lacks, if it lacks any; none of the source
    /// language (docs/spec/units.md#missing-strings).
    pub fn missing_in(&self, translation: &TranslationSnapshot) -> Option<&MissingStrings> {
        let found = self.absent_in(translation);
        found.filter(|missing| !missing.strings.is_empty())
    }

    /// What a translation lacks, or has with an older source.
    pub(super) fn absent_in(&self, translation: &TranslationSnapshot) -> Option<&MissingStrings> {
        let lineage = usize::from(translation.lineage.0);
        let index = *self.translation_of_lineage.get(lineage)?;
        let missing = self.missing.get(index as usize)?;
        let is_source = *translation.language.code == *self.project.source_language;
        (!is_source).then_some(&**missing)
    }

    /// Approximate size in memory of everything that it does not share with other snapshots, in bytes.
    pub fn memory(&self) -> usize {
        let rows = |it: &TranslationSnapshot| {
            it.unit_count() * (size_of::<UnitId>() + size_of::<u8>() + size_of::<UnitState>())
                + it.stale.len() * 16
                + it.id_runs.len() * size_of::<IdRun>()
                + 512
        };
        let translation =
            |it: &Arc<TranslationSnapshot>| rows(it) + it.revised.as_deref().map_or(0, rows);
        let strings = size_of::<SourceRow>() + size_of::<SourceString>() + 8;
        self.texts.bytes()
            + self.texts.count() * 4
            + self.sources.len() * strings
            + self.translations.iter().map(translation).sum::<usize>()
            + 4096
    }
}

/// Builds the rows of the template, and the row of each key.
fn source_rows(
    strings: &[SourceString],
    ids: &[SourceId],
    texts: &Texts,
    shape: Shape,
) -> (Arc<[SourceRow]>, Arc<[u32]>) {
    let mut row_of_key = Vec::new();
    let row = |(row, (string, &id)): (usize, (&SourceString, &SourceId))| {
        let at = string.key.0 as usize;
        if row_of_key.len() <= at {
            row_of_key.resize(at + 1, u32::MAX);
        }
        row_of_key[at] = row as u32;
        let (source, context) = (texts.get(string.source), texts.get(string.context));
        let (id_hash, content_hash) = shape.hashes(context, source);
        SourceRow {
            id,
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
    let rows = strings.iter().zip(ids).enumerate().map(row).collect();
    (rows, row_of_key.into())
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
fn translation_of_lineage(translations: &[Arc<TranslationSnapshot>]) -> Vec<u32> {
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

/// The bytes of work that a unit counts as, in addition to its texts.
const UNIT_LENGTH: usize = 64;

/// Builds the translations of a component.
struct TranslationBuilder<'a> {
    source_language: &'a str,
    strings: &'a [SourceString],
    sources: &'a [SourceRow],
    texts: &'a Texts,
    checks: &'a ComponentChecks,
    format: FileFormat,
    /// Whether the checks may go on.
    proceed: Proceed<'a>,
    /// The snapshot whose results are reused.
    older: Option<&'a ComponentSnapshot>,
    /// For each translation, the rows that fail a check, if known.
    failing: Option<&'a [Vec<u32>]>,
}

impl TranslationBuilder<'_> {
    /// Builds the translation at an index, or shares that of the older snapshot if it did not change.
    fn build(
        &self,
        index: usize,
        state: Arc<TranslationState>,
        id: TranslationId,
        units: &[UnitId],
    ) -> Arc<TranslationSnapshot> {
        let known = self
            .older
            .and_then(|older| Some((older, older.translation_of(state.lineage)?)));
        if let Some((_, known)) = known
            && known.id == id
            && Arc::ptr_eq(&known.state, &state)
        {
            return known.clone();
        }
        let Some(failing) = self.failing else {
            let snapshot = self.changed_translation(state.clone(), id, units, known);
            return Arc::new(self.with_revised(snapshot, &state, units, known));
        };
        let rows = failing.get(index).map_or(&[][..], Vec::as_slice);
        let mut rows = rows.iter().peekable();
        let is_failing = |row: u32| Some(rows.next_if_eq(&&row).is_some());
        let snapshot = self.translation(state.clone(), id, units, is_failing);
        Arc::new(self.with_revised(snapshot, &state, units, None))
    }

    /// Builds a translation and reuses the results of checks of unchanged rows of an older one.
    fn changed_translation(
        &self,
        state: Arc<TranslationState>,
        id: TranslationId,
        units: &[UnitId],
        older: Option<(&ComponentSnapshot, &Arc<TranslationSnapshot>)>,
    ) -> TranslationSnapshot {
        let strings = self.strings;
        let failing =
            |row: u32| older.and_then(|(of, known)| known.failing(of, &state, strings, row));
        let snapshot = self.translation(state.clone(), id, units, failing);
        match older {
            Some((of, known)) => self.with_known_results(snapshot, (of, known)),
            None => snapshot,
        }
    }

    /// Adds the translation as programs see it, if Weblate 3.4 sees another one.
    fn with_revised(
        &self,
        snapshot: TranslationSnapshot,
        state: &TranslationState,
        units: &[UnitId],
        older: Option<(&ComponentSnapshot, &Arc<TranslationSnapshot>)>,
    ) -> TranslationSnapshot {
        let Some((revised, rows)) = state.revised() else {
            return snapshot;
        };
        let at = |row: &u32| units.get(*row as usize).copied();
        let ids: Vec<UnitId> = rows.iter().map_while(at).collect();
        let failing = |row: u32| {
            let unit = snapshot.unit_row(*rows.get(row as usize)?)?;
            Some(unit.failing())
        };
        let mut revised = self.translation(Arc::new(revised), snapshot.id, &ids, failing);
        if let Some((of, known)) = older {
            revised = self.with_known_results(revised, (of, known.revised()));
        }
        TranslationSnapshot {
            revised: Some(Box::new(revised)),
            ..snapshot
        }
    }

    /// Adds the results of modern checks of unchanged rows of an older snapshot.
    fn with_known_results(
        &self,
        mut snapshot: TranslationSnapshot,
        (of, known): (&ComponentSnapshot, &TranslationSnapshot),
    ) -> TranslationSnapshot {
        let (state, strings) = (snapshot.state.clone(), self.strings);
        if let Some(failures) = known.current.get() {
            let current = self.checks.of(CheckProfile::Current);
            let language = current.for_translation(&state.language.code, self.source_language);
            let unchanged = |row: u32| {
                let old = known.unchanged(of, &state, strings, row)?;
                is_checked(&known.unit_row(old)?, known).then(|| failures.of_row(old))
            };
            let checked = CheckedUnits {
                translation: &snapshot,
                sources: self.sources,
                texts: self.texts,
                checker: &language,
            };
            snapshot.current = ResultsCell::of_changed(&checked, unchanged);
        }
        snapshot
    }

    /// Builds a translation; `failing` returns whether a translated row fails a check, if known.
    fn translation(
        &self,
        state: Arc<TranslationState>,
        id: TranslationId,
        ids: &[UnitId],
        mut failing: impl FnMut(u32) -> Option<bool>,
    ) -> TranslationSnapshot {
        let texts = self.texts;
        let mut stale = state.stale.iter().map(|&(row, _)| row).peekable();
        let language = &state.language;
        let checker = self
            .checks
            .deciding()
            .for_translation(&language.code, self.source_language);
        let mut comment = String::new();
        let rows = (0..).zip(&state.units).take(ids.len());
        let rows = rows.map_while(|(row, unit)| {
            let source = self.sources.get(state.string_of(row) as usize)?;
            Some((row, unit, source))
        });
        let count = ids.len().min(state.units.len());
        let (mut statistics, mut all_flags) = (Statistics::default(), Vec::with_capacity(count));
        for (row, unit, source) in rows {
            let fuzzy = stale.next_if_eq(&row).is_some();
            let mut flags = match (fuzzy, unit.translated()) {
                (true, _) => FUZZY,
                (false, true) => TRANSLATED,
                (false, false) => 0,
            };
            let checked = flags == TRANSLATED && !state.is_template;
            let is_plural = self.format.has_plurals()
                && (texts.is_plural(source.source) || texts.is_plural(unit.target()));
            if checked
                && failing(row).unwrap_or_else(|| {
                    let texts = (source, unit, flags_of(texts, &state, row));
                    self.fails(&checker, &state, texts, is_plural, &mut comment)
                })
            {
                flags |= FAILING;
            }
            if is_plural {
                flags |= PLURAL;
            }
            statistics.add(flags, source.words);
            all_flags.push(flags);
        }
        let ids = &ids[..all_flags.len()];
        let id_runs = IdRuns::of_rows(0, ids.iter().map(|id| id.0)).collect();
        TranslationSnapshot {
            id,
            rows: UnitRows {
                ids: ids.into(),
                flags: all_flags.into(),
            },
            statistics,
            id_runs,
            current: ResultsCell::default(),
            exact: ResultsCell::default(),
            current_language: resolve_current(&state.file_code),
            counts: CurrentCounts::default(),
            origins: OriginCell::default(),
            state,
            revised: None,
        }
    }

    /// Whether a translated row fails a check. `comment` is a buffer for the note of the unit.
    fn fails(
        &self,
        checker: &LanguageChecker,
        state: &TranslationState,
        (source, unit, flags): (&SourceRow, &UnitState, &str),
        is_plural: bool,
        comment: &mut String,
    ) -> bool {
        let texts = self.texts;
        comment.clear();
        let source_note = match state.is_bilingual() {
            true => unit.note,
            false => source.note,
        };
        push_comment(comment, texts.get(source_note), texts.get(unit.note));
        let (source_text, target) = (texts.get(source.source), texts.get(unit.target()));
        if !(self.proceed)(source_text.len() + target.len() + UNIT_LENGTH) {
            return false;
        }
        let fails = |unit: &CheckInput<'_>| !checker.failing(unit).is_empty();
        if is_plural && self.checks.settings().profile == CheckProfile::Current {
            return with_forms(texts, source.source, unit.target(), flags, fails);
        }
        let target = match (is_plural, &state.bilingual) {
            (false, _) => target.into(),
            (true, bilingual) => {
                let declared = bilingual.as_ref().and_then(|units| units.plural_forms);
                fitted(target, self.format, &state.language, declared)
            }
        };
        let unit = CheckInput {
            flags,
            comment,
            ..CheckInput::new(&[], &[])
        };
        with_fitted(source_text, &target, is_plural, unit, fails)
    }
}

impl TranslationSnapshot {
    /// Whether a row of a newer state fails a check, if its texts are the same in this snapshot.
    fn failing(
        &self,
        of: &ComponentSnapshot,
        newer: &TranslationState,
        strings: &[SourceString],
        row: u32,
    ) -> Option<bool> {
        let old = self.unit_row(self.unchanged(of, newer, strings, row)?)?;
        old.translated().then(|| old.failing())
    }

    /// The row in this snapshot of a row of a newer state, if its texts are the same.
    fn unchanged(
        &self,
        of: &ComponentSnapshot,
        newer: &TranslationState,
        strings: &[SourceString],
        row: u32,
    ) -> Option<u32> {
        let string = strings.get(newer.string_of(row) as usize)?;
        let unit = newer.units.get(row as usize)?;
        let old_string_row = *of.row_of_key.get(string.key.0 as usize)?;
        let old_string = of.strings.get(old_string_row as usize)?;
        let old_row = self.unit_of(old_string_row)?;
        let old = self.state.units.get(old_row as usize)?;
        let flags = |state: &TranslationState, row| state.bilingual_unit(row).map(|it| it.flags);
        if flags(newer, row) != flags(&self.state, old_row) {
            return None;
        }
        let same = (old_string.source, old_string.note, old.target(), old.note)
            == (string.source, string.note, unit.target(), unit.note);
        let same_language =
            self.language.code == newer.language.code && self.is_template == newer.is_template;
        let declared = newer.bilingual.as_ref().and_then(|it| it.plural_forms);
        let same_forms = self.plural_forms() == declared;
        (same && same_language && same_forms).then_some(old_row)
    }
}
