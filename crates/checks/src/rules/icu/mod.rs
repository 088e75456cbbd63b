//! ICU MessageFormat (`docs/spec/checks.md#icu-messageformat`).

mod lost;
mod parse;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub(crate) use lost::lost_branches;
use parse::{Argument, ArgumentKind, IcuSyntaxError, Syntax, parse};

use gitglot_model::language::PluralRule;

use crate::finding::{FaultKind, NamedPart, PartialFinding, TextSide};
use crate::flags::{CheckFlags, FlagValue};
use crate::input::{CheckInput, FormPair};
use crate::pair::{char_at, skip_run, split_run};

rule! {
    /// A message that ICU cannot parse stops the program or shows its source. A lost argument shows no value, and a lost branch `other` shows nothing for some
    /// numbers.
    ///
    /// Names of arguments and tags must be those of the source, types must fit, and each plural and select needs `other`. It is a warning if only
    /// a branch differs and the message has `other`, if the source has the same fault of syntax, or if the source quotes what the translation shows (`'{name}'`). Inferred checks accept a plural for `{n}` and the reverse, and report a number
    /// (`#`) or an argument that only one branch lost, unless the branch is for a single number.
    ICU_MESSAGE_FORMAT: "icu_message_format" "ICU MessageFormat" "The ICU message is invalid or differs from the source." Error;
    fails "formatjs" "de" "Hi {name}" "Hallo {name";
    fails "formatjs" "de" "Hi {name}" "Hallo";
    fails "formatjs" "de" "{n, plural, one {# file} other {# files}}" "{n, plural, one {# Datei} other {Dateien}}";
    fails "formatjs" "de" "{g, select, f {her {name}} other {their {name}}}" "{g, select, f {ihr} other {sein {name}}}";
    passes "formatjs" "de" "{n, plural, one {# file} other {# files}}" "{n, plural, one {eine Datei} other {{n} Dateien}}";
    fails "formatjs" "de" "{n, plural, one {day} other {days}}" "Tage";
    passes "formatjs" "ja" "{n, plural, one {day} other {days}}" "日";
}

rule! {
    /// The source itself is no valid ICU message, so the program cannot show it in any language. Off by default.
    ICU_MESSAGE_FORMAT_SYNTAX: "icu_message_format_syntax" "ICU MessageFormat syntax" "The source is not a valid ICU message." Warning;
    fails "flags:icu-message-format" "de" "Hi {name" "Hallo {name";
    passes "flags:icu-message-format" "de" "Hi {name}" "Hallo {name}";
}

/// The most arguments, and the most branches, of two messages whose differences can be no faults: each is compared with the
/// others.
const MAX_PRECISE: usize = 256;

/// Whether `icu-flags` has a value.
fn has(flags: &CheckFlags, value: &str) -> bool {
    let values = flags.values("icu-flags").unwrap_or_default();
    values.iter().any(|other| other.text() == value)
}

/// How messages are read: tags and apostrophes.
fn syntax(flags: &CheckFlags) -> Syntax<'_> {
    let values = flags.values("icu-tag-prefix").unwrap_or_default();
    let prefix = values.first().map_or("", FlagValue::text);
    let strict_tags = has(flags, "strict-xml");
    Syntax {
        tags: (strict_tags || has(flags, "xml")).then_some(prefix),
        strict_tags,
        plain_apostrophes: has(flags, "-quotes"),
    }
}

/// Whether an apostrophe turns a tag of a valid message into text, as in `'<b>'`. The check of messages compares only the
/// tags that are not quoted.
pub(crate) fn quotes_tags(message: &str, flags: &CheckFlags) -> bool {
    let syntax = syntax(flags);
    let reads_quotes = syntax.tags.is_some() && !syntax.plain_apostrophes;
    reads_quotes
        && message.contains("'<")
        && has_quoted_tag(message)
        && parse(message, syntax).is_ok()
}

/// Whether a quoted part begins with a tag. Two apostrophes are one that quotes nothing.
fn has_quoted_tag(message: &str) -> bool {
    let mut is_quoted = false;
    let mut bytes = message.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte != b'\'' || bytes.next_if_eq(&b'\'').is_some() {
            continue;
        }
        let next = bytes.peek();
        if !is_quoted && next == Some(&b'<') {
            return true;
        }
        is_quoted = !is_quoted && matches!(next, Some(b'{' | b'}' | b'>'));
    }
    false
}

/// Checks the syntax of the source.
pub(crate) fn check_source(unit: &CheckInput, flags: &CheckFlags) -> Option<PartialFinding> {
    unit.source.iter().enumerate().find_map(|(form, source)| {
        let error = parse(source, syntax(flags)).err()?;
        Some(syntax_problem(
            TextSide::Source,
            form,
            source,
            &error,
            false,
        ))
    })
}

/// Checks all forms of a unit.
pub(crate) fn check(
    unit: &CheckInput,
    plural: Option<&PluralRule>,
    flags: &CheckFlags,
    is_precise: bool,
) -> Option<PartialFinding> {
    let pairs = unit.counted_pairs(plural.map_or(2, PluralRule::forms));
    PartialFinding::of_forms(pairs.filter_map(|pair| compare(&pair, plural, flags, is_precise)))
}

/// Whether a text is a message with arguments that only ICU MessageFormat has: types, plurals or selects.
pub(crate) fn is_complex(text: &str) -> bool {
    let message = parse(text, Syntax::default()).unwrap_or_default();
    message
        .arguments
        .iter()
        .any(|argument| match &argument.kind {
            ArgumentKind::Choice(..) => true,
            ArgumentKind::Typed(kind) => matches!(
                *kind,
                "number" | "date" | "time" | "spellout" | "ordinal" | "duration"
            ),
            _ => false,
        })
}

/// Whether the argument names of a text look like a plural or select, even if its syntax is invalid.
pub(crate) fn looks_complex(text: &str) -> bool {
    text.match_indices('{').any(|(at, _)| {
        let parts = part(&text[at + 1..]).and_then(|(name, rest)| Some((name, part(rest)?.0)));
        parts.is_some_and(|(name, kind)| {
            !name.is_empty() && matches!(kind, "plural" | "select" | "selectordinal")
        })
    })
}

/// The part before a comma, and the text after the comma. A part has no braces, so that the parts after all opening
/// braces of a text are read once.
fn part(text: &str) -> Option<(&str, &str)> {
    let text = skip_run(text, char::is_whitespace);
    let (part, after) = split_run(text, |char| !char.is_whitespace() && !"{},".contains(char));
    let rest = skip_run(after, char::is_whitespace);
    Some((part, rest.strip_prefix(',')?))
}

fn syntax_problem(
    side: TextSide,
    form: usize,
    content: &str,
    error: &IcuSyntaxError,
    is_of_both: bool,
) -> PartialFinding {
    let texts = match side {
        _ if is_of_both => "source and the translation are",
        TextSide::Source => "source is",
        TextSide::Target => "translation is",
    };
    let end = error.at + char_at(content, error.at).map_or(0, char::len_utf8);
    PartialFinding::new(format!(
        "The {texts} not a valid ICU message: {}.",
        error.message
    ))
    .with(side, form, error.at..end)
    .with_fault(FaultKind::Malformed, "", form)
}

fn compare(
    pair: &FormPair,
    plural: Option<&PluralRule>,
    flags: &CheckFlags,
    is_precise: bool,
) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let mut syntax = syntax(flags);
    // Programs show some messages without tags.
    if is_precise && syntax.tags.is_some() && parse(pair.source, syntax).is_err() {
        syntax.tags = None;
    }
    let target = match parse(pair.target, syntax) {
        Ok(target) => target,
        Err(error) => {
            let (form, text) = (pair.target_form, pair.target);
            // The program shows the source no better, so the fault is that of the template.
            let of_source = parse(pair.source, syntax).err();
            let is_same = |of_source: IcuSyntaxError| of_source.message == error.message;
            let is_of_both = is_precise && of_source.is_some_and(is_same);
            let finding = syntax_problem(TextSide::Target, form, text, &error, is_of_both);
            return Some(finding.weighed(is_of_both));
        }
    };
    let source = parse(pair.source, syntax).ok()?;
    let count = source.arguments.len() + target.arguments.len();
    let is_small = source.branches.len() + target.branches.len() <= MAX_PRECISE;
    let comparison = Comparison {
        pair,
        source: &source.arguments,
        target: &target.arguments,
        plural,
        flags,
        is_precise: is_precise && count <= MAX_PRECISE,
    };
    let lost = || lost::in_branches(pair, &source, &target, plural);
    let faults = [
        comparison.names(),
        comparison.types(),
        comparison.branches(),
        (comparison.is_precise && is_small).then(lost).flatten(),
    ];
    let mut faults = faults.into_iter().flatten();
    let mut first = faults.next()?;
    // The message is that of the first kind.
    faults.for_each(|fault| first.join(fault));
    Some(first)
}

fn is_tag(argument: &Argument) -> bool {
    matches!(argument.kind, ArgumentKind::Tag | ArgumentKind::EmptyTag)
}

/// The arguments of both messages of a pair.
struct Comparison<'c, 'a> {
    pair: &'c FormPair<'a>,
    source: &'c [Argument<'a>],
    target: &'c [Argument<'a>],
    plural: Option<&'c PluralRule>,
    flags: &'c CheckFlags,
    is_precise: bool,
}

impl Comparison<'_, '_> {
    /// Compares the sets of names. Arguments and tags have separate names.
    fn names(&self) -> Option<PartialFinding> {
        let (source, target, flags) = (self.source, self.target, self.flags);
        let has_one_form = self.plural.is_some_and(|rule| rule.forms() == 1);
        let unless = |flag: &str, parts: Vec<_>| if has(flags, flag) { Vec::new() } else { parts };
        let mut missing = unless("-missing", only_in(source, target, flags));
        missing.retain(|(_, range)| {
            !self.is_precise
                || !(is_of_lost_branch(range, source, target)
                    || is_only_selector(self.pair.source, range, source, has_one_form))
        });
        let extra = unless("-extra", only_in(target, source, flags));
        let finding = PartialFinding::of_parts("arguments", self.pair, &missing, &extra)?;
        // Apostrophes that should be shown make `'{name}'` of the source a text.
        let is_quoted =
            |(name, _): &NamedPart<'_>| self.pair.source.contains(&format!("'{{{name}}}'"));
        let is_minor = self.is_precise && missing.is_empty() && extra.iter().all(is_quoted);
        Some(finding.weighed(is_minor))
    }

    /// Compares the types of arguments with the same name.
    fn types(&self) -> Option<PartialFinding> {
        let (wanted, found) = (KindsByName::of(self.source), KindsByName::of(self.target));
        let wrong = self.target.iter().find(|argument| {
            if is_tag(argument) {
                let tags = wanted.tags.get(argument.name);
                let differs = tags.is_some_and(|tags| !tags.contains(&&argument.kind));
                return differs && !has(self.flags, "-tags");
            }
            let Some(wanted) = wanted.arguments.get(argument.name) else {
                return false;
            };
            if has(self.flags, "-types") {
                return false;
            }
            // A number that is shown by itself needs no plural in languages with a single form, and one in others.
            let shows_itself = |it: &Argument| it.name == argument.name && kind(it).is_none();
            let is_plain = self.is_precise && self.source.iter().any(shows_itself);
            if is_plain && matches!(kind(argument), None | Some("plural" | "selectordinal")) {
                return false;
            }
            let by_name = matches!(argument.name, "count" | "number");
            if by_name || has_number(wanted) {
                let found = found.arguments.get(argument.name);
                let fits =
                    found.is_some_and(|found| has_number(found) || (by_name && found.is_empty()));
                return !fits;
            }
            kind(argument).is_some_and(|kind| !wanted.contains(&kind))
        })?;
        let name = wrong.name;
        let message = format!("The type of the argument {name} differs from the source.");
        let finding = PartialFinding::in_target(self.pair, message, wrong.range.clone());
        let finding = finding.with_fault(FaultKind::Different, name, self.pair.target_form);
        Some(finding.weighed(self.is_precise))
    }

    /// Checks the branches of plurals and selects in the target.
    fn branches(&self) -> Option<PartialFinding> {
        let mut known: HashMap<&str, HashSet<&str>> = HashMap::new();
        // The program handles what the source has.
        let mut accepted: HashSet<&str> = HashSet::new();
        for argument in self.source {
            if let ArgumentKind::Choice(kind, selectors) = &argument.kind {
                if self.is_precise {
                    accepted.extend(selectors);
                }
                if *kind == "select" {
                    known.entry(argument.name).or_default().extend(selectors);
                }
            }
        }
        self.target.iter().find_map(|argument| {
            let ArgumentKind::Choice(kind, selectors) = &argument.kind else {
                return None;
            };
            let name = argument.name;
            let problem = |fault: FaultKind, branch: &str, message: String| {
                let finding = PartialFinding::in_target(self.pair, message, argument.range.clone());
                let part = format!("{name} {branch}");
                let finding = finding.with_fault(fault, part, self.pair.target_form);
                // A program does not select a branch that it does not know, but needs `other`.
                Some(finding.weighed(self.is_precise && selectors.contains(&"other")))
            };
            if !has(self.flags, "-require_other") && !selectors.contains(&"other") {
                let message = format!("The {kind} of {name} has no branch 'other'.");
                return problem(FaultKind::Malformed, "other", message);
            }
            let mut selectors = selectors.iter();
            if *kind != "select" {
                let wrong = selectors.find(|selector| {
                    !is_plural_selector(selector) && !accepted.contains(*selector)
                });
                let wrong = wrong.filter(|_| !has(self.flags, "-plural_selectors"))?;
                let message = format!(
                    "The {kind} of {name} has the branch '{wrong}', which is not a plural category."
                );
                return problem(FaultKind::Different, wrong, message);
            }
            let known = known.get(name).filter(|known| !known.is_empty())?;
            let unknown =
                selectors.find(|selector| **selector != "other" && !known.contains(*selector));
            let unknown = unknown.filter(|_| !has(self.flags, "-submessage_selectors"))?;
            let message = format!(
                "The select of {name} has the branch '{unknown}', which the source does not have."
            );
            problem(FaultKind::Different, unknown, message)
        })
    }
}

/// Whether an argument only selects a word of a sentence and no branch shows its number, as in `the {n, plural, one{link} other{links}}:`:
/// other languages have one word for all numbers. Those with one form have one for a whole message, too.
fn is_only_selector(
    text: &str,
    range: &Range<usize>,
    message: &[Argument],
    has_one_form: bool,
) -> bool {
    let is_choice = |argument: &&Argument| {
        argument.range == *range && matches!(argument.kind, ArgumentKind::Choice(_, _))
    };
    message.iter().find(is_choice).is_some_and(|choice| {
        let has_inside = |it: &Argument| range.start < it.range.start && it.range.end < range.end;
        let inside = &text[choice.range.clone()];
        let is_whole = inside.len() == text.trim().len();
        kind(choice) != Some("select")
            && (has_one_form || !is_whole)
            && !inside.contains('#')
            && !message.iter().any(has_inside)
    })
}

/// Whether only some branches of a plural have an argument, and the translation has fewer branches: its language has fewer
/// forms.
fn is_of_lost_branch(range: &Range<usize>, source: &[Argument], target: &[Argument]) -> bool {
    let Some(inner) = source.iter().find(|argument| argument.range == *range) else {
        return false;
    };
    source.iter().any(|outer| {
        let ArgumentKind::Choice(_, branches) = &outer.kind else {
            return false;
        };
        let is_inside =
            |it: &Argument| outer.range.start < it.range.start && it.range.end < outer.range.end;
        let uses = source.iter().filter(|argument| argument.name == inner.name);
        let uses = uses.filter(|argument| is_inside(argument)).count();
        let has_fewer = target.iter().any(|argument| {
            let is_fewer = |of_target: &Vec<&str>| of_target.len() < branches.len();
            argument.name == outer.name
                && matches!(&argument.kind, ArgumentKind::Choice(_, branches) if is_fewer(branches))
        });
        is_inside(inner) && uses < branches.len() && has_fewer
    })
}

/// The arguments whose name the other text does not have, each name once.
fn only_in<'a>(
    these: &[Argument<'a>],
    those: &[Argument],
    flags: &CheckFlags,
) -> Vec<NamedPart<'a>> {
    let seen = those.iter().map(|other| (is_tag(other), other.name));
    let mut seen: HashSet<(bool, &str)> = seen.collect();
    let tags_count = !has(flags, "-tags");
    let is_reported =
        |one: &&Argument<'a>| (tags_count || !is_tag(one)) && seen.insert((is_tag(one), one.name));
    let reported = these.iter().filter(is_reported);
    reported.map(|one| (one.name, one.range.clone())).collect()
}

/// The types of the arguments and tags of a message, by name.
#[derive(Default)]
struct KindsByName<'m, 'a> {
    /// The types of arguments; empty for those without a type.
    arguments: HashMap<&'a str, HashSet<&'a str>>,
    tags: HashMap<&'a str, Vec<&'m ArgumentKind<'a>>>,
}

impl<'m, 'a> KindsByName<'m, 'a> {
    fn of(message: &'m [Argument<'a>]) -> Self {
        let mut kinds = Self::default();
        for argument in message {
            if is_tag(argument) {
                let known = kinds.tags.entry(argument.name).or_default();
                // There are two kinds of tags.
                if !known.contains(&&argument.kind) {
                    known.push(&argument.kind);
                }
            } else {
                let known = kinds.arguments.entry(argument.name).or_default();
                known.extend(kind(argument));
            }
        }
        kinds
    }
}

fn kind<'a>(argument: &Argument<'a>) -> Option<&'a str> {
    match argument.kind {
        ArgumentKind::Typed(kind) | ArgumentKind::Choice(kind, _) => Some(kind),
        _ => None,
    }
}

fn has_number(kinds: &HashSet<&str>) -> bool {
    ["number", "plural", "selectordinal"]
        .iter()
        .any(|kind| kinds.contains(kind))
}

fn is_plural_selector(selector: &str) -> bool {
    match selector.strip_prefix('=') {
        Some(number) => !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        None => matches!(selector, "zero" | "one" | "two" | "few" | "many" | "other"),
    }
}

#[cfg(test)]
mod tests;
