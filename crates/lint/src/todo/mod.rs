//! The work list of a repository: the strings to translate, to review or to repair, with what the work needs, and the check
//! of a filled list before anything is written (`docs/spec/lint.md#work-list`).

mod build;
mod examples;
mod filled;
mod forms;
mod output;
mod validate;

use std::sync::Arc;

use serde::Serialize;

use crate::finding::{Finding, FindingKind};
use crate::report::ReadState;
use gitglot_checks::{Severity, SourceChange};

pub use build::{SelectString, TodoBuilder, TodoComponent, TodoFilter};
pub use filled::{FilledError, FilledList};
pub use output::{TodoFormat, TodoOutputError};
pub use validate::{Validation, Verdict, validate};

/// The version of the structures of this module.
const VERSION: u32 = 1;

/// The kind of the work on a string.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// It has no translation.
    Missing,
    /// Its source changed since it was translated, or its file marks it as one to review.
    Stale,
    /// Its translation fails a check.
    Failing,
    /// The template no longer has it.
    LeftOver,
}

impl WorkKind {
    /// The kind of work that a finding asks for, if it is about a text of a translation.
    fn of(kind: FindingKind) -> Option<Self> {
        Some(match kind {
            FindingKind::Missing => Self::Missing,
            FindingKind::Stale => Self::Stale,
            FindingKind::Check(_)
            | FindingKind::Escape
            | FindingKind::PluralForms
            | FindingKind::Accelerator
            | FindingKind::ForbiddenText
            | FindingKind::UnequalText
            | FindingKind::FrontMatter
            | FindingKind::MergeMark
            | FindingKind::CodeBlock
            | FindingKind::CodeContent
            | FindingKind::DocumentLink => Self::Failing,
            FindingKind::LeftOver | FindingKind::MistypedKey => Self::LeftOver,
            _ => return None,
        })
    }

    /// The word.
    fn id(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Stale => "stale",
            Self::Failing => "failing",
            Self::LeftOver => "left-over",
        }
    }
}

/// The work on a repository. Field order is the order in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct TodoList {
    /// The version of this structure.
    version: u32,
    /// The input.
    #[serde(flatten)]
    pub read: ReadState,
    /// Facts that affect the list, as sentences.
    pub notes: Vec<String>,
    /// Strings with work in all pages.
    pub total: usize,
    /// The id to continue after; `None` at the end.
    pub next: Option<String>,
    /// The strings of the page, by component, file and position in the template.
    pub items: Vec<TodoItem>,
}

/// The work on one string of a language.
#[derive(Clone, Debug, Serialize)]
pub struct TodoItem {
    /// Identifies the string of the language: it depends on component, file and key only.
    pub id: String,
    /// The kind of work.
    pub kind: WorkKind,
    /// `project/component`.
    pub component: Arc<str>,
    /// The language code.
    pub language: Arc<str>,
    /// The file to change, from the root of the repository.
    pub file: Arc<str>,
    /// The 1-based line of the translation, or of the one before if there is none.
    pub line: u32,
    /// The key as reports show it.
    pub key: String,
    /// The source text: one, or one for each plural form of the source language. Empty if the template lacks the key.
    pub source: Vec<String>,
    /// The source text that the translation was written for; plural forms are joined with ` | `.
    pub previous_source: Option<String>,
    /// How much the source text changed.
    pub change: Option<SourceChange>,
    /// The change of the source text: removed words in `[-…-]`, new ones in `{+…+}`.
    pub diff: Option<String>,
    /// The present translation, one text for each plural form; empty without one.
    pub translation: Vec<String>,
    /// The developer's note, else `""`.
    pub note: String,
    /// The placeholders of the source text, which the translation must keep.
    pub placeholders: Vec<String>,
    /// The largest number of characters, if there is a limit.
    pub max_length: Option<usize>,
    /// What to fill: one form, or one for each plural form of the language.
    pub forms: Vec<TodoForm>,
    /// What is wrong.
    pub problems: Vec<TodoProblem>,
    /// Translated strings of the language with similar source texts, the most similar first.
    pub examples: Vec<TodoExample>,
    /// One line for a report.
    pub report: String,
    /// To be filled with one text for each of `forms`.
    pub proposal: Vec<String>,
}

/// A form of a text.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct TodoForm {
    /// The CLDR category, if it is known; `None` for a text without plural forms.
    pub category: Option<&'static str>,
    /// Some numbers that the form is for.
    pub numbers: Vec<u32>,
}

/// A problem of a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TodoProblem {
    /// The check or the word, as in reports.
    pub check: FindingKind,
    /// The weight.
    pub severity: Severity,
    /// A sentence.
    pub message: String,
}

impl TodoProblem {
    fn of(finding: &Finding) -> Self {
        Self {
            check: finding.check,
            severity: finding.severity,
            message: finding.message.clone(),
        }
    }
}

/// A translated string.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TodoExample {
    /// The key as reports show it.
    pub key: String,
    /// The source text.
    pub source: Vec<String>,
    /// The translation.
    pub translation: Vec<String>,
}

/// The id of a string of a file.
fn id_of(component: &str, path: &str, key: &str) -> String {
    let mut hash = blake3::Hasher::new();
    for part in [component, path, key] {
        hash.update(part.as_bytes()).update(&[0]);
    }
    hash.finalize().to_hex()[..16].to_owned()
}

/// The plural forms of a text, as a list; empty for no text.
fn list(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let forms = super::file::forms(text).into_iter();
    forms.map(str::to_owned).collect()
}
