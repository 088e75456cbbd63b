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
use gitglot_catalog::ComponentSnapshot;
use gitglot_model::address::{commit_page, encoded, encoded_value};
use gitglot_model::{CommitId, Timestamp};
use gitglot_revisions::{Revision, RevisionProblem};

#[derive(Template)]
#[template(path = "pages/revision.html")]
struct RevisionTemplate<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    name: String,
    /// The name in paths.
    segment: String,
    revision: LocalizedText,
    /// The languages that are ready for a release at the revision, those that only are today, and those that no longer are.
    ready: [String; 3],
    ready_count: usize,
    components: &'a [RevisionState],
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
        segment: encoded(name).replace('/', "%2F"),
        revision: LocalizedText::name(name),
        ready_count: then.len(),
        ready: [
            names(&then, &[]),
            names(&today, &then),
            names(&then, &today),
        ],
        components,
    })
}

/// The first digits of the id of a commit.
fn short_id(commit: &CommitId) -> String {
    commit.to_string().chars().take(SHORT_ID).collect()
}

impl RevisionTemplate<'_> {
    /// The URL of the strings of a component.
    fn units(&self, of: &ComponentSnapshot) -> String {
        let (path, segment) = (of.path(), &self.segment);
        let units = format!("/api/components/{path}/revisions/{segment}/units/");
        self.layout.url(&units)
    }

    /// The URL of the comparison of a component with its tip.
    fn compare(&self, of: &ComponentSnapshot) -> String {
        let range = [&self.segment, "...HEAD"].concat();
        self.layout.link(paths::COMPARE, &[of.path(), range])
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
