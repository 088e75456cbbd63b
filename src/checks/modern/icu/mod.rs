//! ICU MessageFormat (`docs/spec/checks.md#icu-messageformat`).

mod parse;

use rustc_hash::FxHashSet;

use parse::{Argument, ArgumentKind, IcuSyntaxError, Tags, parse};

use super::finding::{NamedPart, PartialFinding, TextSide};
use super::flags::{CheckFlags, FlagValue};
use super::tokens::MAX_LENGTH;
use super::unit::{FormPair, Unit};
use crate::checks::pair::bounded;

/// The number of arguments up to which types and branches are compared. It keeps the time bounded.
const MAX_ARGUMENTS: usize = 500;

/// Whether `icu-flags` has a value.
fn has(flags: &CheckFlags, value: &str) -> bool {
    let values = flags.values("icu-flags").unwrap_or_default();
    values.iter().any(|other| other.text() == value)
}

fn tags(flags: &CheckFlags) -> Tags<'_> {
    let values = flags.values("icu-tag-prefix").unwrap_or_default();
    let prefix = values.first().map_or("", FlagValue::text);
    match (has(flags, "strict-xml"), has(flags, "xml")) {
        (true, _) => Tags::Strict(prefix),
        (false, true) => Tags::Parse(prefix),
        (false, false) => Tags::Ignore,
    }
}

/// Checks the syntax of the source.
pub(super) fn check_source(unit: &Unit, flags: &CheckFlags) -> Option<PartialFinding> {
    unit.source.iter().enumerate().find_map(|(form, source)| {
        let error = parse(source, tags(flags)).err()?;
        Some(syntax_problem(TextSide::Source, form, source, &error))
    })
}

/// Checks all forms of a unit.
pub(super) fn check(
    unit: &Unit,
    plural_forms: usize,
    flags: &CheckFlags,
) -> Option<PartialFinding> {
    unit.counted_pairs(plural_forms)
        .find_map(|pair| compare(&pair, flags))
}

/// Whether a text is a message with arguments that only ICU MessageFormat has: types, plurals or selects.
pub(super) fn is_complex(text: &str) -> bool {
    let arguments = parse(text, Tags::Ignore).unwrap_or_default();
    arguments.iter().any(|argument| match &argument.kind {
        ArgumentKind::Choice(..) => true,
        ArgumentKind::Typed(kind) => matches!(
            *kind,
            "number" | "date" | "time" | "spellout" | "ordinal" | "duration"
        ),
        _ => false,
    })
}

/// Whether the argument names of a text look like a plural or select, even if its syntax is invalid.
pub(super) fn looks_complex(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let rest = bounded(text.get(at + 1..).unwrap_or_default(), MAX_LENGTH);
        let mut parts = rest.splitn(3, ',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let kind = parts.next().unwrap_or_default();
        let has_branches = parts.next().is_some();
        !name.is_empty()
            && !name.contains(|char: char| char.is_whitespace() || "{}".contains(char))
            && has_branches
            && matches!(kind, "plural" | "select" | "selectordinal")
    })
}

fn syntax_problem(
    side: TextSide,
    form: usize,
    content: &str,
    error: &IcuSyntaxError,
) -> PartialFinding {
    let text = match side {
        TextSide::Source => "source",
        TextSide::Target => "translation",
    };
    let end = content
        .get(error.at..)
        .and_then(|rest| rest.chars().next())
        .map_or(error.at, |char| error.at + char.len_utf8());
    PartialFinding::new(format!(
        "The {text} is not a valid ICU message: {}.",
        error.message
    ))
    .with(side, form, error.at..end)
}

fn compare(pair: &FormPair, flags: &CheckFlags) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let target = match parse(pair.target, tags(flags)) {
        Ok(target) => target,
        Err(error) => {
            let (form, text) = (pair.target_form, pair.target);
            return Some(syntax_problem(TextSide::Target, form, text, &error));
        }
    };
    let source = parse(pair.source, tags(flags)).ok()?;
    let problem = names(pair, &source, &target, flags);
    if source.len().max(target.len()) > MAX_ARGUMENTS {
        return problem;
    }
    problem
        .or_else(|| types(pair, &source, &target, flags))
        .or_else(|| branches(pair, &source, &target, flags))
}

fn is_tag(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Tag | ArgumentKind::EmptyTag)
}

/// Compares the sets of names. Arguments and tags have separate names.
fn names(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    flags: &CheckFlags,
) -> Option<PartialFinding> {
    let unless = |flag: &str, parts: Vec<_>| if has(flags, flag) { Vec::new() } else { parts };
    let missing = unless("-missing", only_in(source, target, flags));
    let extra = unless("-extra", only_in(target, source, flags));
    PartialFinding::of_parts("arguments", pair, &missing, &extra)
}

/// The arguments whose name the other text does not have, each name once.
fn only_in<'a>(
    these: &[Argument<'a>],
    those: &[Argument],
    flags: &CheckFlags,
) -> Vec<NamedPart<'a>> {
    let mut seen: FxHashSet<(bool, &str)> = those
        .iter()
        .map(|other| (is_tag(other), other.name))
        .collect();
    let tags_count = !has(flags, "-tags");
    let is_reported =
        |one: &&Argument<'a>| (tags_count || !is_tag(one)) && seen.insert((is_tag(one), one.name));
    let reported = these.iter().filter(is_reported);
    reported.map(|one| (one.name, one.range.clone())).collect()
}

/// Compares the types of arguments with the same name.
fn types(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    flags: &CheckFlags,
) -> Option<PartialFinding> {
    let wrong = target.iter().find(|argument| {
        let is_named =
            |other: &&Argument| other.name == argument.name && is_tag(other) == is_tag(argument);
        let mut named = source.iter().filter(is_named).peekable();
        if named.peek().is_none() {
            return false;
        }
        if is_tag(argument) {
            return !has(flags, "-tags") && named.all(|other| other.kind != argument.kind);
        }
        if has(flags, "-types") {
            return false;
        }
        let (wanted, found) = (kinds(source, argument.name), kinds(target, argument.name));
        let by_name = matches!(argument.name, "count" | "number");
        if by_name || has_number(&wanted) {
            let fits = has_number(&found) || (by_name && found.is_empty());
            return !fits;
        }
        kind(argument).is_some_and(|kind| !wanted.contains(&kind))
    })?;
    let message = format!(
        "The type of the argument {} differs from the source.",
        wrong.name
    );
    Some(PartialFinding::in_target(
        pair,
        message,
        wrong.range.clone(),
    ))
}

fn kind<'a>(argument: &Argument<'a>) -> Option<&'a str> {
    match argument.kind {
        ArgumentKind::Typed(kind) | ArgumentKind::Choice(kind, _) => Some(kind),
        _ => None,
    }
}

/// The types of the arguments with a name.
fn kinds<'a>(arguments: &[Argument<'a>], name: &str) -> Vec<&'a str> {
    let named = arguments
        .iter()
        .filter(|argument| argument.name == name && !is_tag(argument));
    named.filter_map(kind).collect()
}

fn has_number(kinds: &[&str]) -> bool {
    kinds
        .iter()
        .any(|kind| matches!(*kind, "number" | "plural" | "selectordinal"))
}

/// Checks the branches of plurals and selects in the target.
fn branches(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    flags: &CheckFlags,
) -> Option<PartialFinding> {
    target.iter().find_map(|argument| {
        let ArgumentKind::Choice(kind, selectors) = &argument.kind else {
            return None;
        };
        let name = argument.name;
        let problem = |message: String| {
            Some(PartialFinding::in_target(
                pair,
                message,
                argument.range.clone(),
            ))
        };
        if !has(flags, "-require_other") && !selectors.contains(&"other") {
            return problem(format!("The {kind} of {name} has no branch 'other'."));
        }
        if *kind != "select" {
            let wrong = selectors
                .iter()
                .find(|selector| !is_plural_selector(selector));
            return match wrong {
                Some(wrong) if !has(flags, "-plural_selectors") => problem(format!(
                    "The {kind} of {name} has the branch '{wrong}', which is not a plural category."
                )),
                _ => None,
            };
        }
        let known: FxHashSet<&str> = source
            .iter()
            .filter(|other| other.name == argument.name)
            .filter_map(|other| match &other.kind {
                ArgumentKind::Choice("select", selectors) => Some(selectors),
                _ => None,
            })
            .flatten()
            .copied()
            .collect();
        let unknown = selectors
            .iter()
            .find(|selector| **selector != "other" && !known.contains(*selector));
        match unknown {
            Some(unknown) if !has(flags, "-submessage_selectors") && !known.is_empty() => problem(format!(
                "The select of {name} has the branch '{unknown}', which the source does not have."
            )),
            _ => None,
        }
    })
}

fn is_plural_selector(selector: &str) -> bool {
    match selector.strip_prefix('=') {
        Some(number) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        None => matches!(selector, "zero" | "one" | "two" | "few" | "many" | "other"),
    }
}

#[cfg(test)]
mod tests;
