//! Collects the findings of a file: counts all of them, and builds only those that are wanted.

use std::sync::Arc;

use super::context::finding_at;
use super::file::FilePosition;
use super::side::{ComponentSide, LanguageFile};
use super::{CheckOptions, ComponentSpec, Counts, Finding, FindingKind, Severity};

/// The number of findings in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The findings of a file.
pub(super) struct FileFindingCollector<'a> {
    options: &'a CheckOptions,
    only_new: bool,
    pub(super) file: FileFindings,
    pub(super) findings: Vec<Finding>,
}

impl<'a> FileFindingCollector<'a> {
    /// Collects the findings of a file that `options` does not leave out. Builds all of them, or `only_new` ones.
    pub(super) fn new(
        options: &'a CheckOptions,
        only_new: bool,
        language: &Arc<str>,
        path: &Arc<str>,
    ) -> Self {
        Self {
            options,
            only_new,
            file: FileFindings {
                path: path.clone(),
                language: language.clone(),
                all: 0,
                new: 0,
                errors: 0,
                new_errors: 0,
            },
            findings: Vec::new(),
        }
    }

    /// Counts the findings of a file that are not new, given the numbers of the file.
    pub(super) fn add_old(&mut self, counts: &Counts) {
        let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        self.file.all += count(counts.missing + counts.left_over + counts.failing);
        self.file.errors += count(counts.failing);
    }

    /// Adds a finding of a key, unless the options leave it out; `build` returns it. Returns whether it counts.
    pub(super) fn add(
        &mut self,
        kind: FindingKind,
        key: &str,
        is_new: bool,
        build: impl FnOnce() -> Finding,
    ) -> bool {
        if self.options.ignores(kind, key) {
            return false;
        }
        let is_error = kind.severity() == Severity::Error;
        self.file.all += 1;
        self.file.new += usize::from(is_new);
        self.file.errors += usize::from(is_error);
        self.file.new_errors += usize::from(is_error && is_new);
        if is_new || !self.only_new {
            self.findings.push(Finding {
                key: key.to_owned(),
                new: is_new,
                ..build()
            });
        }
        true
    }
}

/// Adds the finding of a file that does not parse. Returns whether there is one.
pub(super) fn parse_error(
    spec: &ComponentSpec,
    file: &LanguageFile,
    base: Option<&ComponentSide>,
    findings: &mut FileFindingCollector<'_>,
) -> bool {
    let Some(error) = &file.content.error else {
        return false;
    };
    let position = FilePosition {
        line: error.line.max(1),
        column: error.column.max(1),
    };
    let known = base.is_some_and(|base| {
        base.files()
            .any(|other| other.path == file.path && other.blob == file.blob)
    });
    let kind = FindingKind::ParseError;
    findings.add(kind, "", !known, || {
        let mut message = error.kind.to_string();
        message.push('.');
        let message = capitalized(&message);
        finding_at(
            spec,
            &file.language.code,
            &file.path,
            kind,
            position,
            message,
        )
    });
    true
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}
