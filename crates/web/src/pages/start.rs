//! The start page: all projects.

use askama::Template;

use crate::aggregates::{group_row, translations_of_project};
use crate::parts::{EntryScope, EntryView, Failures, ProgressTable, entries};
use crate::paths;
use crate::{PageLayout, PageRequest, render};
use gitglot_model::counted;

#[derive(Template)]
#[template(path = "pages/start.html")]
struct StartPage<'a> {
    layout: PageLayout,
    failures: Failures,
    projects: ProgressTable,
    components: usize,
    languages: usize,
    changes: Vec<EntryView>,
    /// Full URLs of a project page and its badge, to be copied.
    badge: Option<(String, String)>,
    base: &'a str,
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let snapshot = request.snapshot;
    let titles = ("Projects and their progress", "Project");
    let projects = ProgressTable::all(request, titles, snapshot.projects().collect(), |project| {
        let slug = project.slug.as_str();
        let components = snapshot.components_of(slug).len();
        let more = counted(components, "component");
        let translations: Vec<_> = translations_of_project(request, slug).collect();
        group_row(
            request,
            &project.name,
            more,
            request.project(project),
            &translations,
        )
    });
    let first = snapshot.projects().next();
    let first = first.filter(|_| request.layout.has_address());
    let badge = first.map(|project| {
        let slug = project.slug.as_str();
        (
            request.absolute(paths::PROJECT, &[slug]),
            request.absolute(paths::BADGE, &[slug, "-", "svg-badge.svg"]),
        )
    });
    render(&StartPage {
        layout: request.subscribed_layout(&[]),
        failures: Failures::of(request, |_, _| true),
        projects,
        components: snapshot.components().len(),
        languages: snapshot.languages().len(),
        changes: entries(request, snapshot.changes(), EntryScope::All),
        badge,
        base: request.base,
    })
}
