//! Rows of a snapshot together with the objects that they belong to.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::check_results::CheckResults;
use super::checked_units::{CheckedUnits, flags_of, is_checked, with_fitted};
use super::component::ComponentSnapshot;
use super::rows::{SourceRow, UnitRow};
use super::statistics::{Count, Statistics};
use super::translation::TranslationSnapshot;
use super::unit_text::{fitted, numbered, push_comment};
use crate::scan::Budget;
use gitglot_checks::{
    CheckFinding, CheckIds, CheckInput, CheckProfile, Checker, LanguageChecker, SourceChange,
    StringTexts, TextContext, TextSpan,
};
use gitglot_history::MissingStrings;
use gitglot_model::{LogEntry, TextId, UnitId, is_blank};

/// A translation with the component it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct TranslationView<'a> {
    /// The component.
    pub component: &'a ComponentSnapshot,
    /// The translation.
    pub translation: &'a TranslationSnapshot,
}

/// A unit with the objects it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct UnitView<'a> {
    /// The component.
    pub component: &'a ComponentSnapshot,
    /// The translation.
    pub translation: &'a TranslationSnapshot,
    /// The row of unit and source.
    pub row: u32,
    /// The unit.
    pub unit: UnitRow,
    /// Its source.
    pub source: &'a SourceRow,
}

/// A source with the component it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct SourceView<'a> {
    /// The component.
    pub component: &'a ComponentSnapshot,
    /// Its row.
    pub row: u32,
    /// The source.
    pub source: &'a SourceRow,
}

impl ComponentSnapshot {
    /// Finds the index of a translation by language code.
    pub fn translation(&self, language: &str) -> Option<u32> {
        let mut translations = self.translations.iter();
        let at = translations.position(|translation| &*translation.language.code == language)?;
        Some(at as u32)
    }

    /// One of its translations as a view.
    pub(crate) fn view_of<'a>(
        &'a self,
        translation: &'a TranslationSnapshot,
    ) -> TranslationView<'a> {
        TranslationView {
            component: self,
            translation,
        }
    }

    /// All translations by language name, as programs see them.
    pub fn views(&self) -> impl Iterator<Item = TranslationView<'_>> {
        self.named().map(TranslationView::revised)
    }

    /// All translations by path.
    pub(crate) fn views_by_path(&self) -> impl Iterator<Item = TranslationView<'_>> {
        let translations = self.translations.iter();
        translations.map(|translation| self.view_of(translation))
    }

    /// The units of all translations, by path and in template order, at some 0-based positions.
    pub fn units_at(
        &self,
        positions: std::ops::Range<usize>,
    ) -> impl Iterator<Item = UnitView<'_>> {
        let mut skipped = positions.start;
        let units = self.views_by_path().filter_map(move |view| {
            let count = view.translation.unit_count();
            let from = skipped.min(count);
            skipped -= from;
            (from < count).then(|| view.units_from(from))
        });
        units.flatten().take(positions.len())
    }

    /// The translations of Weblate 3.4 by the name of the language.
    pub fn named(&self) -> impl Iterator<Item = TranslationView<'_>> {
        let indexes = self.by_name.iter();
        indexes.filter_map(|&at| Some(self.view_of(self.translations.get(at as usize)?)))
    }

    /// Finds a translation by language code.
    pub fn translation_in(&self, language: &str) -> Option<TranslationView<'_>> {
        let at = self.translation(language)? as usize;
        Some(self.view_of(self.translations.get(at)?))
    }
}

impl<'a> TranslationView<'a> {
    /// The translation as programs see it ([`TranslationSnapshot::revised`]).
    pub fn revised(self) -> Self {
        let translation = self.translation.revised();
        Self {
            translation,
            ..self
        }
    }

    /// Whether it contains the source texts.
    pub fn is_source(self) -> bool {
        self.translation.is_template
            || !self.translation.has_file()
            || *self.translation.language.code == *self.component.project.source_language
    }

    /// The strings that every bilingual file should have and its file lacks, if it lacks any; none of the source
    /// language (docs/spec/units.md#missing-strings).
    pub fn missing(self) -> Option<&'a MissingStrings> {
        let absent = self.absent();
        absent.filter(|missing| !missing.strings.is_empty())
    }

    /// The strings that its file lacks, or has with an older source.
    pub fn absent(self) -> Option<&'a MissingStrings> {
        let (component, of) = (self.component, self.translation);
        let index = component.translation_index(of.lineage)?;
        let missing = component.missing.get(index as usize)?;
        let is_source = *of.language.code == *component.project.source_language;
        (!is_source).then_some(&**missing)
    }

    /// The sums of its strings with those that its file lacks, as pages, badges and `gitglot check` count
    /// (docs/spec/pages.md#percentages): without strings whose source text is empty. The API counts all strings that the
    /// file has.
    pub fn totals(self) -> Statistics {
        let mut sums = self.translation.statistics;
        // Nobody can translate an empty text.
        let blank = self.translation.blank;
        sums.all = sums.all - blank.all;
        sums.translated = sums.translated - blank.translated;
        sums.fuzzy = sums.fuzzy - blank.fuzzy;
        if let Some(missing) = self.absent() {
            let older = Count {
                units: missing.older.len() as u64,
                words: missing.older_words,
            };
            sums.all += Count {
                units: missing.strings.len() as u64,
                words: missing.words,
            };
            sums.translated = sums.translated - older;
            sums.fuzzy += older;
        }
        sums
    }

    /// The unit of that row.
    pub fn unit(self, row: u32) -> Option<UnitView<'a>> {
        let unit = self.translation.unit_row(row)?;
        let string = self.translation.string_of(row);
        let source = self.component.sources.get(string as usize)?;
        Some(UnitView {
            component: self.component,
            translation: self.translation,
            row,
            unit,
            source,
        })
    }

    /// The unit of a string, by its row in the component.
    pub fn unit_of_string(self, string: u32) -> Option<UnitView<'a>> {
        self.unit(self.translation.unit_of(string)?)
    }

    /// The row of the unit that an entry of the log is about.
    pub(crate) fn row_of_entry(self, entry: &LogEntry) -> Option<u32> {
        self.translation.unit_of(self.component.string_of(entry)?)
    }

    /// The units in template order, of a bilingual file in its order, from a row on.
    pub fn units_from(self, row: usize) -> impl Iterator<Item = UnitView<'a>> {
        (row as u32..self.translation.unit_count() as u32).filter_map(move |row| self.unit(row))
    }

    /// The units by id.
    pub fn units_by_id(self, rank: usize) -> impl Iterator<Item = UnitView<'a>> {
        let ranks = rank as u32..self.translation.unit_count() as u32;
        ranks.filter_map(move |rank| self.unit(self.translation.id_order.row(rank)))
    }

    /// The strings that fail a modern check. Runs the checks within the budget if the result is not known; an
    /// exhausted budget gives an empty result.
    pub fn check_results(self, budget: &Budget) -> &'a CheckResults {
        static UNKNOWN: LazyLock<CheckResults> = LazyLock::new(CheckResults::default);
        let results = &self.translation.current;
        let run = || results.run(&self.checked_units(&self.current_checker()), budget);
        results.get().or_else(run).unwrap_or(&UNKNOWN)
    }

    /// Runs the modern checks on some rows. Returns whether all results are known, or the budget is exhausted.
    pub(super) fn step_current_checks(self, budget: &Budget) -> bool {
        let results = &self.translation.current;
        results.get().is_some()
            || !results.step(&self.checked_units(&self.current_checker()), budget)
            || results.get().is_some()
    }

    pub(super) fn checked_units<'c>(self, checker: &'c LanguageChecker) -> CheckedUnits<'c>
    where
        'a: 'c,
    {
        CheckedUnits {
            translation: self.translation,
            sources: &self.component.sources,
            texts: &self.component.texts,
            template: self.component.template_checks(),
            checker,
        }
    }

    pub(super) fn current_checker(self) -> LanguageChecker {
        self.of_language(self.component.current_checker())
    }

    /// The checks for its language.
    pub(super) fn of_language(self, checker: &Checker) -> LanguageChecker {
        let (project, own) = (&self.component.project, &self.translation.language);
        checker.for_translation(&own.code, &project.source_language)
    }

    /// Whether a text is the translation of a row, in this context, and is known to pass all modern checks.
    /// Runs none.
    pub fn passes_current_checks(
        self,
        row: usize,
        translation: &str,
        own: TextContext<'_>,
    ) -> bool {
        let of = self.translation;
        let string = of.string_of(row as u32);
        let unit = of.unit_row(row as u32).filter(|_| !of.is_template);
        unit.is_some_and(|unit| {
            is_checked(&unit, of)
                && flags_of(&self.component.texts, of, row as u32) == own.flags
                && !unit.plural()
                && self.component.texts.get(unit.target) == translation
        }) && (of.current.get()).is_some_and(|failures| failures.of_row(row as u32).is_empty())
            && self.component.template_checks().role(of, string) == own.role
            && self.component.wording(string) == own.wording
    }
}

impl<'a> UnitView<'a> {
    /// The unit as programs see it; `None` if they have no such string.
    pub fn revised(self) -> Option<Self> {
        match &self.translation.revised {
            None => Some(self),
            Some(_) => self.of().revised().unit_of_string(self.string()),
        }
    }

    /// The translation that it belongs to.
    pub fn of(self) -> TranslationView<'a> {
        self.component.view_of(self.translation)
    }

    /// The bytes of its texts, which checks and comparisons read.
    pub fn text_bytes(self) -> usize {
        let texts = &self.component.texts;
        texts.get(self.source.source).len() + texts.get(self.unit.target).len()
    }

    /// The row of its string in the component.
    pub fn string(self) -> u32 {
        self.translation.string_of(self.row)
    }

    /// The note of the source. A bilingual file has one note for both texts.
    pub fn source_note(self) -> TextId {
        if self.translation.is_bilingual() {
            self.unit.note
        } else {
            self.source.note
        }
    }

    /// The position in the template, or in a bilingual file.
    pub fn position(self) -> u32 {
        let own = self.translation.bilingual_unit(self.row);
        own.map_or(self.source.position, |own| own.position)
    }

    /// Where the program uses the text, if the file says so.
    pub fn locations(self) -> &'a str {
        let own = self.translation.bilingual_unit(self.row);
        own.map_or("", |own| self.component.texts.get(own.locations))
    }

    /// The flags of the text in the file.
    pub fn flags(self) -> &'a str {
        flags_of(&self.component.texts, self.translation, self.row)
    }

    /// The text as Weblate 3.4 shows it: a text with plural forms has as many as the language
    /// (docs/spec/units.md#plural-forms).
    pub fn target(self) -> Cow<'a, str> {
        let (component, translation) = (self.component, self.translation);
        let target = component.texts.get(self.unit.target);
        if !self.unit.plural() {
            return target.into();
        }
        let (format, declared) = (component.component.file_format, translation.plural_forms());
        fitted(target, format, &translation.language, declared)
    }

    /// The text with the forms of gettext: as many as its rule for the language has, those with categories at their indexes.
    pub fn gettext_target(self) -> Cow<'a, str> {
        let texts = &self.component.texts;
        let translation = self.translation;
        if self.unit.plural() {
            let declared = translation.plural_forms();
            numbered(texts, self.unit.target, &translation.language, declared).into()
        } else {
            texts.get(self.unit.target).into()
        }
    }

    /// The failing checks in a profile. Those of Weblate 3.4 run again, because a row only knows whether one fails; there
    /// are none if they do not decide whether the API reports the component's units as failing.
    pub fn failing_checks(self, profile: CheckProfile) -> CheckIds {
        self.with_profile(profile, LanguageChecker::failing, || {
            match self.translation.current.get() {
                Some(results) => results.of_row(self.row),
                None => {
                    self.with_string(|checker, texts| checker.failing_of_string(texts, &|_| true))
                }
            }
        })
    }

    /// The findings of the failing checks, under the same conditions.
    pub fn findings(self, profile: CheckProfile) -> Vec<CheckFinding> {
        self.with_profile(profile, LanguageChecker::check, || {
            self.with_string(|checker, texts| checker.check_string(texts, &|_| true))
        })
    }

    /// Calls the function of a profile if its checks may fail on the unit. Those of current Weblate run if it has a text
    /// and is not the template's.
    fn with_profile<T: Default>(
        self,
        profile: CheckProfile,
        weblate34: impl FnOnce(&LanguageChecker, &CheckInput<'_>) -> T,
        current: impl FnOnce() -> T,
    ) -> T {
        match profile {
            CheckProfile::Weblate34 if self.unit.failing() => self.with_weblate34_input(weblate34),
            CheckProfile::Current
                if is_checked(&self.unit, self.translation) && !self.translation.is_template =>
            {
                current()
            }
            _ => T::default(),
        }
    }

    /// The placeholders of source and target, as the checks of current Weblate recognize them.
    pub fn placeholders(self) -> Vec<TextSpan> {
        self.with_string(LanguageChecker::placeholders_of_string)
    }

    /// Its name for people: the key as in the file; in bilingual files, where many strings can have the same or none, with the first
    /// form of the source.
    pub fn name(self) -> Cow<'a, str> {
        let (texts, source) = (&self.component.texts, self.source);
        let format = self.component.component.file_format;
        let key = format.shown_key(texts.get(source.context));
        match format.shape() {
            shape if shape.has_template() => key,
            shape => shape.name(texts.get(source.context), texts.get(source.source)),
        }
    }

    /// Calls a function with the modern checks and the texts as they read them.
    fn with_string<T: Default>(
        self,
        use_string: impl FnOnce(&LanguageChecker, &StringTexts<'_>) -> T,
    ) -> T {
        let checker = self.of().current_checker();
        let checked = self.of().checked_units(&checker);
        let found = checked.with_string(self.row, |string| use_string(&checker, string));
        found.unwrap_or_default()
    }

    /// Calls a function with the checks of Weblate 3.4 and the texts as they read them.
    fn with_weblate34_input<T>(
        self,
        use_unit: impl FnOnce(&LanguageChecker, &CheckInput<'_>) -> T,
    ) -> T {
        let (texts, flags) = (&self.component.texts, self.flags());
        let checker = self.component.checks.of(CheckProfile::Weblate34);
        let checker = self.of().of_language(checker);
        let (source, mut comment) = (texts.get(self.source.source), String::new());
        let source_note = texts.get(self.source_note());
        push_comment(&mut comment, source_note, texts.get(self.unit.note));
        let unit = CheckInput {
            flags,
            comment: &comment,
            ..CheckInput::new(&[], &[])
        };
        let use_unit = |unit: &CheckInput<'_>| use_unit(&checker, unit);
        with_fitted(source, &self.target(), self.unit.plural(), unit, use_unit)
    }

    /// The source that a stale text was written for: that of its file or, where it has none, that of the history
    /// (docs/spec/units.md#earlier-sources); else `""`.
    pub fn known_previous_source(self) -> &'a str {
        self.component.texts.get(self.known_previous_id())
    }

    fn known_previous_id(self) -> TextId {
        let translation = self.translation;
        let own = translation.previous_source(self.row);
        if is_blank(self.component.texts.get(own)) {
            match translation.earlier_source(self.row) {
                TextId::EMPTY => own,
                earlier => earlier,
            }
        } else {
            own
        }
    }

    /// The previous source that the API shows: that of the file, unless the component's settings add those of the history.
    pub fn shown_previous_source(self) -> &'a str {
        if self.component.component.earlier_sources {
            self.known_previous_source()
        } else {
            (self.component.texts).get(self.translation.previous_source(self.row))
        }
    }

    /// How much the source changed since the translation was written; `None` if the unit is not stale, or a draft.
    pub fn source_change(self) -> Option<SourceChange> {
        let between = || {
            let ids = [self.known_previous_id(), self.source.source];
            let known = &self.component.source_changes;
            known.between(ids, &self.component.texts)
        };
        (self.unit.fuzzy() && !self.is_draft()).then(between)
    }

    /// Whether the file marks the text although no change of its source is known (docs/spec/units.md#drafts).
    pub fn is_draft(self) -> bool {
        let is_marked = self.unit.fuzzy() && self.translation.bilingual.is_some();
        is_marked && is_blank(self.known_previous_source())
    }
}

impl<'a> SourceView<'a> {
    /// The source's unit in every translation, by id.
    pub fn units(self) -> Vec<UnitId> {
        let views = self.component.views_by_path();
        let units = views.filter_map(|view| view.unit_of_string(self.row));
        let mut ids: Vec<_> = units.map(|unit| unit.unit.id).collect();
        ids.sort_unstable();
        ids
    }
}
