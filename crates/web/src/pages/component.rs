//! The page of a component: its languages, its files and its newest changes.

use askama::Template;

use crate::aggregates::{
    RowName, breadcrumbs_to_project, progress_of, translation_row, without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{
    Breadcrumbs, ComponentWork, EntryScope, EntryView, Failures, LocalizedText, Origins, PAGE_SIZE,
    ProgressTable, SHORT_ID, TableRow, Tiles, Time, entries, group_thousands, plain,
};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, FileProblem, TemplateAge, problems_of};
use gitglot_checks::CheckProfile;
use gitglot_model::address::{commit_page, file_page, is_web, shown_repository};
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Component, FileFormat, Timestamp, counted};

#[derive(Template)]
#[template(path = "pages/component.html")]
struct ComponentPage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    snapshot: &'a ComponentSnapshot,
    component: &'a Component,
    /// `project/component`.
    path: String,
    tiles: Tiles,
    /// Words of the sources.
    words: u64,
    commit: String,
    time: Time,
    /// When the template of new files was last committed, and how much its sources changed since.
    template_age: Option<(Time, String)>,
    failures: Failures,
    problems: Vec<&'a FileProblem>,
    languages: ProgressTable,
    work: Option<ComponentWork>,
    origins: Option<Origins>,
    changes: Vec<EntryView>,
}

/// Renders the page; `None` for an unknown component.
pub(crate) fn page(request: &PageRequest<'_>, [project, slug]: [&str; 2]) -> Option<String> {
    let snapshot = &**request.snapshot.component(project, slug)?;
    let (component, tip) = (&snapshot.component, &snapshot.tip);
    let languages = ProgressTable::new(
        request,
        PAGE_SIZE,
        "Languages and their progress",
        "Language",
        snapshot.views().collect(),
        |view| TableRow {
            is_broken: is_broken(snapshot, &view.translation.path),
            ..translation_row(request, view, RowName::Language)
        },
    )
    .of(component.file_format.noun());
    let log = request.snapshot.changes_of_component(snapshot);
    let words = snapshot
        .sources
        .iter()
        .map(|source| u64::from(source.words));
    let translations = || without_sources(snapshot.views());
    let progress = progress_of(request, translations());
    Some(render(&ComponentPage {
        layout: request.subscribed_layout(&[project, slug]),
        breadcrumbs: breadcrumbs_to_project(request, &snapshot.project),
        snapshot,
        component,
        path: snapshot.path(),
        tiles: Tiles {
            progress,
            strings: None,
            noun: component.file_format.noun(),
        },
        words: words.sum(),
        commit: tip.id.to_string().chars().take(SHORT_ID).collect(),
        time: Time::new(Timestamp::from_seconds(tip.committer.time.seconds)),
        template_age: snapshot.expected.template_age.map(template_age),
        failures: Failures::of(request, |of_project, of| {
            of_project == project && of == slug
        }),
        problems: problems_of(request.snapshot, snapshot).collect(),
        languages,
        work: ComponentWork::of(request, snapshot, translations(), &progress),
        origins: Origins::of(request, translations(), None),
        changes: entries(request, log, EntryScope::Component),
    }))
}

fn template_age(age: TemplateAge) -> (Time, String) {
    let commits = match age.commits {
        0 => "the last commit".to_owned(),
        commits => counted(commits as usize, "commit") + " ago",
    };
    let changed = match age.changed {
        0 => "none".to_owned(),
        changed => changed.to_string(),
    };
    let files = age.files;
    let sentence =
        format!("{commits}; {changed} of the {files} source files that it names changed since");
    (Time::new(Timestamp::from_seconds(age.committed)), sentence)
}

/// Whether a file does not parse, so that its numbers are those of an older version.
fn is_broken(snapshot: &ComponentSnapshot, path: &str) -> bool {
    let mut problems = snapshot.problems.iter();
    problems.any(|problem| problem.broken && problem.path == path)
}
