//! Letters that touch tags, and tags that do not matter.

use super::super::input::FormPair;
use super::super::markup::xml::{html_names, inline_elements, tag_ranges};
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

/// Whether tags differ only in line breaks, in notes for translators (`xliff:g` of Android), in how often the branches of
/// an ICU message repeat them, or in names that are no HTML: `<Unknown sender>`.
pub(super) fn accepts_tags(pair: &FormPair) -> bool {
    let (source, target) = (tags(pair.source), tags(pair.target));
    let (all, all_of_target) = (tag_ranges(pair.source), tag_ranges(pair.target));
    let is_plain = html_names(pair.source).is_empty() && pair.source.contains('<');
    if inline_elements(pair.source) != inline_elements(pair.target) {
        return false;
    }
    if is_plain && !pair.source.contains("</") && all.count() == all_of_target.count() {
        return true;
    }
    let has = |mark: &str| pair.source.contains(mark) || pair.target.contains(mark);
    if has_branches(pair.source) && has_branches(pair.target) {
        let unique = |mut tags: Vec<String>| {
            tags.dedup();
            tags
        };
        return unique(source) == unique(target);
    }
    (has("<xliff:g") || has("<br")) && source == target
}

/// Whether a text is an ICU message with branches.
pub(in super::super) fn has_branches(text: &str) -> bool {
    text.contains(", plural,") || text.contains(", select,")
}

/// The sorted names of all tags but those that do not matter.
fn tags(text: &str) -> Vec<String> {
    let names = tag_ranges(text).filter_map(|range| {
        let inside = text.get(range.start + 1..range.end - 1)?;
        let end = inside.find(char::is_whitespace).unwrap_or(inside.len());
        let name = inside.get(..end)?.to_lowercase();
        let matters = !matches!(name.trim_matches('/'), "br" | "xliff:g");
        matters.then_some(name)
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
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
