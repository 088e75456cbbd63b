//! The bodies of resources, one file per resource: each declares the fields of its objects once, in 3.4's order
//! (docs/spec/http.md#resources), for the OpenAPI document, for tables and for the functions that write JSON. Only units,
//! comparisons, locks and errors are written by other code; a test compares all bodies with the document.

mod changes;
mod checks;
mod components;
mod languages;
mod projects;
mod revisions;
mod root;
mod screenshots;
mod sources;
mod translations;
mod units;
mod users;

pub(super) use changes::{Change, ChangeDetails, DetailedChanges, change, details};
pub(super) use checks::{
    CheckFailure, CheckSet, ComponentDetails, FailingCheck, TranslationDetails, component_details,
    failing_check, failing_checks, translation_details,
};
pub(super) use components::{Component, Lock, Problem, Repository, component, problem, repository};
pub(super) use languages::{Language, language};
pub(super) use projects::{
    LanguageStatistics, Project, ProjectRepository, languages_of_project, project,
    repository_of_project, statistics_of_language,
};
pub(super) use revisions::{
    ComparisonReport, RevisionInfo, RevisionTranslation, RevisionUnit, comparison, revision,
    revision_translation,
};
pub(super) use root::{Metrics, Root, metrics, root};
pub(super) use screenshots::Screenshot;
pub(super) use sources::{Source, source};
pub(super) use translations::{Translation, TranslationStatistics, statistics, translation};
pub(super) use units::{Unit, Units};
pub(super) use users::{User, user};

use gitglot_catalog::percent;

/// Adds the field `details` to the object that was written last.
pub(super) fn with_details(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    out.pop();
    out.extend_from_slice(b",\"details\":");
    write(out);
    out.push(b'}');
}

/// A percentage in tenths; 100 % of nothing.
fn completed(part: u64, whole: u64) -> u32 {
    percent(part, whole, 1000)
}

/// A percentage in tenths; 0 % of nothing.
fn share(part: u64, whole: u64) -> u32 {
    percent(part, whole, 0)
}
