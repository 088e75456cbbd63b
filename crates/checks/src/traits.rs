//! What the texts of a template show about all of them: own placeholders, and names
//! (`docs/spec/checks.md#own-placeholders`).

use std::collections::{HashMap, HashSet};

use super::rules::format::laravel::TemplateNames;
use super::rules::placeholders::{Placeholders, added::KnownPlaceholders, is_in_optional_part};
use crate::lazy_regex::LazyRegex;
use crate::registry::{CheckId, CheckIds};
use crate::tokens;

/// The texts of a template that are read, in bytes.
const MAX_READ: usize = 8 << 20;

/// The texts of this length that are read; longer ones are documents.
const MAX_TEXT: usize = 8 << 10;

/// The texts that must show a style, and the most names that are kept.
const MIN_TEXTS: usize = 3;
const MAX_NAMES: usize = 4096;

/// What the texts of a template show.
#[derive(Clone, Default, Debug)]
pub(super) struct TemplateTraits {
    pub(super) placeholders: Vec<Placeholders>,
    /// The checks that own placeholders take the place of.
    pub(super) replaced: CheckIds,
    /// The placeholders of all texts.
    pub(super) known: KnownPlaceholders,
    /// The names behind colons, where these are placeholders of Laravel.
    pub(super) colon_names: TemplateNames,
    /// Names in lower case.
    pub(super) names: HashSet<String>,
}

/// `%0`, `%1`: numbers instead of conversions.
static NUMBERED: LazyRegex = LazyRegex::new(r"%\d");

/// `:name` of Laravel and of routes in Rails. The colon does not follow a letter.
static COLON: LazyRegex = LazyRegex::new(r"\B:[a-z][A-Za-z0-9_]*\b:?");

/// `<0>…</0>` of react-i18next.
static COMPONENT: LazyRegex = LazyRegex::new(r"<\d+>.*</\d+>|<\d+\s*/>");

impl TemplateTraits {
    /// Adds what the texts of a template show.
    pub(super) fn with_texts<'a>(
        &self,
        texts: impl Iterator<Item = &'a str> + Clone,
        file_format: &str,
        format_checks: &[CheckId],
    ) -> Self {
        let mut read = 0;
        let texts = texts
            .filter(|text| text.len() < MAX_TEXT)
            .take_while(move |text| {
                read += text.len();
                read < MAX_READ
            });
        let mut traits = self.clone();
        let styles = Styles::of(texts.clone());
        let mut add = |pattern: &str, is_open| {
            let style = Placeholders::of_pattern(pattern, is_open);
            traits.placeholders.extend(style);
        };
        if styles.is_numbered() && !format_checks.contains(&CheckId::QtFormat) {
            add(r"%\d+", false);
            for &check in CheckId::ALL {
                // Nothing else is a placeholder in such a template.
                let is_other = matches!(check, CheckId::I18nextInterpolation | CheckId::EsFormat);
                traits
                    .replaced
                    .set(check, tokens::is_format_check(check) && !is_other);
            }
        }
        let is_plain = !matches!(file_format, "fluent" | "arb" | "formatjs");
        let has_colons = format_checks.contains(&CheckId::LaravelFormat);
        if is_plain && !has_colons && styles.colon >= MIN_TEXTS && styles.emoji == 0 {
            add(r"\B:[a-z][a-z0-9_]*\b", true);
        }
        if has_colons {
            traits.colon_names = TemplateNames::of(texts.clone());
        }
        if is_plain && styles.components > 0 {
            add(r"</?\d+\s*/?>", false);
        }
        if let Some(name) = repeated_code(texts.clone()) {
            add(&regex::escape(&format!("`{name}`")), false);
        }
        traits.known = KnownPlaceholders::of(texts.clone());
        traits.names = names(texts);
        traits
    }
}

/// The number of texts with each style of placeholders.
#[derive(Default)]
struct Styles {
    numbered: usize,
    printf: usize,
    colon: usize,
    emoji: usize,
    components: usize,
}

impl Styles {
    fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut styles = Self::default();
        for text in texts {
            if text.contains('%') {
                styles.numbered += usize::from(NUMBERED.is_match(text) && is_consecutive(text));
                styles.printf += usize::from(has_printf(text));
            }
            if text.contains(':') {
                let found = COLON.find_iter(text);
                for found in found {
                    let before = &text[..found.start()];
                    let is_emoji = found.as_str().ends_with(':');
                    styles.emoji += usize::from(is_emoji);
                    // A text that is nothing else is a symbol, as in the lists of Rails.
                    let is_symbol = found.len() == text.trim().len();
                    let is_name = !is_emoji
                        && !is_symbol
                        && !before.ends_with([':', '@', '('])
                        && !is_in_optional_part(before);
                    styles.colon += usize::from(is_name);
                }
            }
            if text.contains('<') {
                styles.components += usize::from(COMPONENT.is_match(text));
            }
        }
        styles
    }

    /// Whether numbers follow percent signs in several texts, and conversions of printf in hardly any.
    fn is_numbered(&self) -> bool {
        self.numbered >= MIN_TEXTS && self.printf * 20 <= self.numbered
    }
}

/// Whether the numbers after percent signs are 0, 1, … or 1, 2, …, each at least once.
fn is_consecutive(text: &str) -> bool {
    let number = |part: &str| {
        let digits = part.split(|char: char| !char.is_ascii_digit()).next();
        digits?.parse().ok()
    };
    let mut numbers: Vec<usize> = text.split('%').skip(1).filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let first = numbers.first().copied().unwrap_or(9);
    first <= 1 && (first..).zip(numbers).all(|(next, number)| number == next)
}

/// Whether a text has `%s`, `%d` or `%1$s`.
fn has_printf(text: &str) -> bool {
    text.match_indices('%').any(|(at, _)| {
        let rest = &text[at + 1..];
        let after_digits = rest.trim_start_matches(|char: char| char.is_ascii_digit());
        rest.starts_with(['s', 'd', '@'])
            || (after_digits.len() < rest.len() && after_digits.starts_with('$'))
    })
}

/// The word in backticks that most texts with backticks have, several in all: a program of its own replaces `` `x` ``.
fn repeated_code<'a>(texts: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut all = 0;
    for text in texts.filter(|text| text.contains('`')) {
        let parts = text.split('`').skip(1).step_by(2);
        let is_word = |part: &&str| {
            let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
            !part.is_empty() && part.chars().all(is_part)
        };
        if let Some(word) = parts.into_iter().find(is_word) {
            *counts.entry(word).or_default() += 1;
        }
        all += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    let is_usual = |(_, count): &(&str, usize)| *count >= MIN_TEXTS && count * 2 > all;
    most.filter(is_usual).map(|(word, _)| word)
}

/// The words that begin with a capital letter inside of sentences, in several texts, and never with a small one.
fn names<'a>(texts: impl Iterator<Item = &'a str>) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut small: HashSet<&str> = HashSet::new();
    for text in texts {
        let mut before = "";
        for word in text.split(|char: char| !char.is_alphanumeric() && char != '\'') {
            let is_capital = word.starts_with(char::is_uppercase);
            let follows_small = before.starts_with(char::is_lowercase);
            if is_capital && follows_small && counts.len() < MAX_NAMES {
                *counts.entry(word.to_lowercase()).or_default() += 1;
            } else if word.starts_with(char::is_lowercase) {
                small.insert(word);
            }
            before = word;
        }
    }
    counts.retain(|word, count| *count >= MIN_TEXTS && !small.contains(word.as_str()));
    counts.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(texts: &[&str]) -> TemplateTraits {
        TemplateTraits::default().with_texts(texts.iter().copied(), "json", &[])
    }

    fn found(traits: &TemplateTraits, text: &str) -> Vec<String> {
        let ranges = traits.placeholders.iter().flat_map(|it| it.ranges(text));
        ranges
            .filter_map(|range| Some(text.get(range)?.to_owned()))
            .collect()
    }

    #[test]
    fn numbers_after_percent_signs_are_placeholders_if_all_texts_use_them() {
        let numbered = ["File %0", "%0 of %1", "The %0s are the same", "100%"];
        assert_eq!(found(&traits(&numbered), "%0 of %1"), ["%0", "%1"]);
        assert!(traits(&numbered).replaced.contains(CheckId::CFormat));
        assert!(
            traits(&["File %0", "%0 of %1", "%0 b", "%s items"])
                .placeholders
                .is_empty(),
            "mixed"
        );
        assert!(traits(&["%50 a", "%20 b", "%30 c"]).placeholders.is_empty());
        let of_format = |check| {
            let texts = numbered.iter().copied();
            TemplateTraits::default().with_texts(texts, "", &[check])
        };
        let found = |check| found(&of_format(check), "%0");
        assert_eq!(found(CheckId::ObjcFormat), ["%0"]);
        assert!(found(CheckId::QtFormat).is_empty());
    }

    #[test]
    fn names_with_a_colon_are_placeholders_if_several_texts_use_them() {
        let texts = [
            "The :attribute is",
            ":count errors",
            "Hi :name!",
            "at 10:30",
        ];
        assert_eq!(
            found(&traits(&texts), "Die :Attribute um 10:30"),
            [":Attribute"]
        );
        assert!(
            traits(&["a :smile: b", "c :b", "d :b", "e :b"])
                .placeholders
                .is_empty()
        );
        assert!(traits(&["a :b", "c::d"]).placeholders.is_empty());
        let usage = ["<mob>[:data]", "<mob>[,<mount>[:data]]", "item[:data]"];
        assert!(traits(&usage).placeholders.is_empty());
        assert_eq!(
            found(
                &traits(&[&texts[..], &usage].concat()),
                "<mob>[:daten] [:name] :P"
            ),
            [":name"]
        );
        assert!(
            traits(&[":year", ":month", ":day", "A::B"])
                .placeholders
                .is_empty()
        );
    }

    #[test]
    fn a_word_in_backticks_of_most_texts_is_a_placeholder() {
        let texts = ["`x` videos", "`x` ago", "Shared `x` times", "Run `make`"];
        assert_eq!(found(&traits(&texts), "před `x` `make`"), ["`x`"]);
        assert!(
            traits(&["Run `make`", "Run `ls`", "`cd` a", "`x` b"])
                .placeholders
                .is_empty()
        );
    }

    #[test]
    fn numbered_tags_are_placeholders() {
        let traits = traits(&["Read <0>this</0> and <1/>"]);
        assert_eq!(found(&traits, "<0>x</0><1/>"), ["<0>", "</0>", "<1/>"]);
    }

    #[test]
    fn names_begin_with_a_capital_letter_inside_of_sentences() {
        let texts = [
            "Open in Firefox",
            "with Firefox",
            "your Firefox",
            "in File",
            "the File",
            "a File",
            "a file",
        ];
        assert!(traits(&texts).names.contains("firefox") && !traits(&texts).names.contains("file"));
    }
}
