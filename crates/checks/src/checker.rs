//! The checks of a component in a profile, and those of a translation.

use std::sync::Arc;

use regex::Regex;

use gitglot_model::language::{self, PluralRule, base_code};

use crate::format::FormatRules;
use crate::forms::LengthLimits;
use crate::language_rules::LanguageRules;
use crate::placeholders::Placeholders;
use crate::traits::TemplateTraits;
use crate::unit_flags::SetupsByFlags;
use crate::{
    CheckFlags, CheckId, CheckIds, CheckProfile, FlagsError, Words, infer, markup, same, tokens,
    weblate34,
};

/// The checks of a component in a profile. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Arc<Setup>,
    traits: TemplateTraits,
}

/// The configuration of the checks.
#[derive(Clone, Default, Debug)]
pub(super) struct Setup {
    pub(super) profile: CheckProfile,
    pub(super) flags: CheckFlags,
    pub(super) enabled: CheckIds,
    /// Whether the source text enables further checks.
    pub(super) inferred: bool,
    /// Whether findings count only if they are faults in the language and the program: inferred checks.
    pub(super) is_precise: bool,
    pub(super) format_checks: Vec<CheckId>,
    /// Format checks that the source text does not enable.
    pub(super) not_inferred: CheckIds,
    pub(super) rules: FormatRules,
    pub(super) placeholders: Option<Placeholders>,
    pub(super) regex: Option<Regex>,
    pub(super) limits: LengthLimits,
    pub(super) file_format: String,
    pub(super) words: Words,
}

/// What enables checks, and the file format of the component where it matters.
#[derive(Clone, Copy, Debug)]
pub(super) enum EnabledBy<'a> {
    /// Weblate 3.4, and its flags.
    Weblate34,
    /// The flags of current Weblate.
    Flags(&'a str),
    /// The file format and each source text.
    Texts(&'a str),
}

impl Checker {
    /// Creates checks that are enabled by flags only. `file_format` is an id such as `json` or `aresource`.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn from_flags(
        flags: &CheckFlags,
        file_format: &str,
        words: Words,
    ) -> Result<Self, FlagsError> {
        let setup = Setup::new(flags.clone(), EnabledBy::Flags(file_format))?;
        Ok(Self::of(Setup { words, ..setup }))
    }

    /// Creates the checks of Weblate 3.4 that run without flags.
    pub fn weblate34(words: Words) -> Self {
        let setup = Setup::new(CheckFlags::default(), EnabledBy::Weblate34);
        let setup = setup.expect("no flag has an invalid value");
        Self::of(Setup { words, ..setup })
    }

    /// Creates the checks of Weblate 3.4 that run without flags or that flags enable. The flags are those that
    /// [`CheckFlags::parse_weblate34`] returns.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn weblate34_from_flags(flags: CheckFlags, words: Words) -> Result<Self, FlagsError> {
        let setup = Setup::new(flags, EnabledBy::Weblate34)?;
        Ok(Self::of(Setup { words, ..setup }))
    }

    /// Creates the checks that Weblate runs: those that are on by default, and those that flags and the file format
    /// enable. Source checks are among them.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn exact(flags: &CheckFlags, file_format: &str, words: Words) -> Result<Self, FlagsError> {
        let flags = infer::format_flags(file_format).with(flags);
        Self::from_flags(&flags, file_format, words)
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

    /// Creates checks that are enabled by the file format and by each source text
    /// (`docs/spec/checks.md#inference`).
    pub fn inferred(file_format: &str, words: Words) -> Self {
        Self::of(Setup::inferred(file_format, words))
    }

    /// Creates checks as [`Self::inferred`] does, and those of source texts.
    pub fn inferred_with_source_checks(file_format: &str, words: Words) -> Self {
        let mut setup = Setup::inferred(file_format, words);
        setup.enabled = setup.enabled.union(CheckId::of_source());
        Self::of(setup)
    }

    /// As [`Self::for_language`], with the plural rule of the language.
    pub fn for_translation(&self, language: &str, source_language: &str) -> LanguageChecker {
        let plural = language::resolve(language).plural.rule();
        self.for_language(language, source_language, plural)
    }

    /// Prepares the checks for a translation into `language` of a project whose source language is `source_language`.
    /// Both are codes as in [`gitglot_model::language::Language::code`]. Call it once per translation.
    pub fn for_language(
        &self,
        language: &str,
        source_language: &str,
        plural: Option<Arc<PluralRule>>,
    ) -> LanguageChecker {
        let base = base_code(language);
        LanguageChecker {
            setup: self.setup.clone(),
            by_flags: SetupsByFlags::default(),
            traits: self.traits.clone(),
            same: !same::is_skipped(base, base_code(source_language)),
            rules: match self.setup.profile {
                CheckProfile::Weblate34 => LanguageRules::legacy(base),
                CheckProfile::Current => LanguageRules::current(base),
            },
            french: base == "fr" && language != "fr_CA",
            base: base.into(),
            code: language.into(),
            plural,
        }
    }
}

impl Setup {
    /// The configuration of checks that the file format and each source text enable.
    fn inferred(file_format: &str, words: Words) -> Self {
        let flags = infer::format_flags(file_format);
        let setup = Self::new(flags, EnabledBy::Texts(file_format));
        let setup = setup.expect("the flags of file formats are valid");
        Self { words, ..setup }
    }

    pub(super) fn new(flags: CheckFlags, by: EnabledBy<'_>) -> Result<Self, FlagsError> {
        let has = |name: &str| flags.contains(name);
        let enabled = enabled(&flags, by);
        let (profile, file_format, inferred) = match by {
            EnabledBy::Weblate34 => (CheckProfile::Weblate34, "", false),
            EnabledBy::Flags(file_format) => (CheckProfile::Current, file_format, false),
            EnabledBy::Texts(file_format) => (CheckProfile::Current, file_format, true),
        };
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
            profile,
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
                categories: None,
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
fn enabled(flags: &CheckFlags, by: EnabledBy<'_>) -> CheckIds {
    let has = |name: &str| flags.contains(name);
    let mut enabled = CheckIds::default();
    for &check in CheckId::ALL {
        let by_flag = has(&check.flag()) || other_flags(check).iter().any(|flag| has(flag));
        let on = match by {
            EnabledBy::Weblate34 => {
                CheckIds::LEGACY.contains(check)
                    || (by_flag && weblate34::flags::CHECKS.contains(check))
            }
            EnabledBy::Texts(_) if check.is_source_check() => false,
            EnabledBy::Flags(_) | EnabledBy::Texts(_) => by_flag || is_on_by_default(check),
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
pub(super) fn other_flags(check: CheckId) -> &'static [&'static str] {
    match check {
        CheckId::JavaFormat => &["auto-java-messageformat"],
        CheckId::SafeHtml => &["auto-safe-html"],
        CheckId::CSharpFormat => &["csharp-format"],
        // Names of gettext that Weblate does not have.
        CheckId::QtFormat => &["kde-format"],
        CheckId::SchemeFormat => &["lisp-format"],
        CheckId::MdLink | CheckId::MdReflink | CheckId::MdSyntax => &["md-text"],
        CheckId::RstReferences | CheckId::RstSyntax => &["rst-text"],
        CheckId::Bbcode => &["bbcode-text"],
        _ => &[],
    }
}

/// The checks of a translation in a profile. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LanguageChecker {
    pub(super) setup: Arc<Setup>,
    pub(super) by_flags: SetupsByFlags,
    pub(super) traits: TemplateTraits,
    /// Whether a translation that equals its source may be untranslated.
    pub(super) same: bool,
    pub(super) rules: LanguageRules,
    /// Whether double punctuation marks follow a space.
    pub(super) french: bool,
    pub(super) base: Arc<str>,
    pub(super) code: Arc<str>,
    pub(super) plural: Option<Arc<PluralRule>>,
}
