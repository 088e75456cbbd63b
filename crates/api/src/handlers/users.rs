//! The users that the change log names.

use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::route::ResponseBody::{Object, Page};
use crate::route::{ApiRoute, routes};
use crate::views::{self, user};
use gitglot_model::UserId;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/users/" Resource Page(views::User::object) => (all)
        "User List" "Users in the change log.", "listUsers" .extension();
    "/api/users/:id/" Resource Object(views::User::object) => (one)
        "User Instance" "A user in the change log.", "getUser" .extension();
};

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

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::{get, ids};

    #[tokio::test]
    async fn users_are_those_of_the_log() {
        let api = api();
        assert_eq!(ids(&api, "/api/users/").await, [1, 2]);
        let user = get(&api, "/api/users/2/").await.json();
        assert_eq!(user["username"], "bob-example");
        assert_eq!(get(&api, "/api/users/3/").await.status, 404);
    }
}
