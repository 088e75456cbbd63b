//! What the checks of a text need beyond it: its plural categories, and whether it is a text for people.

use super::file::forms;
use super::language::LanguageRun;
use gitglot_checks::{CheckFinding, CheckInput};
use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

impl LanguageRun<'_, '_> {
    /// The plural categories of a text. A key such as `days.one` next to `days.other` names its category.
    pub(super) fn category(
        &self,
        key: &str,
        of_file: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<&'static str> {
        if self.check.bilingual.is_some() {
            return of_file();
        }
        let of_key = ["zero", "one", "two"].into_iter().find(|category| {
            let stem = key.strip_suffix(category);
            stem.is_some_and(|stem| {
                (stem.ends_with(['.', '>', '_'])
                    || stem.ends_with(&*self.check.spec.separators.plural))
                    && self.check.rows.row(&[stem, "other"].concat()).is_some()
            })
        });
        match of_key {
            Some(category) => vec![category],
            None if self.is_singular(key) => vec!["one"],
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

    /// Runs the checks of a translation.
    pub(super) fn run_checks(
        &self,
        source: &str,
        target: &str,
        flags: &str,
        categories: impl FnOnce() -> Vec<&'static str>,
    ) -> Vec<CheckFinding> {
        // Android has a string and a plural of one name: these are two texts.
        let is_android = self.check.spec.component.file_format == FileFormat::AndroidResource;
        if is_android && target.contains(PLURAL_SEPARATOR) && !source.contains(PLURAL_SEPARATOR) {
            return Vec::new();
        }
        // So has i18next: a text without a category next to forms of others is for all other numbers.
        let is_i18next = self.check.spec.component.file_format == FileFormat::I18nextV4;
        let is_plain = source.contains(PLURAL_SEPARATOR) && !target.contains(PLURAL_SEPARATOR);
        let categories = categories();
        if is_i18next && is_plain && categories.is_empty() {
            return Vec::new();
        }
        if source.contains(PLURAL_SEPARATOR) || target.contains(PLURAL_SEPARATOR) {
            let (source, target) = (forms(source), forms(target));
            let unit = CheckInput {
                source: &source,
                target: &target,
                categories: &categories,
                flags,
                comment: "",
            };
            return self.checker.check_while(&unit, self.proceed);
        }
        let unit = CheckInput {
            source: &[source],
            target: &[target],
            categories: categories.get(..1).unwrap_or_default(),
            flags,
            comment: "",
        };
        self.checker.check_while(&unit, self.proceed)
    }
}
