//! What the checks of a text need beyond it: what its key says, the plural categories of its source, and what people
//! read in place of the source.

use super::language_run::LanguageRun;
use gitglot_checks::TextRole;

impl LanguageRun<'_, '_> {
    /// What the key of a row says about its text in this file.
    pub(super) fn role(&self, row: usize) -> TextRole {
        let is_translated = |row: u32| self.entries.translation(row as usize).is_some();
        let has_plural = |row: u32| !self.file.single_form || is_translated(row);
        self.check.role(row).in_file(has_plural)
    }

    /// The plural categories of the source of a row.
    pub(super) fn source_categories(&self, row: usize) -> Vec<&'static str> {
        let rows = self.check.rows;
        rows.file.categories(rows.entry(row))
    }

    /// What people read in place of the source of a row of bilingual files.
    pub(super) fn wording(&self, row: usize) -> Option<&str> {
        let (_, entries) = self.check.wording.as_ref()?;
        entries.translation(row)
    }

    /// As [`Self::wording`], at the base, in the component that had the string.
    pub(super) fn wording_before(&self, row: usize) -> Option<&str> {
        let check = self.check;
        let of_base = || {
            let (_, entries) = check.wording_of_base.as_ref()?;
            entries.translation(check.base.as_ref()?.row(row)?)
        };
        let moved = || {
            check.bilingual?;
            let moves = check.scope.moves?;
            let string = moves.string(check.rows.key(row), &check.source_language);
            string?.translation()
        };
        of_base().or_else(moved)
    }
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};
    use gitglot_model::FileFormat;

    fn errors(source: &str, target: &str) -> usize {
        let head = ComponentFiles::of_texts("en", &[("en", source), ("ar", target)]);
        errors_of(FileFormat::Json, &head)
    }

    fn errors_of(format: FileFormat, head: &ComponentFiles) -> usize {
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = format;
        let found = compare(&spec, head, None, None, CheckScope::ALL);
        let findings = found.findings.iter();
        findings.filter(|it| it.severity == Severity::Error).count()
    }

    #[test]
    fn a_form_for_one_by_its_key_needs_no_number() {
        let source = r#"{"days[one]": "{n} goose", "days[other]": "{n} geese"}"#;
        let target = r#"{"days[one]": "x", "days[other]": "{n} y"}"#;
        assert_eq!(errors(source, target), 0);
        assert_eq!(errors(source, &target.replace("{n} y", "y")), 1);
    }

    #[test]
    fn a_form_for_one_and_others_needs_its_number() {
        let errors = |language: &str| {
            let source = "en:\n  days:\n    one: \"%{count} day\"\n    other: \"%{count} days\"\n";
            let target = format!("{language}:\n  days:\n    one: x\n    other: \"%{{count}} y\"\n");
            let texts = [("en", source), (language, &*target)];
            let head = ComponentFiles::of_format(FileFormat::RubyYaml, "en", &texts);
            errors_of(FileFormat::RubyYaml, &head)
        };
        // `one` is for 21, too.
        assert_eq!(errors("ru"), 1);
        assert_eq!(errors("de"), 0);
    }
}
