//! The result of a failing check.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::input::FormPair;
use crate::pair::surplus;
use crate::registry::{CheckId, Severity};
use gitglot_model::sentence;

/// A check that fails on a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding {
    /// The check.
    pub check: CheckId,
    /// The severity of the fault: that of the check, or [`Severity::Warning`] if nothing breaks or gets lost.
    pub severity: Severity,
    /// A human-readable sentence that names the missing or extra parts.
    pub message: String,
    /// The parts of the texts to highlight. May be empty.
    pub spans: Vec<TextSpan>,
    /// What is wrong in detail. Two findings of a check on a string are the same fault only if their faults are the same.
    /// Empty if the message says all.
    pub faults: Vec<Fault>,
}

impl CheckFinding {
    /// Whether all faults of this finding are in another one of the same string.
    pub fn is_part_of(&self, other: &Self) -> bool {
        let is_known = if self.faults.is_empty() {
            other.faults.is_empty() && self.message == other.message
        } else {
            let others: HashSet<&Fault> = other.faults.iter().collect();
            self.faults.iter().all(|fault| others.contains(fault))
        };
        self.check == other.check && is_known
    }
}

/// What is wrong with a part of a text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// How it is wrong.
    pub kind: FaultKind,
    /// The part as the text spells it: a placeholder, a tag, a category. May be empty.
    pub part: String,
    /// The 0-based plural form of the translation.
    pub form: usize,
}

/// How a part of a text is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// Only the source has it.
    Missing,
    /// Only the translation has it.
    Extra,
    /// Parts that the program fills in by their order have another one.
    Reordered,
    /// The program cannot read it.
    Malformed,
    /// An element has no end.
    Unclosed,
    /// It has another type or choice than the source.
    Different,
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

/// What a finding says. It is rendered when the finding is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    /// A sentence.
    Text(Cow<'static, str>),
    /// The missing and extra parts of the first form that has some, by a noun: `Missing placeholders: %s.`
    Parts(&'static str),
    /// The same in brackets: `The tags differ from the source (missing tags: b).`
    DifferentParts(&'static str),
}

impl Message {
    fn render(&self, faults: &[Fault]) -> String {
        let parts = |noun: &str| {
            let form = faults.first().map_or(0, |fault| fault.form);
            let mut clauses = String::new();
            for (word, kind) in [("missing", FaultKind::Missing), ("extra", FaultKind::Extra)] {
                let of_kind = |it: &&Fault| it.form == form && it.kind == kind;
                for (nth, fault) in faults.iter().filter(of_kind).enumerate() {
                    let separator = if clauses.is_empty() { "" } else { "; " };
                    match nth {
                        0 => clauses.extend([separator, word, " ", noun, ": ", &fault.part]),
                        _ => clauses.extend([", ", &fault.part]),
                    }
                }
            }
            clauses
        };
        match self {
            Self::Text(text) => text.clone().into_owned(),
            Self::Parts(noun) => sentence(&parts(noun)),
            Self::DifferentParts(noun) => {
                format!("The {noun} differ from the source ({}).", parts(noun))
            }
        }
    }
}

/// A finding before its check is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PartialFinding {
    message: Message,
    pub(super) spans: Vec<TextSpan>,
    pub(super) faults: Vec<Fault>,
    /// Whether nothing breaks or gets lost, even if the check is for such faults.
    pub(super) is_minor: bool,
}

impl PartialFinding {
    /// A problem without a location.
    pub(super) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self::with_message(Message::Text(message.into()))
    }

    fn with_message(message: Message) -> Self {
        Self {
            message,
            spans: Vec::new(),
            faults: Vec::new(),
            is_minor: false,
        }
    }

    /// Adds what is wrong in detail.
    pub(super) fn with_faults(mut self, faults: impl IntoIterator<Item = Fault>) -> Self {
        self.faults.extend(faults);
        self
    }

    /// Adds a fault of a form.
    pub(super) fn with_fault(self, kind: FaultKind, part: impl Into<String>, form: usize) -> Self {
        self.with_faults([Fault {
            kind,
            part: part.into(),
            form,
        }])
    }

    /// Joins the findings of all forms of a unit: the message is that of the first.
    pub(super) fn of_forms(findings: impl IntoIterator<Item = Self>) -> Option<Self> {
        let mut findings = findings.into_iter();
        let mut joined = findings.next()?;
        for other in findings.take(MAX_FORMS) {
            joined.join(other);
        }
        Some(joined)
    }

    /// Adds another problem of the same check.
    pub(super) fn join(&mut self, other: Self) {
        self.spans.extend(other.spans);
        self.faults.extend(other.faults);
        self.is_minor &= other.is_minor;
    }

    /// A problem with a part of the translation.
    pub(super) fn in_target(
        pair: &FormPair,
        message: impl Into<Cow<'static, str>>,
        range: Range<usize>,
    ) -> Self {
        Self::new(message).with(TextSide::Target, pair.target_form, range)
    }

    /// A problem with parts that only the source or only the translation has, each with its name and its bytes. `None`
    /// without any.
    pub(super) fn of_parts(
        noun: &'static str,
        pair: &FormPair,
        missing: &[NamedPart<'_>],
        extra: &[NamedPart<'_>],
    ) -> Option<Self> {
        if missing.is_empty() && extra.is_empty() {
            return None;
        }
        fn names<'a>(parts: &'a [NamedPart<'_>]) -> impl Iterator<Item = &'a str> {
            parts.iter().map(|(name, _)| *name)
        }
        let ranges = |parts: &[NamedPart<'_>]| -> Vec<Range<usize>> {
            parts.iter().map(|(_, range)| range.clone()).collect()
        };
        let finding = Self::with_message(Message::Parts(noun));
        let finding = finding.with_faults(differences(pair, names(missing), names(extra)));
        Some(finding.in_both(pair, ranges(missing), ranges(extra)))
    }

    /// A problem with names that only the source or only the translation has. `None` without any.
    pub(super) fn of_names(
        noun: &'static str,
        pair: &FormPair,
        wanted: &[String],
        found: &[String],
    ) -> Option<Self> {
        let faults = other_names(pair, wanted, found);
        let finding = Self::with_message(Message::DifferentParts(noun));
        (!faults.is_empty()).then(|| finding.with_faults(faults))
    }

    /// As a fault that breaks nothing, if `is_minor`.
    pub(super) fn weighed(mut self, is_minor: bool) -> Self {
        self.is_minor |= is_minor;
        self
    }

    /// The parts that are wrong in this way.
    pub(super) fn parts(&self, kind: FaultKind) -> impl Iterator<Item = &str> {
        let faults = self.faults.iter().filter(move |fault| fault.kind == kind);
        faults.map(|fault| &*fault.part)
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

    /// Adds the check, and renders the message.
    pub(super) fn of(self, check: CheckId) -> CheckFinding {
        CheckFinding {
            check,
            severity: if self.is_minor {
                check.severity().min(Severity::Warning)
            } else {
                check.severity()
            },
            message: self.message.render(&self.faults),
            spans: self.spans,
            faults: self.faults,
        }
    }
}

/// A part of a text: its name in a message, and its bytes.
pub(super) type NamedPart<'a> = (&'a str, Range<usize>);

/// The parts that only one text has.
pub(super) struct Difference<'a> {
    pub(super) missing: Vec<NamedPart<'a>>,
    pub(super) extra: Vec<NamedPart<'a>>,
}

/// Names parts of a text as it spells them.
pub(super) fn named<'a>(
    text: &'a str,
    ranges: impl IntoIterator<Item = Range<usize>>,
) -> Vec<NamedPart<'a>> {
    let name = |range: Range<usize>| (&text[range.clone()], range);
    ranges.into_iter().map(name).collect()
}

/// The names that only one text of a pair has, as faults. Repetitions count.
pub(super) fn other_names(pair: &FormPair, wanted: &[String], found: &[String]) -> Vec<Fault> {
    let [missing, extra] = [(wanted, found), (found, wanted)].map(|(these, those)| {
        let names = surplus(these, those, String::as_str).into_iter();
        names.map(String::as_str)
    });
    differences(pair, missing, extra).collect()
}

/// The parts that only one text of a pair has, as faults.
fn differences<'a>(
    pair: &FormPair,
    missing: impl IntoIterator<Item = &'a str>,
    extra: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = Fault> {
    let form = pair.target_form;
    let fault = move |kind| {
        move |part: &str| Fault {
            kind,
            part: part.to_owned(),
            form,
        }
    };
    let missing = missing.into_iter().map(fault(FaultKind::Missing));
    missing.chain(extra.into_iter().map(fault(FaultKind::Extra)))
}
