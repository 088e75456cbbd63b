//! The check of one language: its data, and what the rules of its strings share.

use std::sync::OnceLock;

use super::align::Aligned;
use super::collector::FileFindingCollector;
use super::component_check::{ComponentCheck, KnownStrings, ReferenceStrings};
use super::earlier::{EarlierLanguage, EarlierString};
use super::file::shown;
use super::language_file::LanguageFile;
use super::mistyped::{Mistyped, mistyped};
use super::unit_entries::UnitEntries;
use crate::finding::{Finding, FindingKind, SourcePlace};
use gitglot_checks::{Checker, LanguageChecker, Proceed, SourceChange};
use gitglot_model::SeededMap;

/// The check of one language.
pub(super) struct LanguageRun<'a, 'f> {
    pub(super) check: &'f ComponentCheck<'a>,
    pub(super) file: &'f LanguageFile,
    pub(super) entries: Aligned<'f>,
    pub(super) mistyped: Mistyped,
    pub(super) base: Option<EarlierLanguage<'f>>,
    /// The strings that stale ones are found with, unless they are those of the base or of the file itself.
    pub(super) reference: Option<EarlierLanguage<'f>>,
    pub(super) known_stale: Option<&'f SeededMap<String, String>>,
    pub(super) checker: LanguageChecker,
    /// The checks of the base, if its source texts are others.
    pub(super) checker_at_base: Option<LanguageChecker>,
    /// Results that need not be computed again, and the index of the language in them.
    pub(super) known: Option<(&'f KnownStrings<'a>, usize)>,
    /// Whether the work may go on.
    pub(super) proceed: Proceed<'f>,
    /// Whether `msgfmt` compiles the file.
    pub(super) is_compiled: bool,
    /// The entries of the file and of that of the base by the ids of their units, once they are needed.
    pub(super) units: OnceLock<UnitEntries<'f>>,
    pub(super) units_before: OnceLock<UnitEntries<'f>>,
}

impl<'a> ComponentCheck<'a> {
    pub(super) fn language_run<'f>(
        &'f self,
        file: &'f LanguageFile,
        proceed: Proceed<'f>,
    ) -> LanguageRun<'a, 'f> {
        let earlier = |strings| EarlierLanguage::new(strings, file, self.head);
        let (code, source_language) = (&*file.language.code, &*self.spec.source_language);
        let checker = |side_checker: &Checker| match file.content.plural_rule() {
            Some(rule) => side_checker.for_language(code, source_language, Some(rule.into())),
            None => side_checker.for_translation(code, source_language),
        };
        let reference = self.reference.as_ref();
        let entries = Aligned::new(&file.content, self.rows);
        LanguageRun {
            check: self,
            file,
            mistyped: mistyped(&entries, self.rows, &self.spec.separators),
            entries,
            base: self.base.as_ref().and_then(earlier),
            reference: match reference {
                Some((ReferenceStrings::Other(Some(strings)), _)) => earlier(strings),
                _ => None,
            },
            known_stale: reference.and_then(|(_, it)| it.stale.get(&file.path)),
            checker: checker(&self.checker),
            checker_at_base: self.checker_at_base.as_ref().map(checker),
            known: self.known.as_ref().and_then(|known| {
                let language = known.results.language(&file.language.code)?;
                Some((known, language))
            }),
            proceed,
            is_compiled: file.content.is_compiled(&file.path),
            units: OnceLock::new(),
            units_before: OnceLock::new(),
        }
    }
}

impl<'f> LanguageRun<'_, 'f> {
    /// The string of a row at the base, in the component that had it.
    pub(super) fn before(&self, row: usize) -> Option<EarlierString<'f>> {
        let of_base = self.base.as_ref().and_then(|base| base.string(row));
        let moved = || {
            let moves = self.check.scope.moves?;
            moves.string(self.check.rows.key(row), &self.file.language.code)
        };
        let Some(mut before) = of_base else {
            return moved();
        };
        // The component can have had the row without a text.
        before.entry = before.entry.or_else(|| moved()?.entry);
        Some(before)
    }

    /// Describes a finding of a string at an entry.
    pub(super) fn describe(
        &self,
        finding: &mut Finding,
        row: usize,
        entry: Option<usize>,
        message: String,
    ) {
        finding.set_position(entry.map(|entry| self.file.content.position(entry)));
        finding.message = message;
        finding.source = Some(shown(self.check.rows.source(row)));
        let rows = self.check.rows;
        let place = self.check.source_file.as_ref();
        let at = rows.file.position(rows.entry(row));
        finding.relevance.source = place.map(|(file, is_changed)| SourcePlace {
            file: at.path(file),
            line: at.line,
            is_changed: *is_changed,
        });
    }

    /// Reports a stale translation. `message` gets the class of the change since the previous source, if it is known.
    pub(super) fn add_stale(
        &self,
        row: usize,
        entry: usize,
        previous: Option<&str>,
        is_new: bool,
        message: impl FnOnce(Option<SourceChange>) -> String,
        found: &mut FileFindingCollector<'_>,
    ) {
        let (key, source) = (self.check.rows.key(row), self.check.rows.source(row));
        found.add(FindingKind::Stale, key, is_new, |finding| {
            let change = previous.map(|previous| SourceChange::between(previous, source));
            self.describe(finding, row, Some(entry), message(change));
            finding.target = Some(shown(self.entries.file.text(entry)));
            finding.previous_source = previous.map(shown);
            finding.change = change;
        });
    }

    /// Reports a string without a translation at the entry `at`, and the translation that the change removes.
    pub(super) fn add_missing(
        &self,
        row: usize,
        at: Option<usize>,
        lost: Option<&str>,
        is_new: bool,
        message: impl FnOnce() -> String,
        found: &mut FileFindingCollector<'_>,
    ) {
        let key = self.check.rows.key(row);
        if let Some(lost) = lost {
            found.add(FindingKind::Removed, key, true, |finding| {
                let message = "The change removes the translation.".to_owned();
                self.describe(finding, row, at, message);
                finding.target = Some(shown(lost));
            });
        }
        found.add(FindingKind::Missing, key, is_new, |finding| {
            self.describe(finding, row, at, message());
        });
    }
}

/// Says that the source of a translation changed. `source` names it.
pub(super) fn changed_message(source: &str, change: Option<SourceChange>) -> String {
    let change = change.map_or("", SourceChange::id);
    format!("{source} changed since the translation was written ({change} change).")
}
