//! `/languages/`: all languages, one language, and one language of a project.

use askama::Template;

use crate::aggregates::{
    RowName, breadcrumbs_to_project, breadcrumbs_to_projects, group_by_language, group_row,
    progress_of, translation_row, translations_of_project, without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText, Origins, PAGE_SIZE, ProgressTable, plain};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{Statistics, TranslationView};
use gitglot_model::address::encoded;
use gitglot_model::language::Language;
use gitglot_model::{Project, counted};

#[derive(Template)]
#[template(path = "pages/languages.html")]
struct LanguagesPage {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    title: String,
    heading: LocalizedText,
    about: String,
    progress: Statistics,
    table: ProgressTable,
    origins: Option<Origins>,
    /// Labels and URLs of related pages.
    actions: Vec<(&'static str, String)>,
}

/// Renders the page of all languages.
pub(crate) fn all(request: &PageRequest<'_>) -> String {
    let languages = group_by_language(request.translations());
    let table = ProgressTable::new(
        request,
        PAGE_SIZE,
        "Languages and their progress",
        "Language",
        languages,
        |(language, views)| {
            let (name, code) = (language.display_name(), plain(&language.code));
            group_row(request, &name, code, request.language(language), &views)
        },
    );
    render(&LanguagesPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_projects(request),
        title: "Languages".into(),
        heading: LocalizedText::name("Languages"),
        about: counted(table.len(), "language") + " in all projects",
        progress: progress_of(request, without_sources(request.translations())),
        table,
        origins: None,
        actions: Vec::new(),
    })
}

/// Renders the page of a language; `None` for an unknown one.
pub(crate) fn one(request: &PageRequest<'_>, [code]: [&str; 1]) -> Option<String> {
    let language = request.snapshot.language_or_source(code)?;
    let code = encoded(&language.code);
    let changes = request.link(paths::CHANGES, &[]) + "?lang=" + &code;
    let api = format!("/api/languages/{code}/");
    let actions = vec![
        ("Changes", changes),
        ("Feed", request.link(paths::FEED_OF_LANGUAGE, &[&code])),
        ("API", request.layout.url(&api)),
    ];
    let breadcrumbs =
        Breadcrumbs::default().below("Languages", request.link(paths::LANGUAGES, &[]));
    let views = request.translations();
    Some(page(request, &language, None, breadcrumbs, views, actions))
}

/// Renders the page of a language in a project; `None` for an unknown one.
pub(crate) fn in_project(request: &PageRequest<'_>, [code, slug]: [&str; 2]) -> Option<String> {
    let language = request.snapshot.language_or_source(code)?;
    let project = request.snapshot.project(slug)?;
    let (name, code) = (language.display_name(), encoded(&language.code));
    let history = request.link(paths::STATS_LANGUAGE, &[slug, &code]);
    let changes = request.link(paths::CHANGES, &[]) + "?project=" + slug + "&lang=" + &code;
    let actions = vec![
        ("Contribute", request.engage(slug, &language)),
        ("History and contributors", history),
        ("Changes", changes),
    ];
    let breadcrumbs =
        breadcrumbs_to_project(request, project).below(&name, request.language(&language));
    let views = translations_of_project(request, slug);
    let project = Some(&**project);
    Some(page(
        request,
        &language,
        project,
        breadcrumbs,
        views,
        actions,
    ))
}

/// The page of a language, in a project or in all.
fn page<'a>(
    request: &PageRequest<'_>,
    language: &Language,
    project: Option<&Project>,
    breadcrumbs: Breadcrumbs,
    views: impl Iterator<Item = TranslationView<'a>>,
    actions: Vec<(&'static str, String)>,
) -> String {
    let views: Vec<_> = views
        .filter(|view| view.translation.language.code == language.code)
        .collect();
    let name = language.display_name();
    let (title, heading, named) = match project {
        Some(project) => (
            format!("{name} · {}", project.name),
            format!("{name} in {}", project.name),
            RowName::Component,
        ),
        None => (name.clone(), name, RowName::ProjectAndComponent),
    };
    let direction = if language.rtl {
        "right to left"
    } else {
        "left to right"
    };
    let plurals = counted(language.plural.forms.into(), "plural form");
    render(&LanguagesPage {
        layout: request.layout.clone(),
        breadcrumbs,
        title: plain(&title),
        heading: LocalizedText::name(heading),
        about: format!(
            "Language code {}, written {direction}, {plurals}",
            plain(&language.code)
        ),
        progress: progress_of(request, views.iter().copied()),
        origins: Origins::of(request, without_sources(views.iter().copied()), None),
        table: ProgressTable::new(
            request,
            PAGE_SIZE,
            "Components in this language",
            "Component",
            views,
            |view| translation_row(request, view, named),
        ),
        actions,
    })
}
