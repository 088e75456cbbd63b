//! The checks: one folder or file for each check, or for checks with one rule. A folder has what the check finds, and in
//! `accepted` what inferred checks pass (`docs/spec/checks.md#differences-of-inferred-checks`).
//!
//! A check reads texts and returns findings. Must not depend on the order in which checks run.

/// What describes a check: its id, name, description and severity, the documentation of its page in `docs/checks` in
/// Markdown, and for tests texts that fail and pass.
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) severity: Severity,
    pub(crate) documentation: &'static str,
    #[cfg(test)]
    pub(crate) cases: &'static [Case],
}

/// A translation that fails a check or passes it: the file format, or flags behind `flags:`, the language and the texts.
/// ` ¦ ` separates plural forms.
#[cfg(test)]
pub(crate) struct Case {
    pub(crate) fails: bool,
    pub(crate) by: &'static str,
    pub(crate) language: &'static str,
    pub(crate) source: &'static str,
    pub(crate) target: &'static str,
}

/// Declares the rule of a check: its page, its id, name, description and severity, and its cases.
macro_rules! rule {
    (
        $(#[doc = $doc:literal])+
        $name:ident: $id:literal $title:literal $description:literal $severity:ident;
        $($kind:ident $by:literal $language:literal $source:literal $target:literal;)*
    ) => {
        pub(crate) const $name: $crate::rules::Rule = $crate::rules::Rule {
            id: $id,
            name: $title,
            description: $description,
            severity: $crate::registry::Severity::$severity,
            documentation: concat!($($doc, "\n"),+),
            #[cfg(test)]
            cases: &[$($crate::rules::Case {
                fails: matches!(stringify!($kind).as_bytes(), b"fails"),
                by: $by,
                language: $language,
                source: $source,
                target: $target,
            }),*],
        };
    };
}

pub(crate) mod bbcode;
mod described;
pub(crate) mod ends;
pub(crate) mod fluent;
pub(crate) mod format;
pub(crate) mod forms;
pub(crate) mod html;
pub(crate) mod icu;
pub(crate) mod letters;
pub(crate) mod markdown;
pub(crate) mod placeholders;
pub(crate) mod rst;
pub(crate) mod same;
pub(crate) mod spacing;
pub(crate) mod url;
pub(crate) mod xml;

use crate::finding::PartialFinding;
use crate::input::FormPair;
use crate::languages;
use crate::registry::{CheckId, Severity};

/// Whether a finding of a check of texts is no fault in a language, given by its base code.
pub(crate) fn accepts(
    check: CheckId,
    pair: &FormPair,
    finding: &PartialFinding,
    language: &str,
) -> bool {
    match check {
        CheckId::MultipleCapital => letters::capitals::accepts(pair, language),
        CheckId::ZeroWidthSpace => languages::has_zero_width_spaces(language),
        CheckId::NewlineCount => spacing::accepted::accepts_line_breaks(pair),
        CheckId::BeginSpace | CheckId::EndSpace => spacing::accepted::accepts_ends(pair, language),
        CheckId::DoubleSpace => languages::has_no_spaces(language),
        CheckId::PunctuationSpacing => spacing::accepted::accepts_mark(pair, finding),
        CheckId::Duplicate => letters::repeated::accepts(pair, finding, language),
        CheckId::XmlCharsAroundTags => xml::accepted::accepts(pair, language),
        CheckId::XmlTags => xml::accepted::accepts_tags(pair),
        CheckId::XmlInvalid => {
            xml::accepted::accepts_invalid(pair)
                || xml::accepted::is_equal_html(pair.source, pair.target)
        }
        CheckId::BeginNewline => spacing::accepted::accepts_start(pair),
        CheckId::EndNewline => {
            pair.source.ends_with("\\n") && spacing::accepted::accepts_escaped(pair)
        }
        CheckId::EscapedNewline => spacing::accepted::accepts_escaped(pair),
        check if ends::FINAL_MARKS.contains(check) => {
            ends::accepted::accepts(check, pair, language)
        }
        _ => false,
    }
}

#[cfg(test)]
mod pages_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;
