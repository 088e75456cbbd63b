//! Whitespace inside a text (`docs/spec/checks.md#text-checks`).

pub(crate) mod accepted;
pub(crate) mod whitespace;

use std::ops::Range;

use crate::language_rules::{LanguageGroup, LanguageRules};
use crate::lazy_regex::LazyRegex;
use crate::registry::CheckId;
use crate::xml::entity_length;

use crate::finding::PartialFinding;
use crate::input::FormPair;

rule! {
    /// Programs join texts, and a lost or added line break at the start moves what is next to it. `msgfmt` refuses such a text, so
    /// it is an error in files that it compiles.
    ///
    /// Inferred checks accept a text of several lines without the break before it.
    BEGIN_NEWLINE: "begin_newline" "Starting newline" "Only one of source and translation begins with a line break." Note;
    fails "json" "de" "\nSave" "Sichern";
    passes "json" "de" "\nSave" "\nSichern";
}

rule! {
    /// Programs join texts, and a lost or added line break at the end moves what follows. `msgfmt` refuses such a text, so it is an
    /// error in files that it compiles.
    END_NEWLINE: "end_newline" "Trailing newline" "Only one of source and translation ends with a line break." Note;
    fails "json" "de" "Save\n" "Sichern";
    passes "json" "de" "Save\n" "Sichern\n";
}

rule! {
    /// Spaces at the start of a text join it with what the program shows before it.
    ///
    /// Inferred checks accept other spaces in languages that do not separate words by spaces.
    BEGIN_SPACE: "begin_space" "Starting spaces" "The translation begins with more or fewer spaces than the source." Note;
    fails "json" "de" " of 5" "von 5";
    passes "json" "de" " of 5" " von 5";
    passes "json" "ja" " of 5" "5の";
}

rule! {
    /// Spaces at the end of a text join it with what the program shows behind it.
    ///
    /// Inferred checks accept fewer spaces behind a sentence, and all in languages that do not separate words by spaces.
    END_SPACE: "end_space" "Trailing space" "The translation ends with more or fewer spaces than the source." Note;
    fails "json" "de" "Page " "Seite";
    passes "json" "de" "Page " "Seite ";
    passes "json" "de" "Saved. " "Gesichert.";
}

rule! {
    /// Two spaces in a row are usually a slip of the keyboard, if the source has none.
    DOUBLE_SPACE: "double_space" "Double space" "The translation has two spaces in a row." Note;
    fails "json" "de" "Save it" "Sichere  es";
    passes "json" "de" "Save  it" "Sichere  es";
}

rule! {
    /// In French, a space precedes `;`, `:`, `?` and `!`, best one that does not break. Except in Canada.
    ///
    /// Inferred checks accept equal texts, `:emoji:`, marks inside of braces and before a placeholder, and `word: 1` of the source.
    PUNCTUATION_SPACING: "punctuation_spacing" "Punctuation spacing" "A double punctuation mark lacks the space before it." Note;
    fails "json" "fr" "Nice day!" "Belle journée!";
    passes "json" "fr" "Nice day!" "Belle journée !";
    passes "json" "fr_CA" "Nice day!" "Belle journée!";
}

rule! {
    /// Some programs replace the two characters `\\n` by a line break, so their number counts.
    ESCAPED_NEWLINE: "escaped_newline" "Mismatched \\n" "The translation has more or fewer \\n than the source." Warning;
    fails "json" "de" "a\\nb and c" "a b und c";
    passes "json" "de" "a\\nb and c" "a\\nb und c";
}

rule! {
    /// A list or an address loses its lines if the translation has fewer line breaks than the source.
    ///
    /// Inferred checks report only lost lines in texts of four or more lines that lose at least half of them, and lines that
    /// are added to a short text of one line, because translations are wrapped in other places.
    NEWLINE_COUNT: "newline-count" "Mismatching line breaks" "The translation has more or fewer line breaks than the source." Note;
    fails "json" "de" "Save it" "Sichere\nes";
    passes "json" "de" "Save it\nnow" "Sichere es\nnun";
}

rule! {
    /// A zero-width space is invisible, breaks searches and comes from copied text.
    ///
    /// Scripts that have no spaces between words use it.
    ZERO_WIDTH_SPACE: "zero-width-space" "Zero-width space" "The translation has a zero-width space." Warning;
    fails "json" "de" "Confirm it" "Best\u{200b}ätigen";
    passes "json" "lo" "Confirm it" "ຢືນ\u{200b}ຢັນ";
}

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

static SEPARATORS: LazyRegex = LazyRegex::new(r"[\p{Zs}\p{Ps}\p{Pe}]");

/// Whether a character is a space or a bracket.
fn is_separator(char: char) -> bool {
    if char.is_ascii() {
        return matches!(char, ' ' | '(' | ')' | '[' | ']' | '{' | '}');
    }
    SEPARATORS.has(char)
}
