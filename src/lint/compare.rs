//! Checks a component, and compares it with a base.

use std::sync::{Mutex, PoisonError};

use super::align::TemplateStrings;
use super::collector::{FileFindingCollector, FileFindings, parse_error};
use super::component_check::ComponentCheck;
use super::context::{
    CheckOptions, CheckScope, ComponentSpec, Earlier, finding_at, language_report,
};
use super::file::FilePosition;
use super::report::ReportTotals;
use super::side::{ComponentSide, LanguageFile, in_parallel};
use super::template::check_template;
use super::{ChangeCounts, ComponentReport, Counts, Finding, FindingKind, StaleReference};

/// The result of a component.
#[derive(Debug)]
pub struct CheckedComponent {
    /// The numbers.
    pub report: ComponentReport,
    /// The findings, by file and position.
    pub findings: Vec<Finding>,
    /// The number of findings of each file that has some, by path.
    pub files: Vec<FileFindings>,
    /// Facts that affect the numbers, as sentences.
    pub notes: Vec<String>,
}

/// Checks a component in the state `head`. With a base, reports the differences too. Without a reference the stale
/// strings are unknown.
pub fn compare(
    spec: &ComponentSpec,
    head: &ComponentSide,
    base: Option<&ComponentSide>,
    reference: Option<StaleReference<'_>>,
    options: &CheckOptions,
    scope: CheckScope<'_>,
) -> CheckedComponent {
    let mut result = CheckedComponent::new(spec, head);
    let Some(template) = head.readable_template() else {
        result.without_template(spec, head, base, (options, scope));
        return result.sorted();
    };
    let rows = TemplateStrings::new(&template.content);
    let earlier = base.and_then(|base| Earlier::new(base, &rows));
    if base.is_some() && earlier.is_none() {
        result.notes.push(format!(
            "{}: the base has no readable template {}, so all strings and findings count as new",
            spec.name, spec.component.template
        ));
    }
    let check = ComponentCheck::new(spec, head, (template, &rows), (options, scope))
        .with_base(base, earlier)
        .with_reference(reference);
    if (scope.selects)(&template.path) {
        let (language, found) = check_template(&check, template);
        result.report.languages.push(language);
        result.add(found);
    }
    let results = Mutex::new(Vec::with_capacity(head.languages.len()));
    in_parallel(head.languages.len(), || {
        |index: usize| {
            let file = head.languages.get(index);
            let Some(file) = file.filter(|file| (scope.selects)(&file.path)) else {
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
        result.report.totals.add(language.counts, language.changes);
        result.report.languages.push(language);
        result.add(found);
        result.notes.extend(note);
    }
    if let Some(base) = base {
        let removed = base
            .languages
            .iter()
            .filter(|file| (scope.selects)(&file.path) && !remains(file, base, head));
        removed.for_each(|file| result.removed_file(&check, file));
    }
    result.sorted()
}

impl CheckedComponent {
    fn new(spec: &ComponentSpec, head: &ComponentSide) -> Self {
        let mut report = ComponentReport {
            name: spec.name.clone(),
            filemask: spec.component.filemask.as_str().to_owned(),
            template: spec.component.template.clone(),
            totals: ReportTotals::default(),
            languages: Vec::new(),
        };
        report.totals.counts.finish();
        Self {
            report,
            findings: Vec::new(),
            files: Vec::new(),
            notes: head.duplicates.clone(),
        }
    }

    fn add(&mut self, found: FileFindingCollector<'_>) {
        self.findings.extend(found.findings);
        if found.file.all > 0 {
            self.files.push(found.file);
        }
    }

    fn sorted(mut self) -> Self {
        let languages = &mut self.report.languages;
        languages.sort_by(|a, b| (!a.is_source, &a.file).cmp(&(!b.is_source, &b.file)));
        self.findings.sort_by(|a, b| {
            (&a.file, a.line, a.column, a.check, &a.key)
                .cmp(&(&b.file, b.line, b.column, b.check, &b.key))
        });
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.files.dedup_by(|next, file| {
            let is_same = next.path == file.path;
            if is_same {
                file.add(next);
            }
            is_same
        });
        self
    }

    /// Adds the results of a component whose template is missing or does not parse.
    fn without_template(
        &mut self,
        spec: &ComponentSpec,
        head: &ComponentSide,
        base: Option<&ComponentSide>,
        (options, scope): (&CheckOptions, CheckScope<'_>),
    ) {
        for file in head.files() {
            let (language, path) = (&file.language.code, &file.path);
            let mut findings = FileFindingCollector::new(options, scope.only_new, language, path);
            let is_source = **path == *spec.component.template;
            let mut counts = Counts::default();
            if parse_error(spec, file, base, &mut findings) {
                counts.parse_errors = 1;
            }
            counts.finish();
            self.report.totals.add(counts, None);
            let language = language_report(file, is_source, counts, None);
            self.report.languages.push(language);
            self.add(findings);
        }
        if head.template.is_none() {
            let language = crate::language::resolve(&spec.source_language).code;
            let path = spec.component.template.as_str().into();
            let mut findings = FileFindingCollector::new(options, scope.only_new, &language, &path);
            let is_new = base.is_none_or(|base| base.template.is_some());
            let kind = FindingKind::ParseError;
            findings.add(kind, "", is_new, || {
                let message = "The template does not exist.".to_owned();
                finding_at(spec, &language, &path, kind, FilePosition::START, message)
            });
            self.report.totals.counts.parse_errors += 1;
            self.add(findings);
        }
    }

    /// Adds a language whose file the change removes.
    fn removed_file(&mut self, check: &ComponentCheck<'_>, file: &LanguageFile) {
        let translations = (0..file.content.len())
            .filter(|&index| file.content.is_translated(index))
            .count() as u64;
        let changes = ChangeCounts {
            removed: translations,
            ..ChangeCounts::default()
        };
        let mut counts = Counts::default();
        counts.finish();
        self.report.totals.add(counts, Some(changes));
        let language = language_report(file, false, counts, Some(changes));
        self.report.languages.push(language);
        let mut findings = check.collector(file);
        let kind = FindingKind::Removed;
        findings.add(kind, "", true, || {
            let message = format!("The change removes the file with {translations} translations.");
            let (language, path) = (&file.language.code, &file.path);
            finding_at(
                check.spec,
                language,
                path,
                kind,
                FilePosition::START,
                message,
            )
        });
        self.add(findings);
    }
}

/// Whether a file of the base still exists, possibly under a new name.
fn remains(file: &LanguageFile, base: &ComponentSide, head: &ComponentSide) -> bool {
    let is_new = |other: &LanguageFile| !base.languages.iter().any(|it| it.path == other.path);
    head.has(&file.path)
        || head
            .languages
            .iter()
            .any(|other| other.language.code == file.language.code && is_new(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::Words;
    use crate::checks::modern::ModernChecker;
    use crate::model::{Component, FileFormat, FileMask, Slug};

    #[test]
    fn a_translation_that_becomes_the_template_is_not_removed() {
        let files = [
            ("de", r#"{"a": "Guten Tag"}"#),
            ("en", r#"{"a": "Good day"}"#),
        ];
        let base = ComponentSide::of_texts("en", &files);
        let head = ComponentSide::of_texts("de", &files);
        let (slug, mask) = (Slug::new("c").unwrap(), FileMask::new("*.json").unwrap());
        let spec = ComponentSpec {
            name: "p/c".into(),
            component: Component::new(slug, mask, "de.json", FileFormat::Json),
            source_language: "de".to_owned(),
            checker: ModernChecker::inferred("json", Words::default()),
            source_checker: None,
        };
        let options = CheckOptions::default();
        let found = compare(&spec, &head, Some(&base), None, &options, CheckScope::ALL);
        assert!(found.findings.is_empty(), "{:?}", found.findings);
        assert_eq!(found.report.languages.len(), 2);
    }
}
