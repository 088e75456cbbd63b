//! Components and the resources below them.

use poem_openapi::OpenApi;

use super::changes::{ListOrder, LogOf, log_page};
use super::lists::list;
use super::{ApiTag, Ctx};
use crate::api::files::download;
use crate::api::request::context::RequestContext;
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::payload::{AnyFile, Download, JsonFile, Reply};
use crate::api::schema::{self, Listed, Page};
use crate::api::views::{
    component, component_details, problem, repository, statistics, translation, with_details,
};
use crate::catalog::TranslationView;

/// The operations of this file.
pub(crate) struct ComponentHandlers;

#[OpenApi]
impl ComponentHandlers {
    /// All components, by id
    #[oai(
        path = "/api/components",
        method = "get",
        operation_id = "listComponents",
        tag = "ApiTag::Components"
    )]
    async fn components(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Component>> {
        list(
            &ctx,
            ctx.snapshot.components().len(),
            |ctx, items, positions| {
                let components = ctx.snapshot.components().get(positions).unwrap_or_default();
                items.each(components, |out, of| {
                    component(out, &ctx.links, &ctx.snapshot, of, true)
                });
            },
        )
        .await
    }

    /// A component
    #[oai(
        path = "/api/components/:project/:component",
        method = "get",
        operation_id = "getComponent",
        tag = "ApiTag::Components"
    )]
    async fn component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<schema::Component> {
        ctx.found(ctx.component(&project, &component), |out, of| {
            self::component(out, &ctx.links, &ctx.snapshot, of, true);
            if ctx.details {
                with_details(out, |out| component_details(out, of));
            }
        })
    }

    /// The translations of a component, by language name
    #[oai(
        path = "/api/components/:project/:component/translations",
        method = "get",
        operation_id = "listTranslationsOfComponent",
        tag = "ApiTag::Components"
    )]
    async fn translations_of_component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<Page<schema::TranslationOfComponent>> {
        of_each_translation(&ctx, project.0, component.0, |out, ctx, view| {
            translation(out, &ctx.links, &ctx.snapshot, view, false);
        })
        .await
    }

    /// Statistics of each translation of a component, by language name
    #[oai(
        path = "/api/components/:project/:component/statistics",
        method = "get",
        operation_id = "listComponentStatistics",
        tag = "ApiTag::Components"
    )]
    async fn statistics_of_component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<Page<schema::TranslationStatistics>> {
        of_each_translation(&ctx, project.0, component.0, |out, ctx, view| {
            statistics(out, &ctx.links, &ctx.snapshot, view);
        })
        .await
    }

    /// The change log of a component, newest first
    #[oai(
        path = "/api/components/:project/:component/changes",
        method = "get",
        operation_id = "listChangesOfComponent",
        tag = "ApiTag::Components"
    )]
    async fn changes_of_component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<Page<schema::Change>> {
        log_page(
            &ctx,
            LogOf::Component(project.0, component.0),
            ListOrder::NewestFirst,
        )
        .await
    }

    /// The files of a component that are excluded or do not parse, with reasons
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/components/:project/:component/problems",
        method = "get",
        operation_id = "listProblemsOfComponent",
        tag = "ApiTag::Components"
    )]
    async fn problems_of_component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<Page<schema::Problem>> {
        let Some(of) = ctx.component(&project, &component) else {
            return ctx.failed(&ApiError::NotFound);
        };
        list(&ctx, of.problems.len(), move |ctx, items, positions| {
            let problems = ctx
                .component(&project, &component)
                .and_then(|of| of.problems.get(positions));
            items.each(problems.unwrap_or_default(), problem);
        })
        .await
    }

    /// The lock status of a component (never locked)
    #[oai(
        path = "/api/components/:project/:component/lock",
        method = "get",
        operation_id = "getComponentLock",
        tag = "ApiTag::Components"
    )]
    async fn lock(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<schema::Lock> {
        ctx.found(ctx.component(&project, &component), |out, _| {
            out.extend_from_slice(b"{\"locked\":false}")
        })
    }

    /// The repository status of a component, with its newest commit
    #[oai(
        path = "/api/components/:project/:component/repository",
        method = "get",
        operation_id = "getComponentRepository",
        tag = "ApiTag::Components"
    )]
    async fn repository_of_component(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Reply<schema::Repository> {
        ctx.found(ctx.component(&project, &component), |out, of| {
            let path = [
                "components/",
                of.project.slug.as_str(),
                "/",
                of.component.slug.as_str(),
                "/repository",
            ];
            repository(out, &ctx.links, &of.tip, &path);
        })
    }

    /// The template file
    #[oai(
        path = "/api/components/:project/:component/monolingual_base",
        method = "get",
        operation_id = "getMonolingualBase",
        tag = "ApiTag::Components"
    )]
    async fn monolingual_base(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Download<JsonFile> {
        download::template(&ctx, &project, &component).await
    }

    /// The file that new languages start from
    #[oai(
        path = "/api/components/:project/:component/new_template",
        method = "get",
        operation_id = "getNewTemplate",
        tag = "ApiTag::Components"
    )]
    async fn new_template(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
    ) -> Download<AnyFile> {
        download::new_base(&ctx, &project, &component).await
    }
}

/// A list with one entry for each translation of a component, by language name.
async fn of_each_translation<T: Listed>(
    ctx: &RequestContext,
    project: String,
    component: String,
    write: fn(&mut Vec<u8>, &RequestContext, TranslationView<'_>),
) -> Reply<T> {
    let Some(of) = ctx.component(&project, &component) else {
        return ctx.failed(&ApiError::NotFound);
    };
    list(ctx, of.by_name.len(), move |ctx, items, positions| {
        let views = ctx
            .component(&project, &component)
            .map(|of| of.named(positions));
        items.each(views.into_iter().flatten(), |out, view| {
            write(out, ctx, view)
        });
    })
    .await
}
