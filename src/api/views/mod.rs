//! Writers of resources, one file per resource, with the fields in 3.4's order (docs/spec/http.md#resources).

mod changes;
mod checks;
mod components;
mod languages;
mod projects;
mod revisions;
mod root;
mod sources;
mod translations;
mod units;
mod users;

pub(super) use changes::{DetailedChanges, change, details};
pub(super) use checks::{
    CheckSet, FailingCheck, component_details, failing_check, failing_checks, translation_details,
};
pub(super) use components::{component, problem, repository};
pub(super) use languages::{language, language_of_code};
pub(super) use projects::{
    languages_of_project, project, repository_of_project, statistics_of_language,
};
pub(super) use revisions::{comparison, revision, revision_translation};
pub(super) use root::{metrics, root};
pub(super) use sources::source;
pub(super) use translations::{statistics, translation};
pub(super) use units::Units;
pub(super) use users::user;

use crate::catalog::percent;

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
