//! The start page: what is served, and what can be done with it.

use askama::Template;

use super::parts::{Entry, Row, Scope, Table, Text, Troubles, entries};
use super::sums::{figures, last, of_project};
use super::visit::Visit;
use super::{Look, html};

/// Changes that are shown.
const NEWEST: usize = 5;

#[derive(Template)]
#[template(path = "web/start.html")]
struct Page {
    look: Look,
    troubles: Troubles,
    projects: Table,
    components: usize,
    languages: usize,
    changes: Vec<Entry>,
    /// Address of a project's page and of its badge, to be copied.
    badge: Option<(String, String)>,
    base: String,
}

/// The page.
pub(super) fn page(visit: &Visit<'_>) -> String {
    let snapshot = visit.snapshot;
    let rows = snapshot.projects().map(|project| {
        let slug = project.slug.as_str();
        let components = snapshot.components_of(slug).len();
        Row {
            name: Text::name(&project.name),
            more: format!("{components} {}", if components == 1 { "component" } else { "components" }),
            href: visit.project(project),
            strings: None,
            figures: figures(of_project(visit, slug)),
            last: last(visit, of_project(visit, slug)),
        }
    });
    let badge = snapshot.projects().next().map(|project| {
        let slug = project.slug.as_str();
        (visit.absolute(&["/projects/", slug, "/"]), visit.absolute(&["/widgets/", slug, "/-/svg-badge.svg"]))
    });
    html(&Page {
        troubles: Troubles::of(visit, |_, _| true),
        look: visit.live_look(&[]),
        projects: Table::new("Projects and how far they are", "Project", rows),
        components: snapshot.components().len(),
        languages: snapshot.languages().len(),
        changes: entries(visit, snapshot.changes(), NEWEST, Scope::All),
        badge,
        base: visit.base.to_owned(),
    })
}
