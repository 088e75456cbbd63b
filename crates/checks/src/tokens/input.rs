//! The text that a placeholder is read from.

use crate::marks::NextMark;
use crate::pair::bounded;

/// The maximum length of a placeholder in bytes.
const MAX_LENGTH: usize = 1024;

/// The text from the start of a placeholder on, as long as a placeholder may be.
pub(super) struct TokenInput<'a, 'm> {
    pub(super) text: &'a str,
    start: usize,
    marks: &'m Marks<'a>,
}

/// What ends placeholders with any text in them.
const MARKS: [&str; 5] = ["}", "}}", ")", ">", "\n"];

/// The next one of each of these marks. They are found once for all placeholders of a text.
pub(super) type Marks<'a> = [NextMark<'a>; MARKS.len()];

/// The marks of a text.
pub(super) fn marks(text: &str) -> Marks<'_> {
    MARKS.map(|mark| NextMark::new(text, mark))
}

impl<'a, 'm> TokenInput<'a, 'm> {
    /// The input of a placeholder that begins at a position of a text.
    pub(super) fn new(text: &'a str, start: usize, marks: &'m Marks<'a>) -> Option<Self> {
        Some(Self {
            text: bounded(text.get(start..)?, MAX_LENGTH),
            start,
            marks,
        })
    }

    /// The first position of one of [`MARKS`] from a position on.
    pub(super) fn find(&self, mark: &str, from: usize) -> Option<usize> {
        let mut marks = self.marks.iter();
        let next = marks.find(|next| next.mark == mark);
        let next = next.expect("the mark is in the list");
        let at = next.at_or_after(self.start + from)? - self.start;
        (at + mark.len() <= self.text.len()).then_some(at)
    }
}
