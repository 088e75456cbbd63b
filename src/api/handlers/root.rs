//! The root and the metrics.

use poem_openapi::OpenApi;

use super::{ApiTag, Ctx};
use crate::api::response::payload::Reply;
use crate::api::schema::{self};
use crate::api::views::{metrics, root};

/// The operations of this file.
pub(crate) struct RootHandlers;

#[OpenApi]
impl RootHandlers {
    /// URLs of the lists
    #[oai(
        path = "/api",
        method = "get",
        operation_id = "getRoot",
        tag = "ApiTag::Server"
    )]
    async fn root(&self, ctx: Ctx<'_>) -> Reply<schema::Root> {
        ctx.found(Some(()), |out, ()| root(out, &ctx.links))
    }

    /// Counts of all objects
    #[oai(
        path = "/api/metrics",
        method = "get",
        operation_id = "getMetrics",
        tag = "ApiTag::Server"
    )]
    async fn metrics(&self, ctx: Ctx<'_>) -> Reply<schema::Metrics> {
        ctx.found(Some(()), |out, ()| {
            metrics(out, &ctx.snapshot, &ctx.state.title)
        })
    }
}
