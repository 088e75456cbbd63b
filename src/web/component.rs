//! The page of a component: where its files are, a row for each language, what happened last.

use askama::Template;

use super::parts::{Crumbs, Entry, Scope, Table, Text, Tiles, Time, Troubles, entries, plain};
use super::sums::{Named, figures, row, way_to_project};
use super::visit::{Visit, of_component};
use super::{Look, html};
use crate::model::Timestamp;
use crate::model::address::{commit_page, file_page, is_web};
use crate::model::privacy::{name, without_addresses};

/// Changes that are shown.
const NEWEST: usize = 5;
/// Digits of a commit's name that are shown.
const SHORT: usize = 7;

#[derive(Template)]
#[template(path = "web/component.html")]
struct Page<'a> {
    look: Look,
    crumbs: Crumbs,
    name: Text,
    title: String,
    /// `project/component`.
    path: String,
    project: &'a str,
    slug: &'a str,
    tiles: Tiles,
    strings: usize,
    repo: Text,
    repo_href: Option<&'a str>,
    branch: Text,
    mask: Text,
    template: Text,
    template_href: Option<String>,
    format: &'static str,
    license: &'a str,
    license_href: Option<&'a str>,
    commit: String,
    commit_href: Option<String>,
    subject: Text,
    author: Text,
    time: Time,
    troubles: Troubles,
    problems: Vec<(Text, Text)>,
    languages: Table,
    changes: Vec<Entry>,
}

/// The page; `None` for an unknown component.
pub(super) fn page(visit: &Visit<'_>, project: &str, slug: &str) -> Option<String> {
    let of = &**visit.snapshot.component(project, slug)?;
    let (component, tip) = (&of.component, &of.tip);
    let views = of.named(0..of.by_name.len());
    let languages = Table::page(visit, ("Languages and how far they are", "Language"), views.collect(), |view| {
        row(visit, view, Named::Language)
    });
    let subject = without_addresses(tip.message.lines().next().unwrap_or_default());
    Some(html(&Page {
        troubles: Troubles::of(visit, |of_project, component| of_project == project && component == slug),
        look: visit.live_look(&[project, slug]),
        crumbs: way_to_project(visit, &of.project),
        name: Text::name(&component.name),
        title: plain(&[&component.name, " · ", &of.project.name].concat()),
        path: of_component(of),
        project: of.project.slug.as_str(),
        slug: component.slug.as_str(),
        tiles: Tiles::of(figures(of.named(0..of.by_name.len()))),
        strings: of.sources.len(),
        repo: Text::name(&component.repo),
        repo_href: is_web(&component.repo).then_some(&*component.repo),
        branch: Text::name(&component.branch),
        mask: Text::name(component.filemask.as_str()),
        template: Text::name(&component.template),
        template_href: file_page(&component.repo, tip.id, &component.template),
        format: component.file_format.name(),
        license: &component.license,
        license_href: is_web(&component.license_url).then_some(&*component.license_url),
        commit: tip.id.to_string().chars().take(SHORT).collect(),
        commit_href: commit_page(&component.repo, tip.id),
        subject: Text::name(&subject),
        author: Text::name(&name(&tip.author.name)),
        time: Time::new(Timestamp::from_seconds(tip.committer.time.seconds)),
        problems: of.problems.iter().map(|problem| (Text::name(&problem.path), Text::name(&problem.what))).collect(),
        languages,
        changes: entries(visit, visit.snapshot.changes_of_component(of), NEWEST, Scope::Component),
    }))
}
