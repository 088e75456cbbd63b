//! Sources.

use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::route::ResponseBody::{Object, Page};
use crate::route::{ApiRoute, routes};
use crate::views::{self, source};
use gitglot_model::SourceId;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/sources/" Resource Page(views::Source::object) => (all)
        "Source List" "All source strings.", "listSources" "All sources, by id" .legacy_only();
    "/api/sources/:id/" Resource Object(views::Source::object) => (one)
        "Source Instance" "A source string.", "getSource" "A source" .legacy_only();
};

async fn all(ctx: &RequestContext) -> Reply {
    list(ctx, ctx.snapshot.source_count(), |ctx, items, positions| {
        let views = ctx.snapshot.sources_from(positions.start);
        items.each(views.take(positions.len()), |out, view| {
            source(out, &ctx.links, view);
        });
    })
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let view = ctx.numbered(|id| ctx.snapshot.source(SourceId(id)))?;
    ctx.object(|out| source(out, &ctx.links, view))
}
