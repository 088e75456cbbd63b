//! The operations: what each path answers with. The document is made from this very code.

use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::{OpenApi, Tags};

use super::bodies::{
    Units, change, component, details, language, language_of_code, metrics, project, repository, repository_of_project,
    root, source, statistics, statistics_of_project, translation, user,
};
use super::call::{Call, number};
use super::download;
use super::errors::Failure;
use super::json::list;
use super::links::encoded;
use super::params::{Format, PageNumber, PageSize};
use super::reply::{AnyFile, Download, JsonFile, Reply};
use super::schema::{self, Page};
use crate::catalog::Changes;
use crate::model::{ChangeId, SourceId, UnitId, UserId};

/// How the document groups operations.
#[derive(Tags)]
enum Tag {
    /// Names over components.
    Projects,
    /// The files of one mask in one branch of one repository.
    Components,
    /// One component in one language.
    Translations,
    /// Strings, in every language.
    Units,
    /// Strings of the templates.
    Sources,
    /// Who changed what, and when.
    Changes,
    /// The languages that are translated to.
    Languages,
    /// Kept so that clients find them; there are none.
    Screenshots,
    /// Everything else.
    Server,
}

/// The API.
pub(super) struct Api;

/// A page of a log, newest entry first.
fn newest_first(call: &Call, changes: Option<Changes<'_>>) -> Reply<Page<schema::Change>> {
    let Some(changes) = changes else { return call.failed(&Failure::NotFound) };
    let count = changes.len();
    call.page(count, |out, places| {
        let entries = places.filter_map(|place| changes.get(count.checked_sub(place + 1)?));
        list(out, entries, |out, entry| change(out, &call.links, entry));
    })
}

#[expect(clippy::too_many_arguments, reason = "one for each parameter that the document names")]
#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Api {
    /// Where the lists are
    #[oai(path = "/api", method = "get", operation_id = "getRoot", tag = "Tag::Server")]
    async fn root(&self, call: Data<&Call>, format: Format) -> Reply<schema::Root> {
        call.found(Some(()), |out, ()| root(out, &call.links))
    }

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

    /// All components, by number
    #[oai(path = "/api/components", method = "get", operation_id = "listComponents", tag = "Tag::Components")]
    async fn components(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Component>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.components().len(), |out, places| {
            let components = snapshot.components().get(places).unwrap_or_default();
            list(out, components, |out, of| component(out, &call.links, snapshot, of, true));
        })
    }

    /// One component
    #[oai(
        path = "/api/components/:project/:component",
        method = "get",
        operation_id = "getComponent",
        tag = "Tag::Components"
    )]
    async fn component(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        format: Format,
    ) -> Reply<schema::Component> {
        call.found(call.component(&project, &component), |out, of| {
            self::component(out, &call.links, &call.snapshot, of, true);
        })
    }

    /// The translations of a component, by name of the language
    #[oai(
        path = "/api/components/:project/:component/translations",
        method = "get",
        operation_id = "listTranslationsOfComponent",
        tag = "Tag::Components"
    )]
    async fn translations_of_component(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::TranslationOfComponent>> {
        let Some(of) = call.component(&project, &component) else { return call.failed(&Failure::NotFound) };
        call.page(of.by_name.len(), |out, places| {
            list(out, of.named(places), |out, view| translation(out, &call.links, &call.snapshot, view, false));
        })
    }

    /// How far each translation of a component is, by name of the language
    #[oai(
        path = "/api/components/:project/:component/statistics",
        method = "get",
        operation_id = "listComponentStatistics",
        tag = "Tag::Components"
    )]
    async fn statistics_of_component(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::TranslationStatistics>> {
        let Some(of) = call.component(&project, &component) else { return call.failed(&Failure::NotFound) };
        call.page(of.by_name.len(), |out, places| {
            list(out, of.named(places), |out, view| statistics(out, &call.links, &call.snapshot, view));
        })
    }

    /// The change log of a component, newest first
    #[oai(
        path = "/api/components/:project/:component/changes",
        method = "get",
        operation_id = "listChangesOfComponent",
        tag = "Tag::Components"
    )]
    async fn changes_of_component(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        let component = call.component(&project, &component);
        newest_first(&call, component.map(|component| call.snapshot.changes_of_component(component)))
    }

    /// Whether a component is locked
    #[oai(
        path = "/api/components/:project/:component/lock",
        method = "get",
        operation_id = "getComponentLock",
        tag = "Tag::Components"
    )]
    async fn lock(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        format: Format,
    ) -> Reply<schema::Lock> {
        call.found(call.component(&project, &component), |out, _| out.extend_from_slice(b"{\"locked\":false}"))
    }

    /// The state of a component's repository: which commit is shown
    #[oai(
        path = "/api/components/:project/:component/repository",
        method = "get",
        operation_id = "getComponentRepository",
        tag = "Tag::Components"
    )]
    async fn repository_of_component(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        format: Format,
    ) -> Reply<schema::Repository> {
        call.found(call.component(&project, &component), |out, of| {
            let path = ["components/", of.project.slug.as_str(), "/", of.component.slug.as_str(), "/repository"];
            repository(out, &call.links, &of.tip, &path);
        })
    }

    /// The template file
    #[oai(
        path = "/api/components/:project/:component/monolingual_base",
        method = "get",
        operation_id = "getMonolingualBase",
        tag = "Tag::Components"
    )]
    async fn monolingual_base(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        format: Format,
    ) -> Download<JsonFile> {
        download::template(&call, &project, &component).await
    }

    /// The file that new languages start from
    #[oai(
        path = "/api/components/:project/:component/new_template",
        method = "get",
        operation_id = "getNewTemplate",
        tag = "Tag::Components"
    )]
    async fn new_template(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        format: Format,
    ) -> Download<AnyFile> {
        download::new_base(&call, &project, &component).await
    }

    /// All translations, by number
    #[oai(path = "/api/translations", method = "get", operation_id = "listTranslations", tag = "Tag::Translations")]
    async fn translations(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Translation>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.translation_count(), |out, places| {
            let views = snapshot.translations_from(places.start).take(places.len());
            list(out, views, |out, view| translation(out, &call.links, snapshot, view, true));
        })
    }

    /// One translation
    #[oai(
        path = "/api/translations/:project/:component/:language",
        method = "get",
        operation_id = "getTranslation",
        tag = "Tag::Translations"
    )]
    async fn translation(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
        format: Format,
    ) -> Reply<schema::Translation> {
        call.found(call.translation(&project, &component, &language), |out, view| {
            self::translation(out, &call.links, &call.snapshot, view, true);
        })
    }

    /// The units of a translation, in the order of the template
    #[oai(
        path = "/api/translations/:project/:component/:language/units",
        method = "get",
        operation_id = "listUnitsOfTranslation",
        tag = "Tag::Translations"
    )]
    async fn units_of_translation(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Unit>> {
        let Some(view) = call.translation(&project, &component, &language) else {
            return call.failed(&Failure::NotFound);
        };
        call.page(view.translation.units.len(), |out, places| {
            let mut units = Units::new(&call.links);
            list(out, view.units_from(places.start).take(places.len()), |out, unit| units.write(out, unit));
        })
    }

    /// How far a translation is
    #[oai(
        path = "/api/translations/:project/:component/:language/statistics",
        method = "get",
        operation_id = "getTranslationStatistics",
        tag = "Tag::Translations"
    )]
    async fn statistics_of_translation(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
        format: Format,
    ) -> Reply<schema::TranslationStatistics> {
        call.found(call.translation(&project, &component, &language), |out, view| {
            statistics(out, &call.links, &call.snapshot, view);
        })
    }

    /// The change log of a translation, newest first
    #[oai(
        path = "/api/translations/:project/:component/:language/changes",
        method = "get",
        operation_id = "listChangesOfTranslation",
        tag = "Tag::Translations"
    )]
    async fn changes_of_translation(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        let view = call.translation(&project, &component, &language);
        newest_first(&call, view.map(|view| call.snapshot.changes_of_translation(view)))
    }

    /// The translation file as it stands in the repository
    #[oai(
        path = "/api/translations/:project/:component/:language/file",
        method = "get",
        operation_id = "getTranslationFile",
        tag = "Tag::Translations"
    )]
    async fn file(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
    ) -> Download<JsonFile> {
        download::translation(&call, &project, &component, &language).await
    }

    /// The state of a translation's repository: which commit is shown
    #[oai(
        path = "/api/translations/:project/:component/:language/repository",
        method = "get",
        operation_id = "getTranslationRepository",
        tag = "Tag::Translations"
    )]
    async fn repository_of_translation(
        &self,
        call: Data<&Call>,
        project: Path<String>,
        component: Path<String>,
        language: Path<String>,
        format: Format,
    ) -> Reply<schema::Repository> {
        call.found(call.translation(&project, &component, &language), |out, view| {
            let (of, code) = (view.component, encoded(&view.translation.language.code));
            let (project, component) = (of.project.slug.as_str(), of.component.slug.as_str());
            let path = ["translations/", project, "/", component, "/", &code, "/repository"];
            repository(out, &call.links, &of.tip, &path);
        })
    }

    /// The languages that are translated to: known ones first
    #[oai(path = "/api/languages", method = "get", operation_id = "listLanguages", tag = "Tag::Languages")]
    async fn languages(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Language>> {
        let languages = call.snapshot.languages();
        call.page(languages.len(), |out, places| {
            list(out, languages.get(places).unwrap_or_default(), |out, of| language(out, &call.links, of));
        })
    }

    /// One language
    #[oai(path = "/api/languages/:language", method = "get", operation_id = "getLanguage", tag = "Tag::Languages")]
    async fn language(&self, call: Data<&Call>, language: Path<String>, format: Format) -> Reply<schema::Language> {
        call.found(language_of_code(&call.snapshot, &language), |out, of| self::language(out, &call.links, &of))
    }

    /// The whole change log, oldest first
    #[oai(path = "/api/changes", method = "get", operation_id = "listChanges", tag = "Tag::Changes")]
    async fn changes(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        let changes = call.snapshot.changes();
        call.page(changes.len(), |out, places| {
            list(out, places.filter_map(|place| changes.get(place)), |out, entry| change(out, &call.links, entry));
        })
    }

    /// One entry of the change log
    #[oai(path = "/api/changes/:id", method = "get", operation_id = "getChange", tag = "Tag::Changes")]
    async fn change(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Change> {
        let entry = number(&id).and_then(|id| call.snapshot.change(ChangeId(id)));
        call.found(entry, |out, entry| self::change(out, &call.links, entry))
    }

    /// What git knows of an entry of the change log
    ///
    /// More than Weblate 3.4 has: which string of which file changed, in which commit, from which text to which;
    /// also when string or file are gone.
    #[oai(path = "/api/changes/:id/details", method = "get", operation_id = "getChangeDetails", tag = "Tag::Changes")]
    async fn details(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::ChangeDetails> {
        let entry = number(&id).and_then(|id| call.snapshot.change(ChangeId(id)));
        call.found(entry, |out, entry| details(out, &call.links, entry))
    }

    /// All units, by number
    #[oai(path = "/api/units", method = "get", operation_id = "listUnits", tag = "Tag::Units")]
    async fn units(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Unit>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.unit_count(), |out, places| {
            let mut units = Units::new(&call.links);
            list(out, snapshot.units_from(places.start).take(places.len()), |out, unit| units.write(out, unit));
        })
    }

    /// One unit
    #[oai(path = "/api/units/:id", method = "get", operation_id = "getUnit", tag = "Tag::Units")]
    async fn unit(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Unit> {
        let unit = number(&id).and_then(|id| call.snapshot.unit(UnitId(id)));
        call.found(unit, |out, unit| Units::new(&call.links).write(out, unit))
    }

    /// All sources, by number
    #[oai(path = "/api/sources", method = "get", operation_id = "listSources", tag = "Tag::Sources")]
    async fn sources(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Source>> {
        let snapshot = &call.snapshot;
        call.page(snapshot.source_count(), |out, places| {
            let views = snapshot.sources_from(places.start).take(places.len());
            list(out, views, |out, view| source(out, &call.links, view));
        })
    }

    /// One source
    #[oai(path = "/api/sources/:id", method = "get", operation_id = "getSource", tag = "Tag::Sources")]
    async fn source(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Source> {
        let view = number(&id).and_then(|id| call.snapshot.source(SourceId(id)));
        call.found(view, |out, view| self::source(out, &call.links, view))
    }

    /// All screenshots: none
    #[oai(path = "/api/screenshots", method = "get", operation_id = "listScreenshots", tag = "Tag::Screenshots")]
    async fn screenshots(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Screenshot>> {
        call.page(0, |out, _| out.extend_from_slice(b"[]"))
    }

    /// One screenshot: there is none
    #[oai(path = "/api/screenshots/:id", method = "get", operation_id = "getScreenshot", tag = "Tag::Screenshots")]
    async fn screenshot(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Screenshot> {
        call.failed(&Failure::NotFound)
    }

    /// The picture of a screenshot: there is none
    #[oai(
        path = "/api/screenshots/:id/file",
        method = "get",
        operation_id = "getScreenshotFile",
        tag = "Tag::Screenshots"
    )]
    async fn screenshot_file(&self, call: Data<&Call>, id: Path<String>) -> Download<AnyFile> {
        download::none(&call)
    }

    /// The people whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users", method = "get", operation_id = "listUsers", tag = "Tag::Changes")]
    async fn users(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::User>> {
        let users = call.snapshot.users();
        call.page(users.len(), |out, places| {
            list(out, users.get(places).unwrap_or_default(), |out, of| user(out, &call.links, of));
        })
    }

    /// Somebody whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users/:id", method = "get", operation_id = "getUser", tag = "Tag::Changes")]
    async fn user(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::User> {
        let found = number(&id).and_then(|id| call.snapshot.user(UserId(id)));
        call.found(found, |out, of| self::user(out, &call.links, of))
    }

    /// How much there is of everything
    #[oai(path = "/api/metrics", method = "get", operation_id = "getMetrics", tag = "Tag::Server")]
    async fn metrics(&self, call: Data<&Call>, format: Format) -> Reply<schema::Metrics> {
        call.found(Some(()), |out, ()| metrics(out, &call.snapshot, &call.state.title))
    }
}
