//! Compares two texts word by word, for everyone who shows how a text changed.

use similar::{ChangeTag, TextDiff};

/// Texts with more words are not compared: the time grows with the square of their number.
const MAX_WORDS: usize = 700;

/// Which of two compared texts has a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiffMark {
    /// Both.
    Equal,
    /// Only the old one.
    Removed,
    /// Only the new one.
    Added,
}

/// The words of two texts and the space between them, in order, with the texts that have them; `None` if a text has too many
/// words.
pub fn word_diff<'t>(old: &'t str, new: &'t str) -> Option<Vec<(DiffMark, &'t str)>> {
    let is_long = |text: &str| text.split_whitespace().nth(MAX_WORDS).is_some();
    if is_long(old) || is_long(new) {
        return None;
    }
    let diff = TextDiff::from_words(old, new);
    let part = |change: similar::Change<&'t str>| {
        let mark = match change.tag() {
            ChangeTag::Equal => DiffMark::Equal,
            ChangeTag::Delete => DiffMark::Removed,
            ChangeTag::Insert => DiffMark::Added,
        };
        (mark, change.value())
    };
    Some(diff.iter_all_changes().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_only_one_text_has_are_marked() {
        use DiffMark::{Added, Equal, Removed};
        let parts = word_diff("Open a file", "Open the file").unwrap();
        let expected = [
            (Equal, "Open"),
            (Equal, " "),
            (Removed, "a"),
            (Added, "the"),
            (Equal, " "),
            (Equal, "file"),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn a_text_with_many_words_is_not_compared() {
        assert!(word_diff(&"a ".repeat(MAX_WORDS), "b").is_some());
        assert_eq!(word_diff(&"a ".repeat(MAX_WORDS + 1), "b"), None);
    }
}
