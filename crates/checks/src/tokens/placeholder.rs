//! A placeholder, and the parts that its readers share.

use std::borrow::Cow;
use std::ops::Range;

use crate::pair::run;

/// A placeholder in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Placeholder<'a> {
    /// The bytes of the placeholder.
    pub(in super::super) range: Range<usize>,
    /// The placeholder as compared: without parts that do not matter.
    pub(in super::super) text: Cow<'a, str>,
    /// Whether the placeholder has no name or number, so that its position matters.
    pub(in super::super) positional: bool,
}

impl<'a> Placeholder<'a> {
    /// A placeholder at the start of a text, with a name or number, that is compared as this text. An escaped character
    /// has an empty one.
    pub(super) fn new(length: usize, text: impl Into<Cow<'a, str>>) -> Self {
        Self {
            range: 0..length,
            text: text.into(),
            positional: false,
        }
    }

    /// A named placeholder that is compared as written.
    pub(super) fn named(text: &'a str, length: usize) -> Option<Self> {
        Some(Self::new(length, text.get(..length)?))
    }

    /// A placeholder whose position matters.
    pub(super) fn positional(text: &'a str, length: usize) -> Option<Self> {
        Some(Self {
            positional: true,
            ..Self::named(text, length)?
        })
    }

    /// A named placeholder that is compared without whitespace.
    pub(super) fn without_spaces(text: &'a str, length: usize) -> Option<Self> {
        let written = text.get(..length)?;
        if written.contains(char::is_whitespace) {
            return Some(Self::new(
                length,
                written.split_whitespace().collect::<String>(),
            ));
        }
        Some(Self::new(length, written))
    }
}

pub(super) fn is_ascii_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

/// Reads a word with ASCII letters, digits and `_` between two characters.
pub(super) fn word_between(text: &str, open: char, close: char) -> Option<Placeholder<'_>> {
    let name = run(text.strip_prefix(open)?, is_ascii_word);
    let is_closed = name > 0 && text.get(1 + name..)?.starts_with(close);
    Placeholder::named(text, name + 2).filter(|_| is_closed)
}

pub(super) fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}
