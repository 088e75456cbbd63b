//! Numbers and arguments that a branch of a plural or select lost.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::parse::{Argument, ArgumentKind, Branch, Message, Syntax, parse};
use crate::finding::{FaultKind, PartialFinding};
use crate::input::FormPair;
use gitglot_model::language::{Coverage, PluralRule};

/// Reports branches of the translation that lack what their branch of the source shows: the one with the same selector, else
/// `other`. A branch for a single number may lack it, and so may one that shows other arguments instead.
pub(super) fn in_branches(
    pair: &FormPair,
    source: &Message<'_>,
    target: &Message<'_>,
    plural: Option<&PluralRule>,
) -> Option<PartialFinding> {
    let findings = target.branches.iter().filter_map(|branch| {
        let of_source = counterpart(branch, source, target, plural)?;
        let (wanted, found) = (shown(source, of_source), shown(target, branch));
        if !found.is_subset(&wanted) {
            return None;
        }
        let Argument { name, range, .. } = target.arguments.get(branch.argument)?;
        let outside = values(target).filter(|value| !range.contains(&value.range.start));
        let outside: HashSet<&str> = outside.map(|value| value.name).collect();
        // What the translation lacks everywhere is missing by its name.
        let exists =
            |it: &&str| it == name || target.arguments.iter().any(|argument| argument.name == *it);
        let lost = wanted.difference(&found).copied();
        let mut lost: Vec<&str> = lost
            .filter(|name| exists(name) && !outside.contains(name))
            .collect();
        lost.sort_unstable();
        let first = *lost.first()?;
        let shown = if first == *name { "number" } else { first };
        let message = format!(
            "The branch '{}' of {name} lacks the {}{shown}.",
            branch.selector,
            if first == *name { "" } else { "argument " }
        );
        let part = format!("{name} {} {first}", branch.selector);
        let finding = PartialFinding::in_target(pair, message, branch.range.clone());
        Some(finding.with_fault(FaultKind::Missing, part, pair.target_form))
    });
    PartialFinding::of_forms(findings)
}

/// The branches of plurals of the source that the translation does not have, because its language has only these
/// categories.
pub(crate) fn lost_branches(pair: &FormPair, categories: &[&str]) -> Vec<Range<usize>> {
    let messages = [pair.source, pair.target].map(|text| parse(text, Syntax::default()));
    let [Ok(source), Ok(target)] = messages else {
        return Vec::new();
    };
    let mut of_target: HashMap<&str, HashSet<&str>> = HashMap::new();
    for branch in &target.branches {
        if let Some(argument) = target.arguments.get(branch.argument) {
            let selectors = of_target.entry(argument.name).or_default();
            selectors.insert(branch.selector);
        }
    }
    let is_lost = |branch: &&Branch<'_>| {
        let is_unused = ["zero", "one", "two", "few", "many"].contains(&branch.selector)
            && !categories.contains(&branch.selector);
        let argument = source.arguments.get(branch.argument).filter(|_| is_unused);
        argument.is_some_and(|argument| {
            let selectors = of_target.get(argument.name);
            !matches!(argument.kind, ArgumentKind::Choice("select", _))
                && selectors.is_some_and(|selectors| {
                    selectors.contains("other") && !selectors.contains(branch.selector)
                })
        })
    };
    let lost = source.branches.iter().filter(is_lost);
    lost.map(|branch| branch.range.clone()).collect()
}

/// The branch of the source to compare a branch of the translation with. `None` if it is for a single number, or if one of the
/// messages uses the argument for several plurals or selects.
fn counterpart<'m>(
    branch: &Branch<'_>,
    source: &'m Message<'_>,
    target: &Message<'_>,
    plural: Option<&PluralRule>,
) -> Option<&'m Branch<'m>> {
    let argument = target.arguments.get(branch.argument)?;
    let ArgumentKind::Choice(kind, _) = argument.kind else {
        return None;
    };
    // Its branches are forms of ordinal numbers, for which there is no rule here.
    if kind == "selectordinal" {
        return None;
    }
    let is_plural = kind != "select";
    if is_plural && is_for_one_number(branch.selector, plural) {
        return None;
    }
    let choices = |message: &Message<'_>| {
        let same = message.arguments.iter().enumerate().filter(|(_, other)| {
            other.name == argument.name && matches!(other.kind, ArgumentKind::Choice(..))
        });
        let mut indexes = same.map(|(index, _)| index);
        indexes.next().filter(|_| indexes.next().is_none())
    };
    choices(target)?;
    let at = choices(source)?;
    let ArgumentKind::Choice(of_source, _) = source.arguments.get(at)?.kind else {
        return None;
    };
    if is_plural != (of_source != "select") {
        return None;
    }
    let branches = source.branches.iter();
    let mut branches = branches.filter(|branch| branch.argument == at);
    let other = branches.clone().find(|other| other.selector == "other");
    // `a file` for `one` says less than the language needs: `one` of Russian is for 21, too.
    let same = branches.find(|other| other.selector == branch.selector);
    same.filter(|_| !is_plural || branch.selector == "other")
        .or(other)
}

/// Whether a branch of a plural is for a single number, or for 0 and 1.
fn is_for_one_number(selector: &str, plural: Option<&PluralRule>) -> bool {
    let Some(rule) = plural else {
        return selector != "other";
    };
    let form = match selector {
        "zero" => rule.form(0),
        "one" => rule.form(1),
        "two" => rule.form(2),
        "few" | "many" | "other" => return false,
        _ => return true,
    };
    // Languages without such a form never show it.
    let is_unused = rule.forms() == 1 || (selector != "one" && form == rule.form(100));
    is_unused
        || rule.coverage(form) != Coverage::Many
        || (0..100).filter(|&number| rule.form(number) == form).count() == 1
}

/// The arguments whose values a message shows.
fn values<'m>(message: &'m Message<'_>) -> impl Iterator<Item = &'m Argument<'m>> {
    let is_value =
        |it: &&Argument<'_>| matches!(it.kind, ArgumentKind::Plain | ArgumentKind::Typed(_));
    message.arguments.iter().filter(is_value)
}

/// The names of the arguments in a branch, and that of its own argument if it shows the number.
fn shown<'m>(message: &'m Message<'_>, branch: &Branch<'_>) -> HashSet<&'m str> {
    let argument = message.arguments.get(branch.argument);
    let number = argument
        .filter(|_| branch.has_number)
        .map(|argument| argument.name);
    let inside = values(message).filter(|value| branch.range.contains(&value.range.start));
    inside.map(|value| value.name).chain(number).collect()
}
