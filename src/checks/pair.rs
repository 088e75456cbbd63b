//! Two texts to compare, with the ends that most checks look at.

/// A source text and its translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) source: &'a str,
    pub(super) target: &'a str,
    /// First and last character of the source, unless it is empty.
    source_ends: Option<(char, char)>,
    /// First and last character of the translation, unless it is empty.
    target_ends: Option<(char, char)>,
}

impl<'a> Pair<'a> {
    pub(super) fn new(source: &'a str, target: &'a str) -> Self {
        Self { source, target, source_ends: ends(source), target_ends: ends(target) }
    }

    /// First characters of both; `None` when one of the texts is empty.
    pub(super) fn first(&self) -> Option<(char, char)> {
        Some((self.source_ends?.0, self.target_ends?.0))
    }

    /// Last characters of both; `None` when one of the texts is empty.
    pub(super) fn last(&self) -> Option<(char, char)> {
        Some((self.source_ends?.1, self.target_ends?.1))
    }
}

fn ends(text: &str) -> Option<(char, char)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    Some((first, chars.next_back().unwrap_or(first)))
}

/// Whether the text has no more than `limit` characters; looks no further than that.
pub(super) fn at_most(text: &str, limit: usize) -> bool {
    text.chars().nth(limit).is_none()
}
