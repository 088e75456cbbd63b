//! Resources that only the current API has (docs/spec/current-api.md#resources): statistics of projects and languages, the
//! search in names, and archives of files.

use std::collections::BTreeMap;

use crate::apis::{Api, Current};
use crate::files::archive;
use crate::lists::array;
use crate::request::context::{Reply, RequestContext};
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use crate::response::media_type::{ARCHIVE, Representation};
use crate::response::methods::CREATE;
use crate::route::ResponseBody::{Array, File, Object};
use crate::route::{ApiRoute, routes};
use crate::views::{self, Totals};
use gitglot_catalog::TranslationView;
use gitglot_model::address::encoded;
use gitglot_web::paths;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/search/" Plain Array(views::SearchResult::object) => (search)
        "Search" "Projects, components and languages by name.", "search" .current_only();
    "/api/projects/:project/statistics/" Action Object(views::NamedTotals::object)
        => (statistics_of_project)
        "Statistics" "The statistics of a project.", "getProjectStatistics" .current_only();
    "/api/projects/:project/languages/" Action Array(views::LanguageTotals::object)
        => (languages_of_project)
        "Languages" "Statistics of each language of a project.",
        "listProjectLanguages" "Statistics of each language of a project, by name" .current_only();
    "/api/projects/:project/metrics/" Metrics Object(views::ProjectMetrics::object)
        => (metrics_of_project)
        "Metrics" "Counts of each translation of a project.", "getProjectMetrics" .current_only();
    "/api/projects/:project/lock/" Action Object(views::Lock::object) => (lock_of_project)
        "Lock" "The lock status of a project.", "getProjectLock" .current_only().writes(CREATE);
    "/api/projects/:project/file/" Download File(ARCHIVE) => (archive::of_project)
        "File" "The translation files of a project.",
        "getProjectFiles" "The translation files of a project, as a zip archive" .current_only();
    "/api/projects/:project/languages/:language/file/" Download File(ARCHIVE)
        => (archive::of_language)
        "File" "The translation files of a language.",
        "getProjectLanguageFiles" "The files of a language of a project, as a zip archive"
        .current_only();
    "/api/projects/:project/languages/:language/workflow/" Action Object(views::Workflow::object)
        => (workflow)
        "Workflow" "How a language is translated.",
        "getProjectLanguageWorkflow" "How a language of a project is translated"
        .current_only().writes("GET, PATCH, DELETE, HEAD, OPTIONS");
    "/api/components/:project/:component/file/" Download File(ARCHIVE) => (archive::of_component)
        "File" "The translation files of a component.",
        "getComponentFiles" "The translation files of a component, as a zip archive" .current_only();
    "/api/languages/:language/statistics/" Action Object(views::NamedTotals::object)
        => (statistics_of_language)
        "Statistics" "The statistics of a language.", "getLanguageStatistics" .current_only();
};

/// The translations of a project, in the order of ids.
fn views_of_project(ctx: &RequestContext) -> Result<Vec<TranslationView<'_>>, ApiError> {
    let project = ctx.project()?.id;
    let all = ctx.snapshot.current_translations_from(0);
    Ok(all
        .filter(|view| view.component.project.id == project)
        .collect())
}

/// An error unless a project has translations into the language in the path.
pub(super) fn require_language(ctx: &RequestContext) -> Result<(), ApiError> {
    let code = ctx.param("language");
    let mut views = views_of_project(ctx)?.into_iter();
    let is_known = views.any(|view| &*view.translation.current_language().code == code);
    is_known.then_some(()).ok_or(ApiError::NotFound)
}

async fn statistics_of_project(ctx: &RequestContext) -> Reply {
    let project = ctx.project()?;
    ctx.with_checks::<Current>().await?;
    let totals = Totals::of(views_of_project(ctx)?);
    ctx.object(|out| {
        let slug = project.slug.as_str();
        views::totals(
            out,
            &ctx.links,
            paths::PROJECT,
            &[slug],
            &project.name,
            &totals,
        );
    })
}

async fn statistics_of_language(ctx: &RequestContext) -> Reply {
    let code = ctx.param("language");
    let language = ctx.snapshot.current_language(code);
    let language = language.ok_or(ApiError::NotFound)?;
    ctx.with_checks::<Current>().await?;
    let all = ctx.snapshot.current_translations_from(0);
    let own = all.filter(|view| view.translation.current_language().code == language.code);
    let totals = Totals::of(own);
    ctx.object(|out| {
        let code = encoded(&language.code);
        let (pattern, name) = (paths::LANGUAGE, &language.name);
        views::totals(out, &ctx.links, pattern, &[&*code], name, &totals);
    })
}

async fn languages_of_project(ctx: &RequestContext) -> Reply {
    ctx.project()?;
    ctx.with_checks::<Current>().await?;
    let count = by_language(ctx).len();
    array(ctx, count, |ctx, items, positions| {
        let languages = by_language(ctx).into_values();
        let languages = languages.skip(positions.start).take(positions.len());
        items.each(languages, |out, views| {
            let Some(first) = views.first() else { return };
            let language = Current::language_of(first.translation);
            let totals = Totals::of(views.iter().copied());
            views::language_totals(out, &ctx.links, ctx.param("project"), language, &totals);
        });
    })
    .await
}

/// The translations of the project in the path, by name and code of their language.
fn by_language(ctx: &RequestContext) -> BTreeMap<(&str, &str), Vec<TranslationView<'_>>> {
    let mut languages: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for view in views_of_project(ctx).unwrap_or_default() {
        let language = view.translation.current_language();
        let of_language = languages.entry((&*language.name, &*language.code));
        of_language.or_default().push(view);
    }
    languages
}

async fn metrics_of_project(ctx: &RequestContext) -> Reply {
    let project = ctx.project()?;
    ctx.with_checks::<Current>().await?;
    let mut components: Vec<_> = ctx.snapshot.components_of(project.slug.as_str()).collect();
    components.sort_by_key(|component| component.component.id);
    let components = components.into_iter().map(|component| {
        let mut views = ctx.snapshot.current_translations_of(component);
        views.sort_by_key(|view| view.translation.current_language().name.clone());
        (&**component, views)
    });
    if ctx.representation == Representation::OpenMetrics {
        let views: Vec<_> = components.flat_map(|(_, views)| views).collect();
        return Ok(ApiResponse::metrics(views::open_metrics(&views)));
    }
    ctx.object(|out| views::project_metrics(out, components))
}

async fn lock_of_project(ctx: &RequestContext) -> Reply {
    let project = ctx.project()?;
    let is_locked = views::is_locked(&ctx.snapshot, project.slug.as_str());
    ctx.object(|out| views::lock(out, is_locked))
}

async fn workflow(ctx: &RequestContext) -> Reply {
    require_language(ctx)?;
    ctx.object(|out| views::workflow(out, ctx.param("language")))
}

/// The most results of a kind.
const MOST_RESULTS: usize = 5;

async fn search(ctx: &RequestContext) -> Reply {
    let query = ctx.url.value("q").unwrap_or_default().to_lowercase();
    let found = found(ctx, &query);
    array(ctx, found.len(), move |_, items, positions| {
        let found = found.get(positions).unwrap_or_default();
        items.each(found, |out, (url, name, category)| {
            views::search_result(out, url, name, category);
        });
    })
    .await
}

/// The results of a search: path, name and category.
fn found(ctx: &RequestContext, query: &str) -> Vec<(String, String, &'static str)> {
    if query.is_empty() {
        return Vec::new();
    }
    let fits = |texts: &[&str]| texts.iter().any(|text| text.to_lowercase().contains(query));
    let snapshot = &ctx.snapshot;
    let projects = snapshot.projects();
    let projects = projects.filter(|project| fits(&[&project.name, project.slug.as_str()]));
    let projects = projects.map(|project| {
        let path = paths::link(paths::PROJECT, &[project.slug.as_str()]);
        (path, project.name.clone(), "Project")
    });
    let components = snapshot.components().iter();
    let components = components
        .filter(|component| fits(&[&component.component.name, component.component.slug.as_str()]));
    let components = components.map(|component| {
        let name = [&*component.project.name, "/", &*component.component.name].concat();
        let path = paths::link(paths::COMPONENT, &[&component.path()]);
        (path, name, "Component")
    });
    let languages = gitglot_model::language::current_languages();
    let mut languages: Vec<_> = languages
        .filter(|language| {
            let is_alias = || language.aliases.split(' ').any(|alias| alias == query);
            fits(&[&language.name, &language.code]) || is_alias()
        })
        .collect();
    languages.sort_by(|one, other| one.name.cmp(&other.name));
    let languages = languages.into_iter().map(|language| {
        let path = paths::link(paths::LANGUAGE, &[&encoded(&language.code)]);
        (path, language.name.to_string(), "Language")
    });
    let mut found: Vec<_> = projects.take(MOST_RESULTS).collect();
    found.extend(components.take(MOST_RESULTS));
    found.extend(languages.take(MOST_RESULTS));
    found
}

#[cfg(test)]
#[path = "current_tests.rs"]
mod tests;
