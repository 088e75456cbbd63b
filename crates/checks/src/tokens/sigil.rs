//! Placeholders with other markers (`docs/spec/checks.md#other-styles`).

use super::input::TokenInput;
use super::placeholder::{Placeholder, is_ascii_word, is_word, word_between};
use crate::pair::{run, skip_run, take_run};

/// Reads `${expression}`. Whitespace does not matter.
pub(super) fn ecma_script<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    input.text.starts_with("${").then_some(())?;
    let end = input.find("}", 2).filter(|&end| end > 2)?;
    Placeholder::without_spaces(input.text, end + 1)
}

/// Reads `{name}`, `%{name}`, or a linked message: `@:key`, `@.modifier:key`, `@:(key)`.
pub(super) fn vue<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let text = input.text;
    if text.starts_with('@') {
        return vue_link(text);
    }
    let braces = text.strip_prefix('%').unwrap_or(text).strip_prefix('{')?;
    let start = text.len() - braces.len();
    let end = input.find("}", start).filter(|&end| end > start)?;
    Placeholder::named(text, end + 1)
}

fn vue_link(text: &str) -> Option<Placeholder<'_>> {
    let mut rest = text.strip_prefix('@')?;
    if let Some(modifier) = rest.strip_prefix('.') {
        rest = skip_run(modifier, |char| char.is_ascii_alphabetic());
    }
    rest = rest.strip_prefix(':')?;
    let is_key = |char| is_word(char) || matches!(char, '-' | '.' | '|' | '/');
    if let Some(inside) = rest.strip_prefix('(') {
        let (_, after) = take_run(inside, |char| is_key(char) || char == ':')?;
        rest = after.strip_prefix(')')?;
    } else {
        (_, rest) = take_run(rest, is_key)?;
    }
    Placeholder::named(text, text.len() - rest.len())
}

/// Reads `%name%` with ASCII letters, digits and `_`.
pub(super) fn percent(text: &str) -> Option<Placeholder<'_>> {
    word_between(text, '%', '%')
}

/// Reads `:name` with ASCII letters, digits and `_`, beginning with a letter.
pub(super) fn laravel(text: &str) -> Option<Placeholder<'_>> {
    let name = text.get(1..)?;
    let is_name = name.starts_with(|char: char| char.is_ascii_alphabetic());
    Placeholder::named(text, 1 + run(name, is_ascii_word)).filter(|_| is_name)
}

/// Reads `%1` or `%L1`.
pub(super) fn qt(text: &str) -> Option<Placeholder<'_>> {
    let number = text.strip_prefix("%L").or_else(|| text.strip_prefix('%'))?;
    let digits = run(number, |char| char.is_ascii_digit()).min(2);
    Placeholder::named(text, text.len() - number.len() + digits).filter(|_| digits > 0)
}

/// Reads `%n` or `%Ln`.
pub(super) fn qt_plural(text: &str) -> Option<Placeholder<'_>> {
    let after = text
        .strip_prefix("%n")
        .or_else(|| text.strip_prefix("%Ln"))?;
    Placeholder::named(text, text.len() - after.len())
}

/// Reads a directive of Scheme's `format`, or an escaped `~`.
pub(super) fn scheme(text: &str) -> Option<Placeholder<'_>> {
    let directive = text.strip_prefix('~')?;
    let rest = skip_run(directive, |char| {
        char.is_ascii_digit() || matches!(char, ',' | '\'' | ':' | '@' | '+' | '-')
    });
    let kind = rest.chars().next()?;
    let length = text.len() - rest.len() + kind.len_utf8();
    match kind {
        '~' => Some(Placeholder::new(length, "")),
        _ if kind.is_ascii_graphic() => Placeholder::positional(text, length),
        _ => None,
    }
}
