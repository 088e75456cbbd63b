//! Placeholders listed by flag (`docs/spec/checks.md#listed-placeholders`).

pub(crate) mod added;

use std::collections::HashSet;
use std::ops::Range;

use regex::{Match, Regex, RegexBuilder};

use gitglot_model::language::{Coverage, PluralRule};

use crate::finding::{NamedPart, PartialFinding, named};
use crate::flags::{FlagValue, FlagsError};
use crate::input::{CheckInput, FormPair, coverage};
use crate::rules::format::MAX_EXAMINED;
use crate::rules::format::laravel::is_face;
use crate::rules::icu;
use crate::tokens::Placeholder;

rule! {
    /// Placeholders that the component lists, with the flag `placeholders` or the key `placeholders`, or that its template shows: `%0` and `%1`, `:name`,
    /// `<0>`, or a word in backticks that most texts have. A browser extension names them `$NAME$` and `$1`.
    ///
    /// Inferred checks accept that a placeholder is missing if it is in a branch of a plural whose category the
    /// language does not have.
    ///
    /// A placeholder of another text of the template that only the translation has is a warning.
    PLACEHOLDERS: "placeholders" "Placeholders" "The placeholders differ from the source." Error;
    fails "webextension" "de" "Hi $NAME$" "Hallo";
    fails "flags:placeholders:NAME" "de" "Hi NAME" "Hallo";
    passes "webextension" "de" "Hi $NAME$" "Hallo $name$";
}

/// A placeholder list, compiled to one alternation in the listed order.
#[derive(Clone, Debug)]
pub(crate) struct Placeholders {
    pattern: Regex,
    case_insensitive: bool,
    /// Whether the program replaces a placeholder wherever it occurs, also before letters.
    is_open: bool,
}

impl PartialEq for Placeholders {
    fn eq(&self, other: &Self) -> bool {
        let settings = |it: &Self| (it.case_insensitive, it.is_open);
        self.pattern.as_str() == other.pattern.as_str() && settings(self) == settings(other)
    }
}

impl Placeholders {
    /// Compiles a list. `None` for an empty list.
    pub(crate) fn new(
        values: &[FlagValue],
        case_insensitive: bool,
    ) -> Result<Option<Self>, FlagsError> {
        let pattern = values
            .iter()
            .map(FlagValue::pattern)
            .filter(|pattern| !pattern.is_empty())
            .collect::<Vec<_>>();
        if pattern.is_empty() {
            return Ok(None);
        }
        Self::compile(&pattern.join("|"), case_insensitive).map(Some)
    }

    fn compile(pattern: &str, case_insensitive: bool) -> Result<Self, FlagsError> {
        let compiled = RegexBuilder::new(pattern)
            .case_insensitive(case_insensitive)
            .size_limit(1 << 20)
            .build();
        let pattern = compiled.map_err(|source| FlagsError::Pattern {
            flag: "placeholders",
            source: source.into(),
        })?;
        Ok(Self {
            pattern,
            case_insensitive,
            is_open: false,
        })
    }

    /// Compiles a pattern. If it is open, endings may follow a placeholder directly, and the case does not matter.
    pub(crate) fn of_pattern(pattern: &str, is_open: bool) -> Result<Self, FlagsError> {
        let compiled = Self::compile(&format!("(?:{pattern})"), is_open)?;
        Ok(Self {
            is_open,
            ..compiled
        })
    }

    /// Checks all forms of a unit. Repetitions do not matter. Inferred checks know the plural categories of the
    /// language.
    pub(crate) fn check(
        &self,
        unit: &CheckInput,
        plural: Option<&PluralRule>,
        categories: Option<&[&str]>,
    ) -> Option<PartialFinding> {
        let of_form = |form: usize| unit.source.get(form).copied().unwrap_or_default();
        let findings = unit
            .target
            .iter()
            .enumerate()
            .filter_map(|(form, &target)| {
                // Weblate compares all forms with the first one.
                let mut source_form = match unit.source_categories {
                    Some(_) => unit.source_form(form),
                    None => 0,
                };
                let mut wanted = self.find(of_form(source_form));
                if wanted.is_empty() && unit.source.len() > 1 {
                    source_form = match unit.source_categories {
                        Some(_) => unit.many_form(),
                        None => unit.source.len() - 1,
                    };
                    wanted = self.find(of_form(source_form));
                }
                let found = self.find(target);
                let pair = FormPair {
                    source: of_form(source_form),
                    target,
                    source_form,
                    target_form: form,
                };
                let may_lack =
                    unit.target.len() > 1 && coverage(plural, unit, form) != Coverage::Many;
                let mut missing = only_in(pair.source, &wanted, &found);
                missing.retain(|_| !may_lack);
                if let Some(categories) = categories
                    && (1..=MAX_EXAMINED).contains(&missing.len())
                {
                    let lost = icu::lost_branches(&pair, categories);
                    let is_in = |range: &Range<usize>| {
                        let mut lost = lost.iter();
                        lost.any(|branch| branch.start <= range.start && range.end <= branch.end)
                    };
                    missing.retain(|(_, range)| !is_in(range));
                }
                let mut extra = only_in(target, &found, &wanted);
                // A symbol of Ruby as a whole text, such as `:year`.
                let is_symbol =
                    |text: &str, found: &[Placeholder<'_>]| matches!(found, [it] if it.text == text);
                if self.is_open && is_symbol(pair.source, &wanted) && is_symbol(target, &found) {
                    return None;
                }
                if self.is_open && !(missing.is_empty() && extra.is_empty()) {
                    let lower = target.to_lowercase();
                    let begins = |name: &str| {
                        let name = name.to_lowercase();
                        wanted.iter().any(|token| name.starts_with(&*token.text))
                    };
                    missing.retain(|(name, _)| !lower.contains(&name.to_lowercase()));
                    extra.retain(|(name, _)| !begins(name));
                }
                PartialFinding::of_parts("placeholders", &pair, &missing, &extra)
            });
        PartialFinding::of_forms(findings)
    }

    /// The ranges of the placeholders of a text.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        self.find(text)
            .into_iter()
            .map(|found| found.range)
            .collect()
    }

    /// Removes the placeholders from a text.
    pub(crate) fn strip(&self, text: &str) -> String {
        self.pattern.replace_all(text, "").into_owned()
    }

    fn find<'t>(&self, text: &'t str) -> Vec<Placeholder<'t>> {
        let found = self
            .pattern
            .find_iter(text)
            .filter(|found| !found.is_empty());
        // What begins with a colon and is no name.
        let is_other = |found: &Match<'_>| {
            self.is_open && (is_face(found.as_str()) || is_in_optional_part(&text[..found.start()]))
        };
        let found = found.filter(|found| !is_other(found));
        found
            .map(|found| Placeholder {
                range: found.range(),
                text: if self.case_insensitive {
                    found.as_str().to_lowercase().into()
                } else {
                    found.as_str().into()
                },
                positional: false,
            })
            .collect()
    }
}

/// Whether what follows is in a part of a command that may be left out: `<mob>[:data]`.
pub(crate) fn is_in_optional_part(before: &str) -> bool {
    let before = before.strip_suffix('[');
    before.is_some_and(|before| before.ends_with(|char: char| !char.is_whitespace()))
}

/// Names the placeholders of a text that another text does not have.
fn only_in<'a>(
    text: &'a str,
    these: &[Placeholder<'_>],
    those: &[Placeholder<'_>],
) -> Vec<NamedPart<'a>> {
    let those: HashSet<&str> = those.iter().map(|other| &*other.text).collect();
    let only = these.iter().filter(|one| !those.contains(&*one.text));
    named(text, only.map(|one| one.range.clone()))
}
