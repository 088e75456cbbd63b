//! Translations and the resources below them.

use poem_openapi::OpenApi;

use super::changes::{ListOrder, LogOf, log_page};
use super::lists::list;
use super::units::{UnitsOf, units_page};
use super::{ApiTag, Ctx};
use crate::api::files::download;
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::{Download, DownloadedFile, Reply};
use crate::api::schema::{self, Page};
use crate::api::views::{repository, statistics, translation, translation_details, with_details};
use crate::model::address::encoded;

/// The operations of this file.
pub(crate) struct TranslationHandlers;

#[OpenApi]
impl TranslationHandlers {
    /// All translations, by id
    #[oai(
        path = "/api/translations",
        method = "get",
        operation_id = "listTranslations",
        tag = "ApiTag::Translations"
    )]
    async fn translations(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Translation>> {
        list(
            &ctx,
            ctx.snapshot.translation_count(),
            |ctx, items, positions| {
                let views = ctx
                    .snapshot
                    .translations_from(positions.start)
                    .take(positions.len());
                items.each(views, |out, view| {
                    translation(out, &ctx.links, &ctx.snapshot, view, true)
                });
            },
        )
        .await
    }

    /// A translation
    #[oai(
        path = "/api/translations/:project/:component/:language",
        method = "get",
        operation_id = "getTranslation",
        tag = "ApiTag::Translations"
    )]
    async fn translation(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Reply<schema::Translation> {
        ctx.found(
            ctx.translation(&project, &component, &language),
            |out, view| {
                self::translation(out, &ctx.links, &ctx.snapshot, view, true);
                if ctx.details {
                    with_details(out, |out| translation_details(out, view));
                }
            },
        )
    }

    /// The units of a translation, in the order of the template
    #[oai(
        path = "/api/translations/:project/:component/:language/units",
        method = "get",
        operation_id = "listUnitsOfTranslation",
        tag = "ApiTag::Translations"
    )]
    async fn units_of_translation(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Reply<Page<schema::Unit>> {
        units_page(
            &ctx,
            UnitsOf::Translation(project.0, component.0, language.0),
        )
        .await
    }

    /// Statistics of a translation
    #[oai(
        path = "/api/translations/:project/:component/:language/statistics",
        method = "get",
        operation_id = "getTranslationStatistics",
        tag = "ApiTag::Translations"
    )]
    async fn statistics_of_translation(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Reply<schema::TranslationStatistics> {
        ctx.found(
            ctx.translation(&project, &component, &language),
            |out, view| {
                statistics(out, &ctx.links, &ctx.snapshot, view);
            },
        )
    }

    /// The change log of a translation, newest first
    #[oai(
        path = "/api/translations/:project/:component/:language/changes",
        method = "get",
        operation_id = "listChangesOfTranslation",
        tag = "ApiTag::Translations"
    )]
    async fn changes_of_translation(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Reply<Page<schema::Change>> {
        log_page(
            &ctx,
            LogOf::Translation(project.0, component.0, language.0),
            ListOrder::NewestFirst,
        )
        .await
    }

    /// The translation file, unchanged or converted
    #[oai(
        path = "/api/translations/:project/:component/:language/file",
        method = "get",
        operation_id = "getTranslationFile",
        tag = "ApiTag::Translations"
    )]
    async fn file(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Download<DownloadedFile> {
        download::translation(&ctx, &project, &component, &language).await
    }

    /// The repository status of a translation, with its newest commit
    #[oai(
        path = "/api/translations/:project/:component/:language/repository",
        method = "get",
        operation_id = "getTranslationRepository",
        tag = "ApiTag::Translations"
    )]
    async fn repository_of_translation(
        &self,
        ctx: Ctx<'_>,
        project: PathParam,
        component: PathParam,
        language: PathParam,
    ) -> Reply<schema::Repository> {
        ctx.found(
            ctx.translation(&project, &component, &language),
            |out, view| {
                let (of, code) = (view.component, encoded(&view.translation.language.code));
                let (project, component) = (of.project.slug.as_str(), of.component.slug.as_str());
                let path = [
                    "translations/",
                    project,
                    "/",
                    component,
                    "/",
                    &code,
                    "/repository",
                ];
                repository(out, &ctx.links, &of.tip, &path);
            },
        )
    }
}
