//! Placeholders in braces (`docs/spec/checks.md#brace-styles`).

use super::input::TokenInput;
use super::placeholder::{Placeholder, is_word, word_between};
use crate::pair::{skip_run, take_run};

/// Reads `{{expression}}`. Whitespace does not matter.
pub(super) fn double<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let first = input.text.strip_prefix("{{")?.chars().next()?;
    let end = input.find("}}", 2 + first.len_utf8())?;
    is_on_one_line(input, 2, end)?;
    Placeholder::without_spaces(input.text, end + 2)
}

/// Reads `{{name}}` or the nesting `$t(key)`. Whitespace does not matter.
pub(super) fn i18next<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    if !input.text.starts_with("$t(") {
        return double(input);
    }
    let end = input.find(")", 3).filter(|&end| end > 3)?;
    is_on_one_line(input, 3, end)?;
    Placeholder::without_spaces(input.text, end + 1)
}

/// `None` if there is a line break between two positions.
fn is_on_one_line(input: &TokenInput<'_, '_>, from: usize, end: usize) -> Option<()> {
    let newline = input.find("\n", from);
    newline.is_none_or(|newline| newline > end).then_some(())
}

/// Reads `{{tag}}`, `{{/tag}}` or `{{tag/}}`.
pub(super) fn automattic(text: &str) -> Option<Placeholder<'_>> {
    let inside = text.strip_prefix("{{")?;
    let inside = inside.strip_prefix('/').unwrap_or(inside).trim_start();
    let (_, after) = take_run(inside, is_word)?;
    let after = after.trim_start();
    let after = after.strip_prefix('/').unwrap_or(after);
    let after = after.strip_prefix("}}")?;
    Placeholder::named(text, text.len() - after.len())
}

/// Reads `{word}` with ASCII letters, digits and `_`.
pub(super) fn perl(text: &str) -> Option<Placeholder<'_>> {
    word_between(text, '{', '}')
}

/// Reads `{0}`, `{0,10}` or `{0:format}`. Only the number is compared.
pub(super) fn c_sharp(text: &str) -> Option<Placeholder<'_>> {
    let inside = text.strip_prefix('{')?;
    let (number, mut rest) = take_run(inside, is_digit)?;
    if let Some(alignment) = rest.strip_prefix(',') {
        let alignment = alignment.trim_start_matches([' ', '-', '+']);
        rest = skip_run(alignment, is_digit);
    }
    formatted(text, rest, number)
}

/// As [`c_sharp`], as .NET reads it: spaces behind the number, the comma and the width do not matter, and `{{` is a brace.
pub(super) fn dotnet(text: &str) -> Option<Placeholder<'_>> {
    if text.starts_with("{{") || text.starts_with("}}") {
        return Some(Placeholder::new(2, ""));
    }
    let is_space = |char| char == ' ';
    let (number, after) = take_run(text.strip_prefix('{')?, is_digit)?;
    let mut rest = skip_run(after, is_space);
    if let Some(alignment) = rest.strip_prefix(',') {
        let alignment = skip_run(alignment, is_space);
        let width = alignment.strip_prefix('-').unwrap_or(alignment);
        let (_, after) = take_run(width, is_digit)?;
        rest = skip_run(after, is_space);
    }
    formatted(text, rest, number)
}

/// The field with this number, with the rest of a text from its format on.
fn formatted<'a>(text: &'a str, mut rest: &'a str, number: &'a str) -> Option<Placeholder<'a>> {
    if let Some(format) = rest.strip_prefix(':') {
        rest = skip_run(format, is_plain);
    }
    let length = text.len() - rest.strip_prefix('}')?.len();
    Some(Placeholder::new(length, number))
}

/// Reads `{0}`, `{0,type}` or `{0,type,style}`. Only the number is compared.
pub(super) fn java<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let text = input.text;
    let inside = text.strip_prefix('{')?;
    let (number, rest) = take_run(inside, is_digit)?;
    let mut rest = rest.trim_start();
    if let Some(kind) = rest.strip_prefix(',') {
        let (_, after) = take_run(kind.trim_start(), |char| char.is_ascii_alphabetic())?;
        rest = after.trim_start();
        if let Some(style) = rest.strip_prefix(',') {
            rest = text.get(input.find("}", text.len() - style.len())?..)?;
        }
    }
    let length = text.len() - rest.strip_prefix('}')?.len();
    Some(Placeholder::new(length, number))
}

fn is_digit(char: char) -> bool {
    char.is_ascii_digit()
}

/// Whether a character is no brace.
fn is_plain(char: char) -> bool {
    !matches!(char, '{' | '}')
}

/// Reads a replacement field of Python's `str.format`, or an escaped brace.
pub(super) fn python(text: &str) -> Option<Placeholder<'_>> {
    if text.starts_with("{{") || text.starts_with("}}") {
        return Some(Placeholder::new(2, ""));
    }
    let rest = python_field(text, 1)?;
    let length = text.len() - rest.len();
    if text.starts_with("{}") {
        Placeholder::positional(text, length)
    } else {
        Placeholder::named(text, length)
    }
}

/// Reads a field as in Python, or a name between spaces, which do not matter: `{ name }`. A space on one side only is a
/// mistake that not all programs forgive.
pub(super) fn any(text: &str) -> Option<Placeholder<'_>> {
    python(text).or_else(|| {
        let inside = text.strip_prefix("{ ")?.trim_start_matches(' ');
        let (_, after) = take_run(inside, is_word)?;
        let after = after.strip_prefix(' ')?.trim_start_matches(' ');
        let after = after.strip_prefix('}')?;
        Placeholder::without_spaces(text, text.len() - after.len())
    })
}

/// Skips a replacement field that may contain `nested` further levels.
fn python_field(text: &str, nested: usize) -> Option<&str> {
    let inside = text.strip_prefix('{')?;
    let mut rest = skip_run(inside, is_word);
    loop {
        if let Some(attribute) = rest.strip_prefix('.') {
            rest = skip_run(attribute, is_word);
        } else if let Some(index) = rest.strip_prefix('[') {
            let after = skip_run(index, |char| is_plain(char) && char != ']');
            rest = after.strip_prefix(']')?;
        } else {
            break;
        }
    }
    if let Some(conversion) = rest.strip_prefix('!') {
        rest = conversion.strip_prefix(['r', 's', 'a'])?;
    }
    if let Some(format) = rest.strip_prefix(':') {
        rest = skip_run(format, is_plain);
        while nested > 0 && rest.starts_with('{') {
            rest = skip_run(python_field(rest, nested - 1)?, is_plain);
        }
    }
    rest.strip_prefix('}')
}
