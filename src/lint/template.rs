//! Checks the template of a component: removed strings, and the checks of source texts.

use super::collector::FileFindingCollector;
use super::component_check::ComponentCheck;
use super::context::{EarlierStrings, language_report};
use super::file::{forms, shown};
use super::side::LanguageFile;
use super::{ChangeCounts, Counts, FindingKind, LanguageReport};
use crate::checks::modern::{CheckFinding, ModernChecker, Unit};

/// Checks the template.
pub(super) fn check_template<'a>(
    check: &ComponentCheck<'a>,
    file: &LanguageFile,
) -> (LanguageReport, FileFindingCollector<'a>) {
    let rows = check.rows;
    let mut findings = check.collector(file);
    let with_text = (0..rows.len())
        .filter(|&row| !rows.source(row).is_empty())
        .count() as u64;
    let mut counts = Counts {
        strings: with_text,
        translated: with_text,
        ..Counts::default()
    };
    let mut changes = ChangeCounts {
        added: (0..rows.len()).filter(|&row| check.is_added(row)).count() as u64,
        ..ChangeCounts::default()
    };
    if let Some(base) = &check.base {
        changes.removed = removed_strings(check, file, base, &mut findings);
    }
    if let Some(source_checker) = &check.spec.source_checker {
        check_sources(
            check,
            file,
            source_checker,
            (&mut counts, &mut changes),
            &mut findings,
        );
    }
    (
        language_report(file, true, counts, check.has_base.then_some(changes)),
        findings,
    )
}

/// Reports the strings that only the base has. Returns their number.
fn removed_strings(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    base: &EarlierStrings<'_>,
    findings: &mut FileFindingCollector<'_>,
) -> u64 {
    let (mut last, mut count) = (None, 0);
    for row in 0..base.rows.len() {
        let key = base.rows.key(row);
        if let Some(present) = check.rows.row(key) {
            last = Some(check.rows.entry(present));
            continue;
        }
        count += 1;
        findings.add(FindingKind::Removed, key, true, |finding| {
            finding.set_position(last.map(|entry| file.content.position(entry)));
            finding.message = "The change removes the source string.".to_owned();
            finding.source = Some(shown(base.rows.source(row)));
        });
    }
    count
}

/// Runs the checks of source texts.
fn check_sources(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    source_checker: &ModernChecker,
    (counts, changes): (&mut Counts, &mut ChangeCounts),
    findings: &mut FileFindingCollector<'_>,
) {
    let rows = check.rows;
    let checker = check.checker(source_checker, &file.language.code);
    let failing = |text: &str| {
        let forms = forms(text);
        let found = checker.check(&Unit::new(&forms, &forms));
        found
            .into_iter()
            .filter(|finding| finding.check.is_source_check())
            .collect::<Vec<CheckFinding>>()
    };
    for row in 0..rows.len() {
        let (key, source) = (rows.key(row), rows.source(row));
        for failing in failing(source) {
            let kind = FindingKind::Check(failing.check);
            let same = |base: &EarlierStrings<'_>| {
                base.row(row)
                    .is_some_and(|it| base.rows.source(it) == source)
            };
            let new = !check.base.as_ref().is_some_and(same);
            let is_counted = findings.add(kind, key, new, |finding| {
                finding.set_position(Some(file.content.position(rows.entry(row))));
                finding.message = failing.message;
                finding.source = Some(shown(source));
            });
            counts.failing += u64::from(is_counted);
            changes.failing += u64::from(is_counted && new);
        }
    }
}
