//! Reports what a translation has and the template or the language has not: keys and plural categories.

use super::collector::FileFindingCollector;
use super::file::shown;
use super::finding::report_key;
use super::language_run::LanguageRun;
use super::renames::RenamedKey;
use crate::finding::FindingKind;
use gitglot_model::{FileFormat, PLURAL_SEPARATOR, SeededSet, language};

/// Reports the entries whose key the template lacks.
pub(super) fn report_keys(run: &LanguageRun<'_, '_>, found: &mut FileFindingCollector<'_>) {
    let before = run.base.iter().map(|base| &base.entries);
    let known: SeededSet<&str> = before
        .flat_map(|before| before.left_over.iter().map(|&entry| before.file.key(entry)))
        .collect();
    for &entry in &run.entries.left_over {
        let content = &run.file.content;
        let key = content.key(entry);
        let separators = &run.check.spec.separators;
        if run.check.rows.has_plural_sibling(key, separators) {
            continue;
        }
        if is_rails(run) && run.mistyped.row_of(entry).is_none() && overrides_gem(key) {
            continue;
        }
        let is_new = !known.contains(key);
        found.counts.left_over += 1;
        found.changes.left_over += u64::from(is_new);
        // The finding of the rename replaces those of all languages.
        let renames = &run.check.renames;
        let is_remaining =
            |rename: &RenamedKey| renames.is_remaining(&run.file.path, rename.new_in_files());
        let has_left = || run.check.has_left(key) && run.check.is_remaining(&run.file.path, key);
        if renames.of(key).is_some_and(is_remaining) || has_left() {
            continue;
        }
        if let Some(row) = run.mistyped.row_of(entry) {
            found.add(FindingKind::MistypedKey, key, is_new, |finding| {
                let similar = report_key(content.format(), run.check.rows.key(row));
                let message = format!(
                    "The template does not have this key, and '{similar}' has no translation: rename one of them."
                );
                run.describe(finding, row, Some(entry), message);
                finding.target = Some(shown(content.text(entry)));
            });
            continue;
        }
        found.add(FindingKind::LeftOver, key, is_new, |finding| {
            finding.set_position(Some(content.position(entry)));
            finding.message = "The template does not have this key.".to_owned();
            finding.target = Some(shown(content.text(entry)));
        });
    }
}

/// Whether the files are those of Ruby on Rails.
fn is_rails(run: &LanguageRun<'_, '_>) -> bool {
    matches!(
        run.check.spec.component.file_format,
        FileFormat::RubyYaml | FileFormat::RubyYamlPlurals
    )
}

/// Reports the forms of a translation that its language never uses. *zero* can be a text of its own for no items,
/// *other* is the fallback, and some languages have *many* for decimal fractions. Rails shows *one* for 1 in all languages
/// without `rails-i18n`, and fails if the form is not there.
pub(super) fn report_categories(
    run: &LanguageRun<'_, '_>,
    row: usize,
    target: &str,
    entry: usize,
    found: &mut FileFindingCollector<'_>,
) {
    if !target.contains(PLURAL_SEPARATOR) {
        return;
    }
    let code = &run.file.language.code;
    let used = language::plural_categories(code);
    let is_rails = is_rails(run);
    let is_unused = |category: &&str| {
        let is_for_all = matches!(*category, "zero" | "other") || is_rails && *category == "one";
        !is_for_all
            && !language::is_for_fractions(code, category)
            && used.is_some_and(|categories| !categories.contains(category))
    };
    let categories = run.entries.file.categories(entry);
    for category in categories.into_iter().filter(is_unused) {
        let before = run.before(row).map(|string| string.categories());
        let is_new = before.is_none_or(|categories| !categories.contains(&category));
        found.counts.left_over += 1;
        found.changes.left_over += u64::from(is_new);
        found.add(FindingKind::LeftOver, run.check.rows.key(row), is_new, |finding| {
            let message = format!(
                "The language has no plural category {category}, so this form is never used: remove it."
            );
            run.describe(finding, row, Some(entry), message);
            finding.target = Some(shown(target));
        });
    }
}

/// The places of the texts that `rails-i18n` has for each language. A file that has some replaces them.
const TEXTS_OF_GEMS: &[&[&str]] = &[
    &["date"],
    &["datetime"],
    &["time"],
    &["number"],
    &["errors", "messages"],
    &["errors", "format"],
    &["errors", "template"],
    &["activerecord", "errors", "messages"],
    &["helpers", "select"],
    &["helpers", "submit"],
    &["support", "array"],
    &["i18n", "plural"],
    &["i18n", "transliterate"],
];

/// Whether a key of Rails is that of a text which each language has in a gem, and the template need not repeat.
fn overrides_gem(key: &str) -> bool {
    let names: Vec<&str> = key.split("->").flat_map(|part| part.split('.')).collect();
    let mut places = TEXTS_OF_GEMS.iter();
    places.any(|place| names.len() > place.len() && names.starts_with(place))
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, FindingKind, compare};
    use gitglot_model::FileFormat;

    /// The kinds of findings of a translation.
    fn kinds(language: &str, text: &str) -> Vec<FindingKind> {
        let source = r#"{"n_one": "{{count}} item", "n_other": "{{count}} items", "m": "Save"}"#;
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = FileFormat::I18nextV4;
        let texts = [("en", source), (language, text)];
        let head = ComponentFiles::of_format(FileFormat::I18nextV4, "en", &texts);
        let found = compare(&spec, &head, None, None, CheckScope::ALL);
        found.findings.iter().map(|it| it.check).collect()
    }

    #[test]
    fn a_form_for_fractions_is_used() {
        let text = r#"{"n_one": "{{count}} x", "n_few": "{{count}} y", "n_many": "{{count}} z", "n_other": "{{count}} v", "m": "w"}"#;
        assert_eq!(kinds("cs", text), []);
        assert_eq!(kinds("hr", text), [FindingKind::LeftOver]);
    }

    #[test]
    fn a_single_form_lacks_the_others() {
        let text = r#"{"n_other": "{{count}} Dinge", "m": "Sichern"}"#;
        let plurals = FindingKind::Check(gitglot_checks::CheckId::Plurals);
        assert_eq!(kinds("de", text), [plurals]);
    }

    #[test]
    fn ruby_needs_a_form_for_one_in_each_language() {
        let left_over = |form: &str| {
            let template = "en:\n  n:\n    one: 1 comment\n    other: \"%{count} comments\"\n";
            let translation =
                format!("ja:\n  n:\n    {form}: 1 件\n    other: \"%{{count}} 件\"\n");
            let texts = [("en", template), ("ja", &*translation)];
            let head = ComponentFiles::of_format(FileFormat::RubyYaml, "en", &texts);
            let mut spec = ComponentSpec::of_json("en");
            spec.component.settings.file_format = FileFormat::RubyYaml;
            let found = compare(&spec, &head, None, None, CheckScope::ALL);
            let findings = found.findings.iter();
            findings
                .filter(|it| it.check == FindingKind::LeftOver)
                .count()
        };
        assert_eq!((left_over("one"), left_over("few")), (0, 1));
    }

    #[test]
    fn texts_of_gems_are_not_left_over() {
        let template = "en:\n  a: Text\n  errors:\n    other: Fault";
        let more = "  date:\n    formats:\n      short: x\n  errors:\n    messages:\n      blank: y\n  b: z";
        let translation = format!("cs:\n  a: Text\n{more}\n");
        let texts = [("en", template), ("cs", &*translation)];
        let head = ComponentFiles::of_format(FileFormat::RubyYaml, "en", &texts);
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = FileFormat::RubyYaml;
        let found = compare(&spec, &head, None, None, CheckScope::ALL);
        let left = found
            .findings
            .iter()
            .filter(|it| it.check == FindingKind::LeftOver);
        let keys: Vec<&str> = left.map(|it| it.key.id()).collect();
        assert_eq!(keys, ["b"]);
    }
}
