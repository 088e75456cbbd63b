//! What the compiler of vue-i18n refuses or cuts (`docs/spec/checks.md#vue-i18n`).

use crate::finding::{Difference, PartialFinding};
use crate::input::FormPair;
use crate::pair::{char_at, run};

/// A problem at a byte of a text.
type Refusal = (usize, &'static str);

/// Finds what the compiler refuses in the translation, if it accepts the source.
pub(crate) fn refused(pair: &FormPair) -> Option<PartialFinding> {
    let (at, problem) = refusal(pair.target)?;
    if refusal(pair.source).is_some() {
        return None;
    }
    let end = char_at(pair.target, at).map_or(0, char::len_utf8);
    let message = format!("The translation is not a valid message of vue-i18n: {problem}.");
    Some(PartialFinding::in_target(pair, message, at..at + end))
}

/// Finds a bar that divides the translation in plural forms, of which one is shown, where the source has none. A source that
/// shows the number, `{n}` or `{count}`, has forms in languages that need them.
pub(crate) fn divided(pair: &FormPair) -> Option<PartialFinding> {
    let at = bar(pair.target)?;
    let is_counted = NUMBERS.iter().any(|name| pair.source.contains(name));
    if is_counted || bar(pair.source).is_some() || is_repeated(pair) {
        return None;
    }
    let message = "The translation has a '|', which divides it into plural forms: write {'|'}.";
    Some(PartialFinding::in_target(pair, message, at..at + 1))
}

/// What vue-i18n fills in itself in texts with plural forms.
const NUMBERS: [&str; 2] = ["{n}", "{count}"];

/// Whether several forms of the translation show the first value of the source.
fn is_repeated(pair: &FormPair) -> bool {
    let value = pair.source.find('{').and_then(|at| {
        let text = &pair.source[at..];
        text.get(..placeholder(text).ok()?)
    });
    let forms = pair.target.split('|');
    value.is_some_and(|value| forms.filter(|form| form.contains(value)).nth(1).is_some())
}

/// Accepts `{n}` or `{count}` in plural forms of a translation in place of the value by position, such as `{0}`, that
/// those of the source show.
pub(super) fn accept_numbers(difference: &mut Difference<'_>, pair: &FormPair, has_forms: bool) {
    if !has_forms && bar(pair.source).is_none() {
        return;
    }
    let all = difference.extra.len();
    difference
        .extra
        .retain(|(name, _)| !NUMBERS.contains(&&**name));
    let is_by_position = |name: &str| {
        name.bytes()
            .all(|byte| matches!(byte, b'{' | b'}' | b'0'..=b'9'))
    };
    if difference.extra.len() < all
        && let [(name, _)] = &*difference.missing
        && is_by_position(name)
    {
        difference.missing.clear();
    }
}

/// The first part of a text that the compiler refuses.
fn refusal(text: &str) -> Option<Refusal> {
    let mut at = 0;
    while let Some(found) = text[at..].find(['\\', '{', '}', '@']) {
        at += found;
        at = match text.as_bytes()[at] {
            b'\\' => at + escaped(&text[at..]),
            b'{' => match placeholder(&text[at..]) {
                Ok(length) => at + length,
                Err((offset, problem)) => return Some((at + offset, problem)),
            },
            b'}' => return Some((at, "a closing brace without an opening one")),
            _ => match link(&text[at..]) {
                Some(length) => at + length,
                None => return Some((at, "an '@' that begins no linked message: write {'@'}")),
            },
        };
    }
    None
}

/// The length of a backslash and the sign that it escapes.
fn escaped(text: &str) -> usize {
    let is_sign = text[1..].starts_with(['\\', '{', '}', '@', '|']);
    if is_sign { 2 } else { 1 }
}

/// The length of `{name}`, `{0}` or `{'text'}` at the start of a text.
fn placeholder(text: &str) -> Result<usize, Refusal> {
    let spaces = |text: &str| run(text, char::is_whitespace);
    let start = 1 + spaces(&text[1..]);
    let inside = &text[start..];
    let length = match inside.chars().next() {
        None => return Err((0, "a brace that is not closed")),
        Some('}') => return Err((0, "a placeholder without a name")),
        Some('{') => return Err((0, "a brace in a placeholder")),
        Some('\'') => {
            let end = inside[1..].find('\'');
            end.ok_or((start, "a quoted text that is not closed"))? + 2
        }
        Some(_) => {
            let length = run(inside, |char| !char.is_whitespace() && !"{}".contains(char));
            let name = &inside[..length];
            let is_part = |char: char| char.is_ascii_alphanumeric() || "_$-".contains(char);
            let is_first = |char: char| char.is_ascii_alphabetic() || char == '_';
            let number = name.strip_prefix('-').unwrap_or(name);
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            let is_name = name.starts_with(is_first) && name.chars().all(is_part);
            if !is_name && !is_number {
                return Err((start, "a placeholder with an invalid name"));
            }
            length
        }
    };
    let end = start + length;
    let end = end + spaces(&text[end..]);
    if text[end..].starts_with('}') {
        Ok(end + 1)
    } else {
        Err((0, "a brace that is not closed"))
    }
}

/// The length of the start of a linked message, `@:` or `@.modifier:`, up to its key.
fn link(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('@')?;
    if let Some(modifier) = rest.strip_prefix('.') {
        rest = &modifier[run(modifier, |char| char.is_ascii_alphabetic())..];
    }
    let key = rest.strip_prefix(':')?;
    let has_key = key.starts_with(|char: char| !char.is_whitespace());
    has_key.then_some(text.len() - key.len())
}

/// The first bar outside of placeholders that is not escaped.
fn bar(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text[at..].find(['\\', '{', '|']) {
        at += found;
        at += match text.as_bytes()[at] {
            b'\\' => escaped(&text[at..]),
            b'{' => placeholder(&text[at..]).unwrap_or(1),
            _ => return Some(at),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_refuses_what_it_cannot_parse() {
        for text in [
            "info@example.org",
            "{ Speichern",
            "{}",
            "{ }",
            "{name",
            "a } b",
            "}",
            "@",
            "a @ b",
            "@nouser",
            "x@:",
            "@.foo",
            "{a b}",
            "{a.b}",
            "{name'}",
            "{$x}",
            "{{name}}",
            "{name}}",
            "{'a",
            "{1a}",
            "{Имя}",
            "{n, plural}",
            "a@{'@'}",
            "{ё",
        ] {
            assert!(refusal(text).is_some(), "{text}");
        }
        for text in [
            "",
            "Hi {name}, { 0 }",
            "{'@'}{'{'}",
            "@:key.a and @.lower:key",
            "@:{'a b'} @.upper:{x}",
            "a \\@ b \\{x\\}",
            "50% {n}",
            "%{a}{b-c}{_x}{-1}",
            "{\n name }",
            "<b>x</b>",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }

    #[test]
    fn a_bar_divides_a_text_unless_it_is_quoted() {
        assert_eq!(bar("a | b"), Some(2));
        assert_eq!(bar("{'|'} \\| {n}"), None);
        assert_eq!(bar("{ | "), Some(2));
    }
}
