//! Screenshots: there are none.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use crate::api::files::download;
use crate::api::openapi::params::{Format, PageNumber, PageSize};
use crate::api::request::context::RequestContext;
use crate::api::response::error::ApiError;
use crate::api::response::payload::{AnyFile, Download, Reply};
use crate::api::schema::{self, Page};

/// The operations of this file.
pub(in crate::api) struct Screenshots;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Screenshots {
    /// All screenshots: none
    #[oai(path = "/api/screenshots", method = "get", operation_id = "listScreenshots", tag = "Tag::Screenshots")]
    async fn screenshots(
        &self,
        ctx: Data<&RequestContext>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Screenshot>> {
        ctx.list(0, |_, _, _| {})
    }

    /// One screenshot: there is none
    #[oai(path = "/api/screenshots/:id", method = "get", operation_id = "getScreenshot", tag = "Tag::Screenshots")]
    async fn screenshot(
        &self,
        ctx: Data<&RequestContext>,
        id: Path<String>,
        format: Format,
    ) -> Reply<schema::Screenshot> {
        ctx.failed(&ApiError::NotFound)
    }

    /// The picture of a screenshot: there is none
    #[oai(
        path = "/api/screenshots/:id/file",
        method = "get",
        operation_id = "getScreenshotFile",
        tag = "Tag::Screenshots"
    )]
    async fn screenshot_file(&self, ctx: Data<&RequestContext>, id: Path<String>) -> Download<AnyFile> {
        download::none(&ctx)
    }
}
