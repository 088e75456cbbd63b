//! Users in the change log.

use poem_openapi::OpenApi;

use super::lists::list;
use super::{ApiTag, Ctx};
use crate::api::request::context::number;
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::user;
use crate::model::UserId;

/// The operations of this file.
pub(crate) struct UserHandlers;

#[OpenApi]
impl UserHandlers {
    /// Users in the change log
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/users",
        method = "get",
        operation_id = "listUsers",
        tag = "ApiTag::Changes"
    )]
    async fn users(&self, ctx: Ctx<'_>) -> Reply<Page<schema::User>> {
        list(&ctx, ctx.snapshot.users().len(), |ctx, items, positions| {
            let users = ctx.snapshot.users().get(positions).unwrap_or_default();
            items.each(users, |out, of| user(out, &ctx.links, of));
        })
        .await
    }

    /// A user in the change log
    ///
    /// Not in Weblate 3.4.
    #[oai(
        path = "/api/users/:id",
        method = "get",
        operation_id = "getUser",
        tag = "ApiTag::Changes"
    )]
    async fn user(&self, ctx: Ctx<'_>, id: PathParam) -> Reply<schema::User> {
        let found = number(&id).and_then(|id| ctx.snapshot.user(UserId(id)));
        ctx.found(found, |out, of| self::user(out, &ctx.links, of))
    }
}
