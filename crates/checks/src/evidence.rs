//! Which faults are certain, so that they are errors (`docs/spec/checks.md#evidence`).

use std::collections::HashMap;

use crate::finding::PartialFinding;
use crate::format::MAX_EXAMINED;
use crate::input::FormPair;
use crate::{CheckId, CheckIds, CheckInput, LanguageChecker, infer, precise, tokens};

/// The texts that must show a style, unless the template is small.
const MIN_TEXTS: usize = 3;

/// The texts of a small template.
const SMALL: usize = 50;

/// The share of the most frequent style that another one must have, as a divisor.
const SHARE: usize = 5;

/// Words that Rails gives to texts, and that a sentence without them can imply.
const WORDS_OF_RAILS: &[&str] = &["%{attribute}", "%{model}", "%{model_name}", "%{value}"];

/// How many texts of a template have placeholders of each style.
#[derive(Clone, Default, Debug)]
pub(super) struct ShownStyles {
    texts: usize,
    /// The number of texts with the most frequent style.
    most: usize,
    by_check: HashMap<CheckId, usize>,
    /// The number of texts with an argument and a single apostrophe, `can't open '{0}'`, and of those with a doubled one.
    plain_apostrophes: usize,
    doubled_apostrophes: usize,
}

impl ShownStyles {
    /// Counts the styles that the format defines (`format_checks`) and those that texts imply.
    pub(super) fn of<'a>(
        texts: impl Iterator<Item = &'a str>,
        file_format: &str,
        format_checks: &[CheckId],
    ) -> Self {
        let mut styles = Self::default();
        let of_format: CheckIds = format_checks.iter().copied().collect();
        for text in texts {
            styles.texts += 1;
            if !text.contains(['{', '%', '$', '@']) {
                continue;
            }
            if text.contains('\'') && !tokens::find(CheckId::JavaFormat, text).is_empty() {
                styles.doubled_apostrophes += usize::from(text.contains("''"));
                styles.plain_apostrophes += usize::from(has_plain_apostrophe(text));
            }
            let implied = infer::text_checks(&[text], file_format, of_format);
            let has = |check: &CheckId| !tokens::find(*check, text).is_empty();
            let own = format_checks.iter().copied().filter(has);
            let own = own.collect::<CheckIds>().union(implied);
            for check in own.difference(infer::MARKUP).iter() {
                let count = styles.by_check.entry(check).or_default();
                *count += 1;
                styles.most = styles.most.max(*count);
            }
        }
        styles
    }

    /// Whether the texts show that the program replaces placeholders of this style: several texts have them, and no other
    /// style is much more frequent. Nothing but ICU messages looks like them.
    pub(super) fn shows(&self, check: CheckId) -> bool {
        let count = self.by_check.get(&check).copied().unwrap_or_default();
        let is_usual = count >= MIN_TEXTS || self.texts < SMALL;
        let is_alone = check == CheckId::IcuMessageFormat || count * SHARE >= self.most;
        count > 0 && is_usual && is_alone
    }

    /// Whether several texts with arguments have single apostrophes, more than have doubled ones: the program shows them, or
    /// these texts would be broken.
    pub(super) fn has_plain_apostrophes(&self) -> bool {
        self.plain_apostrophes >= MIN_TEXTS && self.plain_apostrophes > self.doubled_apostrophes
    }
}

/// Whether a text has an apostrophe inside of a word, or before an argument, that a message of Java would double.
fn has_plain_apostrophe(text: &str) -> bool {
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    text.match_indices('\'').any(|(at, mark)| {
        let (before, after) = (text[..at].chars().next_back(), &text[at + mark.len()..]);
        let is_in_word = is_letter(before) && is_letter(after.chars().next());
        is_in_word || (before != Some('\'') && after.starts_with('{'))
    })
}

impl LanguageChecker {
    /// Weighs a fault of a style that the format, its flags or the settings define.
    pub(super) fn weighed_by_format(
        &self,
        (check, unit): (CheckId, &CheckInput),
        problem: PartialFinding,
        is_auto_java: bool,
    ) -> PartialFinding {
        if !self.setup.is_precise {
            return problem;
        }
        // Not all programs read properties as messages. Only those need doubled apostrophes.
        let is_known_syntax = self.setup.syntax.is_some();
        let is_uncertain = is_auto_java && !is_known_syntax && !self.traits.shows(check);
        // `i18next` gives the number to each text.
        let is_number = |name: &str| name.replace(' ', "") == "{{count}}";
        // The source has it malformed: `{{name)}`.
        let is_repaired = |name: &str| {
            let open = name.trim_end_matches('}');
            name.starts_with("{{") && unit.source.iter().any(|it| it.contains(open))
        };
        let is_known = check == CheckId::I18nextInterpolation
            && problem.details.len() <= MAX_EXAMINED
            && is_extra(&problem, |name| is_number(name) || is_repaired(name));
        // A text of Qt without arguments is shown as it is.
        let has_none = |text: &&str| tokens::find(check, text).is_empty();
        let is_plain = check == CheckId::QtFormat
            && unit.source.iter().all(has_none)
            && problem.is_only("extra ");
        let is_apostrophe = check == CheckId::JavaFormat
            && problem.details.is_empty()
            && self.traits.has_plain_apostrophes();
        let is_rewritten = self.is_rewritten((check, unit), &problem);
        problem.weighed(is_uncertain || is_known || is_plain || is_apostrophe || is_rewritten)
    }

    /// Weighs a fault of a style that only texts imply.
    pub(super) fn weighed_by_texts(
        &self,
        (check, unit): (CheckId, &CheckInput),
        problem: PartialFinding,
    ) -> PartialFinding {
        let format = self.setup.file_format.as_str();
        let is_defined = format.starts_with("ruby-yaml") && check == CheckId::RubyFormat;
        // gettext marks the texts with percent signs that programs format.
        let is_marked = format.starts_with("po")
            && tokens::is_format_check(check)
            && tokens::alternatives(CheckId::CFormat).any(|it| it == check)
            && check != CheckId::PercentPlaceholders;
        let is_shown = is_defined || (!is_marked && self.traits.shows(check));
        // The program may have more values than the source shows, but none that no text of the template has.
        let may_have = |name: &str| {
            let known = self.traits.known();
            known.is_none_or(|known| !known.lacks(name)) || WORDS_OF_RAILS.contains(&name)
        };
        let is_more = check != CheckId::IcuMessageFormat && is_extra(&problem, may_have);
        let is_rewritten = self.is_rewritten((check, unit), &problem);
        let is_choice = problem.is_only("missing ") && is_first_choice(unit);
        // Languages without types, such as PHP, show all values with `%s`.
        let is_text = check == CheckId::CFormat && is_shown_as_text(&problem);
        problem.weighed(!is_shown || is_more || is_rewritten || is_choice || is_text)
    }

    /// Weighs a fault of own placeholders. Components that the program does not have show what is inside of them.
    pub(super) fn weighed_own(&self, problem: PartialFinding) -> PartialFinding {
        let is_component = is_extra(&problem, |name| name.starts_with('<'));
        problem.weighed(is_component)
    }

    /// Whether a text leaves out a value on purpose: a variant of the source language is an adaptation, the texts of Rails
    /// can do without the words for an attribute or a model, programs give languages values of their own, and some texts
    /// have the value itself.
    fn is_rewritten(
        &self,
        (check, unit): (CheckId, &CheckInput),
        problem: &PartialFinding,
    ) -> bool {
        let is_word = |detail: &String| {
            let word = detail.strip_prefix("missing ");
            word.is_some_and(|word| WORDS_OF_RAILS.contains(&word))
        };
        let is_rails = self.setup.rules.rails && problem.details.iter().all(is_word);
        !problem.details.is_empty()
            && (is_rails
                || (self.is_variant && problem.is_only("missing "))
                || has_own_values(problem)
                || is_phrase(problem)
                || (problem.is_only("missing ") && precise::has_value(check, unit))
                || is_ending(problem, unit)
                || (check == CheckId::JavaPrintfFormat && is_shown_as_text(problem))
                || (check == CheckId::I18nextInterpolation && is_nested_text(problem))
                || (check == CheckId::CFormat && is_other_verb(problem, unit))
                || is_for_one(problem, unit)
                || (check == CheckId::VueFormat && is_linked_text(problem)))
    }
}

/// Whether the translation has one text for several choices of vue-i18n, and can be the first one, which has no value:
/// `Select | Select for {name}`. A first choice with a number is for this one.
fn is_first_choice(unit: &CheckInput) -> bool {
    let ([source], [target]) = (unit.source, unit.target) else {
        return false;
    };
    let first = source.split_once(" | ").map_or("", |(first, _)| first);
    let is_mark = |char: char| char.is_ascii_digit() || matches!(char, '{' | '%');
    !first.is_empty() && !first.contains(is_mark) && !target.contains('|')
}

/// Whether the translation only has placeholders that the source lacks, all of certain names.
fn is_extra(problem: &PartialFinding, is_name: impl Fn(&str) -> bool) -> bool {
    problem.details.iter().all(|detail| {
        let name = detail.split_once("extra ").map(|(_, name)| name);
        name.is_some_and(&is_name)
    })
}

/// The names that only one text has, by the word before each: `missing ` or `extra `.
fn names<'p>(problem: &'p PartialFinding, word: &'p str) -> impl Iterator<Item = &'p str> {
    let details = problem.details.iter();
    details.filter_map(move |detail| Some(detail.split_once(word)?.1))
}

/// Whether the translation has a form of each value that it lacks, which a program gives to languages that need it:
/// `%{name_without_article}` for `%{name}`.
fn has_own_values(problem: &PartialFinding) -> bool {
    let mut missing = names(problem, "missing ").peekable();
    missing.peek().is_some()
        && missing.all(|name| {
            let name = name.trim_end_matches('}');
            let is_form = |other: &str| {
                let rest = other.strip_prefix(name);
                rest.is_some_and(|rest| rest.starts_with('_') && rest.ends_with('}'))
            };
            name.contains('{') && names(problem, "extra ").any(is_form)
        })
}

/// Whether a name in braces has several words, so that people read it: `{installation folder}`.
fn is_phrase(problem: &PartialFinding) -> bool {
    let is_phrase = |name: &str| {
        let inside = name.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
        inside.is_some_and(|inside| {
            inside.split_whitespace().count() > 1
                && inside.chars().all(|it| it.is_alphabetic() || it == ' ')
        })
    };
    let mut missing = names(problem, "missing ").peekable();
    missing.peek().is_some() && missing.all(is_phrase)
}

/// Whether the translation only lacks the endings of words.
fn is_ending(problem: &PartialFinding, unit: &CheckInput) -> bool {
    let mut missing = names(problem, "missing ");
    problem.is_only("missing ") && missing.all(|name| precise::is_ending(name, unit))
}

/// Whether the translation shows values with `%s`, which Java accepts for all, in place of another conversion.
fn is_shown_as_text(problem: &PartialFinding) -> bool {
    // `%1$d` and `%1$s` are the same value.
    let value = |name: &str| name.split_once('$').map(|(value, _)| value.to_owned());
    let missing: Vec<_> = names(problem, "missing ").map(value).collect();
    let extra: Vec<&str> = names(problem, "extra ").collect();
    !extra.is_empty()
        && missing.len() == extra.len()
        && extra
            .iter()
            .all(|it| it.ends_with('s') && missing.contains(&value(it)))
}

/// Whether the translation only writes out texts that the source takes from others, `$t(name)`, without values.
fn is_nested_text(problem: &PartialFinding) -> bool {
    let is_nested = |name: &str| name.starts_with("$t(") && !name.contains("{{");
    problem.is_only("missing ") && names(problem, "missing ").all(is_nested)
}

/// Whether the translation writes a value with another verb of Go, which accepts all values: `%s` for `%q` or `%v`.
fn is_other_verb(problem: &PartialFinding, unit: &CheckInput) -> bool {
    let is_verb = |name: &str| matches!(name, "%s" | "%q" | "%v");
    let mut verbs = names(problem, "missing ").chain(names(problem, "extra "));
    let count = |text: &str| tokens::find(CheckId::CFormat, text).len();
    let has_all = |pair: FormPair<'_>| count(pair.source) == count(pair.target);
    verbs.all(is_verb) && unit.pairs().all(has_all)
}

/// Whether the source is the text for one, and the translation lacks only this number: `in %minutes% minute`.
fn is_for_one(problem: &PartialFinding, unit: &CheckInput) -> bool {
    let [source] = unit.source else {
        return false;
    };
    let is_number = |name: &str| {
        let noun = name.trim_matches(|char: char| !char.is_alphanumeric());
        let after = source.split_once(name).map(|(_, after)| after.trim_start());
        let singular = noun.strip_suffix('s').filter(|it| !it.is_empty());
        singular.zip(after).is_some_and(|(singular, after)| {
            let rest = after.strip_prefix(singular);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    };
    let mut missing = names(problem, "missing ").peekable();
    missing.peek().is_some()
        && problem.details.len() <= MAX_EXAMINED
        && problem.is_only("missing ")
        && missing.all(is_number)
}

/// Whether the translation writes out the text of a link, `@:name`, or has it before letters or a full stop
/// that only some libraries read as a part of its name.
fn is_linked_text(problem: &PartialFinding) -> bool {
    let is_link = |name: &str| name.starts_with("@:");
    let mut missing = names(problem, "missing ").peekable();
    let mut extra = names(problem, "extra ");
    missing.peek().is_some()
        && missing.all(is_link)
        && extra.all(|other| {
            let mut links = names(problem, "missing ");
            links.any(|name| {
                let rest = other.strip_prefix(name);
                let is_apart =
                    |rest: &str| rest == "." || rest.starts_with(|it: char| !it.is_ascii());
                rest.is_some_and(is_apart)
            })
        })
}

#[cfg(test)]
mod tests;
