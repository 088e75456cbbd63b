//! Projects and what is below them.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::{Tag, newest_first};
use crate::api::bodies::{component, project, repository_of_project, statistics_of_project};
use crate::api::call::Call;
use crate::api::errors::Failure;
use crate::api::json::list;
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
        let snapshot = &call.snapshot;
        call.page(snapshot.projects().len(), |out, places| {
            let projects = snapshot.projects().skip(places.start).take(places.len());
            list(out, projects, |out, of| project(out, &call.links, snapshot, of));
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
        let snapshot = &call.snapshot;
        if call.project(&project).is_none() {
            return call.failed(&Failure::NotFound);
        }
        let components = || snapshot.components_of(&project);
        call.page(components().len(), |out, places| {
            let components = components().skip(places.start).take(places.len());
            list(out, components, |out, of| component(out, &call.links, snapshot, of, false));
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
        call.found(call.project(&project), |out, of| statistics_of_project(out, &call.snapshot, of.slug.as_str()))
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
        newest_first(&call, call.snapshot.changes_of_project(&project))
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
