//! Screenshots: there are none.

use poem::web::Data;
use poem_openapi::OpenApi;

use super::Tag;
use super::lists::list;
use crate::api::files::download;
use crate::api::request::context::RequestContext;
use crate::api::request::path_param::PathParam;
use crate::api::response::error::ApiError;
use crate::api::response::payload::{AnyFile, Download, Reply};
use crate::api::schema::{self, Page};

/// The operations of this file.
pub(in crate::api) struct Screenshots;

#[expect(unused_variables, reason = "path parameters are declared for the document")]
#[OpenApi]
impl Screenshots {
    /// All screenshots: none
    #[oai(path = "/api/screenshots", method = "get", operation_id = "listScreenshots", tag = "Tag::Screenshots")]
    async fn screenshots(&self, ctx: Data<&RequestContext>) -> Reply<Page<schema::Screenshot>> {
        list(&ctx, 0, |_, _, _| {})
    }

    /// One screenshot: there is none
    #[oai(path = "/api/screenshots/:id", method = "get", operation_id = "getScreenshot", tag = "Tag::Screenshots")]
    async fn screenshot(&self, ctx: Data<&RequestContext>, id: PathParam) -> Reply<schema::Screenshot> {
        ctx.failed(&ApiError::NotFound)
    }

    /// The picture of a screenshot: there is none
    #[oai(
        path = "/api/screenshots/:id/file",
        method = "get",
        operation_id = "getScreenshotFile",
        tag = "Tag::Screenshots"
    )]
    async fn screenshot_file(&self, ctx: Data<&RequestContext>, id: PathParam) -> Download<AnyFile> {
        download::none(&ctx)
    }
}
