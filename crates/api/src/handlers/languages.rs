//! Languages.

use crate::profile::{Current, Profile};
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
    if ctx.links.profile() == Profile::Current {
        let count = ctx.snapshot.current_languages().count();
        return list(ctx, count, |ctx, items, positions| {
            let languages = ctx.snapshot.current_languages().skip(positions.start);
            let links = &ctx.links.of::<Current>();
            items.each(languages.take(positions.len()), |out, of| {
                language(out, links, of.into());
            });
        })
        .await;
    }
    list(
        ctx,
        ctx.snapshot.languages().len(),
        |ctx, items, positions| {
            let languages = ctx.snapshot.languages().get(positions).unwrap_or_default();
            items.each(languages, |out, of| language(out, &ctx.links, of.into()));
        },
    )
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let code = ctx.param("language");
    if ctx.links.profile() == Profile::Current {
        let found = ctx.snapshot.current_language(code);
        let found = found.ok_or(ApiError::NotFound)?;
        return ctx.object(|out| language(out, &ctx.links.of::<Current>(), found.into()));
    }
    let found = ctx.snapshot.language_or_source(code);
    let found = found.ok_or(ApiError::NotFound)?;
    ctx.object(|out| language(out, &ctx.links, (&found).into()))
}
