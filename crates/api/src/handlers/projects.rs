//! Projects and the resources below them.

use super::changes::log_page;
use super::current_changes;
use super::log_of::LogOf;
use crate::apis::Api;
use crate::lists::{array, list};
use crate::request::context::{Reply, RequestContext};
use crate::response::methods::{CHANGE, CREATE};
use crate::route::ResponseBody::{Array, Object, Page};
use crate::route::{ApiRoute, QueryParameters, ReadAccess, routes};
use crate::schema::ObjectSchema;
use crate::views::{
    self, component, languages_of_project, project, repository_of_project, statistics_of_language,
};

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/projects/" Resource Page(views::Project::object) => (<P> all)
        "Project List" "All projects.", "listProjects" "All projects, by id" .writes(CREATE);
    "/api/projects/:project/" Resource Object(views::Project::object) => (<P> one)
        "Project Instance" "A project.", "getProject" .writes(CHANGE);
    "/api/projects/:project/components/" Action Page(component_of_project) => (<P> components)
        "Components" "The components of a project.",
        "listComponentsOfProject" "The components of a project, by priority and name"
        .writes(CREATE);
    "/api/projects/:project/statistics/" Action Array(views::LanguageStatistics::object)
        => (statistics)
        "Statistics" "Statistics of each language of a project.",
        "getProjectStatistics" "Statistics of each language of a project, by language name"
        .legacy_only();
    "/api/projects/:project/changes/" Action Page(views::Change::object)
        => (log_page | current_changes::page, LogOf::Project)
        "Changes" "The change log of a project, newest first.", "listChangesOfProject"
        .query(QueryParameters::Changes);
    "/api/projects/:project/repository/" Action Object(views::ProjectRepository::object)
        => (repository)
        "Repository" "The repository status of a project.", "getProjectRepository"
        .access(ReadAccess::Permission).writes(CREATE);
};

/// A component in a list of its project.
fn component_of_project() -> ObjectSchema {
    views::Component::object().without("project", "ComponentOfProject")
}

async fn all<P: Api>(ctx: &RequestContext) -> Reply {
    let count = ctx.snapshot.projects().len();
    list(ctx, count, |ctx, items, positions| {
        let projects = ctx.snapshot.projects().skip(positions.start);
        items.each(projects.take(positions.len()), |out, of| {
            project::<P>(out, &ctx.links, &ctx.snapshot, of);
        });
    })
    .await
}

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    let of = ctx.project()?;
    ctx.object(|out| project::<P>(out, &ctx.links, &ctx.snapshot, of))
}

async fn components<P: Api>(ctx: &RequestContext) -> Reply {
    let of = ctx.project()?.slug.clone();
    let count = ctx.snapshot.components_of(of.as_str()).len();
    list(ctx, count, move |ctx, items, positions| {
        let components = P::components_of(&ctx.snapshot, of.as_str());
        let components = components.get(positions).unwrap_or_default();
        items.each(components, |out, of| {
            component::<P>(out, &ctx.links, &ctx.snapshot, of, false);
        });
    })
    .await
}

async fn statistics(ctx: &RequestContext) -> Reply {
    let of = ctx.project()?.slug.clone();
    let count = languages_of_project(&ctx.snapshot, of.as_str()).len();
    array(ctx, count, move |ctx, items, positions| {
        let rows = languages_of_project(&ctx.snapshot, of.as_str()).into_iter();
        let rows = rows.skip(positions.start).take(positions.len());
        items.each(rows, statistics_of_language);
    })
    .await
}

async fn repository(ctx: &RequestContext) -> Reply {
    let path = ["projects/", ctx.project()?.slug.as_str(), "/repository"];
    ctx.object(|out| repository_of_project(out, &ctx.links, &path))
}

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::get;

    #[tokio::test]
    async fn the_components_of_a_project_do_not_repeat_it() {
        let list = get(&api(), "/api/projects/hello/components/").await.json();
        assert_eq!(list["count"], 2);
        let component = &list["results"][0];
        assert!(component.get("project").is_none(), "{component}");
        let single = get(&api(), "/api/components/hello/app/").await.json();
        assert_eq!(single["project"]["slug"], "hello");
    }

    #[tokio::test]
    async fn a_project_without_components_has_empty_lists() {
        let api = api();
        let components = get(&api, "/api/projects/empty/components/").await.json();
        assert_eq!(components["count"], 0);
        let statistics = get(&api, "/api/projects/empty/statistics/").await.json();
        assert_eq!(statistics, serde_json::json!([]));
    }
}
