//! Screenshots: there are none.

use poem_openapi::OpenApi;

use super::lists::list;
use super::{ApiTag, Ctx};
use crate::api::files::download;
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::payload::{AnyFile, Download, Reply};
use crate::api::schema::{self, Page};

/// The operations of this file.
pub(crate) struct ScreenshotHandlers;

#[expect(
    unused_variables,
    reason = "path parameters are declared for the document"
)]
#[OpenApi]
impl ScreenshotHandlers {
    /// Screenshots (always empty)
    #[oai(
        path = "/api/screenshots",
        method = "get",
        operation_id = "listScreenshots",
        tag = "ApiTag::Screenshots"
    )]
    async fn screenshots(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Screenshot>> {
        list(&ctx, 0, |_, _, _| {}).await
    }

    /// A screenshot (always 404)
    #[oai(
        path = "/api/screenshots/:id",
        method = "get",
        operation_id = "getScreenshot",
        tag = "ApiTag::Screenshots"
    )]
    async fn screenshot(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::Screenshot> {
        ctx.failed(&ApiError::NotFound)
    }

    /// The image of a screenshot (always 404)
    #[oai(
        path = "/api/screenshots/:id/file",
        method = "get",
        operation_id = "getScreenshotFile",
        tag = "ApiTag::Screenshots"
    )]
    async fn screenshot_file(&self, ctx: Ctx<'_>, id: PathParam) -> Download<AnyFile> {
        download::none(&ctx)
    }
}
