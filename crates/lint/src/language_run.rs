//! The check of one language: its data, and what the rules of its strings share.

use std::sync::OnceLock;

use super::align::Aligned;
use super::component_check::{ComponentCheck, KnownStrings, ReferenceStrings};
use super::earlier::{Before, EarlierEntry, EarlierLanguage};
use super::file::shown;
use super::language_file::LanguageFile;
use super::mistyped::{Mistyped, mistyped};
use super::unit_entries::UnitEntries;
use crate::finding::{Finding, SourcePlace};
use gitglot_checks::{Checker, LanguageChecker, Proceed};
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
        let checker = |of: &Checker| match file.content.plural_rule() {
            Some(rule) => of.for_language(code, source_language, Some(rule.into())),
            None => of.for_translation(code, source_language),
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
    /// The source and the translation of a row at the base, in the component that had the string.
    pub(super) fn before(&self, row: usize) -> Option<Before<'f>> {
        let of_base = self.base.as_ref().and_then(|base| base.unit(row));
        of_base.or_else(|| {
            let moves = self.check.scope.moves?;
            moves.unit(self.check.rows.key(row), &self.file.language.code)
        })
    }

    /// The entry of a row at the base.
    pub(super) fn entry_before(&self, row: usize) -> Option<EarlierEntry<'f>> {
        let of_base = self.base.as_ref().and_then(|base| base.entry(row));
        of_base.or_else(|| {
            let moves = self.check.scope.moves?;
            moves.entry(self.check.rows.key(row), &self.file.language.code)
        })
    }

    /// The plural categories of a translation at the base.
    pub(super) fn categories_before(&self, row: usize) -> Vec<&'static str> {
        let of_base = self.base.as_ref().and_then(|base| base.categories(row));
        let entry = || self.entry_before(row);
        let of_entry = || entry().map(|(file, entry)| file.categories(entry));
        of_base.or_else(of_entry).unwrap_or_default()
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
        finding.relevance.source = place.map(|(file, is_changed)| SourcePlace {
            file: file.clone(),
            line: rows.file.position(rows.entry(row)).line,
            is_changed: *is_changed,
        });
    }
}

/// A text, with plural forms joined, and the plural categories of its forms if the file names them.
pub(super) struct TextForms<'t> {
    pub(super) text: &'t str,
    pub(super) categories: Vec<&'static str>,
}
