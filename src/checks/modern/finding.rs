//! The result of a failing check.

use std::ops::Range;

use super::ModernCheck;
use super::unit::FormPair;

/// A check that fails on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding {
    /// The check.
    pub check: ModernCheck,
    /// A human-readable sentence that names the missing or extra parts.
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

    /// A problem with parts that only the source or only the translation has, each with its name and its bytes. `None`
    /// without any.
    pub(super) fn of_parts(
        noun: &str,
        pair: &FormPair,
        missing: &[NamedPart<'_>],
        extra: &[NamedPart<'_>],
    ) -> Option<Self> {
        if missing.is_empty() && extra.is_empty() {
            return None;
        }
        let names = |parts: &[NamedPart<'_>]| {
            let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
            names.join(", ")
        };
        let message = missing_and_extra(noun, &names(missing), &names(extra));
        let mut problem = Self::new(sentence(&message));
        for (_, range) in missing {
            problem = problem.with(TextSide::Source, pair.source_form, range.clone());
        }
        for (_, range) in extra {
            problem = problem.with(TextSide::Target, pair.target_form, range.clone());
        }
        Some(problem)
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

/// A part of a text: its name in a message, and its bytes.
pub(super) type NamedPart<'a> = (&'a str, Range<usize>);

/// Names the parts that only one text has: `missing tags: b; extra tags: i`. An empty list is left out.
pub(super) fn missing_and_extra(noun: &str, missing: &str, extra: &str) -> String {
    match (missing.is_empty(), extra.is_empty()) {
        (_, true) => format!("missing {noun}: {missing}"),
        (true, false) => format!("extra {noun}: {extra}"),
        (false, false) => format!("missing {noun}: {missing}; extra {noun}: {extra}"),
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).chain(['.']).collect()
}
