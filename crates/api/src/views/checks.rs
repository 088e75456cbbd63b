//! Failing checks of units, and the set of checks of a component (docs/spec/http.md#failing-checks).

use crate::encode::json::{int, list, optional, text};
use crate::schema::{Nullable, schema};
use gitglot_catalog::query::spend_check;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, TranslationView, UnitView};
use gitglot_checks::{CheckFinding, CheckProfile, SourceChange, TextSide, TextSpan};
use gitglot_model::PLURAL_SEPARATOR;

/// The set of checks that decides `has_failing_check` of the units of a component.
pub(super) fn deciding_profile(component: &ComponentSnapshot) -> CheckProfile {
    component.checks().settings().profile
}

pub(crate) struct CheckFailure {
    set: CheckProfile,
    finding: CheckFinding,
}

/// The failing checks of a unit in a set. Those of Weblate 3.4 are known only if they decide.
pub(crate) fn failing_checks(view: UnitView<'_>, set: CheckProfile) -> Vec<CheckFailure> {
    let is_known = set == CheckProfile::Current || deciding_profile(view.component) == set;
    let findings = if is_known {
        view.findings(set)
    } else {
        Vec::new()
    };
    let failures = findings.into_iter();
    failures
        .map(|finding| CheckFailure { set, finding })
        .collect()
}

pub(in crate::views) struct HighlightedPart<'a> {
    side: &'static str,
    form: usize,
    /// In code points.
    start: usize,
    text: &'a str,
}

/// Finds the highlighted parts of the texts of a unit. Parts in order are counted in one pass over a text.
struct HighlightedParts<'a> {
    source: Vec<&'a str>,
    target: Vec<&'a str>,
    /// The last position: its text, and its number in bytes and in code points.
    last: Option<(&'a str, usize, usize)>,
}

impl<'a> HighlightedParts<'a> {
    fn new(source: &'a str, target: &'a str) -> Self {
        let forms = |joined: &'a str| joined.split(PLURAL_SEPARATOR).collect();
        Self {
            source: forms(source),
            target: forms(target),
            last: None,
        }
    }

    fn of(&mut self, span: &TextSpan) -> HighlightedPart<'a> {
        let (side, forms) = match span.side {
            TextSide::Source => ("source", &self.source),
            TextSide::Target => ("target", &self.target),
        };
        let form = forms.get(span.form).copied().unwrap_or_default();
        let last = self
            .last
            .filter(|(text, byte, _)| std::ptr::eq(*text, form) && *byte <= span.range.start);
        let (_, byte, start) = last.unwrap_or((form, 0, 0));
        let between = form.get(byte..span.range.start).unwrap_or_default();
        let start = start + between.chars().count();
        self.last = Some((form, span.range.start, start));
        HighlightedPart {
            side,
            form: span.form,
            start,
            text: form.get(span.range.clone()).unwrap_or_default(),
        }
    }
}

schema! {
    /// A check that fails on a unit.
    FailingCheck => failing_check(view: UnitView<'_>, failing: &CheckFailure) {
        let texts = &view.component.texts;
        let (source, target) = (texts.get(view.source.source), texts.get(view.unit.target));
        let finding = &failing.finding;
        let check = finding.check;
        let (name, description) = check.texts_in(failing.set);
        let highlights = |out: &mut Vec<u8>| {
            let mut parts = HighlightedParts::new(source, target);
            list(out, &finding.spans, |out, span| highlight(out, &parts.of(span)));
        };
        /// Set of checks: `modern` or `legacy`.
        set: String = "modern" => text(failing.set.name()),
        /// Id of the check.
        check: String = "i18next_interpolation" => text(check.id_in(failing.set)),
        /// Name of the check.
        name: String = "i18next interpolation" => text(name),
        /// Description of the check, in one sentence.
        description: String = "The i18next placeholders differ from the source."
            => text(description),
        /// `error`, `warning` or `note`.
        severity: String = "error" => text(check.severity().name()),
        /// Description of the problem, in one sentence.
        message: String = "Missing placeholders: {{name}}." => text(&finding.message),
        /// Ranges of the texts that the message refers to.
        highlights: Vec<Highlight> => highlights(),
    }

    /// A range of a text.
    Highlight => highlight(part: &HighlightedPart<'_>) {
        /// Text that contains the range: `source` or `target`.
        side: String = "source" => text(part.side),
        /// Plural form, from 0.
        form: i64 = 0 => int(part.form),
        /// Start of the range in Unicode code points, from 0.
        start: i64 = 6 => int(part.start),
        /// End of the range, exclusive.
        end: i64 = 14 => int(part.start + part.text.chars().count()),
        /// Text of the range.
        text: String = "{{name}}" => text(part.text),
    }

    /// The settings and failures of the checks of a component.
    ComponentDetails => component_details(component: &ComponentSnapshot, budget: &Budget) {
        let failing = component.views().map(|view| view.check_results(budget).count().units);
        let settings = component.checks().settings();
        /// Set of checks that determines `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy" => text(deciding_profile(component).name()),
        /// Check flags in the configuration, if any.
        check_flags: Nullable<String> => optional(settings.flags.as_deref(), text),
        /// Number of units that fail a modern check.
        modern_failing_checks: i64 = 3 => int(failing.sum::<u64>()),
    }

    /// The checks of a translation, and its stale units by class of source change.
    TranslationDetails => translation_details(view: TranslationView<'_>, budget: &Budget) {
        let [cosmetic, minor, major] = stale_units(view, budget);
        /// Set of checks that determines `has_failing_check` and `failing_checks`: `legacy` or `modern`.
        check_set: String = "legacy" => text(deciding_profile(view.component).name()),
        /// Number of units that fail a modern check.
        modern_failing_checks: i64 = 3 => int(view.check_results(budget).count().units),
        /// Number of stale units whose source changed only in case, whitespace, punctuation, quotes or HTML attributes.
        stale_cosmetic: i64 = 1 => int(cosmetic),
        /// Number of stale units whose source changed in a small part of its words.
        stale_minor: i64 = 0 => int(minor),
        /// Number of all other stale units.
        stale_major: i64 = 2 => int(major),
    }
}

/// Writes the ids of the checks that decide `has_failing_check`.
pub(crate) fn deciding_checks(out: &mut Vec<u8>, view: UnitView<'_>) {
    if view.unit.failing() {
        checks_of(out, view, deciding_profile(view.component))
    } else {
        list(out, [], text)
    }
}

/// Writes the ids of the failing modern checks.
pub(crate) fn current_checks(out: &mut Vec<u8>, view: UnitView<'_>) {
    checks_of(out, view, CheckProfile::Current);
}

fn checks_of(out: &mut Vec<u8>, view: UnitView<'_>, profile: CheckProfile) {
    list(out, profile.ids(view.failing_checks(profile)), text);
}

/// Writes the class of a stale unit, or `null`.
pub(crate) fn source_change(out: &mut Vec<u8>, view: UnitView<'_>) {
    optional(out, view.source_change().map(SourceChange::id), text);
}

/// The number of stale units of each class of source change.
fn stale_units(view: TranslationView<'_>, budget: &Budget) -> [u64; SourceChange::ALL.len()] {
    let mut stale = [0; SourceChange::ALL.len()];
    let rows = view.translation.stale.iter();
    let units = rows.filter_map(|&(row, _)| view.unit(row));
    let units = units.take_while(|unit| spend_check(budget, *unit));
    for change in units.filter_map(UnitView::source_change) {
        stale[change as usize] += 1;
    }
    stale
}
