//! A pair of texts, and helpers that read only a part of a text.

/// A source text and its translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextPair<'a> {
    pub(super) source: &'a str,
    pub(super) target: &'a str,
}

impl TextPair<'_> {
    /// Returns the first characters of both texts; `None` if one text is empty.
    pub(super) fn first(&self) -> Option<(char, char)> {
        Some((self.source.chars().next()?, self.target.chars().next()?))
    }

    /// Returns the last characters of both texts; `None` if one text is empty.
    pub(super) fn last(&self) -> Option<(char, char)> {
        Some((
            self.source.chars().next_back()?,
            self.target.chars().next_back()?,
        ))
    }
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
