//! Failing checks of units, and the set of checks of a component (docs/spec/http.md#failing-checks).

use crate::api::encode::json::{int, list, object, optional, text};
use crate::catalog::{ComponentSnapshot, TranslationView, UnitView};
use crate::checks::modern::{CheckFinding, TextSide, TextSpan};
use crate::checks::{CheckId, Severity, SourceChange};
use crate::model::PLURAL_SEPARATOR;

/// The sets of checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckSet {
    /// The checks of current Weblate.
    Modern,
    /// The checks of Weblate 3.4.
    Legacy,
}

impl CheckSet {
    /// The name in bodies and parameters.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }

    /// The set that decides `has_failing_check` of the units of a component.
    pub(crate) fn of(component: &ComponentSnapshot) -> Self {
        match component.checks().modern {
            true => Self::Modern,
            false => Self::Legacy,
        }
    }
}

/// A failing check of a unit.
pub(crate) struct FailingCheck {
    set: CheckSet,
    id: &'static str,
    name: &'static str,
    description: &'static str,
    severity: Severity,
    message: String,
    spans: Vec<TextSpan>,
}

impl FailingCheck {
    fn modern(finding: CheckFinding) -> Self {
        let check = finding.check;
        Self {
            set: CheckSet::Modern,
            id: check.id(),
            name: check.name(),
            description: check.description(),
            severity: check.severity(),
            message: finding.message,
            spans: finding.spans,
        }
    }
}

/// The failing checks of a unit in a set.
pub(crate) fn failing_checks(view: UnitView<'_>, set: CheckSet) -> Vec<FailingCheck> {
    if set == CheckSet::Modern {
        let findings = view.modern_findings().into_iter();
        return findings.map(FailingCheck::modern).collect();
    }
    if view.component.checks().modern {
        return Vec::new();
    }
    let legacy = view.failing_checks();
    let legacy = legacy.iter().map(|check| {
        let (name, description) = check.legacy_texts();
        FailingCheck {
            set,
            id: check.id(),
            name,
            description,
            severity: Severity::Error,
            message: description.to_owned(),
            spans: Vec::new(),
        }
    });
    let flagged = view.flagged_findings().into_iter();
    let flagged = flagged.map(|(id, finding)| FailingCheck {
        set,
        id,
        ..FailingCheck::modern(finding)
    });
    legacy.chain(flagged).collect()
}

/// Writes a failing check of a unit.
pub(crate) fn failing_check(out: &mut Vec<u8>, view: UnitView<'_>, failing: &FailingCheck) {
    let texts = &view.component.texts;
    let (source, target) = (texts.get(view.source.source), texts.get(view.unit.target));
    let highlights = |out: &mut Vec<u8>| {
        list(out, &failing.spans, |out, span| {
            highlight(out, source, target, span);
        });
    };
    object!(out;
        "set" => text(failing.set.name()),
        "check" => text(failing.id),
        "name" => text(failing.name),
        "description" => text(failing.description),
        "severity" => text(failing.severity.name()),
        "message" => text(&failing.message),
        "highlights" => highlights(),
    );
}

/// Writes a part of a text. Offsets count code points.
fn highlight(out: &mut Vec<u8>, source: &str, target: &str, span: &TextSpan) {
    let (side, joined) = match span.side {
        TextSide::Source => ("source", source),
        TextSide::Target => ("target", target),
    };
    let form = joined
        .split(PLURAL_SEPARATOR)
        .nth(span.form)
        .unwrap_or_default();
    let part = form.get(span.range.clone()).unwrap_or_default();
    let before = form.get(..span.range.start).unwrap_or_default();
    let start = before.chars().count();
    object!(out;
        "side" => text(side),
        "form" => int(span.form),
        "start" => int(start),
        "end" => int(start + part.chars().count()),
        "text" => text(part),
    );
}

/// Writes the ids of the checks that decide `has_failing_check`.
pub(crate) fn deciding_checks(out: &mut Vec<u8>, view: UnitView<'_>) {
    let ids: Vec<&str> = match CheckSet::of(view.component) {
        CheckSet::Modern if view.unit.failing() => modern_ids(view),
        CheckSet::Modern => Vec::new(),
        CheckSet::Legacy => {
            let legacy = view.failing_checks().iter().map(|check| check.id());
            let flagged = view.flagged_findings().into_iter().map(|(id, _)| id);
            legacy.chain(flagged).collect()
        }
    };
    list(out, ids, text);
}

/// Writes the ids of the failing modern checks.
pub(crate) fn modern_checks(out: &mut Vec<u8>, view: UnitView<'_>) {
    list(out, modern_ids(view), text);
}

fn modern_ids(view: UnitView<'_>) -> Vec<&'static str> {
    view.modern_checks().iter().map(CheckId::id).collect()
}

/// Writes the class of a stale unit, or `null`.
pub(crate) fn source_change(out: &mut Vec<u8>, view: UnitView<'_>) {
    optional(out, view.source_change().map(SourceChange::id), text);
}

/// Writes the details of a component: its set of checks, and the strings that fail a modern check.
pub(crate) fn component_details(out: &mut Vec<u8>, component: &ComponentSnapshot) {
    let failing: u64 = component
        .views()
        .map(|view| view.modern_failures().count().units)
        .sum();
    let settings = component.checks();
    object!(out;
        "check_set" => text(CheckSet::of(component).name()),
        "check_flags" => optional(settings.flags.as_deref(), text),
        "modern_failing_checks" => int(failing),
    );
}

/// Writes the details of a translation: as those of its component, and its stale strings by class.
pub(crate) fn translation_details(out: &mut Vec<u8>, view: TranslationView<'_>) {
    let mut stale = [0_u64; SourceChange::ALL.len()];
    let rows = view.translation.stale.iter();
    for change in rows.filter_map(|&(row, _)| view.unit(row)?.source_change()) {
        stale[change as usize] += 1;
    }
    let [cosmetic, minor, major] = stale;
    object!(out;
        "check_set" => text(CheckSet::of(view.component).name()),
        "modern_failing_checks" => int(view.modern_failures().count().units),
        "stale_cosmetic" => int(cosmetic),
        "stale_minor" => int(minor),
        "stale_major" => int(major),
    );
}
