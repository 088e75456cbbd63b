//! Languages.

use crate::apis::{Api, ShownLanguage};
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::error::ApiError;
use crate::response::methods::{CHANGE, CREATE};
use crate::route::ResponseBody::{Object, Page};
use crate::route::{ApiRoute, routes};
use crate::views::{self, language};

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/languages/" Resource Page(views::Language::object) => (<P> all)
        "Language List" "Languages with a translation.",
        "listLanguages" "Languages with a translation, built-in ones first" .writes(CREATE);
    "/api/languages/:language/" Resource Object(views::Language::object) => (<P> one)
        "Language Instance" "A language.", "getLanguage" .writes(CHANGE);
};

async fn all<P: Api>(ctx: &RequestContext) -> Reply {
    let count = P::languages(&ctx.snapshot).count();
    list(ctx, count, |ctx, items, positions| {
        let languages = P::languages(&ctx.snapshot).skip(positions.start);
        items.each(languages.take(positions.len()), |out, of| {
            language::<P>(out, &ctx.links, of);
        });
    })
    .await
}

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    let write = |of: ShownLanguage<'_>| ctx.object(|out| language::<P>(out, &ctx.links, of));
    let found = P::with_language(&ctx.snapshot, ctx.param("language"), write);
    found.unwrap_or(Err(ApiError::NotFound))
}
