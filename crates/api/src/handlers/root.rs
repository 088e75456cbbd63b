//! The root and the metrics.

use crate::apis::Api;
use crate::request::context::{Reply, RequestContext};
use crate::route::ResponseBody::Object;
use crate::route::RouteKind::{Metrics, Resource};
use crate::route::{ApiRoute, ReadAccess, api, handler};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/",
        Resource,
        Object(views::Root::object),
        handler!(<P> root),
    )
    .options("Api Root", "URLs of the lists.")
    .operation("getRoot", "URLs of the lists"),
    api(
        "/api/metrics/",
        Metrics,
        Object(views::Metrics::object),
        handler!(metrics),
    )
    .access(ReadAccess::Account)
    .options("Metrics", "Counts of all objects.")
    .operation("getMetrics", "Counts of all objects"),
];

async fn root<P: Api>(ctx: &RequestContext) -> Reply {
    ctx.object(|out| views::root(out, &ctx.links.of::<P>()))
}

async fn metrics(ctx: &RequestContext) -> Reply {
    ctx.object(|out| views::metrics(out, &ctx.snapshot, &ctx.state.title))
}
