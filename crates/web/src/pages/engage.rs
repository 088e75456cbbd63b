//! `/engage/PROJECT/`: how to contribute to a project or to one of its languages.

use crate::parts::Progress as _;
use askama::Template;

use crate::aggregates::{
    breadcrumbs_to_project, group_by_language, progress_of, translations_of_project,
    without_sources,
};
use crate::parts::{Breadcrumbs, LocalizedText, plain};
use crate::paths;
use crate::{PageLayout, PageRequest, render};
use gitglot_catalog::Statistics;
use gitglot_model::Project;
use gitglot_model::address::{encoded, file_page, is_web};

#[derive(Template)]
#[template(path = "pages/engage.html")]
struct EngagePage<'a> {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    project: &'a Project,
    /// The name of the language, on the page of one.
    language: Option<String>,
    progress: Statistics,
    /// Number of languages.
    count: usize,
    files: Vec<EngageFile>,
    /// Name, URL and progress of each language.
    languages: Vec<(LocalizedText, String, Statistics)>,
}

struct EngageFile {
    component: LocalizedText,
    path: LocalizedText,
    href: Option<String>,
    to_do: u64,
    strings: String,
}

/// Renders the page of a project, or of one of its languages; `None` for an unknown one.
pub(crate) fn page(request: &PageRequest<'_>, values: &[&str]) -> Option<String> {
    let (&slug, code) = values.split_first()?;
    let project = request.snapshot.project(slug)?;
    let language = match code {
        [code, ..] => Some(request.snapshot.language_or_source(code)?),
        [] => None,
    };
    let is_selected = |code: &str| {
        language
            .as_ref()
            .is_none_or(|language| &*language.code == code)
    };
    let views = || {
        translations_of_project(request, slug)
            .filter(|view| is_selected(&view.translation.language.code))
    };
    let files = views().filter(|_| language.is_some()).map(|view| {
        let component = &view.component.component;
        EngageFile {
            component: LocalizedText::name(&component.name),
            path: LocalizedText::name(&view.translation.path),
            href: file_page(
                &component.repo,
                view.component.tip.id,
                &view.translation.path,
            ),
            to_do: view.translation.statistics.to_do(),
            strings: request.strings(view.component, view.translation),
        }
    });
    let all = group_by_language(translations_of_project(request, slug));
    let count = all.len();
    let languages = all
        .into_iter()
        .filter(|_| language.is_none())
        .map(|(language, views)| {
            let href = request.link(paths::ENGAGE_LANGUAGE, &[slug, &encoded(&language.code)]);
            (
                LocalizedText::name(language.display_name()),
                href,
                progress_of(request, views),
            )
        });
    Some(render(&EngagePage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        project,
        language: language.as_ref().map(|language| language.display_name()),
        progress: match language.is_some() {
            true => progress_of(request, views()),
            false => progress_of(request, without_sources(views())),
        },
        count,
        files: files.collect(),
        languages: languages.collect(),
    }))
}
