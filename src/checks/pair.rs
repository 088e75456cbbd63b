//! A pair of texts with their first and last characters.

/// A source text and its translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPair<'a> {
    pub(super) source: &'a str,
    pub(super) target: &'a str,
    /// First and last character of the source; `None` if it is empty.
    source_ends: Option<(char, char)>,
    /// First and last character of the translation; `None` if it is empty.
    target_ends: Option<(char, char)>,
}

impl<'a> TextPair<'a> {
    pub(super) fn new(source: &'a str, target: &'a str) -> Self {
        Self {
            source,
            target,
            source_ends: ends(source),
            target_ends: ends(target),
        }
    }

    /// Returns the first characters of both texts; `None` if one text is empty.
    pub(super) fn first(&self) -> Option<(char, char)> {
        Some((self.source_ends?.0, self.target_ends?.0))
    }

    /// Returns the last characters of both texts; `None` if one text is empty.
    pub(super) fn last(&self) -> Option<(char, char)> {
        Some((self.source_ends?.1, self.target_ends?.1))
    }
}

fn ends(text: &str) -> Option<(char, char)> {
    let mut chars = text.chars();
    let first = chars.next()?;
    Some((first, chars.next_back().unwrap_or(first)))
}

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
