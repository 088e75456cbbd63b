//! The configuration of checks: which of them run, and with which values.

use regex::Regex;

use crate::flags::{CheckFlags, FlagsError};
use crate::profile::CheckProfile;
use crate::registry::{CheckId, CheckIds};
use crate::rules::format::FormatRules;
use crate::rules::forms::LengthLimits;
use crate::rules::placeholders::Placeholders;
use crate::rules::xml;
use crate::syntax::KnownSyntax;
use crate::words::Words;
use crate::{infer, tokens, weblate34};

/// The configuration of the checks.
#[derive(Clone, Default, Debug)]
pub(super) struct Setup {
    pub(super) profile: CheckProfile,
    pub(super) flags: CheckFlags,
    pub(super) enabled: CheckIds,
    /// Whether the source text enables further checks, and findings count only if they are faults in the language and the
    /// program: inferred checks.
    pub(super) inferred: bool,
    pub(super) format_checks: Vec<CheckId>,
    /// Format checks that the source text does not enable.
    pub(super) not_inferred: CheckIds,
    pub(super) rules: FormatRules<'static>,
    pub(super) placeholders: Option<Placeholders>,
    pub(super) regex: Option<Regex>,
    pub(super) limits: LengthLimits,
    pub(super) file_format: String,
    /// The syntax of the texts, if something other than them says it: inferred checks.
    pub(super) syntax: Option<KnownSyntax>,
    pub(super) words: Words,
}

impl Setup {
    /// The configuration of checks that the syntax, or without one the file format, and each source text enable.
    pub(super) fn inferred(file_format: &str, words: Words, syntax: Option<KnownSyntax>) -> Self {
        let flags = match &syntax {
            Some(known) => known.syntax.flags(),
            None => infer::format_flags(file_format),
        };
        let setup = Self {
            profile: CheckProfile::Current,
            inferred: true,
            file_format: file_format.to_owned(),
            syntax,
            words,
            ..Self::default()
        };
        setup
            .with(flags)
            .expect("the flags of syntaxes and file formats are valid")
    }

    /// The same profile, file format, syntax and words with the checks that other flags enable, and their values.
    pub(super) fn with(self, flags: CheckFlags) -> Result<Self, FlagsError> {
        let has = |name: &str| flags.contains(name);
        let (enabled, inferred) = (self.enabled_by(&flags), self.inferred);
        let syntax = self.syntax.as_ref();
        let syntax = syntax.map_or("", |known| known.syntax.name());
        let values = |name| flags.values(name).unwrap_or_default();
        let pattern = values("regex")
            .first()
            .map(|value| Regex::new(value.text()));
        let pattern = pattern.transpose();
        let regex = pattern.map_err(|source| FlagsError::Pattern {
            flag: "regex",
            source: source.into(),
        })?;
        Ok(Self {
            format_checks: tokens::format_checks(enabled).collect(),
            enabled,
            rules: FormatRules {
                strict: has("strict-format"),
                zero_and_one_strict: self.file_format == "aresource",
                plain_quotes: self.file_format == "gwt",
                certain_only: inferred,
                rails: syntax == "rails" || (inferred && self.file_format.starts_with("ruby-yaml")),
                has_quotes: syntax == "java-messageformat",
                go_template: syntax == "go-template",
                precise: inferred,
                ..FormatRules::default()
            },
            placeholders: Placeholders::new(values("placeholders"), has("case-insensitive"))?,
            regex,
            limits: LengthLimits {
                max_length: flags.number("max-length")?,
                max_lines: flags.number("max-lines")?,
                replacements: LengthLimits::replacements(values("replacements")),
                without_tags: has("xml-text"),
            },
            flags,
            ..self
        })
    }

    /// Returns the checks that flags enable. Inferred checks exclude those of source texts.
    fn enabled_by(&self, flags: &CheckFlags) -> CheckIds {
        let has = |name: &str| flags.contains(name);
        let mut enabled = CheckIds::default();
        for &check in CheckId::ALL {
            let by_flag = has(&check.flag()) || other_flags(check).iter().any(|flag| has(flag));
            let on = match self.profile {
                CheckProfile::Weblate34 => {
                    CheckIds::LEGACY.contains(check)
                        || (by_flag && weblate34::flags::CHECKS.contains(check))
                }
                CheckProfile::Current if self.inferred && check.is_source_check() => false,
                CheckProfile::Current => by_flag || is_on_by_default(check),
            };
            let ignored = has("ignore-all-checks") || has(&format!("ignore-{}", check.flag()));
            enabled.set(check, on && !ignored);
        }
        // A sanitizer examines tags more closely than the XML checks.
        if enabled.contains(CheckId::SafeHtml) && has("safe-html") {
            enabled = enabled.difference(xml::CHECKS);
        }
        enabled
    }
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
