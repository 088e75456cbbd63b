//! Checks of plural forms, lengths and source texts (`docs/spec/checks.md#plural-forms`).

use std::borrow::Cow;

use regex::Regex;

use crate::registry::CheckId;
use gitglot_model::language;

use crate::finding::{Fault, FaultKind, PartialFinding, TextSide};
use crate::flags::FlagValue;
use crate::input::CheckInput;
use crate::pair::{char_at, char_before};
use crate::{languages, tokens};

rule! {
    /// The flag `max-length:N` limits the number of characters of a text that the program shows in little space, or stores. The flag
    /// `replacements` is applied first; with `xml-text`, tags do not count.
    MAX_LENGTH: "max-length" "Maximum length of translation" "The translation is longer than allowed." Error;
    fails "flags:max-length:5" "de" "Save" "Sichern";
    passes "flags:max-length:5" "de" "Save" "Save.";
}

rule! {
    /// The flag `max-lines:N` limits the number of lines.
    MAX_LINES: "max-lines" "Maximum number of lines" "The translation has more lines than allowed." Error;
    fails "flags:max-lines:1" "de" "Save" "Si\nchern";
    passes "flags:max-lines:1" "de" "Save" "Sichern";
}

rule! {
    /// The flag `regex:EXPRESSION` says what each form of a translation must match.
    REGEX: "regex" "Regular expression" "The translation does not match the regular expression." Error;
    fails r#"flags:regex:"^[A-Z]""# "de" "Save" "sichern";
    passes r#"flags:regex:"^[A-Z]""# "de" "Save" "Sichern";
}

rule! {
    /// A missing or empty plural form leaves a gap in the program, or shows the source text.
    ///
    /// If the file names the plural categories, each category of the language is needed, but `many` where it is only for multiples of a
    /// million. It is a warning if no form is empty and `other` is there.
    PLURALS: "plurals" "Missing plurals" "Some plural forms are not translated." Error;
    fails "po" "de" "%d file ¦ %d files" "%d Datei ¦ ";
    passes "po" "de" "%d file ¦ %d files" "%d Datei ¦ %d Dateien";
}

rule! {
    /// All forms are equal although the source has different ones: often one form was copied.
    ///
    /// Languages whose nouns have no plural behind numbers may have equal forms.
    SAME_PLURALS: "same-plurals" "Same plurals" "All plural forms are equal." Note;
    fails "aresource" "de" "%d second ¦ %d seconds" "%d x ¦ %d x";
    passes "aresource" "hu" "%d second ¦ %d seconds" "%d x ¦ %d x";
}

rule! {
    /// A source text should have the character `…` in place of three dots: screen readers read it, and it does not break. Off by default.
    ELLIPSIS: "ellipsis" "Ellipsis" "The source has three dots in place of an ellipsis." Note;
    fails "flags:ellipsis" "de" "Wait..." "Warten...";
    passes "flags:ellipsis" "de" "Wait…" "Warten…";
}

rule! {
    /// A source such as `file(s)` cannot be translated well into most languages; plural forms can. Off by default.
    OPTIONAL_PLURAL: "optional_plural" "Unpluralised" "The source uses (s) in place of plural forms." Note;
    fails "flags:optional-plural" "de" "%d file(s)" "%d Datei(en)";
    passes "flags:optional-plural" "de" "files" "Dateien";
}

rule! {
    /// Different sources have one translation. Not implemented: many are right (`Remove`, `Delete`). The flags are accepted.
    REUSED: "reused" "Reused translation" "Strings with different sources have the same translation." Note;
}

rule! {
    /// The translations of a string fail checks in several languages: perhaps the source is unclear. Not implemented. The flags are accepted.
    MULTIPLE_FAILURES: "multiple_failures" "Multiple failing checks" "The translations of the string fail checks in several languages." Note;
}

rule! {
    /// With two or more placeholders that have neither a name nor a number, a translation cannot change their order. Off by default.
    UNNAMED_FORMAT: "unnamed_format" "Multiple unnamed variables" "The source has several placeholders without a name." Note;
    fails "flags:unnamed-format, c-format" "de" "%s of %s" "%s von %s";
    passes "flags:unnamed-format, c-format" "de" "%1$s of %2$s" "%1$s von %2$s";
}

rule! {
    /// Source and translation have together more than 256 KiB, so that no check runs.
    NOT_CHECKED: "not-checked" "Not checked" "The texts are too long to be checked." Warning;
}

/// The length of a text in bytes after which nothing more is replaced: replacements can make a text much longer.
const MAX_REPLACED: usize = 1 << 20;

/// Some but not all plural forms are empty or absent. `code` is the language.
/// `expected` is the number of forms that a file without categories must have. Rails has rules of its own.
pub(crate) fn plurals(
    unit: &CheckInput,
    code: &str,
    expected: usize,
    is_rails: bool,
) -> Option<PartialFinding> {
    if !unit.categories.is_empty() && unit.source.len() > 1 {
        return missing_categories(unit, code, is_rails);
    }
    let forms = unit.target.len();
    let absent = if unit.source.len() > 1 && forms > 1 {
        expected.saturating_sub(forms)
    } else {
        0
    };
    let empty = unit.target.iter().filter(|form| form.is_empty()).count();
    (empty + absent > 0 && empty < forms).then(|| {
        let all = forms + absent;
        let missing =
            (0..all).filter(|&form| unit.target.get(form).is_none_or(|text| text.is_empty()));
        let message = format!(
            "{} of {all} plural forms are not translated.",
            empty + absent
        );
        let finding = PartialFinding::new(message);
        // An empty form is shown; without a form, the program takes another text.
        finding
            .with_faults(missing.map(|form| Fault {
                kind: FaultKind::Missing,
                part: String::new(),
                form,
            }))
            .weighed(empty == 0)
    })
}

/// The file names categories but not all of the language.
fn missing_categories(unit: &CheckInput, code: &str, is_rails: bool) -> Option<PartialFinding> {
    let categories = unit.categories.iter().copied();
    let present: Vec<(&str, &str)> = categories.zip(unit.target.iter().copied()).collect();
    if present.iter().all(|(_, text)| text.is_empty()) {
        return None;
    }
    let mut missing = language::missing_categories(code, &present);
    // In Romance languages `many` is only for multiples of a million.
    let is_romance = language::plural_categories(code) == Some(&["one", "many", "other"]);
    missing.retain(|category| !(is_romance && *category == "many"));
    // The rules of rails-i18n for Hebrew and Latvian have fewer categories than CLDR.
    let base = language::base_code(code);
    let has_fewer = |category: &str| matches!((base, category), ("he", "two") | ("lv", "zero"));
    missing.retain(|category| !(is_rails && has_fewer(category)));
    let noun = match missing.len() {
        0 => return None,
        1 => "category",
        _ => "categories",
    };
    let message = format!("Missing plural {noun}: {}.", missing.join(", "));
    let faults = missing.iter().map(|category| Fault {
        kind: FaultKind::Missing,
        part: (*category).to_owned(),
        form: 0,
    });
    // All libraries need `other`. Which categories they use else depends on their rules.
    let needed = missing.contains(&"other");
    Some(
        PartialFinding::new(message)
            .with_faults(faults)
            .weighed(!needed),
    )
}

/// All plural forms are equal. With a language, equal forms of the source and languages without a plural after numbers
/// pass.
pub(crate) fn same_plurals(unit: &CheckInput, precise_for: Option<&str>) -> Option<PartialFinding> {
    let [first, rest @ ..] = unit.target else {
        return None;
    };
    if let Some(language) = precise_for {
        let mut sources = unit.source.windows(2);
        let are_equal = sources.all(|pair| pair.first() == pair.last());
        if are_equal || languages::has_no_plural_after_numbers(language) {
            return None;
        }
    }
    let equal = unit.source.len() > 1
        && !rest.is_empty()
        && !first.is_empty()
        && rest.iter().all(|form| form == first);
    equal.then(|| PartialFinding::new(CheckId::SamePlurals.description()))
}

/// Limits of the length of a translation.
#[derive(Clone, Default, Debug)]
pub(crate) struct LengthLimits {
    pub(crate) max_length: Option<usize>,
    pub(crate) max_lines: Option<usize>,
    /// Texts to replace before counting.
    pub(crate) replacements: Vec<(String, String)>,
    /// Whether tags do not count.
    pub(crate) without_tags: bool,
}

impl LengthLimits {
    /// Reads pairs of texts from the values of the flag `replacements`.
    pub(crate) fn replacements(values: &[FlagValue]) -> Vec<(String, String)> {
        let (pairs, _) = values.as_chunks::<2>();
        let mut pairs: Vec<(String, String)> = pairs
            .iter()
            .map(|[from, to]| (from.text().to_owned(), to.text().to_owned()))
            .filter(|(text, _)| !text.is_empty())
            .collect();
        pairs.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        pairs
    }

    /// Returns the first form that is too long.
    pub(crate) fn too_long(&self, unit: &CheckInput) -> Option<PartialFinding> {
        let count = |text: &str| text.chars().count();
        self.first_above(unit, self.max_length?, count, "characters")
    }

    /// Returns the first form with too many lines.
    pub(crate) fn too_many_lines(&self, unit: &CheckInput) -> Option<PartialFinding> {
        let count = |text: &str| text.split('\n').count();
        self.first_above(unit, self.max_lines?, count, "lines")
    }

    fn first_above(
        &self,
        unit: &CheckInput,
        limit: usize,
        count: impl Fn(&str) -> usize,
        noun: &str,
    ) -> Option<PartialFinding> {
        unit.target.iter().enumerate().find_map(|(form, target)| {
            let found = count(&self.prepared(target));
            (found > limit).then(|| {
                let message =
                    format!("The translation has {found} {noun}; at most {limit} are allowed.");
                PartialFinding::new(message)
                    .with(TextSide::Target, form, 0..target.len())
                    .with_fault(FaultKind::Different, "", form)
            })
        })
    }

    fn prepared<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for (from, to) in &self.replacements {
            if text.len() < MAX_REPLACED && text.contains(from.as_str()) {
                text = Cow::Owned(text.replace(from.as_str(), to));
            }
        }
        if self.without_tags && text.contains('<') {
            text = Cow::Owned(crate::html::without_tags(&text));
        }
        text
    }
}

/// The translation does not match the regular expression of the flag `regex`.
pub(crate) fn regex(unit: &CheckInput, pattern: &Regex) -> Option<PartialFinding> {
    let mut forms = unit.target.iter();
    let form = forms.position(|target| !target.is_empty() && !pattern.is_match(target))?;
    let message = format!("The translation does not match the regular expression {pattern}.");
    Some(PartialFinding::new(message).with(TextSide::Target, form, 0..0))
}

/// The source has three dots.
pub(crate) fn ellipsis(unit: &CheckInput) -> Option<PartialFinding> {
    let at = unit.singular().find("...")?;
    let message = "The source has three dots; use the character … instead.";
    Some(PartialFinding::new(message).with(TextSide::Source, 0, at..at + 3))
}

/// The source has a word that ends with `(s)`.
pub(crate) fn optional_plural(unit: &CheckInput) -> Option<PartialFinding> {
    let [source] = unit.source else { return None };
    let at = source.match_indices("(s)").map(|(at, _)| at).find(|&at| {
        char_before(source, at).is_some_and(char::is_alphanumeric)
            && !char_at(source, at + 3).is_some_and(char::is_alphanumeric)
    })?;
    let message = "The source uses (s); use plural forms instead.";
    Some(PartialFinding::new(message).with(TextSide::Source, 0, at..at + 3))
}

/// The source has at least two placeholders without a name.
pub(crate) fn unnamed(
    unit: &CheckInput,
    format_checks: impl Iterator<Item = CheckId>,
) -> Option<PartialFinding> {
    let source = unit.singular();
    format_checks
        .map(|check| {
            let found = tokens::find(check, source).into_iter();
            found.filter(|token| token.positional).collect::<Vec<_>>()
        })
        .find(|tokens| tokens.len() > 1)
        .map(|tokens| {
            let message = "The source has several placeholders without a name.";
            let ranges = tokens.into_iter().map(|token| token.range);
            PartialFinding::new(message).with_all(TextSide::Source, 0, ranges)
        })
}
