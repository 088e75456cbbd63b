//! Placeholders with other markers (`docs/spec/checks.md#other-styles`).

use std::borrow::Cow;

use super::{FoundPlaceholder, is_ascii_word, is_word, run};

/// Reads `${expression}`. Whitespace does not matter.
pub(super) fn ecma_script(text: &str) -> Option<FoundPlaceholder<'_>> {
    let end = text.strip_prefix("${")?.find('}').filter(|&end| end > 0)?;
    FoundPlaceholder::without_spaces(text, 2 + end + 1)
}

/// Reads `{name}`, `%{name}`, or a linked message: `@:key`, `@.modifier:key`, `@:(key)`.
pub(super) fn vue(text: &str) -> Option<FoundPlaceholder<'_>> {
    if text.starts_with('@') {
        return vue_link(text);
    }
    let braces = text.strip_prefix('%').unwrap_or(text).strip_prefix('{')?;
    let end = braces.find('}').filter(|&end| end > 0)?;
    FoundPlaceholder::named(text, text.len() - braces.len() + end + 1)
}

fn vue_link(text: &str) -> Option<FoundPlaceholder<'_>> {
    let mut rest = text.strip_prefix('@')?;
    if let Some(modifier) = rest.strip_prefix('.') {
        rest = modifier.get(run(modifier, |char| char.is_ascii_alphabetic())..)?;
    }
    rest = rest.strip_prefix(':')?;
    let is_key = |char| is_word(char) || matches!(char, '-' | '.' | '|' | '/');
    if let Some(inside) = rest.strip_prefix('(') {
        let end = run(inside, |char| is_key(char) || char == ':');
        rest = inside.get(end..).filter(|_| end > 0)?.strip_prefix(')')?;
    } else {
        let end = run(rest, is_key);
        rest = rest.get(end..).filter(|_| end > 0)?;
    }
    FoundPlaceholder::named(text, text.len() - rest.len())
}

/// Reads `%name%` with ASCII letters, digits and `_`.
pub(super) fn percent(text: &str) -> Option<FoundPlaceholder<'_>> {
    let name = run(text.get(1..)?, is_ascii_word);
    let closed = name > 0 && text.get(1 + name..)?.starts_with('%');
    if closed {
        FoundPlaceholder::named(text, name + 2)
    } else {
        None
    }
}

/// Reads `:name` with ASCII letters, digits and `_`, beginning with a letter.
pub(super) fn laravel(text: &str) -> Option<FoundPlaceholder<'_>> {
    let name = text.get(1..)?;
    if name.starts_with(|char: char| char.is_ascii_alphabetic()) {
        FoundPlaceholder::named(text, 1 + run(name, is_ascii_word))
    } else {
        None
    }
}

/// Reads `%1` or `%L1`.
pub(super) fn qt(text: &str) -> Option<FoundPlaceholder<'_>> {
    let number = text.strip_prefix("%L").or_else(|| text.strip_prefix('%'))?;
    let digits = run(number, |char| char.is_ascii_digit()).min(2);
    if digits > 0 {
        FoundPlaceholder::named(text, text.len() - number.len() + digits)
    } else {
        None
    }
}

/// Reads `%n` or `%Ln`.
pub(super) fn qt_plural(text: &str) -> Option<FoundPlaceholder<'_>> {
    let length = if text.starts_with("%n") { 2 } else { 3 };
    if length == 2 || text.starts_with("%Ln") {
        FoundPlaceholder::named(text, length)
    } else {
        None
    }
}

/// Reads a directive of Scheme's `format`, or an escaped `~`.
pub(super) fn scheme(text: &str) -> Option<FoundPlaceholder<'_>> {
    let directive = text.strip_prefix('~')?;
    let parameters = run(directive, |char| {
        char.is_ascii_digit() || matches!(char, ',' | '\'' | ':' | '@' | '+' | '-')
    });
    let kind = directive.get(parameters..)?.chars().next()?;
    let length = 1 + parameters + kind.len_utf8();
    match kind {
        '~' => Some(FoundPlaceholder::escape(length)),
        _ if kind.is_ascii_graphic() => Some(FoundPlaceholder {
            length,
            text: Cow::Borrowed(text.get(..length)?),
            positional: true,
        }),
        _ => None,
    }
}
