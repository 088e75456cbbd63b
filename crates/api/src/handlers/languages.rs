//! Languages.

use crate::request::context::{Reply, RequestContext};
use crate::response::error::ApiError;
use crate::response::lists::list;
use crate::route::ResponseBody::{Object, Page};
use crate::route::RouteKind::Resource;
use crate::route::{ApiRoute, api};
use crate::views::{self, language};

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/languages/",
        Resource,
        Page(views::Language::object),
        |ctx| Box::pin(all(ctx)),
    )
    .options("Language List", "Languages with a translation.")
    .operation(
        "listLanguages",
        "Languages with a translation, built-in ones first",
    ),
    api(
        "/api/languages/:language/",
        Resource,
        Object(views::Language::object),
        |ctx| Box::pin(one(ctx)),
    )
    .options("Language Instance", "A language.")
    .operation("getLanguage", "A language"),
];

async fn all(ctx: &RequestContext) -> Reply {
    list(
        ctx,
        ctx.snapshot.languages().len(),
        |ctx, items, positions| {
            let languages = ctx.snapshot.languages().get(positions).unwrap_or_default();
            items.each(languages, |out, of| language(out, &ctx.links, of));
        },
    )
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let found = ctx.snapshot.language_or_source(ctx.param("language"));
    let found = found.ok_or(ApiError::NotFound)?;
    ctx.object(|out| language(out, &ctx.links, &found))
}
