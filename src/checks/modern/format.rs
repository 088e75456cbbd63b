//! Compares the placeholders of a translation with the source (`docs/spec/checks.md#format-checks`).

use std::collections::HashMap;

use crate::checks::CheckId;
use crate::language::{Coverage, PluralRule};

use super::finding::{NamedPart, PartialFinding, TextSide};
use super::tokens::{self, Placeholder, lone_mark};
use super::unit::{FormPair, Unit, coverage};

/// Settings of a format check.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct FormatRules {
    /// Every plural form must contain all placeholders: the flag `strict-format`.
    pub(super) strict: bool,
    /// The form for 0 and 1 must contain all placeholders: Android resources.
    pub(super) zero_and_one_strict: bool,
    /// Quotes are not escaped: GWT resources.
    pub(super) plain_quotes: bool,
    /// Only tokens that are certainly placeholders count: inferred checks.
    pub(super) certain_only: bool,
}

/// Checks all forms of a unit.
pub(super) fn check(
    check: CheckId,
    unit: &Unit,
    plural: Option<&PluralRule>,
    rules: FormatRules,
) -> Option<PartialFinding> {
    let may_occur = |texts: &[&str]| texts.iter().any(|text| tokens::may_occur(check, text));
    let quoted = check == CheckId::JavaFormat && unit.target.iter().any(|text| text.contains('\''));
    if !quoted && !may_occur(unit.source) && !may_occur(unit.target) {
        return None;
    }
    unit.counted_pairs(plural).find_map(|pair| {
        let mut pair = pair;
        if pair.source_form == 0
            && let [singular, plural] = unit.source
            && tokens(check, singular, rules).is_empty()
            && !tokens(check, plural, rules).is_empty()
        {
            pair = FormPair {
                source: plural,
                source_form: 1,
                ..pair
            };
        }
        let forgiven = match coverage(plural, unit, pair.target_form) {
            Coverage::Many => false,
            Coverage::One => pair.target_form > 0 || !rules.strict,
            Coverage::ZeroAndOne => {
                pair.target_form == 0 && !rules.strict && !rules.zero_and_one_strict
            }
        };
        compare(check, &pair, forgiven, rules)
    })
}

/// The placeholders of a text.
pub(super) fn tokens(check: CheckId, text: &str, rules: FormatRules) -> Vec<Placeholder<'_>> {
    let mut tokens = tokens::find(check, text);
    if rules.certain_only {
        tokens.retain(|token| {
            !token.text.starts_with('%') || super::infer::is_certain_in(check, &token.text)
        });
    }
    tokens
}

/// Compares one pair. An empty text has no placeholders to compare.
fn compare(
    check: CheckId,
    pair: &FormPair,
    missing_forgiven: bool,
    rules: FormatRules,
) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let (wanted, found) = (
        tokens(check, pair.source, rules),
        tokens(check, pair.target, rules),
    );
    let (missing, extra) = difference(&wanted, &found);
    let reported = if missing_forgiven {
        &[][..]
    } else {
        &missing[..]
    };
    let (missing, extra) = (named(pair.source, reported), named(pair.target, &extra));
    if let Some(problem) = PartialFinding::of_parts("placeholders", pair, &missing, &extra) {
        return Some(problem);
    }
    // Only the last ones may be missing: the program fills in the others by position.
    let positional = wanted.iter().any(|token| token.positional);
    if positional
        && wanted
            .iter()
            .zip(&found)
            .any(|(one, other)| one.text != other.text)
    {
        let mut problem = PartialFinding::new(
            "The order of placeholders without a name or number differs from the source.",
        );
        for token in &found {
            problem = problem.with(TextSide::Target, pair.target_form, token.range.clone());
        }
        return Some(problem);
    }
    syntax(check, pair, rules)
}

/// Returns the tokens that only one side has, counting repetitions.
fn difference<'a, 't>(
    wanted: &'a [Placeholder<'t>],
    found: &'a [Placeholder<'t>],
) -> (Vec<&'a Placeholder<'t>>, Vec<&'a Placeholder<'t>>) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    found
        .iter()
        .for_each(|token| *left.entry(&token.text).or_default() += 1);
    let mut take = |token: &Placeholder| match left.get_mut(&*token.text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let missing = wanted.iter().filter(|token| !take(token)).collect();
    let mut extra: Vec<&Placeholder> = found.iter().rev().filter(|token| take(token)).collect();
    extra.reverse();
    (missing, extra)
}

/// The tokens as the text spells them.
fn named<'a>(text: &'a str, tokens: &[&Placeholder]) -> Vec<NamedPart<'a>> {
    let named = tokens.iter().map(|token| {
        let name = text.get(token.range.clone()).unwrap_or_default();
        (name, token.range.clone())
    });
    named.collect()
}

/// Checks rules of a format that do not depend on the source.
fn syntax(check: CheckId, pair: &FormPair, rules: FormatRules) -> Option<PartialFinding> {
    match check {
        CheckId::PythonBraceFormat => {
            let lone = lone_mark(check, pair.target)?;
            if rules.certain_only && lone_mark(check, pair.source).is_some() {
                return None;
            }
            let problem =
                PartialFinding::new("The translation has a single brace outside of placeholders.");
            Some(problem.with(TextSide::Target, pair.target_form, lone..lone + 1))
        }
        CheckId::JavaFormat
            if !rules.plain_quotes && pair.target.matches('\'').count() % 2 == 1 =>
        {
            let at = pair.target.rfind('\'')?;
            let problem = PartialFinding::new(
                "The translation has an unpaired apostrophe: write two for a single one.",
            );
            Some(problem.with(TextSide::Target, pair.target_form, at..at + 1))
        }
        _ => None,
    }
}
