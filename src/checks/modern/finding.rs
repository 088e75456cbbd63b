//! The result of a failing check.

use std::ops::Range;

use super::ModernCheck;

/// A check that fails on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding {
    /// The check.
    pub check: ModernCheck,
    /// One sentence for people that names the missing or extra parts.
    pub message: String,
    /// The parts of the texts to highlight. May be empty.
    pub spans: Vec<TextSpan>,
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextSpan {
    /// The text that contains the part.
    pub side: TextSide,
    /// The 0-based plural form of the text.
    pub form: usize,
    /// The bytes of the part.
    pub range: Range<usize>,
}

/// The text of a unit that contains a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextSide {
    /// A source text.
    Source,
    /// A target text.
    Target,
}

/// A finding before its check is known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PartialFinding {
    pub(super) message: String,
    pub(super) spans: Vec<TextSpan>,
}

impl PartialFinding {
    /// A problem without a location.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            spans: Vec::new(),
        }
    }

    /// Adds a part of a text.
    pub(super) fn with(mut self, side: TextSide, form: usize, range: Range<usize>) -> Self {
        self.spans.push(TextSpan { side, form, range });
        self
    }

    /// Adds the check.
    pub(super) fn of(self, check: ModernCheck) -> CheckFinding {
        CheckFinding {
            check,
            message: self.message,
            spans: self.spans,
        }
    }
}

/// Lists values for a message, each one in the original spelling.
pub(super) fn list<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    values.into_iter().collect::<Vec<_>>().join(", ")
}
