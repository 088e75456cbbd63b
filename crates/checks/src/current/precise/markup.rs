//! Letters that touch tags.

use super::super::input::FormPair;
use super::languages;
use crate::xml;

/// Whether no letter of the translation touches a tag from outside, or the source has the same, or the language puts
/// endings behind a tag.
pub(super) fn accepts(pair: &FormPair, language: &str) -> bool {
    languages::has_no_spaces(language)
        || languages::has_suffixes(language)
        || !touches_outside(pair.target)
        || touches_outside(pair.source)
}

/// Whether a translation that is not well-formed is, as soon as doubled apostrophes are single: messages of Java.
pub(super) fn accepts_invalid(pair: &FormPair) -> bool {
    pair.target.contains("''")
        && xml::read_any(&xml::without_entities(&pair.target.replace("''", "'"))).is_some()
}

/// Whether a letter precedes an opening tag or follows a closing one.
fn touches_outside(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let (before, tag) = text.split_at_checked(at).unwrap_or_default();
        let Some(end) = tag.find('>') else {
            return false;
        };
        let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
        match tag.starts_with("</") {
            true => is_letter(tag.get(end + 1..).and_then(|after| after.chars().next())),
            false => is_letter(before.chars().next_back()),
        }
    })
}
