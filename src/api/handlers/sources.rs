//! Sources.

use poem_openapi::OpenApi;

use super::lists::list;
use super::{ApiTag, Ctx};
use crate::api::request::context::number;
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::source;
use crate::model::SourceId;

/// The operations of this file.
pub(crate) struct SourceHandlers;

#[OpenApi]
impl SourceHandlers {
    /// All sources, by id
    #[oai(
        path = "/api/sources",
        method = "get",
        operation_id = "listSources",
        tag = "ApiTag::Sources"
    )]
    async fn sources(&self, ctx: Ctx<'_>) -> Reply<Page<schema::Source>> {
        list(
            &ctx,
            ctx.snapshot.source_count(),
            |ctx, items, positions| {
                let views = ctx
                    .snapshot
                    .sources_from(positions.start)
                    .take(positions.len());
                items.each(views, |out, view| source(out, &ctx.links, view));
            },
        )
        .await
    }

    /// A source
    #[oai(
        path = "/api/sources/:id",
        method = "get",
        operation_id = "getSource",
        tag = "ApiTag::Sources"
    )]
    async fn source(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::Source> {
        let view = number(&id).and_then(|id| ctx.snapshot.source(SourceId(id)));
        ctx.found(view, |out, view| self::source(out, &ctx.links, view))
    }
}
