//! Collects the numbers and findings of a file: counts all findings, and builds only those that are wanted.

use std::sync::Arc;

use super::component_files::ComponentFiles;
use super::context::{CheckScope, FindingPlace};
use super::finding::FindingKey;
use super::language_file::LanguageFile;
use super::positions::FilePosition;
use super::spec::ComponentSpec;
use crate::finding::{Finding, FindingKind, Relevance};
use crate::report::{ChangeCounts, Counts, StaleCount};
use gitglot_checks::Severity;
use gitglot_formats::ReadErrorKind;
use gitglot_model::{FileFormat, file_of_group, sentence, shown_path};

/// The number of findings in a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FileFindings {
    /// The file.
    pub path: Arc<str>,
    /// The language.
    pub language: Arc<str>,
    /// All findings.
    pub all: usize,
    /// Findings that are not in the base.
    pub new: usize,
    /// Errors.
    pub errors: usize,
    /// Errors that are not in the base.
    pub new_errors: usize,
}

impl FileFindings {
    /// Adds the numbers of the same file.
    pub(super) fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.new += other.new;
        self.errors += other.errors;
        self.new_errors += other.new_errors;
    }
}

/// The path of the file in which people find a string of a file.
pub(super) fn path_of_string(file: &Arc<str>, key: &str) -> Arc<str> {
    file_of_group(file, key).map_or_else(|| shown_path(file), Arc::from)
}

/// The numbers and findings of a file.
pub(super) struct FileFindingCollector<'a> {
    component: Arc<str>,
    /// The path of the file, or of its part or group.
    own_path: Arc<str>,
    format: FileFormat,
    scope: CheckScope<'a>,
    pub(super) file: FileFindings,
    pub(super) findings: Vec<Finding>,
    pub(super) counts: Counts,
    pub(super) changes: ChangeCounts,
    /// A fact that affects the numbers, as a sentence.
    pub(super) note: Option<String>,
    /// The entry of the last string that the file has: findings of missing strings are there.
    pub(super) last: Option<usize>,
    /// Of all findings, without the places of their source texts.
    pub(super) relevance: Relevance,
}

impl<'a> FileFindingCollector<'a> {
    /// Collects the findings of a file that the options do not leave out. Builds all of them, or only new ones.
    pub fn new(
        spec: &ComponentSpec,
        scope: CheckScope<'a>,
        language: &Arc<str>,
        path: &Arc<str>,
    ) -> Self {
        Self {
            component: spec.name.clone(),
            own_path: path.clone(),
            format: spec.component.file_format,
            scope,
            file: FileFindings {
                path: shown_path(path),
                language: language.clone(),
                ..FileFindings::default()
            },
            findings: Vec::new(),
            counts: Counts::default(),
            changes: ChangeCounts::default(),
            note: None,
            last: None,
            relevance: Relevance::default(),
        }
    }

    /// Adds the numbers of a file without new findings.
    pub(super) fn add_old(&mut self, counts: Counts) {
        self.counts = counts;
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let fuzzy = match (self.format.shape().has_template(), counts.stale) {
            (false, StaleCount::Known(fuzzy)) => fuzzy,
            _ => 0,
        };
        let all = counts.missing + fuzzy + counts.left_over + counts.failing + counts.faults;
        self.file.all += count(all);
        self.file.errors += count(counts.errors);
    }

    /// Adds a finding of a key with the usual severity of its kind, as [`Self::add_with_severity`] does.
    pub(super) fn add(
        &mut self,
        kind: FindingKind,
        key: &str,
        is_new: bool,
        describe: impl FnOnce(&mut Finding),
    ) {
        let usual = kind.severity();
        self.add_with_severity(kind, usual, key, is_new, describe);
    }

    /// Adds a finding of a key, unless the options leave it out or give it another severity. `describe` gets the finding
    /// at the start of the file, and sets the message, the texts and the position.
    pub(super) fn add_with_severity(
        &mut self,
        kind: FindingKind,
        usual: Severity,
        key: &str,
        is_new: bool,
        describe: impl FnOnce(&mut Finding),
    ) {
        let place = FindingPlace {
            kind,
            component: &self.component,
            language: &self.file.language,
            path: &self.file.path,
        };
        let key = FindingKey::new(self.format, key);
        let Some(severity) = self.scope.options.severity(place, &key, usual) else {
            return;
        };
        if let FindingKind::Check(_) = kind {
            self.counts.failing += 1;
            self.changes.failing += u64::from(is_new);
        }
        if kind.is_fault() {
            self.counts.faults += 1;
            self.changes.faults += u64::from(is_new);
        }
        let is_error = severity == Severity::Error;
        self.file.all += 1;
        self.file.new += usize::from(is_new);
        self.file.errors += usize::from(is_error);
        self.file.new_errors += usize::from(is_error && is_new);
        self.counts.errors += u64::from(is_error);
        if is_new || !self.scope.only_new {
            let mut finding = Finding {
                file: path_of_string(&self.own_path, key.id()),
                line: 1,
                column: 1,
                key,
                check: kind,
                language: self.file.language.clone(),
                severity,
                message: String::new(),
                component: self.component.clone(),
                source: None,
                target: None,
                previous_source: None,
                change: None,
                new: is_new,
                relevance: self.relevance.clone(),
            };
            describe(&mut finding);
            self.findings.push(finding);
        }
    }

    /// Adds the finding of a file that does not parse. Returns whether there is one.
    pub(super) fn add_parse_error(
        &mut self,
        file: &LanguageFile,
        base: Option<&ComponentFiles>,
    ) -> bool {
        let Some(error) = &file.content.error else {
            return false;
        };
        let is_same = |other: &LanguageFile| other.path == file.path && other.blob == file.blob;
        self.counts.parse_errors += 1;
        let is_known = base.is_some_and(|base| base.files().any(is_same));
        // Symfony and others read both versions of XLIFF, and libyaml ignores indentation in quotes.
        let severity = match error.kind {
            ReadErrorKind::ReadByOthers(_) => Severity::Warning,
            _ => Severity::Error,
        };
        let kind = FindingKind::ParseError;
        self.add_with_severity(kind, severity, "", !is_known, |finding| {
            finding.set_position(Some(FilePosition {
                line: error.line.max(1),
                column: error.column.max(1),
                ending: file.content.broken_ending(),
            }));
            finding.message = sentence(&error.kind.to_string());
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::{CheckScope, ComponentFiles, ComponentSpec, Severity, compare};
    use gitglot_model::FileFormat;

    /// The severities of the findings of a translation.
    fn severities(format: FileFormat, template: &str, translation: &str) -> Vec<Severity> {
        let texts = [("en", template), ("cs", translation)];
        let head = ComponentFiles::of_format(format, "en", &texts);
        let mut spec = ComponentSpec::of_json("en");
        spec.component.settings.file_format = format;
        let found = compare(&spec, &head, None, None, CheckScope::ALL);
        found.findings.iter().map(|it| it.severity).collect()
    }

    #[test]
    fn a_file_of_another_version_is_not_broken() {
        let template = r#"<xliff version="2.0"><file></file></xliff>"#;
        let found = |translation: &str| severities(FileFormat::Xliff2, template, translation);
        assert_eq!(
            found(r#"<xliff version="1.2"></xliff>"#),
            [Severity::Warning]
        );
        assert_eq!(found(r#"<xliff version="2.0">"#), [Severity::Error]);
    }

    #[test]
    fn indentation_in_quotes_breaks_no_program() {
        let found = |text: &str| severities(FileFormat::Yaml, "a:\n  b: c", text);
        assert_eq!(found("a:\n  b: \"\n  c\n d\""), [Severity::Warning]);
        assert_eq!(found("a:\n  b: \"c"), [Severity::Error]);
        assert_eq!(found("a:\n  b: \"c\nd: \"e\""), [Severity::Error]);
    }
}
