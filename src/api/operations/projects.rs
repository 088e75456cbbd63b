//! Projects and what is below them.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use super::changes::{LogOf, Order, log_page};
use crate::api::bodies::{component, languages_of_project, project, repository_of_project, statistics_of_language};
use crate::api::call::Call;
use crate::api::errors::Failure;
use crate::api::params::{Format, PageNumber, PageSize};
use crate::api::reply::Reply;
use crate::api::schema::{self, Page};

/// The operations of this file.
pub(in crate::api) struct Projects;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Projects {
    /// All projects, by number
    #[oai(path = "/api/projects", method = "get", operation_id = "listProjects", tag = "Tag::Projects")]
    async fn projects(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Project>> {
        call.list(call.snapshot.projects().len(), |call, items, places| {
            let projects = call.snapshot.projects().skip(places.start).take(places.len());
            items.each(projects, |out, of| project(out, &call.links, &call.snapshot, of));
        })
    }

    /// One project
    #[oai(path = "/api/projects/:project", method = "get", operation_id = "getProject", tag = "Tag::Projects")]
    async fn project(&self, call: Data<&Call>, project: Path<String>, format: Format) -> Reply<schema::Project> {
        call.found(call.project(&project), |out, of| self::project(out, &call.links, &call.snapshot, of))
    }

    /// The components of a project, by priority and name
    #[oai(
        path = "/api/projects/:project/components",
        method = "get",
        operation_id = "listComponentsOfProject",
        tag = "Tag::Projects"
    )]
    async fn components_of_project(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::ComponentOfProject>> {
        if call.project(&project).is_none() {
            return call.failed(&Failure::NotFound);
        }
        let count = call.snapshot.components_of(&project).len();
        call.list(count, move |call, items, places| {
            let components = call.snapshot.components_of(&project).skip(places.start).take(places.len());
            items.each(components, |out, of| component(out, &call.links, &call.snapshot, of, false));
        })
    }

    /// How far each language of a project is, by name
    #[oai(
        path = "/api/projects/:project/statistics",
        method = "get",
        operation_id = "getProjectStatistics",
        tag = "Tag::Projects"
    )]
    async fn statistics_of_project(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        format: Format,
    ) -> Reply<Vec<schema::LanguageStatistics>> {
        if call.project(&project).is_none() {
            return call.failed(&Failure::NotFound);
        }
        let count = languages_of_project(&call.snapshot, &project).len();
        call.array(count, move |call, items, places| {
            let rows = languages_of_project(&call.snapshot, &project);
            items.each(rows.into_iter().skip(places.start).take(places.len()), statistics_of_language);
        })
    }

    /// The change log of a project, newest first
    #[oai(
        path = "/api/projects/:project/changes",
        method = "get",
        operation_id = "listChangesOfProject",
        tag = "Tag::Projects"
    )]
    async fn changes_of_project(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        log_page(&call, LogOf::Project(project.0), Order::NewestFirst).await
    }

    /// The state of a project's repositories
    #[oai(
        path = "/api/projects/:project/repository",
        method = "get",
        operation_id = "getProjectRepository",
        tag = "Tag::Projects"
    )]
    async fn repository_of_project(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        format: Format,
    ) -> Reply<schema::ProjectRepository> {
        call.found(call.project(&project), |out, of| {
            repository_of_project(out, &call.links, &["projects/", of.slug.as_str(), "/repository"]);
        })
    }
}
