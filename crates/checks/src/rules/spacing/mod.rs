//! Whitespace inside a text (`docs/spec/checks.md#text-checks`).

pub(crate) mod accepted;
pub(crate) mod whitespace;

use std::ops::Range;

use crate::CheckId;
use crate::char_class::CharClass;
use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::xml::entity_length;

use crate::finding::PartialFinding;
use crate::input::FormPair;

/// Checks the whitespace of a pair. Khmer permits zero-width spaces.
pub(crate) fn check(
    pair: &FormPair,
    rules: LanguageRules,
    mut report: impl FnMut(CheckId, PartialFinding),
) {
    let FormPair { source, target, .. } = *pair;
    let mut report_part = |check: CheckId, part| {
        report(
            check,
            PartialFinding::in_target(pair, check.description(), part),
        );
    };
    if let Some(at) = double_space(target)
        && double_space(source).is_none()
    {
        report_part(CheckId::DoubleSpace, at..at + 2);
    }
    if rules.group != LanguageGroup::Khmer
        && !target.is_ascii()
        && let Some(at) = target.find('\u{200b}')
        && !source.contains('\u{200b}')
    {
        report_part(CheckId::ZeroWidthSpace, at..at + 3);
    }
    if source.is_empty() || target.is_empty() {
        return;
    }
    let newlines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let (wanted, found) = (newlines(source), newlines(target));
    if wanted != found {
        let message = format!("The translation has {found} line breaks, the source has {wanted}.");
        report(CheckId::NewlineCount, PartialFinding::new(message));
    }
    let escaped = |text: &str| text.matches("\\n").count();
    if (source.contains('\\') || target.contains('\\')) && escaped(source) != escaped(target) {
        let check = CheckId::EscapedNewline;
        report(check, PartialFinding::new(check.description()));
    }
}

fn double_space(text: &str) -> Option<usize> {
    memchr::memchr_iter(b' ', text.as_bytes())
        .find(|&at| text.as_bytes().get(at + 1) == Some(&b' '))
}

/// Finds a double punctuation mark without a space before it, at the end of a word. Marks in placeholders do not count.
pub(crate) fn punctuation_spacing(
    pair: &FormPair,
    placeholders: &[Range<usize>],
) -> Option<PartialFinding> {
    let is_mark = |char: char| matches!(char, ';' | ':' | '?' | '!');
    let is_space = |char: char| matches!(char, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let chars = characters(pair.target);
    let char_at = |index: usize| chars.get(index).map(|&(_, char)| char);
    let mut index = 0;
    while let Some(&(at, char)) = chars.get(index) {
        let start = index;
        index += 1;
        let next = placeholders.partition_point(|range| range.end <= at);
        let is_inside = placeholders
            .get(next)
            .is_some_and(|range| range.start <= at);
        if !is_mark(char) || is_inside {
            continue;
        }
        // The space belongs before the first of several marks.
        while char_at(index).is_some_and(is_mark) {
            index += 1;
        }
        let before = start.checked_sub(1).and_then(char_at);
        let ends_word = before.is_none() || char_at(index).is_none_or(is_separator);
        if ends_word && !before.is_some_and(is_space) {
            let message =
                "The translation lacks a non-breaking space before a double punctuation mark.";
            return Some(PartialFinding::in_target(pair, message, at..at + 1));
        }
    }
    None
}

/// The characters of a text with their positions. An entity counts as a space.
fn characters(text: &str) -> Vec<(usize, char)> {
    let mut chars = Vec::new();
    let mut at = 0;
    while let Some(char) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &text[at..];
        let entity = if char == '&' {
            entity_length(rest)
        } else {
            None
        };
        chars.push((at, if entity.is_some() { ' ' } else { char }));
        at += entity.unwrap_or(char.len_utf8());
    }
    chars
}

static SEPARATORS: CharClass = CharClass::new(r"\p{Zs}\p{Ps}\p{Pe}");

/// Whether a character is a space or a bracket.
fn is_separator(char: char) -> bool {
    if char.is_ascii() {
        return matches!(char, ' ' | '(' | ')' | '[' | ']' | '{' | '}');
    }
    SEPARATORS.contains(char)
}
