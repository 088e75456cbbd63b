//! The users that the change log names.

use crate::request::context::{Reply, RequestContext};
use crate::response::lists::list;
use crate::route::ResponseBody::{Object, Page};
use crate::route::RouteKind::Resource;
use crate::route::{ApiRoute, api};
use crate::views::{self, user};
use gitglot_model::UserId;

pub(super) const ROUTES: &[ApiRoute] = &[
    api("/api/users/", Resource, Page(views::User::object), |ctx| {
        Box::pin(all(ctx))
    })
    .options("User List", "Users in the change log.")
    .operation("listUsers", "Users in the change log")
    .extension(),
    api(
        "/api/users/:id/",
        Resource,
        Object(views::User::object),
        |ctx| Box::pin(one(ctx)),
    )
    .options("User Instance", "A user in the change log.")
    .operation("getUser", "A user in the change log")
    .extension(),
];

async fn all(ctx: &RequestContext) -> Reply {
    list(ctx, ctx.snapshot.users().len(), |ctx, items, positions| {
        let users = ctx.snapshot.users().get(positions).unwrap_or_default();
        items.each(users, |out, of| user(out, &ctx.links, of));
    })
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let found = ctx.numbered(|id| ctx.snapshot.user(UserId(id)))?;
    ctx.object(|out| user(out, &ctx.links, found))
}
