//! Sources.

use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::route::ResponseBody::{Object, Page};
use crate::route::RouteKind::Resource;
use crate::route::{ApiRoute, api, handler};
use crate::views::{self, source};
use gitglot_model::SourceId;

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/sources/",
        Resource,
        Page(views::Source::object),
        handler!(all),
    )
    .legacy_only()
    .options("Source List", "All source strings.")
    .operation("listSources", "All sources, by id"),
    api(
        "/api/sources/:id/",
        Resource,
        Object(views::Source::object),
        handler!(one),
    )
    .legacy_only()
    .options("Source Instance", "A source string.")
    .operation("getSource", "A source"),
];

async fn all(ctx: &RequestContext) -> Reply {
    list(ctx, ctx.snapshot.source_count(), |ctx, items, positions| {
        let views = ctx
            .snapshot
            .sources_from(positions.start)
            .take(positions.len());
        items.each(views, |out, view| source(out, &ctx.links, view));
    })
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let view = ctx.numbered(|id| ctx.snapshot.source(SourceId(id)))?;
    ctx.object(|out| source(out, &ctx.links, view))
}
