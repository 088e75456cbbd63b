//! The start page: the projects, with their number and newest changes (docs/spec/pages.md#projects).

use askama::Template;

use crate::aggregates::{
    group_row, last_change, last_time, statistics_of, translations_of_project, without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{EntryScope, EntryView, Failures, PAGE_SIZE, ProgressTable, TableRow, entries};
use crate::paths;
use crate::request::PageRequest;
use gitglot_model::{Project, counted};

#[derive(Template)]
#[template(path = "pages/start.html")]
struct StartPage<'a> {
    layout: PageLayout,
    failures: Failures,
    projects: ProgressTable,
    choice: Option<ProjectChoice>,
    components: usize,
    languages: usize,
    changes: Vec<EntryView>,
    /// Full URLs of a project page and its badge, to be copied.
    badge: Option<(String, String)>,
    base: &'a str,
}

/// The form that selects and orders projects, on servers with more than one page of them.
struct ProjectChoice {
    name: String,
    order: &'static str,
    /// Label, value and link of each order.
    orders: [(&'static str, &'static str, String); 3],
}

impl ProjectChoice {
    fn of(request: &PageRequest<'_>) -> Option<Self> {
        if request.snapshot.projects().len() <= PAGE_SIZE || !request.layout.has_server() {
            return None;
        }
        let order = match request.value("order") {
            Some("progress") => "progress",
            Some("activity") => "activity",
            _ => "",
        };
        let orders = [
            ("name", ""),
            ("progress", "progress"),
            ("last change", "activity"),
        ];
        Some(Self {
            name: request.value("name").unwrap_or_default().to_owned(),
            order,
            orders: orders.map(|(label, value)| (label, value, request.with("order", value))),
        })
    }

    /// Selects the projects whose name or slug contains the text, and orders them.
    fn select<'a>(&self, request: &PageRequest<'a>, projects: &mut Vec<&'a Project>) {
        let name = self.name.to_lowercase();
        if !name.is_empty() {
            let contains = |text: &str| text.to_lowercase().contains(&name);
            projects.retain(|project| contains(&project.name) || contains(project.slug.as_str()));
        }
        let snapshot = request.snapshot;
        let translations = |project: &'a Project| {
            let of = snapshot.components_of(project.slug.as_str());
            of.flat_map(|component| component.views())
        };
        match self.order {
            "progress" => projects.sort_by_cached_key(|&project| {
                std::cmp::Reverse(statistics_of(without_sources(translations(project))).tenths())
            }),
            "activity" => projects
                .sort_by_cached_key(|&project| std::cmp::Reverse(last_time(translations(project)))),
            _ => {}
        }
    }
}

pub(crate) fn page(request: &PageRequest<'_>) -> String {
    let snapshot = request.snapshot;
    let choice = ProjectChoice::of(request);
    let mut projects: Vec<&Project> = snapshot.projects().map(|project| &**project).collect();
    if let Some(choice) = &choice {
        choice.select(request, &mut projects);
    }
    let projects = ProgressTable::new(
        request,
        PAGE_SIZE,
        "Projects and their progress",
        "Project",
        projects,
        |project| {
            let slug = project.slug.as_str();
            let components = snapshot.components_of(slug).len();
            let more = counted(components, "component");
            let translations: Vec<_> = translations_of_project(request, slug).collect();
            let targets: Vec<_> = without_sources(translations.iter().copied()).collect();
            let href = request.project(project);
            TableRow {
                last: last_change(request, translations),
                ..group_row(request, &project.name, more, href, &targets)
            }
        },
    );
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
        choice,
        components: snapshot.components().len(),
        languages: snapshot.languages().len(),
        changes: entries(request, snapshot.changes(), EntryScope::All),
        badge,
        base: request.base,
    })
}
