//! The quality checks of current Weblate (`docs/spec/checks.md#modern-checks`), one small file per family.
//!
//! [`CurrentChecker`] contains the configuration of a component, [`CurrentLanguageChecker`] that of a translation. Both
//! are pure: they read texts and return findings.
//!
//! Must not depend on git, HTTP or any module other than `checks` and `language`.

mod finding;
mod flag_names;
mod flags;
mod fluent;
mod format;
mod forms;
mod icu;
mod infer;
mod input;
mod legacy;
mod markup;
mod placeholders;
mod precise;
mod run;
mod same;
mod text;
mod tokens;
mod traits;
mod unit_flags;

use std::sync::Arc;

use regex::Regex;

use gitglot_model::language::{self, PluralRule, base_code};

use super::language_rules::LanguageRules;
use super::{CheckId, CheckIds, Words};
use format::FormatRules;
use forms::LengthLimits;
use placeholders::Placeholders;
use traits::TemplateTraits;
use unit_flags::SetupsByFlags;

pub use finding::{CheckFinding, TextSide, TextSpan};
pub use flags::{CheckFlags, FlagsError};
pub use input::CheckInput;
pub use legacy::LegacyFlags;

/// The modern checks for a component. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CurrentChecker {
    setup: Arc<Setup>,
    traits: TemplateTraits,
}

/// The configuration of the checks.
#[derive(Clone, Default, Debug)]
struct Setup {
    flags: CheckFlags,
    enabled: CheckIds,
    /// Whether the source text enables further checks.
    inferred: bool,
    /// Whether findings count only if they are faults in the language and the program: inferred checks.
    is_precise: bool,
    format_checks: Vec<CheckId>,
    /// Format checks that the source text does not enable.
    not_inferred: CheckIds,
    rules: FormatRules,
    placeholders: Option<Placeholders>,
    regex: Option<Regex>,
    limits: LengthLimits,
    file_format: String,
    words: Words,
}

impl CurrentChecker {
    /// Creates checks that are enabled by flags only. `file_format` is an id such as `json` or `aresource`.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn from_flags(
        flags: &CheckFlags,
        file_format: &str,
        words: Words,
    ) -> Result<Self, FlagsError> {
        let setup = Setup::new(flags.clone(), file_format, false)?;
        Ok(Self::of(Setup { words, ..setup }))
    }

    fn of(setup: Setup) -> Self {
        Self {
            setup: Arc::new(setup),
            traits: TemplateTraits::default(),
        }
    }

    /// The checks for the translations of a template: with the placeholders and names that its texts show
    /// (`docs/spec/checks.md#own-placeholders`). Only inferred checks change.
    #[must_use]
    pub fn for_template<'a>(&self, texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        match self.setup.is_precise {
            true => Self {
                setup: self.setup.clone(),
                traits: self.traits.with_texts(texts, &self.setup.file_format),
            },
            false => self.clone(),
        }
    }

    /// Adds placeholders that are the matches of a regular expression.
    ///
    /// # Errors
    /// Fails if the expression is invalid.
    pub fn with_placeholders(&self, pattern: &str) -> Result<Self, FlagsError> {
        Ok(Self {
            setup: self.setup.clone(),
            traits: self.traits.with_pattern(pattern)?,
        })
    }

    /// Reads apostrophes in ICU messages of ARB files as quotation marks.
    #[must_use]
    pub fn with_quotes(&self) -> Self {
        let mut setup = (*self.setup).clone();
        setup.flags.remove_value("icu-flags", "-quotes");
        Self {
            setup: Arc::new(setup),
            traits: self.traits.clone(),
        }
    }

    /// Creates checks of which only some run.
    fn only(flags: CheckFlags, checks: CheckIds) -> Result<Self, FlagsError> {
        let mut setup = Setup::new(flags, "", false)?;
        setup.enabled = setup.enabled.intersection(checks);
        Ok(Self::of(setup))
    }

    /// Creates checks that are enabled by the file format and by each source text
    /// (`docs/spec/checks.md#inference`).
    pub fn inferred(file_format: &str, words: Words) -> Self {
        Self::of(Setup::inferred(file_format, words))
    }

    /// Creates checks as [`Self::inferred`] does, and those of source texts.
    pub fn inferred_with_source_checks(file_format: &str, words: Words) -> Self {
        let mut setup = Setup::inferred(file_format, words);
        let checks = CheckId::ALL.iter().copied();
        let of_source = checks.filter(|check| check.is_source_check()).collect();
        setup.enabled = setup.enabled.union(of_source);
        Self::of(setup)
    }

    /// As [`Self::for_language`], with the plural rule of the language.
    pub fn for_translation(&self, language: &str, source_language: &str) -> CurrentLanguageChecker {
        let plural = language::resolve(language).plural.rule().map(Arc::new);
        self.for_language(language, source_language, plural)
    }

    /// Prepares the checks for a translation into `language` of a project whose source language is `source_language`.
    /// Both are codes as in [`gitglot_model::language::Language::code`]. Call it once per translation.
    pub fn for_language(
        &self,
        language: &str,
        source_language: &str,
        plural: Option<Arc<PluralRule>>,
    ) -> CurrentLanguageChecker {
        let base = base_code(language);
        CurrentLanguageChecker {
            setup: self.setup.clone(),
            by_flags: SetupsByFlags::default(),
            traits: self.traits.clone(),
            same: !super::same::is_skipped(base, base_code(source_language)),
            rules: LanguageRules::current(base),
            french: base == "fr" && language != "fr_CA",
            base: base.to_owned(),
            code: language.to_owned(),
            plural,
        }
    }
}

impl Setup {
    /// The configuration of checks that the file format and each source text enable.
    fn inferred(file_format: &str, words: Words) -> Self {
        let flags = infer::format_flags(file_format);
        let setup = Self::new(flags, file_format, true).unwrap_or_default();
        Self { words, ..setup }
    }

    fn new(flags: CheckFlags, file_format: &str, inferred: bool) -> Result<Self, FlagsError> {
        let has = |name: &str| flags.contains(name);
        let enabled = enabled(&flags, inferred);
        let values = |name| flags.values(name).unwrap_or_default();
        let pattern = values("regex")
            .first()
            .map(|value| Regex::new(value.text()))
            .transpose();
        let regex = pattern.map_err(|source| FlagsError::Pattern {
            flag: "regex",
            source: source.into(),
        })?;
        Ok(Self {
            format_checks: enabled
                .iter()
                .filter(|&check| tokens::is_format_check(check))
                .collect(),
            enabled,
            not_inferred: CheckIds::default(),
            inferred,
            is_precise: inferred,
            rules: FormatRules {
                strict: has("strict-format"),
                zero_and_one_strict: file_format == "aresource",
                plain_quotes: file_format == "gwt",
                certain_only: inferred,
                simple_one: false,
                rails: inferred && file_format.starts_with("ruby-yaml"),
                precise: inferred,
            },
            placeholders: Placeholders::new(values("placeholders"), has("case-insensitive"))?,
            regex,
            limits: LengthLimits {
                max_length: flags.number("max-length")?,
                max_lines: flags.number("max-lines")?,
                replacements: LengthLimits::replacements(values("replacements")),
                without_tags: has("xml-text"),
            },
            file_format: file_format.to_owned(),
            words: Words::default(),
            flags,
        })
    }
}

/// Returns the checks that flags enable. Inferred checks exclude those of source texts.
fn enabled(flags: &CheckFlags, inferred: bool) -> CheckIds {
    let has = |name: &str| flags.contains(name);
    let mut enabled = CheckIds::default();
    for &check in CheckId::ALL {
        let by_flag = has(&check.flag()) || other_flags(check).iter().any(|flag| has(flag));
        let on = if check.is_source_check() && inferred {
            false
        } else {
            by_flag || is_on_by_default(check)
        };
        let ignored = has("ignore-all-checks") || has(&format!("ignore-{}", check.flag()));
        enabled.set(check, on && !ignored);
    }
    // A sanitizer examines tags more closely than the XML checks.
    if enabled.contains(CheckId::SafeHtml) && has("safe-html") {
        enabled = enabled.difference(markup::xml::CHECKS);
    }
    enabled
}

/// Whether a check runs without a flag.
fn is_on_by_default(check: CheckId) -> bool {
    let is_by_flag = match check {
        CheckId::IcuMessageFormat | CheckId::IcuMessageFormatSyntax => true,
        CheckId::FluentReferences | CheckId::FluentParts => true,
        CheckId::MdLink | CheckId::MdReflink | CheckId::MdSyntax => true,
        CheckId::RstReferences | CheckId::RstSyntax => true,
        CheckId::MaxLength | CheckId::MaxLines | CheckId::Regex | CheckId::Placeholders => true,
        CheckId::Bbcode | CheckId::SafeHtml | CheckId::Url => true,
        _ => tokens::is_format_check(check),
    };
    !is_by_flag
}

/// Returns the flags other than its own that enable a check.
fn other_flags(check: CheckId) -> &'static [&'static str] {
    match check {
        CheckId::JavaFormat => &["auto-java-messageformat"],
        CheckId::SafeHtml => &["auto-safe-html"],
        CheckId::CSharpFormat => &["csharp-format"],
        CheckId::MdLink | CheckId::MdReflink | CheckId::MdSyntax => &["md-text"],
        CheckId::RstReferences | CheckId::RstSyntax => &["rst-text"],
        CheckId::Bbcode => &["bbcode-text"],
        _ => &[],
    }
}

/// The modern checks for one translation.
#[derive(Clone, Debug)]
pub struct CurrentLanguageChecker {
    setup: Arc<Setup>,
    by_flags: SetupsByFlags,
    traits: TemplateTraits,
    same: bool,
    rules: LanguageRules,
    french: bool,
    base: String,
    code: String,
    plural: Option<Arc<PluralRule>>,
}

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;
