//! Projects and the resources below them.

use poem_openapi::OpenApi;

use super::changes::{ListOrder, LogOf, log_page};
use super::lists::{array, list};
use super::{ApiTag, Ctx};
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::{
    component, languages_of_project, project, repository_of_project, statistics_of_language,
};

/// The operations of this file.
pub(crate) struct ProjectHandlers;

#[OpenApi]
impl ProjectHandlers {
    /// All projects, by id
    #[oai(
        path = "/api/projects",
        method = "get",
        operation_id = "listProjects",
        tag = "ApiTag::Projects"
    )]
    async fn projects(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Project>> {
        list(
            &ctx,
            ctx.snapshot.projects().len(),
            |ctx, items, positions| {
                let projects = ctx
                    .snapshot
                    .projects()
                    .skip(positions.start)
                    .take(positions.len());
                items.each(projects, |out, of| {
                    project(out, &ctx.links, &ctx.snapshot, of)
                });
            },
        )
        .await
    }

    /// A project
    #[oai(
        path = "/api/projects/:project",
        method = "get",
        operation_id = "getProject",
        tag = "ApiTag::Projects"
    )]
    async fn project(&self, ctx: Ctx<'_>, project: PathParam) -> Reply<schema::Project> {
        ctx.found(ctx.project(&project), |out, of| {
            self::project(out, &ctx.links, &ctx.snapshot, of)
        })
    }

    /// The components of a project, by priority and name
    #[oai(
        path = "/api/projects/:project/components",
        method = "get",
        operation_id = "listComponentsOfProject",
        tag = "ApiTag::Projects"
    )]
    async fn components_of_project(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
    ) -> Reply<Page<schema::ComponentOfProject>> {
        if ctx.project(&project).is_none() {
            return ctx.failed(&ApiError::NotFound);
        }
        let count = ctx.snapshot.components_of(&project).len();
        list(&ctx, count, move |ctx, items, positions| {
            let components = ctx
                .snapshot
                .components_of(&project)
                .skip(positions.start)
                .take(positions.len());
            items.each(components, |out, of| {
                component(out, &ctx.links, &ctx.snapshot, of, false)
            });
        })
        .await
    }

    /// Statistics of each language of a project, by language name
    #[oai(
        path = "/api/projects/:project/statistics",
        method = "get",
        operation_id = "getProjectStatistics",
        tag = "ApiTag::Projects"
    )]
    async fn statistics_of_project(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
    ) -> Reply<Vec<schema::LanguageStatistics>> {
        if ctx.project(&project).is_none() {
            return ctx.failed(&ApiError::NotFound);
        }
        let count = languages_of_project(&ctx.snapshot, &project).len();
        array(&ctx, count, move |ctx, items, positions| {
            let rows = languages_of_project(&ctx.snapshot, &project);
            items.each(
                rows.into_iter().skip(positions.start).take(positions.len()),
                statistics_of_language,
            );
        })
        .await
    }

    /// The change log of a project, newest first
    #[oai(
        path = "/api/projects/:project/changes",
        method = "get",
        operation_id = "listChangesOfProject",
        tag = "ApiTag::Projects"
    )]
    async fn changes_of_project(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
    ) -> Reply<Page<schema::Change>> {
        log_page(&ctx, LogOf::Project(project.0), ListOrder::NewestFirst).await
    }

    /// The repository status of a project
    #[oai(
        path = "/api/projects/:project/repository",
        method = "get",
        operation_id = "getProjectRepository",
        tag = "ApiTag::Projects"
    )]
    async fn repository_of_project(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
    ) -> Reply<schema::ProjectRepository> {
        ctx.found(ctx.project(&project), |out, of| {
            repository_of_project(
                out,
                &ctx.links,
                &["projects/", of.slug.as_str(), "/repository"],
            );
        })
    }
}
