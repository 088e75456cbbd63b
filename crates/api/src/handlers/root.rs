//! The root and the metrics.

use crate::profile::in_profile;
use crate::request::context::{Reply, RequestContext};
use crate::route::ReadAccess;
use crate::route::ResponseBody::Object;
use crate::route::RouteKind::{Metrics, Resource};
use crate::route::{ApiRoute, api};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = &[
    api("/api/", Resource, Object(views::Root::object), |ctx| {
        Box::pin(root(ctx))
    })
    .options("Api Root", "URLs of the lists.")
    .operation("getRoot", "URLs of the lists"),
    api(
        "/api/metrics/",
        Metrics,
        Object(views::Metrics::object),
        |ctx| Box::pin(metrics(ctx)),
    )
    .access(ReadAccess::Account)
    .options("Metrics", "Counts of all objects.")
    .operation("getMetrics", "Counts of all objects"),
];

async fn root(ctx: &RequestContext) -> Reply {
    in_profile!(ctx, links => ctx.object(|out| views::root(out, links)))
}

async fn metrics(ctx: &RequestContext) -> Reply {
    ctx.object(|out| views::metrics(out, &ctx.snapshot, &ctx.state.title))
}
