//! `/widgets/PROJECT/`: all badges of a project with their Markdown.

use askama::Template;

use crate::aggregates::{
    breadcrumbs_to_project, group_by_language, statistics_of, translations_of_project,
    without_sources,
};
use crate::layout::{PageLayout, render};
use crate::parts::{Breadcrumbs, LocalizedText, percent_of, plain};
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::Statistics;
use gitglot_model::address::encoded;

#[derive(Template)]
#[template(path = "badges/page.html")]
struct BadgesPage {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    name: LocalizedText,
    title: String,
    slug: String,
    percent: String,
    badges: Vec<BadgeRow>,
}

struct BadgeRow {
    name: LocalizedText,
    /// Path of the image below the root.
    path: String,
    /// Full URLs of the image and of the page it links to.
    image: String,
    page: String,
    percent: String,
}

/// Renders the page; `None` for an unknown project.
pub(crate) fn page(request: &PageRequest<'_>, [slug]: [&str; 1]) -> Option<String> {
    let project = request.snapshot.project(slug)?;
    let badge = |name: &str, scope: &str, page: String, progress: Statistics| {
        let values = [slug, scope, "svg-badge.svg"];
        BadgeRow {
            name: LocalizedText::name(name),
            image: request.absolute(paths::BADGE, &values),
            path: request.link(paths::BADGE, &values),
            page,
            percent: percent_of(&progress),
        }
    };
    let all = statistics_of(without_sources(translations_of_project(request, slug)));
    let page = request.absolute(paths::PROJECT, &[slug]);
    let mut badges = vec![badge("Project", "-", page, all)];
    badges.extend(request.snapshot.components_of(slug).map(|component| {
        let name = component.component.slug.as_str();
        badge(
            &component.component.name,
            &["-/", name].concat(),
            request.absolute(paths::COMPONENT, &[slug, name]),
            statistics_of(without_sources(component.views())),
        )
    }));
    badges.extend(
        group_by_language(translations_of_project(request, slug))
            .into_iter()
            .map(|(language, views)| {
                let code = encoded(&language.code);
                let page = request.absolute(paths::LANGUAGE_IN_PROJECT, &[&code, slug]);
                badge(&language.display_name(), &code, page, statistics_of(views))
            }),
    );
    Some(render(&BadgesPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        name: LocalizedText::name(&project.name),
        title: plain(&["Badges of ", &project.name].concat()),
        slug: slug.to_owned(),
        percent: percent_of(&all),
        badges,
    }))
}
