//! Checks the template of a component: removed strings, and the checks of source texts.

use super::align::ROW;
use super::align::TemplateStrings;
use super::collector::FileFindingCollector;
use super::component_check::ComponentCheck;
use super::documents::source_document_faults;
use super::earlier::EarlierStrings;
use super::faults;
use super::file::{forms, shown};
use super::language_file::LanguageFile;
use super::renames::RenamedKey;
use super::uses::KeyUse;
use crate::finding::FindingKind;
use gitglot_checks::CheckInput;
use gitglot_checks::Checker;
use gitglot_checks::Proceed;
use gitglot_checks::Severity;
use gitglot_model::{FileFormat, SeededMap};

pub(super) fn check_template<'a>(
    check: &ComponentCheck<'a>,
    file: &LanguageFile,
    proceed: Proceed<'_>,
) -> FileFindingCollector<'a> {
    let mut found = check.collector(file);
    let base_side = check.base.as_ref().map(|base| base.side);
    if check.bilingual.is_some() {
        if !found.add_parse_error(file, base_side) {
            check_bilingual_template(check, file, proceed, &mut found);
        }
        return found;
    }
    let rows = check.rows;
    let has_text = |&row: &usize| !rows.source(row).is_empty();
    let strings = (0..rows.len()).filter(has_text).count() as u64;
    (found.counts.strings, found.counts.translated) = (strings, strings);
    found.changes.added = (0..rows.len()).filter(|&row| check.is_added(row)).count() as u64;
    if let Some(base) = &check.base {
        removed_strings(check, file, base, &mut found);
    }
    arrived_strings(check, (file, rows), &mut found);
    let before = check.base.as_ref().map(|base| base.rows.file);
    faults::add(&file.content, before, None, &mut found);
    if check.spec.component.file_format == FileFormat::Document {
        check_documents(check, file, proceed, &mut found);
    }
    if let Some(source_checker) = &check.spec.source_checker {
        let is_old = |row: usize| {
            check.base.as_ref().is_some_and(|base| {
                base.row(row)
                    .is_some_and(|it| base.rows.source(it) == rows.source(row))
            })
        };
        check_sources(
            (check, rows),
            file,
            source_checker,
            &is_old,
            proceed,
            &mut found,
        );
    }
    found
}

/// Checks the template of new bilingual files. A changed source text is a removed and an added string, so removed ones
/// only count.
fn check_bilingual_template(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    proceed: Proceed<'_>,
    found: &mut FileFindingCollector<'_>,
) {
    let rows = TemplateStrings::new(&file.content);
    let strings = rows.len() as u64;
    (found.counts.strings, found.counts.translated) = (strings, strings);
    let before = check
        .base
        .as_ref()
        .and_then(|base| base.side.template.as_ref());
    let before = before.filter(|file| file.content.error.is_none());
    if let Some(before) = before {
        let old = TemplateStrings::new(&before.content);
        let lacking = |one: &TemplateStrings<'_>, other: &TemplateStrings<'_>| {
            let keys = (0..one.len()).map(|row| one.key(row));
            keys.filter(|key| other.row(key).is_none()).count() as u64
        };
        let renamed_strings = check.renames.list.len() as u64;
        let (arrived, left) = check.scope.moves.map_or((0, 0), |moves| {
            (moves.arrived().len() as u64, moves.left().len() as u64)
        });
        found.changes.added = lacking(&rows, &old).saturating_sub(renamed_strings + arrived);
        found.changes.removed = lacking(&old, &rows).saturating_sub(renamed_strings + left);
        for rename in &check.renames.list {
            renamed((file, &rows), rename, found);
        }
    } else {
        found.changes.added = strings;
    }
    arrived_strings(check, (file, &rows), found);
    faults::add(
        &file.content,
        before.map(|file| &*file.content),
        None,
        found,
    );
    if let Some(source_checker) = &check.spec.source_checker {
        let before = before.map(|file| TemplateStrings::new(&file.content));
        let is_old = |row: usize| {
            let before = before.as_ref();
            before.is_some_and(|before| before.row(rows.key(row)).is_some())
        };
        check_sources(
            (check, &rows),
            file,
            source_checker,
            &is_old,
            proceed,
            found,
        );
    }
}

/// Reports the faults of source documents.
fn check_documents(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    proceed: Proceed<'_>,
    found: &mut FileFindingCollector<'_>,
) {
    let rows = check.rows;
    for row in 0..rows.len() {
        let (key, source) = (rows.key(row), rows.source(row));
        if !proceed(ROW + source.len()) {
            return;
        }
        let own = source_document_faults(source);
        let base = check.base.as_ref().filter(|_| !own.is_empty());
        let before = base.and_then(|base| Some(base.rows.source(base.row(row)?)));
        let old = before.map_or_else(Vec::new, source_document_faults);
        for fault in own {
            let is_new = !old.iter().any(|it| it.message == fault.message);
            found.add(fault.kind, key, is_new, |finding| {
                finding.set_position(Some(file.content.position(rows.entry(row))));
                finding.message = fault.message;
                finding.line = fault.line;
            });
        }
    }
}

/// Reports the strings that only the base has.
fn removed_strings(
    check: &ComponentCheck<'_>,
    file: &LanguageFile,
    base: &EarlierStrings<'_>,
    found: &mut FileFindingCollector<'_>,
) {
    let uses = uses(check, base);
    for row in 0..base.rows.len() {
        let key = base.rows.key(row);
        if let Some(present) = check.rows.row(key) {
            found.last = Some(check.rows.entry(present));
            continue;
        }
        let rename = check.renames.of(key);
        if let Some(rename) = rename.filter(|_| !uses.contains_key(key)) {
            renamed((file, check.rows), rename, found);
            continue;
        }
        // The new component reports a string that moved.
        let has_left = check.has_left(key);
        if has_left && !uses.contains_key(key) {
            continue;
        }
        found.changes.removed += u64::from(rename.is_none() && !has_left);
        let last = found.last;
        let (kind, severity, message) = match uses.get(key) {
            Some(KeyUse {
                path,
                line,
                is_certain: true,
            }) => (
                FindingKind::RemovedUsed,
                Severity::Error,
                format!(
                    "The change removes the source string, but {path}:{line} uses it: restore the string, or remove the use."
                ),
            ),
            Some(KeyUse {
                path,
                line,
                is_certain: false,
            }) => (
                FindingKind::RemovedUsed,
                Severity::Warning,
                format!(
                    "The change removes the source string, but {path}:{line} seems to use it: look at this place."
                ),
            ),
            None => (
                FindingKind::Removed,
                FindingKind::Removed.severity(),
                "The change removes the source string.".to_owned(),
            ),
        };
        found.add_with_severity((kind, severity), key, true, |finding| {
            finding.set_position(last.map(|entry| file.content.position(entry)));
            finding.message = message;
            finding.source = Some(shown(base.rows.source(row)));
        });
    }
}

/// Reports the strings that come from other components.
fn arrived_strings(
    check: &ComponentCheck<'_>,
    template: (&LanguageFile, &TemplateStrings<'_>),
    found: &mut FileFindingCollector<'_>,
) {
    for rename in check.scope.moves.iter().flat_map(|moves| moves.arrived()) {
        renamed(template, rename, found);
    }
}

/// Reports a new key of a string, unless all translations have it.
fn renamed(
    (file, rows): (&LanguageFile, &TemplateStrings<'_>),
    rename: &RenamedKey,
    found: &mut FileFindingCollector<'_>,
) {
    if rename.remaining.is_empty() {
        return;
    }
    let new_key = rename.new_in_files();
    found.add(FindingKind::Renamed, new_key, true, |finding| {
        let row = rows.row(new_key);
        finding.set_position(row.map(|row| file.content.position(rows.entry(row))));
        finding.message = rename.message();
        finding.source = row.map(|row| shown(rows.source(row)));
    });
}

/// The places in source code that use removed keys, by key.
fn uses<'a>(check: &ComponentCheck<'_>, base: &EarlierStrings<'a>) -> SeededMap<&'a str, KeyUse> {
    let Some(uses) = check.scope.uses else {
        return SeededMap::default();
    };
    let is_gone = |key: &&str| {
        let separators = &check.spec.separators;
        check.rows.row(key).is_none() && !check.rows.has_plural_sibling(key, separators)
    };
    let keys = (0..base.rows.len()).map(|row| base.rows.key(row));
    let keys: Vec<&str> = keys.filter(is_gone).collect();
    if keys.is_empty() {
        return SeededMap::default();
    }
    let places = uses.places(check.spec, &keys);
    let pairs = keys.into_iter().zip(places);
    pairs
        .filter_map(|(key, place)| Some((key, place?)))
        .collect()
}

/// Runs the checks of source texts. `is_old` tells whether the base has the string of a row with the same source.
fn check_sources(
    (check, rows): (&ComponentCheck<'_>, &TemplateStrings<'_>),
    file: &LanguageFile,
    source_checker: &Checker,
    is_old: &dyn Fn(usize) -> bool,
    proceed: Proceed<'_>,
    found: &mut FileFindingCollector<'_>,
) {
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
            found.add(kind, key, !is_old(row), |finding| {
                finding.set_position(Some(file.content.position(rows.entry(row))));
                finding.message = failing.message;
                finding.source = Some(shown(source));
            });
        }
    }
}
