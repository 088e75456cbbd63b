//! Languages.

use poem_openapi::OpenApi;

use super::lists::list;
use super::{ApiTag, Ctx};
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::{language, language_of_code};

/// The operations of this file.
pub(crate) struct LanguageHandlers;

#[OpenApi]
impl LanguageHandlers {
    /// Languages with a translation, built-in ones first
    #[oai(
        path = "/api/languages",
        method = "get",
        operation_id = "listLanguages",
        tag = "ApiTag::Languages"
    )]
    async fn languages(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Language>> {
        list(
            &ctx,
            ctx.snapshot.languages().len(),
            |ctx, items, positions| {
                let languages = ctx.snapshot.languages().get(positions).unwrap_or_default();
                items.each(languages, |out, of| language(out, &ctx.links, of));
            },
        )
        .await
    }

    /// A language
    #[oai(
        path = "/api/languages/:language",
        method = "get",
        operation_id = "getLanguage",
        tag = "ApiTag::Languages"
    )]
    async fn language(&self, ctx: Ctx<'_>, language: PathParam) -> Reply<schema::Language> {
        ctx.found(language_of_code(&ctx.snapshot, &language), |out, of| {
            self::language(out, &ctx.links, &of)
        })
    }
}
