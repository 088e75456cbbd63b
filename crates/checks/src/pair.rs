//! Helpers that compare texts or read only a part of one.

use std::collections::HashMap;

use gitglot_model::steps;

/// Whether the text has at most `limit` characters. Reads at most `limit + 1` of them.
pub(super) fn at_most(text: &str, limit: usize) -> bool {
    text.chars().nth(limit).is_none()
}

/// Returns the start of a text, at most `limit` bytes. Searches in it take bounded time.
pub(super) fn bounded(text: &str, limit: usize) -> &str {
    let mut end = text.len().min(limit);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// Returns the items whose text `these` has more often than `those`: the last ones of equal items.
pub(super) fn surplus<'a, T>(
    these: &'a [T],
    those: &'a [T],
    text: impl Fn(&'a T) -> &'a str,
) -> Vec<&'a T> {
    // The hash is keyed: the texts are those of a repository, which could have the same hash otherwise.
    let mut left: HashMap<&str, usize> = HashMap::new();
    for that in those {
        *left.entry(text(that)).or_default() += 1;
    }
    let is_extra = |this: &&'a T| match left.get_mut(text(this)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    these.iter().filter(is_extra).collect()
}

/// The length in bytes of the longest prefix whose characters all match.
pub(super) fn run(text: &str, matches: impl Fn(char) -> bool) -> usize {
    let length = text.find(|char| !matches(char)).unwrap_or(text.len());
    steps::count(length);
    length
}

/// Divides a text after the longest prefix whose characters all match.
pub(super) fn split_run(text: &str, matches: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(run(text, matches))
}

/// As [`split_run`]; `None` if the first character does not match.
pub(super) fn take_run(text: &str, matches: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    Some(split_run(text, matches)).filter(|(prefix, _)| !prefix.is_empty())
}

/// A text after the longest prefix whose characters all match.
pub(super) fn skip_run(text: &str, matches: impl Fn(char) -> bool) -> &str {
    split_run(text, matches).1
}

/// The first position of one of some characters from a position on.
pub(super) fn find_from(text: &str, from: usize, wanted: &[char]) -> Option<usize> {
    let rest = text.get(from..)?;
    let at = rest.find(wanted);
    steps::count(at.unwrap_or(rest.len()));
    Some(from + at?)
}

/// The character before a position.
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The character at a position.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}
