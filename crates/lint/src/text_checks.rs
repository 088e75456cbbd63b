//! What the checks of a text need beyond it: its plural categories, and whether it is a text for people.

use super::file::forms;
use super::language_run::{LanguageRun, TextForms};
use gitglot_checks::{CheckFinding, CheckInput, LanguageChecker};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

impl LanguageRun<'_, '_> {
    /// The plural categories of a text. A key such as `days.one` or `days[one]` next to `days.other` names its category.
    pub(super) fn category(
        &self,
        key: &str,
        of_file: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<&'static str> {
        if self.check.bilingual.is_some() {
            return of_file();
        }
        let of_key = ["zero", "one", "two"].into_iter().find(|category| {
            let (inside, end) = match key.strip_suffix(']') {
                Some(inside) => (inside, "]"),
                None => (key, ""),
            };
            let stem = inside.strip_suffix(category);
            stem.is_some_and(|stem| {
                (stem.ends_with(['.', '>', '_', '['])
                    || stem.ends_with(&*self.check.spec.separators.plural))
                    && self
                        .check
                        .rows
                        .row(&[stem, "other", end].concat())
                        .is_some()
            })
        });
        match of_key {
            Some(category) => vec![category],
            None if self.is_singular(key) || self.is_for_one(key) => vec!["one"],
            None if self.is_first_form(key) || self.is_before_plural(key) => vec!["one"],
            None => of_file(),
        }
    }

    /// Whether a text is a note for translators next to a message: `name->description` next to `name->message`.
    pub(super) fn is_description(&self, key: &str) -> bool {
        let stem = key.strip_suffix("description");
        stem.is_some_and(|stem| {
            stem.ends_with(['.', '>']) && self.check.rows.row(&format!("{stem}message")).is_some()
        })
    }

    /// Whether a key is a singular by its name: `files.singular` next to `files.plural` or `files`.
    fn is_singular(&self, key: &str) -> bool {
        let stem = key.strip_suffix("singular").unwrap_or_default();
        let base = stem.trim_end_matches(['.', '_', '-', '>']);
        let has = |key: &str| self.check.rows.row(key).is_some();
        // Languages without a form for one show it as any other text.
        let has_form = self.file.language.plural.forms > 1;
        has_form && base.len() < stem.len() && (has(&[stem, "plural"].concat()) || has(base))
    }

    /// Whether a text is for one by a part of its key, next to one for any number: `mods.1` next to `mods.n`, `itemsSingle`
    /// next to `itemsMultiple`. Both have the same values.
    fn is_for_one(&self, key: &str) -> bool {
        let source = |key: &str| Some(self.check.rows.source(self.check.rows.row(key)?));
        let has_same_values = |many: String| {
            let texts = source(key).zip(source(&many));
            texts.is_some_and(|(one, many)| marks(one) == marks(many))
        };
        // Most keys have no such part, so it is searched in one pass, by the last characters of all of them.
        let ends = key.char_indices().filter(|(at, last)| {
            matches!(last, '1' | 'e') && !key[at + 1..].starts_with(char::is_alphanumeric)
        });
        let places = ends.flat_map(|(at, _)| {
            let (part, after) = key.split_at(at + 1);
            let befores = FOR_ONE.iter().map(move |(one, many)| {
                let before = part.strip_suffix(one)?;
                let is_start =
                    one.starts_with(char::is_uppercase) || !before.ends_with(char::is_alphanumeric);
                (!before.is_empty() && is_start).then_some((before, *many, after))
            });
            befores.flatten()
        });
        let mut others = places.take(MAX_PLACES).flat_map(|(before, many, after)| {
            many.iter().map(move |many| [before, many, after].concat())
        });
        others.any(has_same_values)
    }

    /// Whether a key is the singular of i18next before version 4: `files` next to `files_plural`. In a language without a
    /// singular, the text is for all numbers if the file does not have the other one.
    fn is_before_plural(&self, key: &str) -> bool {
        let plural = self.check.spec.separators.plural_key(key, "plural");
        let row = self.check.rows.row(&plural);
        row.is_some_and(|row| !self.file.single_form || self.entries.translation(row).is_some())
    }

    /// Whether a key is the first of a list of plural forms: `["%d minute", "%d minutes"]`.
    fn is_first_form(&self, key: &str) -> bool {
        let rows = &self.check.rows;
        let source = |key: &str| rows.row(key).map(|row| rows.source(row));
        let Some(stem) = key.strip_suffix("[0]") else {
            return false;
        };
        let (Some(first), Some(second)) = (source(key), source(&format!("{stem}[1]"))) else {
            return false;
        };
        let marks = |text: &str| text.matches(['%', '{']).count();
        let mut pairs = first.chars().zip(second.chars());
        let common = pairs
            .by_ref()
            .take_while(|(one, other)| one == other)
            .count();
        marks(first) > 0 && marks(first) == marks(second) && common * 3 >= first.chars().count()
    }

    /// The source of a row with its plural categories.
    pub(super) fn source(&self, row: usize) -> TextForms<'_> {
        let rows = self.check.rows;
        TextForms {
            text: rows.source(row),
            categories: rows.file.categories(rows.entry(row)),
        }
    }

    /// Runs the checks of a translation.
    pub(super) fn run_checks(
        &self,
        source: &TextForms<'_>,
        target: &TextForms<'_>,
        flags: &str,
    ) -> Vec<CheckFinding> {
        self.run_checks_of(&self.checker, source, target, flags)
    }

    /// As [`Self::run_checks`], with the checks of a state.
    pub(super) fn run_checks_of(
        &self,
        checker: &LanguageChecker,
        source: &TextForms<'_>,
        target: &TextForms<'_>,
        flags: &str,
    ) -> Vec<CheckFinding> {
        let has_forms = |text: &TextForms<'_>| text.text.contains(PLURAL_SEPARATOR);
        let (of_source, of_target) = (has_forms(source), has_forms(target));
        // Android has a string and a plural of one name: these are two texts.
        let format = self.check.spec.component.file_format;
        if format == FileFormat::AndroidResource && of_target && !of_source {
            return Vec::new();
        }
        // So has i18next: a text without a category next to forms of others is for all other numbers.
        let is_plain = of_source && !of_target && target.categories.is_empty();
        let is_i18next = matches!(format, FileFormat::I18nextV4 | FileFormat::I18nextModule);
        if is_i18next && is_plain {
            return Vec::new();
        }
        let (sources, targets) = match of_source || of_target {
            true => (forms(source.text), forms(target.text)),
            false => (vec![source.text], vec![target.text]),
        };
        let categories = match of_source || of_target {
            true => &*target.categories,
            false => target.categories.get(..1).unwrap_or_default(),
        };
        let unit = CheckInput {
            source: &sources,
            source_categories: Some(&source.categories),
            target: &targets,
            categories,
            flags,
            comment: "",
        };
        checker.check_while(&unit, self.proceed)
    }
}

/// The most places of a key that are compared with other keys.
const MAX_PLACES: usize = 8;

/// Parts of keys of texts for one, which end in `1` or `e`, and those of texts for any number.
const FOR_ONE: &[(&str, &[&str])] = &[
    ("1", &["n", "other", "many", "plural", "multiple"]),
    ("one", &["many", "multiple", "n", "more"]),
    ("One", &["Other", "Many", "Multiple", "More"]),
    ("single", &["multiple", "many", "plural"]),
    ("Single", &["Multiple", "Many", "Plural"]),
];

/// The sorted placeholders of a text, roughly: `{…}` and what follows `%`.
fn marks(text: &str) -> Vec<&str> {
    let mut marks: Vec<&str> = text
        .match_indices(['{', '%'])
        .filter_map(|(at, _)| {
            let rest = &text[at..];
            rest.split([' ', '}', ')', ',']).next()
        })
        .collect();
    marks.sort_unstable();
    marks
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};

    fn errors(source: &str, target: &str) -> usize {
        let head = ComponentFiles::of_texts("en", &[("en", source), ("ar", target)]);
        let found = compare(
            &ComponentSpec::of_json("en"),
            &head,
            None,
            None,
            CheckScope::ALL,
        );
        let findings = found.findings.iter();
        findings.filter(|it| it.severity == Severity::Error).count()
    }

    #[test]
    fn a_form_for_one_by_its_key_needs_no_number() {
        let source = r#"{"days[one]": "{n} day", "days[other]": "{n} days"}"#;
        let target = r#"{"days[one]": "x", "days[other]": "{n} y"}"#;
        assert_eq!(errors(source, target), 0);
        assert_eq!(errors(source, &target.replace("{n} y", "y")), 1);
    }

    #[test]
    fn a_part_of_the_key_can_say_that_a_text_is_for_one() {
        for (one, many) in [
            ("mods.n.1", "mods.n.n"),
            ("mods.1.n", "mods.n.n"),
            ("modSingle", "modMultiple"),
            ("mod_one", "mod_many"),
        ] {
            let source = format!("{{\"{one}\": \"{{n}} mod\", \"{many}\": \"{{n}} mods\"}}");
            let target = format!("{{\"{one}\": \"ein Mod\", \"{many}\": \"{{n}} Mods\"}}");
            assert_eq!(errors(&source, &target), 0, "{one}");
            let other = source.replace("{n} mods", "{m} mods");
            assert_eq!(errors(&other, &target.replace("{n}", "{m}")), 1, "{one}");
            let lost = target.replace("{n} Mods", "Mods");
            assert_eq!(errors(&source, &lost), 1, "{one}");
        }
        let source = r#"{"a.21": "{n} mod", "a.2n": "{n} mods"}"#;
        assert_eq!(errors(source, r#"{"a.21": "x", "a.2n": "{n} y"}"#), 1);
    }

    #[test]
    fn a_singular_by_name_needs_no_number() {
        let source = r#"{"a": {"singular": "{n} day", "plural": "{n} days"}, "b_singular": "{n} item", "b": "{n} items"}"#;
        let target =
            r#"{"a": {"singular": "x", "plural": "{n} x"}, "b_singular": "y", "b": "{n} y"}"#;
        assert_eq!(errors(source, target), 0);
        assert_eq!(errors(source, &target.replace("{n} y", "y")), 1);
    }
}
