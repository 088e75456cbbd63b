//! Builds the translations of a component's snapshot, and reuses results of an older one.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use super::check_results::{
    CheckedUnits, ResultsCell, flags_of, is_checked, with_fitted, with_forms,
};
use super::current::CurrentCounts;
use super::origins::OriginCell;
use super::rows::{FAILING, FUZZY, PLURAL, TRANSLATED, UnitRows};
use super::template_checks::TemplateChecks;
use super::unit_text::{fitted, push_comment};
use super::{ComponentSnapshot, IdRuns, SourceRow, Statistics, TranslationSnapshot};
use gitglot_checks::{
    CheckInput, CheckProfile, ComponentChecks, LanguageChecker, Proceed, TemplateDifference,
};
use gitglot_history::{SourceString, TranslationState, UnitState};
use gitglot_model::language::resolve_current;
use gitglot_model::{FileFormat, Texts, TranslationId, UnitId};

/// The bytes of work that a unit counts as, in addition to its texts.
const UNIT_LENGTH: usize = 64;

/// Builds the translations of a component.
pub(super) struct TranslationBuilder<'a> {
    pub(super) source_language: &'a str,
    pub(super) strings: &'a [SourceString],
    pub(super) sources: &'a [SourceRow],
    pub(super) texts: &'a Texts,
    pub(super) checks: &'a ComponentChecks,
    /// The modern checks of the template, once they are needed.
    pub(super) template_checks: &'a OnceLock<TemplateChecks>,
    /// Whether they are those of the older snapshot.
    pub(super) has_same_checks: bool,
    /// Their difference to those of the older snapshot, once it is needed.
    pub(super) difference: OnceCell<TemplateDifference>,
    /// The bilingual file of the source language.
    pub(super) wording: Option<Arc<TranslationState>>,
    pub(super) format: FileFormat,
    /// Whether the checks may go on.
    pub(super) proceed: Proceed<'a>,
    /// The snapshot whose results are reused.
    pub(super) older: Option<&'a ComponentSnapshot>,
    /// For each translation, the rows that fail a check, if known.
    pub(super) failing: Option<&'a [Vec<u32>]>,
}

impl TranslationBuilder<'_> {
    /// Builds the translation at an index, or shares that of the older snapshot if it did not change.
    pub(super) fn build(
        &self,
        index: usize,
        state: Arc<TranslationState>,
        id: TranslationId,
        units: &[UnitId],
    ) -> Arc<TranslationSnapshot> {
        let known = self
            .older
            .and_then(|older| Some((older, older.translation_of(state.lineage)?)));
        // A snapshot gets no ids for rows that an older one has.
        let same = known.filter(|(_, known)| known.id == id && Arc::ptr_eq(&known.state, &state));
        let units = same.map_or(units, |(_, known)| &known.rows.ids);
        if let Some((_, known)) = same.filter(|_| self.has_same_checks) {
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
        let Some(failures) = known.current.get() else {
            return snapshot;
        };
        let strings = (self.sources, self.texts);
        let new = || TemplateChecks::new(self.checks, self.format, strings, self.wording.clone());
        let own = self.template_checks.get_or_init(new);
        let before = of.template_checks();
        let difference = self
            .difference
            .get_or_init(|| own.checker.difference(&before.checker));
        let checker = (own.checker).for_translation(&snapshot.language.code, self.source_language);
        let checked = CheckedUnits {
            translation: &snapshot,
            sources: self.sources,
            texts: self.texts,
            template: own,
            checker: &checker,
        };
        let unchanged = |row: u32| {
            let old = known.unchanged(of, &snapshot.state, self.strings, row)?;
            let unit = known.unit_row(old).filter(|unit| is_checked(unit, known))?;
            let source = self.sources.get(snapshot.string_of(row) as usize)?.source;
            let texts = [source, unit.target].map(|text| self.texts.get(text));
            let is_same = before.role(known, known.string_of(old)) == checked.role(row)
                && before.wording(known.string_of(old)) == checked.wording(row)
                && !difference.concerns(texts[0], texts[1]);
            is_same.then(|| failures.of_row(old))
        };
        let results = ResultsCell::of_changed(&checked, unchanged);
        snapshot.current = results;
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
