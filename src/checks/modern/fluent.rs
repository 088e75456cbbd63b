//! Fluent messages (`docs/spec/checks.md#fluent`).

use std::collections::BTreeMap;
use std::ops::Range;

use super::finding::{NamedPart, PartialFinding};
use super::tokens::MAX_LENGTH;
use super::unit::FormPair;
use crate::checks::pair::bounded;

/// Names with the position of their first occurrence.
type FluentNames<'a> = BTreeMap<&'a str, Range<usize>>;

/// The variables, terms and messages that the texts refer to must be the same; their number does not matter.
pub(super) fn references(pair: &FormPair) -> Option<PartialFinding> {
    compare(pair, references_of, "references")
}

/// The texts must have the same attributes, and both or none a value.
pub(super) fn parts(pair: &FormPair) -> Option<PartialFinding> {
    compare(pair, parts_of, "parts")
}

fn compare(
    pair: &FormPair,
    names: fn(&str) -> FluentNames<'_>,
    noun: &str,
) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let (wanted, found) = (names(pair.source), names(pair.target));
    let (missing, extra) = (only_in(&wanted, &found), only_in(&found, &wanted));
    PartialFinding::of_parts(noun, pair, &missing, &extra)
}

/// The names that the other text does not have.
fn only_in<'a>(names: &FluentNames<'a>, other: &FluentNames<'_>) -> Vec<NamedPart<'a>> {
    let names = names.iter().filter(|(name, _)| !other.contains_key(*name));
    names.map(|(name, range)| (*name, range.clone())).collect()
}

/// The attributes, as `.name`, and `value` if there is one.
fn parts_of(text: &str) -> FluentNames<'_> {
    let mut names = FluentNames::new();
    let mut offset = 0;
    for line in text.split('\n') {
        let name = line
            .strip_prefix('.')
            .map(|rest| 1 + identifier(rest))
            .filter(|&end| end > 1 && line.get(end..).is_some_and(|rest| rest.starts_with(" =")));
        match name.and_then(|end| Some((line.get(..end)?, end))) {
            Some((name, end)) => {
                names.entry(name).or_insert(offset..offset + end);
            }
            None if names.is_empty() && !line.trim().is_empty() => {
                names.insert("value", offset..offset);
            }
            None => {}
        }
        offset += line.len() + 1;
    }
    names
}

/// The references in placeables: `$variable`, `-term`, `message`, each with an attribute.
fn references_of(text: &str) -> FluentNames<'_> {
    let mut names = FluentNames::new();
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(open) = memchr::memchr(b'{', bytes.get(from..).unwrap_or_default()) {
        let inside = from + open + 1;
        from = inside;
        let start = inside + spaces(text.get(inside..).unwrap_or_default());
        let rest = text.get(start..).unwrap_or_default();
        if let Some(literal) = rest.strip_prefix('"') {
            from = start + 1 + end_of_literal(literal);
            continue;
        }
        let length = reference(rest);
        let Some(name) = text
            .get(start..start + length)
            .filter(|name| !name.is_empty())
        else {
            continue;
        };
        let after = text.get(start + length..).unwrap_or_default();
        let arguments = after.trim_start().strip_prefix('(');
        if arguments.is_none() || name.starts_with('-') {
            names.entry(name).or_insert(start..start + length);
        }
        // Functions and terms can have variables as arguments.
        if let Some(arguments) = arguments {
            let arguments = bounded(arguments, MAX_LENGTH);
            let arguments = arguments.split(')').next().unwrap_or_default();
            let at = text.len() - after.trim_start().len() + 1;
            for (dollar, _) in arguments.match_indices('$') {
                let end = dollar + 1 + identifier(arguments.get(dollar + 1..).unwrap_or_default());
                if let Some(name) = arguments.get(dollar..end) {
                    names.entry(name).or_insert(at + dollar..at + end);
                }
            }
        }
    }
    names
}

/// The length of a reference at the start of a text; 0 without one.
fn reference(text: &str) -> usize {
    let sigil = usize::from(text.starts_with(['$', '-']));
    let name = identifier(text.get(sigil..).unwrap_or_default());
    if name == 0 {
        return 0;
    }
    let end = sigil + name;
    let attribute = text.get(end..).and_then(|rest| rest.strip_prefix('.'));
    match attribute.map(identifier) {
        Some(length) if length > 0 => end + 1 + length,
        _ => end,
    }
}

/// The length of an identifier at the start of a text.
fn identifier(text: &str) -> usize {
    if !text.starts_with(|char: char| char.is_ascii_alphabetic()) {
        return 0;
    }
    text.find(|char: char| !char.is_ascii_alphanumeric() && char != '_' && char != '-')
        .unwrap_or(text.len())
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The end of a string literal after its opening quote.
fn end_of_literal(text: &str) -> usize {
    let mut escaped = false;
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            '\n' => return at,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: FluentNames<'_>) -> Vec<&str> {
        names.into_keys().collect()
    }

    #[test]
    fn references_are_found_in_all_placeables() {
        for (text, wanted) in [
            ("Hello { $name }", &["$name"][..]),
            (
                "{-brand.title} and {message.attr}",
                &["-brand.title", "message.attr"],
            ),
            ("{ NUMBER($n, minimumFractionDigits: 2) }", &["$n"]),
            ("{ -brand(case: \"nominative\") }", &["-brand"]),
            ("{ \"$literal {\" } { 5 }", &[]),
            (
                "{ $count ->\n    [one] { $count } item\n   *[other] { $count } items by { $user }\n}",
                &["$count", "$user"],
            ),
            ("{ { {", &[]),
            ("no placeable $name", &[]),
        ] {
            assert_eq!(names(references_of(text)), wanted, "{text}");
        }
    }

    #[test]
    fn parts_are_attributes_and_the_value() {
        assert_eq!(
            names(parts_of("Text\n.title = A\n.label = B")),
            [".label", ".title", "value"]
        );
        assert_eq!(names(parts_of(".title = A\nmore")), [".title"]);
    }
}
