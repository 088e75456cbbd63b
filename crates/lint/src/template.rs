//! Checks the template of a component: removed strings, and the checks of source texts.

use super::FindingKind;
use super::collector::FileFindingCollector;
use super::component_check::ComponentCheck;
use super::context::EarlierStrings;
use super::faults;
use super::file::{forms, shown};
use super::language::ROW;
use super::side::LanguageFile;
use gitglot_checks::Proceed;
use gitglot_checks::current::CheckInput;
use gitglot_checks::current::CurrentChecker;

pub(super) fn check_template<'a>(
    check: &ComponentCheck<'a>,
    file: &LanguageFile,
    proceed: Proceed<'_>,
) -> FileFindingCollector<'a> {
    let rows = check.rows;
    let mut found = check.collector(file);
    let has_text = |&row: &usize| !rows.source(row).is_empty();
    let strings = (0..rows.len()).filter(has_text).count() as u64;
    (found.counts.strings, found.counts.translated) = (strings, strings);
    found.changes.added = (0..rows.len()).filter(|&row| check.is_added(row)).count() as u64;
    if let Some(base) = &check.base {
        removed_strings(check, file, base, &mut found);
    }
    let before = check.base.as_ref().map(|base| base.rows.file);
    faults::add(&file.content, before, &mut found);
    if let Some(source_checker) = &check.spec.source_checker {
        check_sources(check, file, source_checker, proceed, &mut found);
    }
    found
}

/// Reports the strings that only the base has.
fn removed_strings(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    base: &EarlierStrings<'_>,
    found: &mut FileFindingCollector<'_>,
) {
    for row in 0..base.rows.len() {
        let key = base.rows.key(row);
        if let Some(present) = check.rows.row(key) {
            found.last = Some(check.rows.entry(present));
            continue;
        }
        found.changes.removed += 1;
        let last = found.last;
        found.add(FindingKind::Removed, key, true, |finding| {
            finding.set_position(last.map(|entry| file.content.position(entry)));
            finding.message = "The change removes the source string.".to_owned();
            finding.source = Some(shown(base.rows.source(row)));
        });
    }
}

/// Runs the checks of source texts.
fn check_sources(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    source_checker: &CurrentChecker,
    proceed: Proceed<'_>,
    found: &mut FileFindingCollector<'_>,
) {
    let rows = check.rows;
    let checker = source_checker.for_translation(&file.language.code, &check.spec.source_language);
    let failing = |text: &str| {
        let forms = forms(text);
        let mut failing = checker.check_while(&CheckInput::new(&forms, &forms), proceed);
        failing.retain(|finding| finding.check.is_source_check());
        failing
    };
    for row in (0..rows.len()).take_while(|_| proceed(ROW)) {
        let (key, source) = (rows.key(row), rows.source(row));
        for failing in failing(source) {
            let kind = FindingKind::Check(failing.check);
            let same = |base: &EarlierStrings<'_>| {
                base.row(row)
                    .is_some_and(|it| base.rows.source(it) == source)
            };
            let new = !check.base.as_ref().is_some_and(same);
            found.add(kind, key, new, |finding| {
                finding.set_position(Some(file.content.position(rows.entry(row))));
                finding.message = failing.message;
                finding.source = Some(shown(source));
            });
        }
    }
}
