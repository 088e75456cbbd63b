//! The people whom the change log names.

use poem::web::Data;
use poem_openapi::OpenApi;

use super::Tag;
use super::lists::list;
use crate::api::request::context::{RequestContext, number};
use crate::api::request::path_param::PathParam;
use crate::api::response::payload::Reply;
use crate::api::schema::{self, Page};
use crate::api::views::user;
use crate::model::UserId;

/// The operations of this file.
pub(in crate::api) struct Users;

#[OpenApi]
impl Users {
    /// The people whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users", method = "get", operation_id = "listUsers", tag = "Tag::Changes")]
    async fn users(&self, ctx: Data<&RequestContext>) -> Reply<Page<schema::User>> {
        list(&ctx, ctx.snapshot.users().len(), |ctx, items, places| {
            let users = ctx.snapshot.users().get(places).unwrap_or_default();
            items.each(users, |out, of| user(out, &ctx.links, of));
        })
    }

    /// Somebody whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users/:id", method = "get", operation_id = "getUser", tag = "Tag::Changes")]
    async fn user(&self, ctx: Data<&RequestContext>, id: PathParam) -> Reply<schema::User> {
        let found = number(&id).and_then(|id| ctx.snapshot.user(UserId(id)));
        ctx.found(found, |out, of| self::user(out, &ctx.links, of))
    }
}
