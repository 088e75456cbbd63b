//! The root and the metrics.

use crate::apis::Api;
use crate::request::context::{Reply, RequestContext};
use crate::route::ResponseBody::Object;
use crate::route::{ApiRoute, ReadAccess, routes};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/" Resource Object(views::Root::object) => (<P> root)
        "Api Root" "URLs of the lists.", "getRoot";
    "/api/metrics/" Metrics Object(views::Metrics::object) => (metrics)
        "Metrics" "Counts of all objects.", "getMetrics" .access(ReadAccess::Account);
};

async fn root<P: Api>(ctx: &RequestContext) -> Reply {
    ctx.object(|out| views::root::<P>(out, &ctx.links))
}

async fn metrics(ctx: &RequestContext) -> Reply {
    ctx.object(|out| views::metrics(out, &ctx.snapshot, &ctx.state.title))
}
