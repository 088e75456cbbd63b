//! Builds the translations of a component's snapshot, and reuses results of an older one.

use std::cell::{Cell, OnceCell};
use std::sync::{Arc, OnceLock};

use super::check_results::ResultsCell;
use super::checked_units::{CheckedUnits, flags_of, is_checked, with_fitted, with_forms};
use super::component::ComponentSnapshot;
use super::rows::{FAILING, FUZZY, PLURAL, SourceRow, TRANSLATED};
use super::statistics::Statistics;
use super::template_checks::TemplateChecks;
use super::translation::TranslationSnapshot;
use super::unit_text::{fitted, push_comment};
use gitglot_checks::{
    CheckInput, CheckProfile, ComponentChecks, LanguageChecker, Proceed, TemplateDifference,
};
use gitglot_history::{SourceString, TranslationState, UnitState};
use gitglot_model::{FileFormat, TextId, Texts, TranslationId, UnitId, steps};

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
    /// Bytes of texts on which modern checks may still run at once.
    pub(super) left: Cell<usize>,
}

impl TranslationBuilder<'_> {
    /// Builds the translation at an index, which has these ids of units. Reuses the results of checks of unchanged rows
    /// of an older one.
    pub(super) fn build(
        &self,
        index: usize,
        state: Arc<TranslationState>,
        id: TranslationId,
        units: &[UnitId],
    ) -> TranslationSnapshot {
        if let Some(failing) = self.failing {
            let rows = failing.get(index).map_or(&[][..], Vec::as_slice);
            let mut rows = rows.iter().peekable();
            let is_failing = |row: u32| Some(rows.next_if_eq(&&row).is_some());
            let snapshot = self.translation(state.clone(), id, units, is_failing);
            return self.with_revised(snapshot, &state, units, None);
        }
        let older = self.older;
        let older = older.and_then(|of| Some((of, of.translation_of(state.lineage)?)));
        let failing = |row: u32| {
            older.and_then(|(component, translation)| {
                has_failed(component, translation, &state, self.strings, row)
            })
        };
        let mut snapshot = self.translation(state.clone(), id, units, failing);
        if let Some((component, translation)) = older {
            snapshot = self.with_known_results(snapshot, component, translation);
        }
        self.with_revised(snapshot, &state, units, older)
    }

    /// The checks that decide whether a translation fails.
    fn checker_of(&self, state: &TranslationState) -> LanguageChecker {
        let checks = self.checks.deciding();
        checks.for_translation(&state.language.code, self.source_language)
    }

    /// Whether a text with this source has plural forms.
    fn is_plural(&self, source: TextId, unit: &UnitState) -> bool {
        self.format.has_plurals()
            && (self.texts.is_plural(source) || self.texts.is_plural(unit.target()))
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
        let unit = |row: u32| snapshot.unit_row(*rows.get(row as usize)?);
        let failing = |row: u32| unit(row).map(|unit| unit.failing());
        let mut revised = self.translation(Arc::new(revised), snapshot.id, &ids, failing);
        if let Some((component, translation)) = older {
            revised = self.with_known_results(revised, component, translation.revised());
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
        older_component: &ComponentSnapshot,
        older: &TranslationSnapshot,
    ) -> TranslationSnapshot {
        let Some(failures) = older.current.get() else {
            return snapshot;
        };
        let (sources, texts, wording) = (self.sources, self.texts, self.wording.as_ref());
        let new = || TemplateChecks::new(self.checks, self.format, sources, texts, wording);
        let own = self.template_checks.get_or_init(new);
        let before = older_component.template_checks();
        let difference = || own.checker.difference(&before.checker);
        let difference = self.difference.get_or_init(difference);
        let checker = (own.checker).for_translation(&snapshot.language.code, self.source_language);
        let checked = CheckedUnits {
            translation: &snapshot,
            sources: self.sources,
            texts: self.texts,
            template: own,
            checker: &checker,
        };
        let unchanged = |row: u32| {
            let old = unchanged_row(older_component, older, &snapshot.state, self.strings, row)?;
            let unit = older.unit_row(old).filter(|unit| is_checked(unit, older))?;
            let source = self.sources.get(snapshot.string_of(row) as usize)?.source;
            let texts = [source, unit.target].map(|text| self.texts.get(text));
            let is_same = before.role(older, older.string_of(old)) == checked.role(row)
                && before.wording(older.string_of(old)) == checked.wording(row)
                && !difference.concerns(texts[0], texts[1]);
            is_same.then(|| failures.of_row(old))
        };
        snapshot.current = ResultsCell::of_changed(&checked, &self.left, unchanged);
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
        let mut stale = state.stale.iter().map(|&(row, _)| row).peekable();
        let checker = self.checker_of(&state);
        let mut comment = String::new();
        let rows = (0..).zip(&state.units).take(ids.len());
        let rows = rows.map_while(|(row, unit)| {
            let source = self.sources.get(state.string_of(row) as usize)?;
            Some((row, unit, source))
        });
        let count = ids.len().min(state.units.len());
        steps::count(count);
        let (mut statistics, mut blank) = (Statistics::default(), Statistics::default());
        let mut all_flags = Vec::with_capacity(count);
        for (row, unit, source) in rows {
            let fuzzy = stale.next_if_eq(&row).is_some();
            let mut flags = match (fuzzy, unit.translated()) {
                (true, _) => FUZZY,
                (false, true) => TRANSLATED,
                (false, false) => 0,
            };
            let checked = flags == TRANSLATED && !state.is_template;
            if checked
                && failing(row).unwrap_or_else(|| {
                    let source = (source.source, source.note);
                    self.fails(&checker, &state, (source, unit, row), &mut comment)
                })
            {
                flags |= FAILING;
            }
            if self.is_plural(source.source, unit) {
                flags |= PLURAL;
            }
            statistics.add(flags, source.words);
            if source.source == TextId::EMPTY {
                blank.add(flags, source.words);
            }
            all_flags.push(flags);
        }
        let ids = &ids[..all_flags.len()];
        TranslationSnapshot {
            statistics,
            blank,
            ..TranslationSnapshot::new(id, state, ids, all_flags)
        }
    }

    /// Whether a translated row fails a check. `comment` is a buffer for the note of the unit.
    fn fails(
        &self,
        checker: &LanguageChecker,
        state: &TranslationState,
        ((source, source_note), unit, row): ((TextId, TextId), &UnitState, u32),
        comment: &mut String,
    ) -> bool {
        let texts = self.texts;
        let (flags, is_plural) = (flags_of(texts, state, row), self.is_plural(source, unit));
        comment.clear();
        let own_note = state.is_bilingual().then_some(unit.note);
        let source_note = texts.get(own_note.unwrap_or(source_note));
        push_comment(comment, source_note, texts.get(unit.note));
        let (source_text, target) = (texts.get(source), texts.get(unit.target()));
        let length = source_text.len() + target.len() + UNIT_LENGTH;
        steps::count(length);
        if !(self.proceed)(length) {
            return false;
        }
        let fails = |unit: &CheckInput<'_>| !checker.failing(unit).is_empty();
        if is_plural && self.checks.settings().profile == CheckProfile::Current {
            return with_forms(texts, source, unit.target(), flags, fails);
        }
        let target = if is_plural {
            let declared = state
                .bilingual
                .as_ref()
                .and_then(|units| units.plural_forms);
            fitted(target, self.format, &state.language, declared)
        } else {
            target.into()
        };
        let unit = CheckInput {
            flags,
            comment,
            ..CheckInput::new(&[], &[])
        };
        with_fitted(source_text, &target, is_plural, unit, fails)
    }
}

/// Whether a row of a newer state fails a check, if its texts are the same in an older translation.
fn has_failed(
    component: &ComponentSnapshot,
    older: &TranslationSnapshot,
    newer: &TranslationState,
    strings: &[SourceString],
    row: u32,
) -> Option<bool> {
    let old = older.unit_row(unchanged_row(component, older, newer, strings, row)?)?;
    old.translated().then(|| old.failing())
}

/// The row in an older translation of a row of a newer state, if its texts are the same.
fn unchanged_row(
    component: &ComponentSnapshot,
    older: &TranslationSnapshot,
    newer: &TranslationState,
    strings: &[SourceString],
    row: u32,
) -> Option<u32> {
    let string = strings.get(newer.string_of(row) as usize)?;
    let unit = newer.units.get(row as usize)?;
    let old_string_row = component.row_of_key(string.key)?;
    let old_string = component.strings().get(old_string_row as usize)?;
    let old_row = older.unit_of(old_string_row)?;
    let old = older.state.units.get(old_row as usize)?;
    let flags = |state: &TranslationState, row| state.bilingual_unit(row).map(|unit| unit.flags);
    if flags(newer, row) != flags(&older.state, old_row) {
        return None;
    }
    let same = (old_string.source, old_string.note, old.target(), old.note)
        == (string.source, string.note, unit.target(), unit.note);
    let same_language =
        older.language.code == newer.language.code && older.is_template == newer.is_template;
    let declared = newer
        .bilingual
        .as_ref()
        .and_then(|units| units.plural_forms);
    let same_forms = older.plural_forms() == declared;
    (same && same_language && same_forms).then_some(old_row)
}
