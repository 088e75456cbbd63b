//! Checks one bilingual file (`docs/spec/lint.md#bilingual-files`).

use super::align::ROW;
use super::bilingual::BilingualStrings;
use super::collector::FileFindingCollector;
use super::earlier::{EarlierLanguage, EarlierString};
use super::file::shown;
use super::language_run::LanguageRun;
use super::same_unit::{entry_of_unit, report_changed_source, report_older_source};
use super::translated::{check_translated, report_untranslated};
use super::{accelerators, faults};
use crate::finding::FindingKind;
use crate::report::StaleCount;
use gitglot_model::PLURAL_SEPARATOR;

/// Checks the strings of a bilingual file, and reports those that it should have.
pub(super) fn check_bilingual(
    run: &LanguageRun<'_, '_>,
    strings: &BilingualStrings,
    found: &mut FileFindingCollector<'_>,
) {
    let is_source = run.file.language.code == run.check.source_language;
    let rows = (0..run.check.rows.len()).take_while(|_| (run.proceed)(ROW));
    let mut older = 0;
    for row in rows {
        match run.entries.entry(row) {
            Some(entry) => check_entry(run, row, entry, is_source, found),
            None if strings.is_expected(row) && !is_source => {
                older += u64::from(report_absent(run, row, strings, found));
            }
            None => {}
        }
    }
    // They were counted as translations of the source that their file has.
    found.counts.translated = found.counts.translated.saturating_sub(older);
    if let Some(base) = &run.base {
        found.changes.removed += removed_strings(run, base);
    }
    let before = run.base.as_ref().map(|base| base.entries.file);
    faults::add(&run.file.content, before, None, found);
}

/// Checks an entry. In a file of the source language, an empty text is the source text.
fn check_entry(
    run: &LanguageRun<'_, '_>,
    row: usize,
    entry: usize,
    is_source: bool,
    found: &mut FileFindingCollector<'_>,
) {
    let before = run.before(row);
    let was_in_file = before.is_some_and(|string| string.entry.is_some());
    found.counts.strings += 1;
    found.changes.added += u64::from(!was_in_file);
    if report_fuzzy(run, row, found) {
        return;
    }
    match run.entries.translation(row) {
        Some(target) => {
            check_translated(run, row, target, before, found);
            if !was_in_file {
                report_changed_source(run, row, entry, target, found);
            }
            report_accelerator(run, row, entry, before, found);
        }
        None if is_source => found.counts.translated += 1,
        None => {
            let before = before.filter(|_| was_in_file);
            report_untranslated(run, row, before, found);
            found.last = Some(entry);
        }
    }
}

/// Reports an accelerator that the translation lacks or has twice.
fn report_accelerator(
    run: &LanguageRun<'_, '_>,
    row: usize,
    entry: usize,
    before: Option<EarlierString<'_>>,
    found: &mut FileFindingCollector<'_>,
) {
    let Some(sign) = run.check.scope.options.accelerator else {
        return;
    };
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    let target = run.entries.file.text(entry);
    let first = |text: &'_ str| text.split(PLURAL_SEPARATOR).next().map(str::to_owned);
    let fault = |source: &str, target: &str| {
        let source = first(source)?;
        let mut forms = target.split(PLURAL_SEPARATOR);
        forms.find_map(|form| accelerators::fault(sign, &source, form))
    };
    let Some(message) = fault(source, target) else {
        return;
    };
    let is_new = before
        .and_then(|string| fault(string.source, string.translation()?))
        .is_none();
    found.add(FindingKind::Accelerator, key, is_new, |finding| {
        run.describe(finding, row, Some(entry), message);
        finding.target = Some(shown(target));
    });
}

/// Reports a text that the file marks as one to be reviewed. Returns whether it is one.
pub(super) fn report_fuzzy(
    run: &LanguageRun<'_, '_>,
    row: usize,
    found: &mut FileFindingCollector<'_>,
) -> bool {
    let entry = run.entries.entry(row);
    let Some(entry) = entry.filter(|entry| run.file.content.is_fuzzy(*entry)) else {
        return false;
    };
    let before = run.before(row);
    let entry_before = before.and_then(|string| string.entry);
    let is_new = !entry_before.is_some_and(|entry| entry.file.is_fuzzy(entry.index));
    found.last = Some(entry);
    let (content, key) = (&run.file.content, run.check.rows.key(row));
    let of_history = || run.known_stale?.get(key).map(String::as_str);
    // A new source text is a new key.
    let of_base = || {
        let source = before?.source;
        (source != run.check.rows.source(row)).then_some(source)
    };
    let previous = content.previous_source(entry).or_else(of_history);
    let previous = previous.or_else(of_base);
    let previous = previous.filter(|previous| !previous.is_empty());
    found.counts.stale += StaleCount::Known(1);
    found.changes.stale += StaleCount::Known(u64::from(is_new));
    let message =
        |_| "The file marks the translation as fuzzy: review it, and remove the mark.".to_owned();
    run.add_stale(row, entry, previous, is_new, message, found);
    true
}

/// Reports a string that the file does not have. Returns whether it has it with an older source.
fn report_absent(
    run: &LanguageRun<'_, '_>,
    row: usize,
    strings: &BilingualStrings,
    found: &mut FileFindingCollector<'_>,
) -> bool {
    let key = run.check.rows.key(row);
    let before = run.before(row);
    let was_expected = |base: &EarlierLanguage<'_>| {
        let strings_before = base.strings.side.strings.as_ref();
        let row = base.strings.row(row);
        row.is_some_and(|row| strings_before.is_some_and(|strings| strings.is_expected(row)))
    };
    let was_absent = before.is_none_or(|string| string.entry.is_none())
        && (run.base.as_ref().is_some_and(was_expected) || !run.check.is_added(row));
    if let Some(older) = entry_of_unit(run, row, strings) {
        return strings.has_template && report_older_source(run, row, older, !was_absent, found);
    }
    found.counts.strings += 1;
    found.counts.missing += 1;
    found.changes.missing += u64::from(!was_absent);
    // The finding of the change of the source text replaces those of all languages.
    if run.check.is_remaining(&run.file.path, key) {
        return false;
    }
    let lost = before.and_then(|string| string.translation());
    let message = || strings.reason(&run.file.content);
    run.add_missing(row, found.last, lost, !was_absent, message, found);
    false
}

/// The number of strings that the file had at the base and no longer has.
fn removed_strings(run: &LanguageRun<'_, '_>, base: &EarlierLanguage<'_>) -> u64 {
    let old = &base.strings.rows;
    let is_removed = |&row: &usize| {
        let present = run.check.rows.row(old.key(row));
        base.entries.entry(row).is_some()
            && present.and_then(|row| run.entries.entry(row)).is_none()
            && !run.check.renames.has_old(old.key(row))
            && !run.check.has_left(old.key(row))
    };
    (0..old.len()).filter(is_removed).count() as u64
}
