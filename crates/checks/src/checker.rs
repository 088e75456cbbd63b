//! The checks of a component in a profile, and those of a translation.

use std::borrow::Cow;
use std::sync::Arc;

use gitglot_model::language::{self, PluralRule, base_code};

use crate::flags::{CheckFlags, FlagsError};
use crate::language_rules::LanguageRules;
use crate::profile::CheckProfile;
use crate::registry::CheckId;
use crate::rules::placeholders::Placeholders;
use crate::rules::same;
use crate::setup::Setup;
use crate::syntax::KnownSyntax;
use crate::traits::TemplateTraits;
use crate::unit_flags::SetupsByFlags;
use crate::words::Words;

/// The checks of a component in a profile. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Arc<Setup>,
    pub(super) traits: Arc<TemplateTraits>,
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
        let setup = Setup {
            profile: CheckProfile::Current,
            file_format: file_format.to_owned(),
            words,
            ..Setup::default()
        };
        Ok(Self::of(setup.with(flags.clone())?))
    }

    /// Creates the checks of Weblate 3.4 that run without flags.
    pub fn weblate34(words: Words) -> Self {
        let checker = Self::weblate34_from_flags(CheckFlags::default(), words);
        checker.expect("no flag has an invalid value")
    }

    /// Creates the checks of Weblate 3.4 that run without flags or that flags enable. The flags are those that
    /// [`CheckFlags::parse_weblate34`] returns.
    ///
    /// # Errors
    /// Fails if a value of a flag is invalid.
    pub fn weblate34_from_flags(flags: CheckFlags, words: Words) -> Result<Self, FlagsError> {
        let setup = Setup {
            profile: CheckProfile::Weblate34,
            words,
            ..Setup::default()
        };
        Ok(Self::of(setup.with(flags)?))
    }

    fn of(setup: Setup) -> Self {
        Self {
            setup: Arc::new(setup),
            traits: Arc::default(),
        }
    }

    /// The checks for the translations of a template: with the placeholders and names that its texts show
    /// (`docs/spec/checks.md#own-placeholders`). Only inferred checks change.
    #[must_use]
    pub fn for_template<'a>(&self, texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let setup = self.setup.clone();
        if !setup.inferred {
            return self.clone();
        }
        let traits = self
            .traits
            .with_texts(texts, &setup.file_format, &setup.format_checks);
        Self {
            setup,
            traits: Arc::new(traits),
        }
    }

    /// Adds placeholders that are the matches of a regular expression.
    ///
    /// # Errors
    /// Fails if the expression is invalid.
    pub fn with_placeholders(&self, pattern: &str) -> Result<Self, FlagsError> {
        let placeholders = Placeholders::of_pattern(pattern, false)?;
        let mut checker = self.clone();
        let traits = Arc::make_mut(&mut checker.traits);
        traits.placeholders.push(placeholders);
        Ok(checker)
    }

    /// Reads apostrophes in ICU messages of ARB files as quotation marks.
    #[must_use]
    pub fn with_quotes(&self) -> Self {
        let mut checker = self.clone();
        let setup = Arc::make_mut(&mut checker.setup);
        setup.flags.remove_value("icu-flags", "-quotes");
        checker
    }

    /// Creates checks that are enabled by the file format and by each source text
    /// (`docs/spec/checks.md#inference`).
    pub fn inferred(file_format: &str, words: Words) -> Self {
        let syntax = KnownSyntax::of_format(file_format);
        Self::of(Setup::inferred(file_format, words, syntax))
    }

    /// The checks for texts whose syntax is known. It replaces a syntax that is known by a weaker reason; checks that flags
    /// enable do not change.
    #[must_use]
    pub fn with_syntax(&self, known: &KnownSyntax) -> Self {
        let syntax = self.setup.syntax.as_ref();
        if !self.setup.inferred || syntax.is_some_and(|syntax| syntax.origin <= known.origin) {
            return self.clone();
        }
        let (format, words) = (&*self.setup.file_format, self.setup.words.clone());
        let mut setup = Setup::inferred(format, words, Some(known.clone()));
        let of_source = self.setup.enabled.intersection(CheckId::of_source());
        setup.enabled = setup.enabled.union(of_source);
        Self {
            setup: Arc::new(setup),
            ..self.clone()
        }
    }

    /// The syntax of the texts, if something other than the texts says it.
    pub fn syntax(&self) -> Option<&KnownSyntax> {
        self.setup.syntax.as_ref()
    }

    /// Creates checks as [`Self::inferred`] does, and those of source texts.
    pub fn inferred_with_source_checks(file_format: &str, words: Words) -> Self {
        let mut checker = Self::inferred(file_format, words);
        let setup = Arc::make_mut(&mut checker.setup);
        setup.enabled = setup.enabled.union(CheckId::of_source());
        checker
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
        // Variants of gettext such as `en@quot` are the same language.
        let variant = base.split('@').next().filter(|_| self.setup.inferred);
        let same_base = variant.unwrap_or(base);
        LanguageChecker {
            setup: self.setup.clone(),
            by_flags: SetupsByFlags::default(),
            traits: self.traits.clone(),
            same: !same::is_skipped(same_base, base_code(source_language)),
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

/// The checks of a translation in a profile. Cheap to clone.
#[derive(Clone, Debug)]
pub struct LanguageChecker {
    pub(super) setup: Arc<Setup>,
    pub(super) by_flags: SetupsByFlags,
    pub(super) traits: Arc<TemplateTraits>,
    /// Whether a translation that equals its source may be untranslated.
    pub(super) same: bool,
    pub(super) rules: LanguageRules,
    /// Whether double punctuation marks follow a space.
    pub(super) french: bool,
    pub(super) base: Arc<str>,
    pub(super) code: Arc<str>,
    pub(super) plural: Option<Arc<PluralRule>>,
}

impl LanguageChecker {
    /// The checks of a unit with these flags, separated by commas. They add to those of the component; flags that do not
    /// exist have no effect.
    pub(super) fn with_flags(&self, flags: &str) -> Cow<'_, Self> {
        if flags.is_empty() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            setup: self.by_flags.setup(&self.setup, flags),
            by_flags: SetupsByFlags::default(),
            ..self.clone()
        })
    }
}
