//! The result of a failing check.

use std::ops::Range;

use super::input::FormPair;
use super::tokens;
use crate::{CheckId, Severity};
use gitglot_model::sentence;

/// A check that fails on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding {
    /// The check.
    pub check: CheckId,
    /// The severity of the check, or [`Severity::Warning`] if it is not certain that something breaks or gets lost.
    pub severity: Severity,
    /// A human-readable sentence that names the missing or extra parts.
    pub message: String,
    /// The parts of the texts to highlight. May be empty.
    pub spans: Vec<TextSpan>,
    /// What is wrong in detail: which placeholder is missing, which tag is extra. Two findings of a check on a string
    /// are the same fault only if their details are the same. Empty if the message says all.
    pub details: Vec<String>,
}

impl CheckFinding {
    /// Whether all faults of this finding are in another one of the same string.
    pub fn is_part_of(&self, other: &Self) -> bool {
        let is_known = match self.details.is_empty() {
            true => other.details.is_empty() && self.message == other.message,
            false => self
                .details
                .iter()
                .all(|detail| other.details.contains(detail)),
        };
        self.check == other.check && is_known
    }
}

impl CheckFinding {
    /// The only thing that is wrong, if it is that the translation lacks a value with a name, such as `%{host}`.
    pub fn lost_value(&self) -> Option<&str> {
        let [detail] = self.details.as_slice() else {
            return None;
        };
        let value = detail.strip_prefix("missing ")?;
        let letters = value.chars().filter(|char| char.is_alphabetic()).count();
        let is_named = letters > 2 && value.contains(['{', '(', '$']);
        let is_value =
            tokens::is_format_check(self.check) || self.check == CheckId::FluentReferences;
        (is_named && is_value).then_some(value)
    }
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

/// The most forms whose details are kept.
const MAX_FORMS: usize = 16;

/// A finding before its check is known.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PartialFinding {
    pub(super) message: String,
    pub(super) spans: Vec<TextSpan>,
    pub(super) details: Vec<String>,
    /// Whether nothing breaks or gets lost, or this is not certain, even if the check is for such faults.
    pub(super) is_minor: bool,
}

impl PartialFinding {
    /// A problem without a location.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// Adds what is wrong in detail.
    pub(super) fn detailed(mut self, details: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(details);
        self
    }

    /// Joins the findings of all forms of a unit: the message is that of the first.
    pub(super) fn of_forms(findings: impl IntoIterator<Item = (usize, Self)>) -> Option<Self> {
        let mut findings = findings.into_iter();
        let (_, mut joined) = findings.next()?;
        for (form, other) in findings.take(MAX_FORMS) {
            joined.spans.extend(other.spans);
            joined.is_minor &= other.is_minor;
            let details = other.details.iter();
            joined
                .details
                .extend(details.map(|detail| format!("form {form}: {detail}")));
        }
        Some(joined)
    }

    /// A problem with a part of the translation.
    pub(super) fn in_target(
        pair: &FormPair,
        message: impl Into<String>,
        range: Range<usize>,
    ) -> Self {
        Self::new(message).with(TextSide::Target, pair.target_form, range)
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
        fn names<'a>(parts: &[NamedPart<'a>]) -> Vec<&'a str> {
            parts.iter().map(|(name, _)| *name).collect()
        }
        let message = missing_and_extra(noun, &names(missing), &names(extra));
        let ranges = |parts: &[NamedPart<'_>]| -> Vec<Range<usize>> {
            parts.iter().map(|(_, range)| range.clone()).collect()
        };
        let finding =
            Self::new(sentence(&message)).detailed(details(&names(missing), &names(extra)));
        Some(finding.in_both(pair, ranges(missing), ranges(extra)))
    }

    /// As a fault that breaks nothing, or whose evidence is not certain, if `is_minor` (`docs/spec/checks.md#evidence`).
    pub(super) fn weighed(mut self, is_minor: bool) -> Self {
        self.is_minor |= is_minor;
        self
    }

    /// Whether all details begin with this word.
    pub(super) fn is_only(&self, word: &str) -> bool {
        self.details.iter().all(|it| it.starts_with(word))
    }

    /// Adds parts of both texts of a pair.
    pub(super) fn in_both(
        self,
        pair: &FormPair,
        source: impl IntoIterator<Item = Range<usize>>,
        target: impl IntoIterator<Item = Range<usize>>,
    ) -> Self {
        self.with_all(TextSide::Source, pair.source_form, source)
            .with_all(TextSide::Target, pair.target_form, target)
    }

    /// Adds a part of a text.
    pub(super) fn with(self, side: TextSide, form: usize, range: Range<usize>) -> Self {
        self.with_all(side, form, [range])
    }

    /// Adds parts of a text.
    pub(super) fn with_all(
        mut self,
        side: TextSide,
        form: usize,
        ranges: impl IntoIterator<Item = Range<usize>>,
    ) -> Self {
        let spans = ranges
            .into_iter()
            .map(|range| TextSpan { side, form, range });
        self.spans.extend(spans);
        self
    }

    /// Adds the check.
    pub(super) fn of(self, check: CheckId) -> CheckFinding {
        CheckFinding {
            check,
            severity: match self.is_minor {
                true => check.severity().min(Severity::Warning),
                false => check.severity(),
            },
            message: self.message,
            spans: self.spans,
            details: self.details,
        }
    }
}

/// A part of a text: its name in a message, and its bytes.
pub(super) type NamedPart<'a> = (&'a str, Range<usize>);

/// Names parts of a text as it spells them.
pub(super) fn named<'a>(
    text: &'a str,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> Vec<NamedPart<'a>> {
    let name = |range: Range<usize>| (&text[range.clone()], range);
    ranges.into_iter().map(name).collect()
}

/// The details of a finding with missing and extra parts.
pub(super) fn details<S: AsRef<str>>(missing: &[S], extra: &[S]) -> Vec<String> {
    let missing = missing
        .iter()
        .map(|part| format!("missing {}", part.as_ref()));
    let extra = extra.iter().map(|part| format!("extra {}", part.as_ref()));
    missing.chain(extra).collect()
}

/// Names the parts that only one text has: `missing tags: b; extra tags: i`. An empty list is left out.
pub(super) fn missing_and_extra<S: AsRef<str>>(noun: &str, missing: &[S], extra: &[S]) -> String {
    let clause = |kind: &str, parts: &[S]| {
        let names: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        (!names.is_empty()).then(|| format!("{kind} {noun}: {}", names.join(", ")))
    };
    let clauses = [clause("missing", missing), clause("extra", extra)];
    clauses.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
