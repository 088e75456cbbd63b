//! Placeholders in braces (`docs/spec/checks.md#brace-styles`).

use super::input::{Mark, TokenInput};
use super::placeholder::{Placeholder, is_word, word_between};
use crate::pair::run;

/// Reads `{{expression}}`. Whitespace does not matter.
pub(super) fn double<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let first = input.text.strip_prefix("{{")?.chars().next()?;
    let end = input.find(Mark::DoubleBrace, 2 + first.len_utf8())?;
    is_on_one_line(input, 2, end)?;
    Placeholder::without_spaces(input.text, end + 2)
}

/// Reads `{{name}}` or the nesting `$t(key)`. Whitespace does not matter.
pub(super) fn i18next<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    if !input.text.starts_with("$t(") {
        return double(input);
    }
    let end = input.find(Mark::Parenthesis, 3).filter(|&end| end > 3)?;
    is_on_one_line(input, 3, end)?;
    Placeholder::without_spaces(input.text, end + 1)
}

/// `None` if there is a line break between two positions.
fn is_on_one_line(input: &TokenInput<'_, '_>, from: usize, end: usize) -> Option<()> {
    let newline = input.find(Mark::Newline, from);
    newline.is_none_or(|newline| newline > end).then_some(())
}

/// Reads `{{tag}}`, `{{/tag}}` or `{{tag/}}`.
pub(super) fn automattic(text: &str) -> Option<Placeholder<'_>> {
    let inside = text.strip_prefix("{{")?;
    let inside = inside.strip_prefix('/').unwrap_or(inside).trim_start();
    let name = run(inside, is_word);
    let after = inside.get(name..).filter(|_| name > 0)?.trim_start();
    let after = after
        .strip_prefix('/')
        .unwrap_or(after)
        .strip_prefix("}}")?;
    Placeholder::named(text, text.len() - after.len())
}

/// Reads `{word}` with ASCII letters, digits and `_`.
pub(super) fn perl(text: &str) -> Option<Placeholder<'_>> {
    word_between(text, '{', '}')
}

/// Reads `{0}`, `{0,10}` or `{0:format}`. Only the number is compared.
pub(super) fn c_sharp(text: &str) -> Option<Placeholder<'_>> {
    let inside = text.strip_prefix('{')?;
    let digits = run(inside, |char| char.is_ascii_digit());
    let mut rest = inside.get(digits..).filter(|_| digits > 0)?;
    if let Some(alignment) = rest.strip_prefix(',') {
        let alignment = alignment.trim_start_matches([' ', '-', '+']);
        rest = alignment.get(run(alignment, |char| char.is_ascii_digit())..)?;
    }
    if let Some(format) = rest.strip_prefix(':') {
        rest = format.get(run(format, |char| !matches!(char, '{' | '}'))..)?;
    }
    let length = text.len() - rest.strip_prefix('}')?.len();
    Some(Placeholder::new(length, inside.get(..digits)?))
}

/// As [`c_sharp`], as .NET reads it: spaces behind the number, the comma and the width do not matter, and `{{` is a brace.
pub(super) fn dotnet(text: &str) -> Option<Placeholder<'_>> {
    if text.starts_with("{{") || text.starts_with("}}") {
        return Some(Placeholder::new(2, ""));
    }
    let spaces = |text| run(text, |char| char == ' ');
    let inside = text.strip_prefix('{')?;
    let digits = run(inside, |char| char.is_ascii_digit());
    let after = inside.get(digits..).filter(|_| digits > 0)?;
    let mut rest = after.get(spaces(after)..)?;
    if let Some(alignment) = rest.strip_prefix(',') {
        let alignment = alignment.get(spaces(alignment)..)?;
        let width = alignment.strip_prefix('-').unwrap_or(alignment);
        let digits = run(width, |char| char.is_ascii_digit());
        let after = width.get(digits..).filter(|_| digits > 0)?;
        rest = after.get(spaces(after)..)?;
    }
    if let Some(format) = rest.strip_prefix(':') {
        rest = format.get(run(format, |char| !matches!(char, '{' | '}'))..)?;
    }
    let length = text.len() - rest.strip_prefix('}')?.len();
    Some(Placeholder::new(length, inside.get(..digits)?))
}

/// Reads `{0}`, `{0,type}` or `{0,type,style}`. Only the number is compared.
pub(super) fn java<'a>(input: &TokenInput<'a, '_>) -> Option<Placeholder<'a>> {
    let text = input.text;
    let inside = text.strip_prefix('{')?;
    let digits = run(inside, |char| char.is_ascii_digit());
    let mut rest = inside.get(digits..).filter(|_| digits > 0)?.trim_start();
    if let Some(kind) = rest.strip_prefix(',') {
        let kind = kind.trim_start();
        let length = run(kind, |char| char.is_ascii_alphabetic());
        rest = kind.get(length..).filter(|_| length > 0)?.trim_start();
        if let Some(style) = rest.strip_prefix(',') {
            rest = text.get(input.find(Mark::Brace, text.len() - style.len())?..)?;
        }
    }
    let length = text.len() - rest.strip_prefix('}')?.len();
    Some(Placeholder::new(length, inside.get(..digits)?))
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
        let name = run(inside, is_word);
        let after = inside.get(name..).filter(|_| name > 0)?;
        let after = after.strip_prefix(' ')?.trim_start_matches(' ');
        let after = after.strip_prefix('}')?;
        Placeholder::without_spaces(text, text.len() - after.len())
    })
}

/// Skips a replacement field that may contain `nested` further levels.
fn python_field(text: &str, nested: usize) -> Option<&str> {
    let inside = text.strip_prefix('{')?;
    let mut rest = inside.get(run(inside, is_word)..)?;
    loop {
        if let Some(attribute) = rest.strip_prefix('.') {
            rest = attribute.get(run(attribute, is_word)..)?;
        } else if let Some(index) = rest.strip_prefix('[') {
            rest = index
                .get(run(index, |char| !matches!(char, ']' | '{' | '}'))..)?
                .strip_prefix(']')?;
        } else {
            break;
        }
    }
    if let Some(conversion) = rest.strip_prefix('!') {
        rest = conversion.strip_prefix(['r', 's', 'a'])?;
    }
    if let Some(format) = rest.strip_prefix(':') {
        rest = format.get(run(format, |char| !matches!(char, '{' | '}'))..)?;
        while nested > 0 && rest.starts_with('{') {
            rest = python_field(rest, nested - 1)?;
            rest = rest.get(run(rest, |char| !matches!(char, '{' | '}'))..)?;
        }
    }
    rest.strip_prefix('}')
}
