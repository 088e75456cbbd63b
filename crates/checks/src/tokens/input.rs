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

/// The marks that end placeholders with any text in them. They are found once for all placeholders of a text.
pub(super) struct Marks<'a> {
    brace: NextMark<'a>,
    double_brace: NextMark<'a>,
    parenthesis: NextMark<'a>,
    angle: NextMark<'a>,
    newline: NextMark<'a>,
}

/// One of these marks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    /// `}`
    Brace,
    /// `}}`
    DoubleBrace,
    /// `)`
    Parenthesis,
    /// `>`
    Angle,
    Newline,
}

impl<'a> Marks<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            brace: NextMark::new(text, "}"),
            double_brace: NextMark::new(text, "}}"),
            parenthesis: NextMark::new(text, ")"),
            angle: NextMark::new(text, ">"),
            newline: NextMark::new(text, "\n"),
        }
    }
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

    /// The first position of a mark from a position on.
    pub(super) fn find(&self, mark: Mark, from: usize) -> Option<usize> {
        let (next, length) = match mark {
            Mark::Brace => (&self.marks.brace, 1),
            Mark::DoubleBrace => (&self.marks.double_brace, 2),
            Mark::Parenthesis => (&self.marks.parenthesis, 1),
            Mark::Angle => (&self.marks.angle, 1),
            Mark::Newline => (&self.marks.newline, 1),
        };
        let at = next.at_or_after(self.start + from)? - self.start;
        (at + length <= self.text.len()).then_some(at)
    }
}
