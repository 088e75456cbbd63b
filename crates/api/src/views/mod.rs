//! The bodies of resources, one file per resource: each declares the fields of its objects once, in 3.4's order
//! (docs/spec/http.md#resources), for the OpenAPI document, for tables and for the functions that write JSON. Only
//! comparisons, locks and errors are written by other code; a test compares all bodies with the document.

mod changes;
mod checks;
mod components;
mod current;
mod languages;
mod open_metrics;
mod projects;
mod renames;
mod revisions;
mod root;
mod screenshots;
mod sources;
mod translations;
mod units;
mod users;

pub(super) use changes::{Change, ChangeDetails, DetailedChanges, change, details};
pub(super) use checks::{
    CheckFailure, ComponentDetails, FailingCheck, TranslationDetails, component_details,
    failing_check, failing_checks, translation_details,
};
pub(super) use components::{
    Component, Lock, Problem, Repository, component, lock, problem, repository,
};
pub(super) use current::{
    CurrentStatisticsOf, LanguageTotals, NamedTotals, NoEntry, ProjectMetrics, SearchResult,
    Totals, Workflow, current_statistics, language_totals, project_metrics, search_result, totals,
    workflow,
};
pub(super) use languages::{Language, language};
pub(super) use open_metrics::open_metrics;
pub(super) use projects::{
    LanguageStatistics, Project, ProjectRepository, is_locked, languages_of_project, project,
    repository_of_project, statistics_of_language,
};
pub(super) use renames::{Rename, StringRename, rename};
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

use crate::apis::Api;

/// Adds the field `details` to the object that was written last.
pub(super) fn with_details(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    with_field(out, b",\"details\":", write);
}

/// Adds a field to the object that was written last, given its name in JSON after a comma and before a colon.
fn with_field(out: &mut Vec<u8>, name: &[u8], write: impl FnOnce(&mut Vec<u8>)) {
    out.pop();
    out.extend_from_slice(name);
    write(out);
    out.push(b'}');
}

/// A percentage in tenths; 100 % of nothing.
fn completed<P: Api>(part: u64, whole: u64) -> u32 {
    P::percent(part, whole, 1000)
}

/// A percentage in tenths; 0 % of nothing.
fn share<P: Api>(part: u64, whole: u64) -> u32 {
    P::percent(part, whole, 0)
}
