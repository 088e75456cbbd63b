//! The bodies of the resources, field by field in 3.4's order (api.md 2). One file for each resource.

mod change;
mod component;
mod details;
mod language;
mod metrics;
mod problem;
mod project;
mod repository;
mod source;
mod statistics;
mod translation;
mod unit;
mod user;

pub(super) use change::change;
pub(super) use component::component;
pub(super) use details::details;
pub(super) use language::{language, language_of_code};
pub(super) use metrics::metrics;
pub(super) use problem::problem;
pub(super) use project::{project, root};
pub(super) use repository::{repository, repository_of_project};
pub(super) use source::source;
pub(super) use statistics::{exported_statistics, languages_of_project, statistics, statistics_of_language};
pub(super) use translation::translation;
pub(super) use unit::Units;
pub(super) use user::user;

use crate::catalog::{ComponentSnapshot, TranslationSnapshot, percent};

/// `project/component`, as paths have it.
fn component_path(component: &ComponentSnapshot) -> String {
    [component.project.slug.as_str(), "/", component.component.slug.as_str()].concat()
}

/// `project/component/language`, as paths have it.
fn translation_path(component: &ComponentSnapshot, translation: &TranslationSnapshot) -> String {
    let code = super::links::encoded(&translation.language.code);
    [component.project.slug.as_str(), "/", component.component.slug.as_str(), "/", &code].concat()
}

/// Percent in tenths of something that is complete when there is nothing to do.
fn completed(part: u64, whole: u64) -> u32 {
    percent(part, whole, 1000)
}

/// Percent in tenths of something that is none when there is nothing.
fn share(part: u64, whole: u64) -> u32 {
    percent(part, whole, 0)
}
