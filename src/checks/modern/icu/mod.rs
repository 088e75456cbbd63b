//! ICU MessageFormat (`docs/spec/checks.md#icu-messageformat`).

mod parse;

use rustc_hash::FxHashSet;

use parse::{Argument, ArgumentKind, IcuSyntaxError, Tags, parse};

use super::finding::{NamedPart, PartialFinding, TextSide};
use super::flags::CheckFlags;
use super::tokens::MAX_LENGTH;
use super::unit::{FormPair, Unit};
use crate::checks::pair::bounded;

/// The number of arguments up to which types and branches are compared. It keeps the time bounded.
const MAX_ARGUMENTS: usize = 500;

/// The parts of the check that flags switch on or off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IcuOptions {
    xml: bool,
    strict_xml: bool,
    tag_prefix: String,
    missing: bool,
    extra: bool,
    types: bool,
    require_other: bool,
    plural_selectors: bool,
    select_selectors: bool,
    tags: bool,
}

impl Default for IcuOptions {
    fn default() -> Self {
        Self::new(&CheckFlags::default())
    }
}

impl IcuOptions {
    /// Reads `icu-flags` and `icu-tag-prefix`.
    pub(super) fn new(flags: &CheckFlags) -> Self {
        let values = flags.values("icu-flags").unwrap_or_default();
        let has = |name: &str| values.iter().any(|value| value.text() == name);
        let prefix = flags
            .values("icu-tag-prefix")
            .and_then(|values| values.first());
        Self {
            xml: has("xml"),
            strict_xml: has("strict-xml"),
            tag_prefix: prefix
                .map(|value| value.text().to_owned())
                .unwrap_or_default(),
            missing: !has("-missing"),
            extra: !has("-extra"),
            types: !has("-types"),
            require_other: !has("-require_other"),
            plural_selectors: !has("-plural_selectors"),
            select_selectors: !has("-submessage_selectors"),
            tags: !has("-tags"),
        }
    }

    fn tags(&self) -> Tags<'_> {
        match (self.strict_xml, self.xml) {
            (true, _) => Tags::Strict(&self.tag_prefix),
            (false, true) => Tags::Parse(&self.tag_prefix),
            (false, false) => Tags::Ignore,
        }
    }
}

/// Checks the syntax of the source.
pub(super) fn check_source(unit: &Unit, options: &IcuOptions) -> Option<PartialFinding> {
    unit.source.iter().enumerate().find_map(|(form, source)| {
        let error = parse(source, options.tags()).err()?;
        Some(syntax_problem(TextSide::Source, form, source, &error))
    })
}

/// Checks all forms of a unit.
pub(super) fn check(
    unit: &Unit,
    plural_forms: usize,
    options: &IcuOptions,
) -> Option<PartialFinding> {
    unit.pairs().find_map(|mut pair| {
        if plural_forms == 1
            && let Some(source) = unit.source.get(1)
        {
            pair = FormPair {
                source,
                source_form: 1,
                ..pair
            };
        }
        compare(&pair, options)
    })
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

fn compare(pair: &FormPair, options: &IcuOptions) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let target = match parse(pair.target, options.tags()) {
        Ok(target) => target,
        Err(error) => {
            let (form, text) = (pair.target_form, pair.target);
            return Some(syntax_problem(TextSide::Target, form, text, &error));
        }
    };
    let source = parse(pair.source, options.tags()).ok()?;
    let problem = names(pair, &source, &target, options);
    if source.len().max(target.len()) > MAX_ARGUMENTS {
        return problem;
    }
    problem
        .or_else(|| types(pair, &source, &target, options))
        .or_else(|| branches(pair, &source, &target, options))
}

fn is_tag(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Tag | ArgumentKind::EmptyTag)
}

/// Compares the sets of names. Arguments and tags have separate names.
fn names(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    options: &IcuOptions,
) -> Option<PartialFinding> {
    let missing = match options.missing {
        true => only_in(source, target, options),
        false => Vec::new(),
    };
    let extra = match options.extra {
        true => only_in(target, source, options),
        false => Vec::new(),
    };
    PartialFinding::of_parts("arguments", pair, &missing, &extra)
}

/// The arguments whose name the other text does not have, each name once.
fn only_in<'a>(
    these: &[Argument<'a>],
    those: &[Argument],
    options: &IcuOptions,
) -> Vec<NamedPart<'a>> {
    let mut seen: FxHashSet<(bool, &str)> = those
        .iter()
        .map(|other| (is_tag(other), other.name))
        .collect();
    let is_reported = |one: &&Argument<'a>| {
        (options.tags || !is_tag(one)) && seen.insert((is_tag(one), one.name))
    };
    let reported = these.iter().filter(is_reported);
    reported.map(|one| (one.name, one.range.clone())).collect()
}

/// Compares the types of arguments with the same name.
fn types(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    options: &IcuOptions,
) -> Option<PartialFinding> {
    let wrong = target.iter().find(|argument| {
        let mut named = source
            .iter()
            .filter(|other| other.name == argument.name && is_tag(other) == is_tag(argument));
        if is_tag(argument) {
            return options.tags && named.next().is_some() && !named_kind(source, argument);
        }
        if !options.types || named.next().is_none() {
            return false;
        }
        let same_name = |other: &&Argument| other.name == argument.name && !is_tag(other);
        let kinds: Vec<&str> = source.iter().filter(same_name).filter_map(kind).collect();
        let by_name = matches!(argument.name, "count" | "number");
        if by_name || kinds.iter().any(|kind| is_number_like(kind)) {
            let target_kinds = target
                .iter()
                .filter(same_name)
                .filter_map(kind)
                .collect::<Vec<_>>();
            let number_like = target_kinds.iter().any(|kind| is_number_like(kind))
                || (by_name && target_kinds.is_empty());
            return !number_like;
        }
        kind(argument).is_some_and(|kind| !kinds.contains(&kind))
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

fn named_kind(source: &[Argument], argument: &Argument) -> bool {
    source
        .iter()
        .any(|other| other.name == argument.name && other.kind == argument.kind)
}

fn kind<'a>(argument: &Argument<'a>) -> Option<&'a str> {
    match argument.kind {
        ArgumentKind::Typed(kind) | ArgumentKind::Choice(kind, _) => Some(kind),
        _ => None,
    }
}

fn is_number_like(kind: &str) -> bool {
    matches!(kind, "number" | "plural" | "selectordinal")
}

/// Checks the branches of plurals and selects in the target.
fn branches(
    pair: &FormPair,
    source: &[Argument],
    target: &[Argument],
    options: &IcuOptions,
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
        if options.require_other && !selectors.contains(&"other") {
            return problem(format!("The {kind} of {name} has no branch 'other'."));
        }
        if *kind != "select" {
            let wrong = selectors
                .iter()
                .find(|selector| !is_plural_selector(selector));
            return match wrong {
                Some(wrong) if options.plural_selectors => problem(format!(
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
            Some(unknown) if options.select_selectors && !known.is_empty() => problem(format!(
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
