//! What inferred checks accept beyond the rules of current Weblate, because it is usual in a language or harmless
//! (`docs/spec/checks.md#differences-of-inferred-checks`).
//!
//! A check that has found something asks [`accepts`]; texts without findings cost nothing.

mod capitals;
mod ends;
pub(super) mod format;
mod languages;
mod markup;
mod names;
mod pattern;
mod spacing;
mod words;

use crate::CheckId;

use super::finding::{FaultKind, PartialFinding};
use super::input::FormPair;

pub(super) use ends::FINAL_MARKS;
pub(super) use languages::{has_no_plural_after_numbers, has_simple_one, primary_code};
pub(super) use markup::has_branches;
pub(super) use names::is_name;
pub(super) use pattern::{is_legend, is_pattern, is_pseudo_translated};

/// Whether a finding of a check of texts is no fault in a language, given by its base code.
pub(super) fn accepts(
    check: CheckId,
    pair: &FormPair,
    finding: &PartialFinding,
    language: &str,
) -> bool {
    match check {
        CheckId::MultipleCapital => capitals::accepts(pair, language),
        CheckId::ZeroWidthSpace => languages::has_zero_width_spaces(language),
        CheckId::NewlineCount => spacing::accepts_line_breaks(pair),
        CheckId::BeginSpace | CheckId::EndSpace => spacing::accepts_ends(pair, language),
        CheckId::DoubleSpace => languages::has_no_spaces(language),
        CheckId::PunctuationSpacing => spacing::accepts_mark(pair, finding),
        CheckId::Duplicate => words::accepts(pair, finding, language),
        CheckId::XmlCharsAroundTags => markup::accepts(pair, language),
        CheckId::XmlTags => markup::accepts_tags(pair),
        CheckId::XmlInvalid => {
            markup::accepts_invalid(pair) || markup::is_equal_html(pair.source, pair.target)
        }
        CheckId::BeginNewline => spacing::accepts_start(pair),
        CheckId::EndNewline => pair.source.ends_with("\\n") && spacing::accepts_escaped(pair),
        CheckId::EscapedNewline => spacing::accepts_escaped(pair),
        check if FINAL_MARKS.contains(check) => ends::accepts(check, pair, language),
        _ => false,
    }
}

/// Whether a fault of markup breaks nothing: no element that the source closes is lost, and none stays open. Programs
/// differ in the other tags that they read.
pub(super) fn is_minor(check: CheckId, pair: &FormPair, finding: &PartialFinding) -> bool {
    // A text without `<html>` is shown as it is.
    // `<a href>` and `/a` are of the element `a`; with other attributes, it is not lost.
    fn element(tag: &str) -> &str {
        let inside = tag.trim_matches(['<', '>', '/']);
        inside.split(' ').next().unwrap_or(inside)
    }
    let extra = || finding.parts(FaultKind::Extra).take(MAX_TAGS);
    let is_closed = |tag: &str| {
        let name = element(tag);
        let has_other = extra().any(|it| element(it) == name);
        let is_shown = matches!(name, "" | "html" | "body");
        !is_shown && !has_other && pair.source.contains(&format!("</{name}>"))
    };
    check == CheckId::XmlTags
        && !markup::has_other_elements(pair)
        && !markup::is_unbalanced(pair)
        && !finding
            .parts(FaultKind::Missing)
            .take(MAX_TAGS)
            .any(is_closed)
}

/// The most lost tags that are searched for in the source.
const MAX_TAGS: usize = 16;

#[cfg(test)]
mod tests;
