//! Finds the entry of an XLIFF unit whose source changed under the same id (`docs/spec/lint.md#bilingual-files`).

use super::bilingual::BilingualStrings;
use super::collector::FileFindingCollector;
use super::language_run::{LanguageRun, changed_message};
use super::unit_entries::UnitEntries;
use crate::report::StaleCount;
use gitglot_checks::SourceChange;
use gitglot_formats::is_same_xliff_text;

/// Whether the contexts of the file are the ids of units.
fn has_units(run: &LanguageRun<'_, '_>) -> bool {
    run.check.spec.component.file_format.has_unit_ids()
}

/// Reports an entry that the base has with a different source and the same translation.
pub(super) fn report_changed_source(
    run: &LanguageRun<'_, '_>,
    row: usize,
    entry: usize,
    target: &str,
    found: &mut FileFindingCollector<'_>,
) {
    let Some(base) = run.base.as_ref().filter(|_| has_units(run)) else {
        return;
    };
    let file = base.entries.file;
    let units = run.units_before.get_or_init(|| UnitEntries::of(file));
    let key = run.check.rows.key(row);
    let remains = |key: &str| {
        let row = run.check.rows.row(key);
        row.and_then(|row| run.entries.entry(row)).is_some()
    };
    let source = run.check.rows.source(row);
    let before = units.entry(key).filter(|&before| {
        file.is_translated(before)
            && file.text(before) == target
            && !is_same_xliff_text(file.source(before), source)
            && !remains(file.key(before))
    });
    if let Some(before) = before {
        found.changes.stale += StaleCount::Known(1);
        let previous = Some(file.source(before));
        run.add_stale(row, entry, previous, true, changed_unit, found);
    }
}

/// The entry that the file has under the id of a string that it lacks, if no file should have that entry. Programs find
/// it, so the string is not missing (`docs/spec/units.md#missing-strings`).
pub(super) fn entry_of_unit(
    run: &LanguageRun<'_, '_>,
    row: usize,
    strings: &BilingualStrings,
) -> Option<usize> {
    if !has_units(run) {
        return None;
    }
    let file = run.entries.file;
    let units = run.units.get_or_init(|| UnitEntries::of(file));
    let is_other = |key: &str| {
        let row = run.check.rows.row(key);
        row.is_some_and(|row| !strings.is_expected(row))
    };
    let entry = units.entry(run.check.rows.key(row));
    entry.filter(|&entry| is_other(file.key(entry)))
}

/// Reports a translation whose source the template has changed, and returns whether it does.
pub(super) fn report_older_source(
    run: &LanguageRun<'_, '_>,
    row: usize,
    older: usize,
    is_new: bool,
    found: &mut FileFindingCollector<'_>,
) -> bool {
    let (file, source) = (run.entries.file, run.check.rows.source(row));
    let is_same = is_same_xliff_text(file.source(older), source);
    if is_same || !file.is_translated(older) || file.is_fuzzy(older) {
        return false;
    }
    found.counts.stale += StaleCount::Known(1);
    found.changes.stale += StaleCount::Known(u64::from(is_new));
    let previous = Some(file.source(older));
    run.add_stale(row, older, previous, is_new, changed_unit, found);
    true
}

fn changed_unit(change: Option<SourceChange>) -> String {
    changed_message("The source of the unit", change)
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, FindingKind, StaleCount, compare};
    use gitglot_model::FileFormat;

    /// The kinds of new findings, and the previous source of a stale one. A file has a source and a translation of one unit.
    fn found(template: Option<&str>, base: (&str, &str), head: (&str, &str)) -> Vec<String> {
        let file = |(source, target): (&str, &str)| {
            let target = match target {
                "" => String::new(),
                target => format!("<target>{target}</target>"),
            };
            let unit = |id, source, target| {
                format!("<trans-unit id=\"{id}\"><source>{source}</source>{target}</trans-unit>")
            };
            let other = unit("b", "Other", "<target>Jiný</target>");
            let changed = unit("a", source, &target);
            format!(
                "<xliff version=\"1.2\"><file original=\"x\"><body>{other}{changed}</body></file></xliff>"
            )
        };
        let files = |cs: (&str, &str)| {
            let cs = file(cs);
            let template = template.map(|source| file((source, "")));
            let mut files = vec![("cs", &*cs)];
            files.extend(template.as_deref().map(|text| ("en", text)));
            ComponentFiles::of_format(FileFormat::Xliff, "en", &files)
        };
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = FileFormat::Xliff;
        let found = compare(
            &spec,
            &files(head),
            Some(&files(base)),
            None,
            CheckScope::ALL,
        );
        let found = found
            .findings
            .iter()
            .filter(|it| it.check == FindingKind::Stale);
        found.filter_map(|it| it.previous_source.clone()).collect()
    }

    #[test]
    fn a_source_that_changes_under_the_same_id_makes_the_translation_stale() {
        let before = ("Read this", "Přečíst");
        assert_eq!(
            found(None, before, ("Read all of that", "Přečíst")),
            ["Read this"]
        );
        assert!(found(None, before, ("Read all of that", "Přečíst vše")).is_empty());
        assert!(found(None, before, before).is_empty());
    }

    /// Strings, missing ones and stale ones of files with a translation of unit `a` each, whose sources are given.
    fn counts(template: Option<&str>, sources: &[&str]) -> Vec<(u64, u64, u64)> {
        let file = |source: &str, target: &str| {
            format!(
                "<xliff version=\"1.2\"><file original=\"x\"><body><trans-unit id=\"a\">\
                 <source>{source}</source>{target}</trans-unit></body></file></xliff>"
            )
        };
        let texts: Vec<String> = sources
            .iter()
            .map(|source| file(source, "<target>Text</target>"))
            .collect();
        let languages = ["cs", "de", "fr", "it"];
        let mut files: Vec<_> = languages
            .into_iter()
            .zip(texts.iter().map(String::as_str))
            .collect();
        let template = template.map(|source| file(source, ""));
        files.extend(template.as_deref().map(|text| ("en", text)));
        let files = ComponentFiles::of_format(FileFormat::Xliff, "en", &files);
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = FileFormat::Xliff;
        let found = compare(&spec, &files, None, None, CheckScope::ALL);
        let of = found
            .report
            .languages
            .iter()
            .filter(|it| &*it.language != "en");
        of.map(|it| {
            let StaleCount::Known(stale) = it.counts.stale else {
                panic!("files say what is stale");
            };
            let (strings, missing) = (it.counts.strings, it.counts.missing);
            assert_eq!(it.counts.translated + missing + stale, strings);
            (strings, missing, stale)
        })
        .collect()
    }

    #[test]
    fn other_attributes_of_placeholders_are_the_same_source() {
        let (old, new) = (
            "<x id=\"N\" equiv-text=\"n\"/> files",
            "<x id=\"N\"/> files",
        );
        assert_eq!(counts(Some(new), &[old]), [(1, 0, 0)]);
        assert!(found(Some(new), (old, "Soubory"), (old, "Soubory")).is_empty());
    }

    #[test]
    fn a_majority_of_other_sources_makes_nothing_stale() {
        let sources = [
            "mail.used",
            "mail.used",
            "mail.used",
            "This address is in use.",
        ];
        assert_eq!(counts(None, &sources), [(1, 0, 0); 4]);
        assert_eq!(counts(Some("mail.used"), &sources)[3], (1, 0, 1));
    }

    #[test]
    fn a_file_with_the_older_source_of_the_template_is_stale() {
        let old = ("Read this", "Přečíst");
        assert_eq!(found(Some("Read all of that"), old, old), ["Read this"]);
        assert!(found(Some("Read this"), old, old).is_empty());
    }
}
