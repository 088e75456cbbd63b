//! The page of a project: its components, its languages and its newest changes.

use askama::Template;

use super::readiness::Readiness;
use crate::aggregates::{
    breadcrumbs_to_projects, group_row, progress_of, translations_of_project, without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{
    Breadcrumbs, EntryScope, EntryView, Failures, LocalizedText, Origins, ProgressTable, Tiles,
    entries, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_model::address::is_web;
use gitglot_model::{Project, counted};

#[derive(Template)]
#[template(path = "pages/project.html")]
struct ProjectPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    project: &'a Project,
    slug: &'a str,
    tiles: Tiles,
    failures: Failures,
    components: ProgressTable,
    languages: Readiness,
    origins: Option<Origins>,
    changes: Vec<EntryView>,
    /// Full URLs of this page and its badge, to be copied.
    url: String,
    badge: String,
}

/// The page of a configured project of which nothing could be read so far.
#[derive(Template)]
#[template(path = "pages/unreadable_project.html")]
struct UnreadableProjectPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    slug: &'a str,
    failures: Failures,
}

fn unreadable(request: &PageRequest<'_>, slug: &str) -> Option<String> {
    let failures = Failures::of(request, |project, _| project == slug);
    (!failures.is_empty()).then(|| {
        render(&UnreadableProjectPage {
            layout: request.layout.clone(),
            breadcrumbs: breadcrumbs_to_projects(request),
            slug,
            failures,
        })
    })
}

/// Renders the page; `None` for an unknown project.
pub(crate) fn page(request: &PageRequest<'_>, [slug]: [&str; 1]) -> Option<String> {
    let Some(project) = request.snapshot.project(slug) else {
        return unreadable(request, slug);
    };
    let all: Vec<_> = request.snapshot.components_of(slug).collect();
    let languages = Readiness::of(request, slug, translations_of_project(request, slug));
    let components = ProgressTable::new(
        request,
        usize::MAX,
        "Components and their progress",
        "Component",
        all,
        |component| {
            let (name, href) = (&component.component.name, request.component(component));
            let more = counted(component.views().count(), "language");
            let views: Vec<_> = without_sources(component.views()).collect();
            group_row(request, name, more, href, &views)
        },
    );
    let log = request.snapshot.changes_of_project(slug);
    let translations = || without_sources(translations_of_project(request, slug));
    Some(render(&ProjectPage {
        layout: request.subscribed_layout(&[slug]),
        breadcrumbs: breadcrumbs_to_projects(request),
        project,
        slug,
        tiles: Tiles {
            noun: "string",
            progress: progress_of(request, translations()),
            strings: None,
        },
        failures: Failures::of(request, |project, _| project == slug),
        components,
        languages,
        origins: Origins::of(request, translations(), None),
        changes: log
            .map(|log| entries(request, log, EntryScope::Project))
            .unwrap_or_default(),
        url: request.absolute(paths::PROJECT, &[slug]),
        badge: request.absolute(paths::BADGE, &[slug, "-", "svg-badge.svg"]),
    }))
}
