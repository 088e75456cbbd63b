//! What the texts of a template show about apostrophes: messages of Java double them.

use crate::{CheckId, tokens};

/// The texts that must have single apostrophes.
const MIN_TEXTS: usize = 3;

/// The number of texts with an argument and a single apostrophe, `can't open '{0}'`, and of those with a doubled one.
#[derive(Clone, Default, Debug)]
pub(super) struct Apostrophes {
    plain: usize,
    doubled: usize,
}

impl Apostrophes {
    pub(super) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut counts = Self::default();
        let has_argument = |text: &&str| {
            text.contains('{')
                && text.contains('\'')
                && !tokens::find(CheckId::JavaFormat, text).is_empty()
        };
        for text in texts.filter(has_argument) {
            counts.doubled += usize::from(text.contains("''"));
            counts.plain += usize::from(has_plain_apostrophe(text));
        }
        counts
    }

    /// Whether several texts have single apostrophes, more than have doubled ones: the program shows them, or these texts
    /// would be broken.
    pub(super) fn are_plain(&self) -> bool {
        self.plain >= MIN_TEXTS && self.plain > self.doubled
    }
}

/// Whether a text has an apostrophe inside of a word, or before an argument, that a message of Java would double.
fn has_plain_apostrophe(text: &str) -> bool {
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    text.match_indices('\'').any(|(at, mark)| {
        let (before, after) = (text[..at].chars().next_back(), &text[at + mark.len()..]);
        let is_in_word = is_letter(before) && is_letter(after.chars().next());
        is_in_word || (before != Some('\'') && after.starts_with('{'))
    })
}
