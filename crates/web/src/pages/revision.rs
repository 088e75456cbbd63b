//! `/revisions/PROJECT/REVISION/`: the progress of a project at a revision, and which languages were ready for a release
//! (docs/spec/pages.md#revisions).

use std::collections::HashSet;
use std::sync::Arc;

use askama::Template;

use super::compare::SHORT_ID;
use super::readiness::ready_languages;
use crate::aggregates::breadcrumbs_to_project;
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LangAttrs, LocalizedText, Time, plain};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, Statistics, TranslationView};
use gitglot_model::Timestamp;
use gitglot_model::address::{commit_page, encoded, encoded_value};
use gitglot_revisions::{Revision, RevisionProblem};

#[derive(Template)]
#[template(path = "pages/revision.html")]
struct RevisionTemplate {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    name: String,
    revision: LocalizedText,
    /// The languages that are ready for a release at the revision, those that only are today, and those that no longer are.
    ready: [String; 3],
    ready_count: usize,
    components: Vec<ComponentAt>,
}

struct ComponentAt {
    name: LocalizedText,
    /// The URLs of the strings and of the comparison with the tip.
    units: String,
    compare: String,
    /// The state, or why there is none.
    state: Result<StateAt, LocalizedText>,
}

struct StateAt {
    commit: String,
    href: Option<String>,
    time: Time,
    /// Name and progress of each translation.
    translations: Vec<(String, Statistics)>,
}

/// A component at a revision, or the reason why there is none.
pub type RevisionState = (
    Arc<ComponentSnapshot>,
    Result<(Revision, Arc<ComponentSnapshot>), RevisionProblem>,
);

/// Renders the progress of the components of a project at a revision.
pub fn revision(request: &PageRequest<'_>, name: &str, components: &[RevisionState]) -> String {
    let project = components.first().map(|(today, _)| today.project.clone());
    let breadcrumbs = project
        .as_ref()
        .map(|project| breadcrumbs_to_project(request, project));
    let states = components
        .iter()
        .filter_map(|(_, state)| state.as_ref().ok());
    let then = ready_languages(states.map(|(_, state)| &**state));
    let today = ready_languages(components.iter().map(|(today, _)| &**today));
    let names = |list: &[(&str, String)], without: &[(&str, String)]| {
        let others: HashSet<&str> = without.iter().map(|(code, _)| *code).collect();
        let list = list.iter().filter(|(code, _)| !others.contains(code));
        let names: Vec<String> = list.map(|(_, name)| plain(name)).collect();
        names.join(", ")
    };
    render(&RevisionTemplate {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs.unwrap_or_default(),
        name: plain(name),
        revision: LocalizedText::name(name),
        ready_count: then.len(),
        ready: [
            names(&then, &[]),
            names(&today, &then),
            names(&then, &today),
        ],
        components: components
            .iter()
            .map(|(today, state)| component_at(request, name, today, state))
            .collect(),
    })
}

fn component_at(
    request: &PageRequest<'_>,
    name: &str,
    today: &ComponentSnapshot,
    state: &Result<(Revision, Arc<ComponentSnapshot>), RevisionProblem>,
) -> ComponentAt {
    let (project, slug) = (today.project.slug.as_str(), today.component.slug.as_str());
    let segment = encoded(name).replace('/', "%2F");
    let units = format!("/api/components/{project}/{slug}/revisions/{segment}/units/");
    let range = segment + "...HEAD";
    let named_totals =
        |view: TranslationView<'_>| (view.translation.language.display_name(), view.totals());
    let state_at = |state: &ComponentSnapshot| StateAt {
        commit: state.tip.id.to_string().chars().take(SHORT_ID).collect(),
        href: commit_page(&today.component.repo, state.tip.id),
        time: Time::new(Timestamp::from_seconds(state.tip.committer.time.seconds)),
        translations: state.views().map(named_totals).collect(),
    };
    ComponentAt {
        name: LocalizedText::name(&today.component.name),
        units: request.layout.url(&units),
        compare: request.link(paths::COMPARE, &[project, slug, &range]),
        state: match state {
            Ok((_, state)) => Ok(state_at(state)),
            Err(problem) => Err(LocalizedText::name(problem.to_string())),
        },
    }
}

#[derive(Template)]
#[template(path = "pages/no_revision.html")]
struct NoRevisionTemplate {
    layout: PageLayout,
    reason: LocalizedText,
}

/// Renders the page with the reason why a revision cannot be shown.
pub fn no_revision(layout: PageLayout, reason: &str) -> String {
    let reason = LocalizedText::new(&LangAttrs::UNKNOWN, reason);
    render(&NoRevisionTemplate { layout, reason })
}

/// The path of the state of a project at the end of a month, below the root; `month` is the next one.
pub(crate) fn state_path(project: &str, month: &str) -> String {
    let revision = encoded_value(&format!("@{month}-01"));
    paths::link(paths::REVISION, &[project, &revision])
}
