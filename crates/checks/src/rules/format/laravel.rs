//! How Laravel fills in values (`docs/spec/checks.md#other-styles`): `strtr` replaces the longest name that begins at a
//! colon, wherever it ends, so that `:labelni` shows `:label`.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::finding::Difference;
use crate::input::FormPair;
use crate::registry::CheckId;
use crate::tokens::{self, Placeholder};

/// The most names of a template that are kept.
const MAX_NAMES: usize = 4096;

/// What the program gives to each text with alternatives.
const COUNT: &str = ":count";

/// Whether a token is a face such as `:D`. Names have small letters, or several capital ones.
pub(crate) fn is_face(token: &str) -> bool {
    token.len() == 2 && token.ends_with(|char: char| char.is_ascii_uppercase())
}

/// A placeholder without the capital letters that say how its value is written: `:Name` begins with a capital, and all of
/// `:NAME` are capitals.
fn without_capitals(written: &str) -> String {
    let mut name = written.to_owned();
    if written.chars().any(|char| char.is_ascii_lowercase()) {
        if let Some(first) = name.get_mut(1..2) {
            first.make_ascii_lowercase();
        }
    } else {
        name.make_ascii_lowercase();
    }
    name
}

/// Whether the part of a token behind a name can be an ending of a language. `:user_name` and `:userName` are other names.
fn is_ending(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(|char: char| char.is_ascii_lowercase())
}

/// The names of a source text, by each way to write them.
#[derive(Default)]
pub(super) struct Names {
    by_spelling: HashMap<String, String>,
    lengths: BTreeSet<usize>,
}

impl Names {
    pub(super) fn of(source: &str, tokens: &[Placeholder<'_>]) -> Self {
        let written = tokens.iter().map(|token| &source[token.range.clone()]);
        let count = source.contains('|').then_some(COUNT);
        let mut names = Self::default();
        for name in written.chain(count).map(without_capitals) {
            let mut capital = name.clone();
            if let Some(first) = capital.get_mut(1..2) {
                first.make_ascii_uppercase();
            }
            names.lengths.insert(name.len());
            for spelling in [capital, name.to_ascii_uppercase(), name.clone()] {
                names.by_spelling.insert(spelling, name.clone());
            }
        }
        names
    }

    /// The name that the program replaces in a token: the longest one that it begins with.
    pub(super) fn shown(&self, written: &str) -> String {
        let mut lengths = self.lengths.range(..=written.len()).rev();
        let name = lengths.find_map(|&length| {
            let (start, rest) = written.split_at_checked(length)?;
            self.by_spelling.get(start).filter(|_| is_ending(rest))
        });
        name.cloned().unwrap_or_else(|| without_capitals(written))
    }
}

/// The names behind colons in the texts of a template, in small letters, each with whether several texts have it.
#[derive(Clone, Default, Debug)]
pub(crate) struct TemplateNames(HashMap<String, bool>);

impl TemplateNames {
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut names: HashMap<String, bool> = HashMap::new();
        for text in texts {
            for name in small_names(text) {
                if names.len() < MAX_NAMES || names.contains_key(&name) {
                    let in_several = names
                        .entry(name)
                        .and_modify(|in_several| *in_several = true);
                    in_several.or_insert(false);
                }
            }
        }
        Self(names)
    }

    /// What differs from the names of another template.
    pub(crate) fn difference(&self, other: &Self) -> Self {
        let all = self.0.iter().chain(&other.0);
        let differs = all.filter(|(name, _)| self.0.get(*name) != other.0.get(*name));
        Self(
            differs
                .map(|(name, several)| (name.clone(), *several))
                .collect(),
        )
    }

    /// Whether a text has one of the names, also at the start of another one.
    pub(crate) fn occur_in(&self, text: &str) -> bool {
        !self.0.is_empty() && small_names(text).iter().any(|name| self.begin(name))
    }

    /// Whether one of the names begins a name.
    fn begin(&self, name: &str) -> bool {
        (1..=name.len()).any(|end| self.0.contains_key(&name[..end]))
    }
}

/// The names behind colons in a text, in small letters.
fn small_names(text: &str) -> BTreeSet<String> {
    let tokens = tokens::find(CheckId::LaravelFormat, text).into_iter();
    let names = tokens.filter(|token| !is_face(&token.text));
    names.map(|token| token.text.to_ascii_lowercase()).collect()
}

/// Accepts what is no placeholder or always has a value. Returns whether all that is missing may be a shorter name with an
/// ending in the source: `:value` for `:valued`.
pub(super) fn accept(
    difference: &mut Difference<'_>,
    pair: &FormPair,
    found: &[Placeholder<'_>],
    template: Option<&TemplateNames>,
) -> bool {
    let has_alternatives = pair.source.contains('|');
    difference.extra.retain(|(name, range)| {
        let name = name.to_ascii_lowercase();
        let is_count = has_alternatives && name.strip_prefix(COUNT).is_some_and(is_ending);
        // An ending behind a colon, as in Finnish: `macOS:lle`.
        let is_attached =
            pair.target[..range.start].ends_with(|char: char| char.is_ascii_alphanumeric());
        let is_name = template.is_some_and(|names| names.begin(&name));
        !is_count && (is_name || !is_attached)
    });
    let found = found.iter().map(|token| token.text.to_ascii_lowercase());
    let found: HashSet<String> = found.collect();
    difference.missing.iter().all(|(name, _)| {
        let name = name.to_ascii_lowercase();
        let is_of_one_text = template.is_some_and(|names| names.0.get(&name) == Some(&false));
        let mut parts = (1..name.len()).map(|end| name.split_at(end));
        parts.any(|(shorter, rest)| {
            let is_count = has_alternatives && shorter == COUNT;
            let is_name = template.is_some_and(|names| names.0.contains_key(shorter));
            found.contains(shorter) && (is_count || (is_name && is_of_one_text && is_ending(rest)))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::{CheckInput, Checker, Severity, Words};

    /// How severe the fault of a translation is, with these other texts in the template.
    fn fault(others: &[&str], source: &str, target: &str) -> Option<Severity> {
        let texts = others.iter().chain([&source]).copied();
        let checker = Checker::inferred("laravel", Words::default()).for_template(texts);
        let checker = checker.for_translation("fi", "en");
        let found = checker.check(&CheckInput::new(&[source], &[target]));
        let mut of_format = found.iter().filter(|it| it.check.id() == "laravel_format");
        of_format.next().map(|finding| finding.severity)
    }

    #[test]
    fn a_name_may_have_an_ending() {
        for (source, target) in [
            ("Attach :label", ":labelni biriktirish"),
            ("Hello :name", "Moi :Namen"),
            ("by :user and :username", ":usernames ja :user:n"),
            ("for macOS", "macOS:lle"),
            ("Nice! :D", "Hieno!"),
            (":count time|:count times", ":countkrát|:countkrát"),
            ("One song|Many songs", "Yksi|:count kappaletta"),
        ] {
            assert_eq!(fault(&[], source, target), None, "{target}");
        }
    }

    #[test]
    fn a_lost_name_is_an_error() {
        for (source, target) in [
            ("Hello :name", "Moi"),
            ("Hello :name", "Moi :nimi"),
            ("Hello :name", "Moi :naMe"),
            ("Hello :name", "Moi :name_first"),
            ("Hello :name", "Moi :nameFirst"),
            ("by :user and :username", "by :username"),
            ("News", "Uutiset :info"),
            ("(:existing_timestamps)", "(:existing_timestamp)"),
            ("One|Many", "Yksi|:count_delimited"),
            (":count_delimited", ":count"),
        ] {
            assert_eq!(
                fault(&[], source, target),
                Some(Severity::Error),
                "{target}"
            );
        }
        let others = ["is :values", "in :values", "is :value", "by :user"];
        for (source, target) in [("are :values", "ovat :value"), ("by it", "sen:user")] {
            let fault = fault(&others, source, target);
            assert_eq!(fault, Some(Severity::Error), "{target}");
        }
    }

    #[test]
    fn a_shorter_name_is_a_warning_if_the_program_may_give_it() {
        let warns = |others: &[&str], source, target| {
            fault(others, source, target) == Some(Severity::Warning)
        };
        assert!(warns(&["Top :value"], ":valued", ":value pv"));
        assert!(warns(
            &[],
            ":count_delimited song|:count_delimited songs",
            ":count kappaletta"
        ));
    }
}
