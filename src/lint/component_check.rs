//! The data that the checks of all languages of a component share.

use std::sync::Arc;

use super::align::TemplateStrings;
use super::collector::FileFindingCollector;
use super::context::{CheckOptions, CheckScope, ComponentSpec, Earlier, KnownResults};
use super::side::{ComponentSide, LanguageFile};
use super::{ParsedFileKey, StaleReference};
use crate::checks::modern::{self, ModernLanguageChecker};

/// The data that the checks of all languages of a component share.
pub(super) struct ComponentCheck<'a> {
    pub(super) spec: &'a ComponentSpec,
    pub(super) options: &'a CheckOptions,
    pub(super) only_new: bool,
    /// The state that is checked.
    pub(super) head: &'a ComponentSide,
    pub(super) template: ParsedFileKey,
    /// The strings of the template.
    pub(super) rows: &'a TemplateStrings<'a>,
    pub(super) has_base: bool,
    /// The strings of the base, if its template is readable.
    pub(super) base: Option<Earlier<'a>>,
    /// Whether the base has the same template.
    pub(super) has_template_of_base: bool,
    /// The state that stale strings are found with.
    pub(super) reference: Option<(ReferenceStrings<'a>, StaleReference<'a>)>,
    /// Results that need not be computed again, and the index of each row in them.
    pub(super) known: Option<(&'a dyn KnownResults, Vec<Option<usize>>)>,
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

impl<'a> ComponentCheck<'a> {
    /// The check of the state `head` by itself.
    pub(super) fn new(
        spec: &'a ComponentSpec,
        head: &'a ComponentSide,
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
            head,
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

    /// Reports stale strings.
    pub(super) fn with_reference(self, reference: Option<StaleReference<'a>>) -> Self {
        let strings = |reference: &StaleReference<'a>| {
            let is = |side: &ComponentSide| std::ptr::eq(reference.side, side);
            if is(self.head) {
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
    pub(super) fn collector(&self, file: &LanguageFile) -> FileFindingCollector<'a> {
        let (language, path) = (&file.language.code, &file.path);
        FileFindingCollector::new(self.options, self.only_new, language, path)
    }
}

/// The checks of a language.
pub(super) fn checker(
    checker: &modern::ModernChecker,
    spec: &ComponentSpec,
    language: &crate::language::Language,
) -> ModernLanguageChecker {
    let plural = language.plural.rule().map(Arc::new);
    checker.for_language(&language.code, &spec.source_language, plural)
}
