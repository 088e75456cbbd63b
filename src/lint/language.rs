//! Checks one language of a component.

use std::sync::Arc;

use super::align::{Aligned, TemplateStrings};
use super::collector::FindingCollector;
use super::context::{
    CheckOptions, CheckScope, ComponentSpec, Earlier, FileVersion, KnownResults, language_report,
    parse_error,
};
use super::language_run::{BaseLanguage, EarlierLanguage, LanguageRun};
use super::side::{ComponentSide, LanguageFile};
use super::{ChangeCounts, Counts, LanguageReport, ParsedFileKey, StaleCount, StaleReference};
use crate::checks::modern::{self, ModernLanguageChecker};
use crate::language::PluralRule;

/// The data that the checks of all languages of a component share.
pub(super) struct LanguageCheck<'a> {
    pub(super) spec: &'a ComponentSpec,
    pub(super) options: &'a CheckOptions,
    only_new: bool,
    template: ParsedFileKey,
    /// The strings of the template.
    pub(super) rows: &'a TemplateStrings<'a>,
    pub(super) has_base: bool,
    /// The strings of the base, if its template is readable.
    pub(super) base: Option<Earlier<'a>>,
    /// Whether the base has the same template.
    has_template_of_base: bool,
    /// The state that stale strings are found with.
    pub(super) reference: Option<(ReferenceStrings<'a>, StaleReference<'a>)>,
    /// Results that need not be computed again, and the index of each row in them.
    known: Option<(&'a dyn KnownResults, Vec<Option<usize>>)>,
}

/// The strings of the state that stale strings are found with.
pub(super) enum ReferenceStrings<'a> {
    /// Those of the state that is checked.
    Checked,
    /// Those of the base.
    Base,
    /// Others; `None` without a readable template.
    Other(Option<Earlier<'a>>),
}

impl<'a> LanguageCheck<'a> {
    /// The check of a state by itself.
    pub(super) fn new(
        spec: &'a ComponentSpec,
        (template, rows): (&LanguageFile, &'a TemplateStrings<'a>),
        (options, scope): (&'a CheckOptions, CheckScope<'a>),
    ) -> Self {
        let known = scope.known.map(|known| {
            let string = |row| known.string(rows.key(row), rows.source(row));
            (known, (0..rows.len()).map(string).collect())
        });
        Self {
            spec,
            options,
            only_new: scope.only_new,
            template: template.key(),
            rows,
            has_base: false,
            base: None,
            has_template_of_base: false,
            reference: None,
            known,
        }
    }

    /// Compares with a base, whose strings are known if its template is readable.
    pub(super) fn with_base(
        self,
        base: Option<&ComponentSide>,
        strings: Option<Earlier<'a>>,
    ) -> Self {
        let template = strings.as_ref().and_then(|it| it.side.template.as_ref());
        Self {
            has_base: base.is_some(),
            has_template_of_base: template.is_some_and(|it| it.key() == self.template),
            base: strings,
            ..self
        }
    }

    /// Reports stale strings of the state `head`.
    pub(super) fn with_reference(
        self,
        head: &ComponentSide,
        reference: Option<StaleReference<'a>>,
    ) -> Self {
        let strings = |reference: &StaleReference<'a>| {
            let is = |side: &ComponentSide| std::ptr::eq(reference.side, side);
            if is(head) {
                ReferenceStrings::Checked
            } else if self.base.as_ref().is_some_and(|base| is(base.side)) {
                ReferenceStrings::Base
            } else {
                ReferenceStrings::Other(Earlier::new(reference.side, self.rows))
            }
        };
        let reference = reference.map(|reference| (strings(&reference), reference));
        Self { reference, ..self }
    }

    /// Collects the findings of a file.
    pub(super) fn collector(&self, file: &LanguageFile) -> FindingCollector<'a> {
        let (language, path) = (&file.language.code, &file.path);
        FindingCollector::new(self.options, self.only_new, language, path)
    }
}

/// The result of a language: numbers, findings and a note.
type Checked<'a> = (LanguageReport, FindingCollector<'a>, Option<String>);

impl<'a> LanguageCheck<'a> {
    pub(super) fn run(&self, file: &LanguageFile) -> Checked<'a> {
        let mut findings = self.collector(file);
        let base_side = self.base.as_ref().map(|base| base.side);
        if parse_error(self.spec, file, base_side, &mut findings) {
            let mut counts = Counts {
                parse_errors: 1,
                ..Counts::default()
            };
            counts.finish();
            return (language_report(file, false, counts, None), findings, None);
        }
        let known = self.known.as_ref().filter(|_| self.options.is_empty());
        let version = FileVersion {
            language: file.language.code.clone(),
            file: file.key(),
            template: self.template,
        };
        if self.is_unchanged(file)
            && self.only_new
            && let Some(counts) = known.and_then(|(known, _)| known.counts(&version))
        {
            findings.add_old(&counts);
            let changes = Some(ChangeCounts::default());
            return (
                language_report(file, false, counts, changes),
                findings,
                None,
            );
        }
        let note = base_side.filter(|base| is_broken(base, file)).map(|_| {
            format!(
                "{}: the file does not parse at the base, so all its findings count as new",
                file.path
            )
        });
        let (counts, changes, findings) = self.language_run(file).finish(findings);
        if let Some((known, _)) = known {
            let stale = StaleCount::default();
            known.keep(version, Counts { stale, ..counts });
        }
        let changes = self.has_base.then_some(changes);
        let report = language_report(file, false, counts, changes);
        (report, findings, note)
    }

    /// Whether the file and its template are those of the base, so that no finding is new and nothing becomes stale.
    fn is_unchanged(&self, file: &LanguageFile) -> bool {
        let is_same = |base: &Earlier<'_>| {
            let before = base.side.counterpart(file);
            before.is_some_and(|before| before.key() == file.key())
        };
        let becomes_stale = match &self.reference {
            Some((ReferenceStrings::Base, reference)) => reference.stale.contains_key(&file.path),
            _ => true,
        };
        self.has_template_of_base && !becomes_stale && self.base.as_ref().is_some_and(is_same)
    }

    fn language_run<'f>(&'f self, file: &'f LanguageFile) -> LanguageRun<'a, 'f> {
        let base = match &self.base {
            Some(_) if self.is_unchanged(file) => BaseLanguage::Same,
            Some(base) => {
                EarlierLanguage::new(base, file).map_or(BaseLanguage::None, BaseLanguage::Other)
            }
            None => BaseLanguage::None,
        };
        let reference = self.reference.as_ref();
        LanguageRun {
            check: self,
            file,
            entries: Aligned::new(&file.content, self.rows),
            base,
            reference: match reference {
                Some((ReferenceStrings::Other(Some(earlier)), _)) => {
                    EarlierLanguage::new(earlier, file)
                }
                _ => None,
            },
            known_stale: reference.and_then(|(_, it)| it.stale.get(&file.path)),
            checker: checker(&self.spec.checker, self.spec, &file.language),
            known: self.known.as_ref().and_then(|(known, rows)| {
                let language = known.language(&file.language.code)?;
                Some((*known, language, &**rows))
            }),
        }
    }
}

fn is_broken(side: &ComponentSide, file: &LanguageFile) -> bool {
    side.counterpart(file)
        .is_some_and(|file| file.content.error.is_some())
}

pub(super) fn checker(
    checker: &modern::ModernChecker,
    spec: &ComponentSpec,
    language: &crate::language::Language,
) -> ModernLanguageChecker {
    let plural = PluralRule::parse(usize::from(language.plural.forms), language.plural.formula)
        .ok()
        .map(Arc::new);
    checker.for_language(&language.code, &spec.source_language, plural)
}
