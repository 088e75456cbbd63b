//! Checks one language of a component.

use super::align::ROW;
use super::bilingual_language::{check_bilingual, report_fuzzy};
use super::collector::FileFindingCollector;
use super::component_check::{ComponentCheck, ReferenceStrings};
use super::context::FileVersion;
use super::language_file::LanguageFile;
use super::language_run::LanguageRun;
use super::translated::{check_translated, report_restored, report_untranslated};
use super::{faults, left_over};
use crate::report::StaleCount;
use gitglot_checks::Proceed;
use gitglot_model::name_of_part;

impl<'a> ComponentCheck<'a> {
    /// Checks a language. The result is incomplete if the work may not go on.
    pub(super) fn run(
        &self,
        file: &LanguageFile,
        proceed: Proceed<'_>,
    ) -> FileFindingCollector<'a> {
        let mut found = self.collector(file);
        let base_side = self.base.as_ref().map(|base| base.side);
        if found.add_parse_error(file, base_side) {
            return found;
        }
        let known = self.known.as_ref().map(|known| known.results);
        let known = known.filter(|_| self.scope.options.is_empty());
        let version = FileVersion {
            language: file.language.code.clone(),
            file: file.key(),
            template: self.template,
            wording: self.wording.as_ref().map(|(file, _)| file.key()),
        };
        let before = base_side.and_then(|side| side.counterpart(file, self.head));
        let is_unchanged = self.is_unchanged(file, before);
        if is_unchanged
            && self.scope.only_new
            // Known numbers of files with a template do not tell fuzzy texts from those that a change makes stale.
            && !(self.bilingual.is_none() && file.content.has_fuzzy())
            && let Some(counts) = known.and_then(|known| known.counts(&version))
        {
            found.add_old(counts);
            return found;
        }
        if before.is_some_and(|before| before.content.error.is_some()) {
            found.note = Some(format!(
                "{}: the file does not parse at the base, so all its findings count as new",
                name_of_part(&file.path)
            ));
        }
        check_all(&self.language_run(file, proceed), &mut found);
        if let Some(known) = known.filter(|_| proceed(0)) {
            let mut counts = found.counts;
            if self.bilingual.is_none() {
                counts.stale = StaleCount::default();
            }
            known.keep(version, counts);
        }
        found
    }

    /// Whether the file, its template and what people read are those of the base, so that no finding is new and nothing
    /// becomes stale.
    fn is_unchanged(&self, file: &LanguageFile, before: Option<&LanguageFile>) -> bool {
        let may_become_stale = || match &self.reference {
            Some((ReferenceStrings::Base, reference)) => reference.stale.contains_key(&file.path),
            _ => true,
        };
        let is_same = before.is_some_and(|before| before.key() == file.key());
        let is_known = self.bilingual.is_some() || !may_become_stale();
        let wording = [&self.wording, &self.wording_of_base];
        let [wording, wording_before] = wording.map(|wording| Some(wording.as_ref()?.0.key()));
        self.has_template_of_base && is_same && wording == wording_before && is_known
    }
}

/// Checks all strings.
fn check_all(run: &LanguageRun<'_, '_>, found: &mut FileFindingCollector<'_>) {
    report_restored(run, found);
    if let Some(strings) = run.check.bilingual {
        check_bilingual(run, strings, found);
        return;
    }
    if run.check.reference.is_none() {
        found.counts.stale = StaleCount::Unknown;
        found.changes.stale = StaleCount::Unknown;
    }
    let rows = (0..run.check.rows.len()).take_while(|_| (run.proceed)(ROW));
    rows.for_each(|row| check_row(run, row, found));
    left_over::report_keys(run, found);
    let before = run.base.as_ref().map(|base| base.entries.file);
    faults::add(&run.file.content, before, Some(run.check.rows), found);
}

fn check_row(run: &LanguageRun<'_, '_>, row: usize, found: &mut FileFindingCollector<'_>) {
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    let translation = run.entries.translation(row);
    let is_needed = || !is_variant(run) && !is_other_category(run, key);
    if source.is_empty() || (translation.is_none() && !is_needed()) {
        return;
    }
    let before = run.before(row);
    found.counts.strings += 1;
    found.changes.added += u64::from(run.check.is_added(row));
    if report_fuzzy(run, row, found) {
        return;
    }
    match translation {
        Some(target) => check_translated(run, row, target, before, found),
        None => report_untranslated(run, row, before, found),
    }
}

/// Whether the file has the language of the template, so that programs use the template where it lacks a text.
fn is_variant(run: &LanguageRun<'_, '_>) -> bool {
    let component = &run.check.spec.component;
    let template = component.filemask.source_path(&component.template);
    *run.file.path != *template && run.file.language.code == run.check.source_language
}

/// Whether a key is a plural category that the language does not have, next to one that it has.
fn is_other_category(run: &LanguageRun<'_, '_>, key: &str) -> bool {
    let has = |key: &str| {
        let row = run.check.rows.row(key);
        row.is_some_and(|row| run.entries.translation(row).is_some())
    };
    let separators = &run.check.spec.separators;
    let stem = separators.plural_stem(key);
    run.file.language.plural.forms == 1
        && stem.is_some_and(|stem| has(&separators.plural_key(stem, "other")))
}
