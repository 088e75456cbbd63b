//! XML markup (`docs/spec/checks.md#xml-markup`).

mod namespaces;
mod reader;

use std::borrow::Cow;

pub(super) use reader::{read, read_any};

use crate::registry::{CheckId, CheckIds};

/// Compares the markup of a translation with the source. A source that is not well-formed passes.
pub(super) fn check(source: &str, target: &str, failing: &mut CheckIds) {
    if !has_markup(source) {
        return;
    }
    let (source, target) = (without_entities(source), without_entities(target));
    let Some((production, wanted)) = read_any(&source) else {
        return;
    };
    match read(&target, production) {
        Some(found) => failing.set(CheckId::XmlTags, found.nodes != wanted.nodes),
        None => failing.set(CheckId::XmlInvalid, true),
    }
}

/// Whether the text contains something like `<…>`.
pub(super) fn has_markup(text: &str) -> bool {
    let Some(end) = text.rfind('>') else {
        return false;
    };
    let before = &text[..end];
    before.match_indices('<').any(|(at, _)| {
        before
            .get(at + 1..)
            .is_some_and(|inside| !inside.is_empty() && !inside.starts_with('>'))
    })
}

/// Removes `&name;` and `&#number;` for any name. A bare ampersand stays.
pub(super) fn without_entities(text: &str) -> Cow<'_, str> {
    let mut output = String::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'&', &rest.as_bytes()[from..]).map(|at| from + at) {
        match rest.get(at..).and_then(entity_length) {
            Some(length) => {
                output.push_str(&rest[..at]);
                rest = &rest[at + length..];
                from = 0;
            }
            None => from = at + 1,
        }
    }
    if output.is_empty() && rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    output.push_str(rest);
    Cow::Owned(output)
}

/// Returns the length in bytes of the entity at the start of the text.
pub(super) fn entity_length(text: &str) -> Option<usize> {
    let name = text.strip_prefix("&#").or_else(|| text.strip_prefix('&'))?;
    let after = name.trim_start_matches(|char: char| char.is_alphanumeric() || char == '_');
    (after.len() < name.len() && after.starts_with(';')).then(|| text.len() - after.len() + 1)
}

#[cfg(test)]
mod tests;
