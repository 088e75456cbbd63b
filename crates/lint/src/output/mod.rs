//! Writes a report (`docs/spec/lint.md#formats`).

pub mod badge;
mod checkstyle;
pub(super) mod escape;
mod fix_list;
mod github;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod sarif;
mod shared;
mod table;
mod text;

use std::str::FromStr;

use crate::gates::GateOutcome;
pub use crate::groups::{Group, groups, languages_of};
use crate::report::Report;
use gitglot_model::InvalidValue;

pub use escape::{indented_json, line, xml};
pub use fix_list::fix_list;
pub use json::document;
pub use shared::OutputStyle;
pub(super) use shared::message;

/// How to write a report.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Format {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON document.
    Json,
    /// Workflow commands of GitHub Actions, which become annotations.
    GitHub,
    /// A Code Quality report of GitLab.
    GitLab,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    JUnit,
    /// Tables for a comment or a job summary.
    Markdown,
    /// Checkstyle XML.
    Checkstyle,
}

impl Format {
    /// All formats with their names.
    pub const ALL: [(&'static str, Self); 8] = [
        ("text", Self::Text),
        ("json", Self::Json),
        ("github", Self::GitHub),
        ("gitlab", Self::GitLab),
        ("sarif", Self::Sarif),
        ("junit", Self::JUnit),
        ("markdown", Self::Markdown),
        ("checkstyle", Self::Checkstyle),
    ];

    /// Writes a report.
    pub fn write(self, report: &Report, outcome: &GateOutcome, style: OutputStyle<'_>) -> String {
        match self {
            Self::Text => text::write(report, outcome, style),
            Self::Json => json::write(report, outcome, style),
            Self::GitHub => github::write(report),
            Self::GitLab => gitlab::write(report),
            Self::Sarif => sarif::write(report, style),
            Self::JUnit => junit::write(report),
            Self::Markdown => markdown::write(report, outcome, style),
            Self::Checkstyle => checkstyle::write(report),
        }
    }
}

impl FromStr for Format {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        format_named(Self::ALL, name)
    }
}

/// The format with a name.
pub(super) fn format_named<F: Copy, const N: usize>(
    all: [(&str, F); N],
    name: &str,
) -> Result<F, InvalidValue> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, format)| *format).ok_or_else(|| {
        let names = all.map(|(name, _)| name).join(", ");
        InvalidValue::new(name, format!("a format: use one of {names}"))
    })
}
