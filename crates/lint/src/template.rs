//! Checks the template of a component: removed strings, and the checks of source texts.

use super::align::{ROW, TemplateStrings};
use super::collector::FileFindingCollector;
use super::component_check::ComponentCheck;
use super::documents::source_document_faults;
use super::earlier::EarlierStrings;
use super::faults;
use super::file::{forms, shown};
use super::language_file::LanguageFile;
use super::renames::RenamedKey;
use super::uses::KeyUse;
use crate::finding::{Finding, FindingKind};
use gitglot_checks::{CheckInput, Proceed, Severity};
use gitglot_model::{FileFormat, SeededMap};

/// Checks the template of a component, or that of new bilingual files.
pub(super) fn check_template<'a>(
    check: &ComponentCheck<'a>,
    file: &LanguageFile,
    proceed: Proceed<'_>,
) -> FileFindingCollector<'a> {
    let mut found = check.collector(file);
    let base_side = check.base.as_ref().map(|base| base.side);
    let run = |rows| TemplateRun {
        check,
        file,
        rows,
        proceed,
    };
    if check.bilingual.is_none() {
        run(check.rows).of_translations(&mut found);
    } else if !found.add_parse_error(file, base_side) {
        run(&TemplateStrings::new(&file.content)).of_new_files(&mut found);
    }
    found
}

/// The check of a template.
struct TemplateRun<'r, 'a> {
    check: &'r ComponentCheck<'a>,
    file: &'r LanguageFile,
    rows: &'r TemplateStrings<'r>,
    proceed: Proceed<'r>,
}

impl TemplateRun<'_, '_> {
    fn of_translations(&self, found: &mut FileFindingCollector<'_>) {
        let (check, rows) = (self.check, self.rows);
        let has_text = |&row: &usize| !rows.source(row).is_empty();
        let strings = (0..rows.len()).filter(has_text).count() as u64;
        (found.counts.strings, found.counts.translated) = (strings, strings);
        found.changes.added = (0..rows.len()).filter(|&row| check.is_added(row)).count() as u64;
        if let Some(base) = &check.base {
            self.removed_strings(base, found);
        }
        self.arrived_strings(found);
        let before = check.base.as_ref().map(|base| base.rows.file);
        faults::add(&self.file.content, before, None, found);
        if check.spec.component.file_format == FileFormat::Document {
            self.check_documents(found);
        }
        let is_old = |row: usize| {
            let base = check.base.as_ref();
            let before = base.and_then(|base| Some(base.rows.source(base.row(row)?)));
            before == Some(rows.source(row))
        };
        self.check_sources(&is_old, found);
    }

    /// A changed source text is a removed and an added string, so removed ones only count.
    fn of_new_files(&self, found: &mut FileFindingCollector<'_>) {
        let (check, rows) = (self.check, self.rows);
        let strings = rows.len() as u64;
        (found.counts.strings, found.counts.translated) = (strings, strings);
        let base = check.base.as_ref();
        let before = base.and_then(|base| base.side.template.as_ref());
        let before = before.filter(|file| file.content.error.is_none());
        let old = before.map(|before| TemplateStrings::new(&before.content));
        if let Some(old) = &old {
            let lacking = |one: &TemplateStrings<'_>, other: &TemplateStrings<'_>| {
                let keys = (0..one.len()).map(|row| one.key(row));
                keys.filter(|key| other.row(key).is_none()).count() as u64
            };
            let renamed_strings = check.renames.list.len() as u64;
            let (arrived, left) = check.scope.moves.map_or((0, 0), |moves| {
                (moves.arrived().len() as u64, moves.left().len() as u64)
            });
            found.changes.added = lacking(rows, old).saturating_sub(renamed_strings + arrived);
            found.changes.removed = lacking(old, rows).saturating_sub(renamed_strings + left);
            for rename in &check.renames.list {
                self.renamed(rename, found);
            }
        } else {
            found.changes.added = strings;
        }
        self.arrived_strings(found);
        let before = before.map(|file| &*file.content);
        faults::add(&self.file.content, before, None, found);
        let is_old = |row: usize| {
            let old = old.as_ref();
            old.is_some_and(|old| old.row(rows.key(row)).is_some())
        };
        self.check_sources(&is_old, found);
    }

    /// Reports the faults of source documents.
    fn check_documents(&self, found: &mut FileFindingCollector<'_>) {
        for row in 0..self.rows.len() {
            let (key, source) = (self.rows.key(row), self.rows.source(row));
            if !(self.proceed)(ROW + source.len()) {
                return;
            }
            let faults = source_document_faults(source);
            let base = self.check.base.as_ref().filter(|_| !faults.is_empty());
            let before = base.and_then(|base| Some(base.rows.source(base.row(row)?)));
            let old = before.map_or_else(Vec::new, source_document_faults);
            for fault in faults {
                let is_new = !old.iter().any(|old| old.message == fault.message);
                found.add(fault.kind, key, is_new, |finding| {
                    let entry = self.rows.entry(row);
                    finding.set_position(Some(self.file.content.position(entry)));
                    finding.message = fault.message;
                    finding.line = fault.line;
                });
            }
        }
    }

    /// Reports the strings that only the base has.
    fn removed_strings(&self, base: &EarlierStrings<'_>, found: &mut FileFindingCollector<'_>) {
        let check = self.check;
        let uses = uses(check, base);
        for row in 0..base.rows.len() {
            let key = base.rows.key(row);
            if let Some(present) = check.rows.row(key) {
                found.last = Some(check.rows.entry(present));
                continue;
            }
            let used = uses.get(key);
            let rename = check.renames.of(key);
            if let Some(rename) = rename.filter(|_| used.is_none()) {
                self.renamed(rename, found);
                continue;
            }
            // The new component reports a string that moved.
            let has_left = check.has_left(key);
            if has_left && used.is_none() {
                continue;
            }
            found.changes.removed += u64::from(rename.is_none() && !has_left);
            let last = found.last;
            let (kind, severity) = match used {
                Some(it) if it.is_certain => (FindingKind::RemovedUsed, Severity::Error),
                Some(_) => (FindingKind::RemovedUsed, Severity::Warning),
                None => (FindingKind::Removed, FindingKind::Removed.severity()),
            };
            found.add_with_severity(kind, severity, key, true, |finding| {
                finding.set_position(last.map(|entry| self.file.content.position(entry)));
                finding.message = removed_message(used);
                finding.source = Some(shown(base.rows.source(row)));
            });
        }
    }

    /// Reports the strings that come from other components.
    fn arrived_strings(&self, found: &mut FileFindingCollector<'_>) {
        let moves = self.check.scope.moves.iter();
        for rename in moves.flat_map(|moves| moves.arrived()) {
            self.renamed(rename, found);
        }
    }

    /// Reports a new key of a string, unless all translations have it.
    fn renamed(&self, rename: &RenamedKey, found: &mut FileFindingCollector<'_>) {
        if rename.remaining.is_empty() {
            return;
        }
        let new_key = rename.new_in_files();
        found.add(FindingKind::Renamed, new_key, true, |finding| {
            self.describe(finding, self.rows.row(new_key), rename.message());
        });
    }

    /// Runs the checks of source texts, if they are enabled. `is_old` tells whether the base has the string of a row with
    /// the same source.
    fn check_sources(&self, is_old: &dyn Fn(usize) -> bool, found: &mut FileFindingCollector<'_>) {
        let spec = self.check.spec;
        let Some(checker) = &spec.source_checker else {
            return;
        };
        let checker = checker.for_translation(&self.file.language.code, &spec.source_language);
        for row in (0..self.rows.len()).take_while(|_| (self.proceed)(ROW)) {
            let forms = forms(self.rows.source(row));
            let failing = checker.check_while(&CheckInput::new(&forms, &forms), self.proceed);
            let failing = failing.into_iter();
            for failing in failing.filter(|finding| finding.check.is_source_check()) {
                let (kind, key) = (FindingKind::Check(failing.check), self.rows.key(row));
                found.add(kind, key, !is_old(row), |finding| {
                    self.describe(finding, Some(row), failing.message);
                });
            }
        }
    }

    /// Describes a finding of a row, without one at the start of the file.
    fn describe(&self, finding: &mut Finding, row: Option<usize>, message: String) {
        let position = |row| self.file.content.position(self.rows.entry(row));
        finding.set_position(row.map(position));
        finding.message = message;
        finding.source = row.map(|row| shown(self.rows.source(row)));
    }
}

/// The message of a string that the change removes, with the place in source code that uses it.
fn removed_message(used: Option<&KeyUse>) -> String {
    let Some(KeyUse {
        path,
        line,
        is_certain,
    }) = used
    else {
        return "The change removes the source string.".to_owned();
    };
    let advice = if *is_certain {
        "uses it: restore the string, or remove the use."
    } else {
        "seems to use it: look at this place."
    };
    format!("The change removes the source string, but {path}:{line} {advice}")
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
