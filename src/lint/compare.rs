//! Checks a component, and compares it with a base.

use std::sync::{Mutex, PoisonError};

use super::align::TemplateStrings;
use super::context::{
    CheckOptions, ComponentSpec, Earlier, finding_at, language_report, parse_error,
};
use super::file::FilePosition;
use super::language::{self, LanguageCheck};
use super::report::ReportTotals;
use super::side::{ComponentSide, LanguageFile, in_parallel};
use super::{ChangeCounts, ComponentReport, Counts, Finding, FindingKind, StaleReference};

/// Checks a component in the state `head`. With a base, reports the differences too. Without a reference the stale
/// strings are unknown.
pub fn compare(
    spec: &ComponentSpec,
    head: &ComponentSide,
    base: Option<&ComponentSide>,
    reference: Option<StaleReference<'_>>,
    options: &CheckOptions,
    notes: &mut Vec<String>,
) -> (ComponentReport, Vec<Finding>) {
    compare_files(spec, head, base, reference, options, notes, &|_| true)
}

/// As [`compare`], for the files whose paths are selected only.
pub fn compare_files(
    spec: &ComponentSpec,
    head: &ComponentSide,
    base: Option<&ComponentSide>,
    reference: Option<StaleReference<'_>>,
    options: &CheckOptions,
    notes: &mut Vec<String>,
    selected: &(dyn Fn(&str) -> bool + Sync),
) -> (ComponentReport, Vec<Finding>) {
    notes.extend(head.duplicates.iter().cloned());
    let mut report = ComponentReport {
        name: spec.name.clone(),
        filemask: spec.component.filemask.as_str().to_owned(),
        template: spec.component.template.clone(),
        totals: ReportTotals::default(),
        languages: Vec::new(),
    };
    report.totals.counts.finish();
    let Some(template) = head.readable_template() else {
        return without_template(spec, head, base, report);
    };
    let rows = TemplateStrings::new(&template.content);
    let earlier = base.and_then(|base| Earlier::new(base, &rows));
    if base.is_some() && earlier.is_none() {
        notes.push(format!(
            "{}: the base has no readable template {}, so all strings and findings count as new",
            spec.name, spec.component.template
        ));
    }
    let check = LanguageCheck {
        spec,
        options,
        rows: &rows,
        has_base: base.is_some(),
        base: earlier,
        reference: reference.map(|reference| {
            let earlier = if std::ptr::eq(reference.side, head) {
                None
            } else {
                Earlier::new(reference.side, &rows)
            };
            (earlier, reference.stale)
        }),
        stale_at_base: reference.and_then(|reference| reference.at_base),
    };
    let mut findings = Vec::new();
    if selected(&template.path) {
        let (source, found) = language::check_template(&check, template);
        report.languages.push(source);
        findings = found;
    }
    let results = Mutex::new(Vec::with_capacity(head.languages.len()));
    in_parallel(head.languages.len(), || {
        |index: usize| {
            let file = head.languages.get(index);
            let Some(file) = file.filter(|file| selected(&file.path)) else {
                return;
            };
            let result = check.run(file);
            results
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((index, result));
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    for (_, (language, found, note)) in results {
        report.totals.add(language.counts, language.changes);
        report.languages.push(language);
        findings.extend(found);
        notes.extend(note);
    }
    if let Some(base) = base {
        let removed = base
            .languages
            .iter()
            .filter(|file| selected(&file.path) && !remains(file, base, head));
        removed.for_each(|file| removed_file(spec, file, &mut report, &mut findings));
    }
    report
        .languages
        .sort_by(|a, b| (!a.is_source, &a.file).cmp(&(!b.is_source, &b.file)));
    findings.retain(|finding| !options.ignores(finding.check, &finding.key));
    findings.sort_by(|a, b| {
        (&a.file, a.line, a.column, a.check, &a.key)
            .cmp(&(&b.file, b.line, b.column, b.check, &b.key))
    });
    (report, findings)
}

/// The result of a component whose template is missing or does not parse.
fn without_template(
    spec: &ComponentSpec,
    head: &ComponentSide,
    base: Option<&ComponentSide>,
    mut report: ComponentReport,
) -> (ComponentReport, Vec<Finding>) {
    let mut findings = Vec::new();
    for file in head.files() {
        let is_source = *file.path == *spec.component.template;
        let mut counts = Counts::default();
        if let Some(finding) = parse_error(spec, file, base) {
            findings.push(finding);
            counts.parse_errors = 1;
        }
        counts.finish();
        report.totals.add(counts, None);
        report
            .languages
            .push(language_report(file, is_source, counts, None));
    }
    if head.template.is_none() {
        let message = "The template does not exist.".to_owned();
        let language = crate::language::resolve(&spec.source_language).code;
        findings.push(Finding {
            file: spec.component.template.as_str().into(),
            language,
            new: base.is_none_or(|base| base.template.is_some()),
            ..finding_at(
                spec,
                &spec.source_language,
                &spec.component.template,
                FindingKind::ParseError,
                FilePosition::START,
                message,
            )
        });
        report.totals.counts.parse_errors += 1;
    }
    (report, findings)
}

/// Whether a file of the base still exists, possibly under a new name.
fn remains(file: &LanguageFile, base: &ComponentSide, head: &ComponentSide) -> bool {
    let is_new = |other: &LanguageFile| !base.languages.iter().any(|it| it.path == other.path);
    head.languages.iter().any(|other| {
        other.path == file.path || (other.language.code == file.language.code && is_new(other))
    })
}

/// Reports a language whose file the change removes.
fn removed_file(
    spec: &ComponentSpec,
    file: &LanguageFile,
    report: &mut ComponentReport,
    findings: &mut Vec<Finding>,
) {
    let translations = (0..file.content.len())
        .filter(|&index| file.content.is_translated(index))
        .count() as u64;
    let changes = ChangeCounts {
        removed: translations,
        ..ChangeCounts::default()
    };
    let mut counts = Counts::default();
    counts.finish();
    report.totals.add(counts, Some(changes));
    report
        .languages
        .push(language_report(file, false, counts, Some(changes)));
    let message = format!("The change removes the file with {translations} translations.");
    findings.push(finding_at(
        spec,
        &file.language.code,
        &file.path,
        FindingKind::Removed,
        FilePosition::START,
        message,
    ));
}
