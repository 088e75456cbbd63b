//! Languages.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use crate::api::openapi::params::{Format, PageNumber, PageSize};
use crate::api::request::context::RequestContext;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::{language, language_of_code};

/// The operations of this file.
pub(in crate::api) struct Languages;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Languages {
    /// The languages that are translated to: known ones first
    #[oai(path = "/api/languages", method = "get", operation_id = "listLanguages", tag = "Tag::Languages")]
    async fn languages(
        &self,
        ctx: Data<&RequestContext>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Language>> {
        ctx.list(ctx.snapshot.languages().len(), |ctx, items, places| {
            let languages = ctx.snapshot.languages().get(places).unwrap_or_default();
            items.each(languages, |out, of| language(out, &ctx.links, of));
        })
    }

    /// One language
    #[oai(path = "/api/languages/:language", method = "get", operation_id = "getLanguage", tag = "Tag::Languages")]
    async fn language(
        &self,
        ctx: Data<&RequestContext>,
        language: Path<String>,
        format: Format,
    ) -> Reply<schema::Language> {
        ctx.found(language_of_code(&ctx.snapshot, &language), |out, of| self::language(out, &ctx.links, &of))
    }
}
