//! Translations and the resources below them.

use super::changes::{LogOf, log_page};
use super::units::{UnitsOf, units_page};
use crate::api::encode::json::moment;
use crate::api::files::download;
use crate::api::request::context::{Reply, RequestContext};
use crate::api::response::lists::list;
use crate::api::response::media_type::CONVERTED;
use crate::api::route::ResponseBody::{File, Object, Page};
use crate::api::route::RouteKind::{Action, Download, Resource};
use crate::api::route::{ApiRoute, QueryParameters, api};
use crate::api::views::{self, translation_details, with_details};

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/translations/",
        Resource,
        Page(views::Translation::object),
        |ctx| Box::pin(all(ctx)),
    )
    .options("Translation List", "All translations.")
    .operation("listTranslations", "All translations, by id"),
    api(
        "/api/translations/:project/:component/:language/",
        Resource,
        Object(views::Translation::object),
        |ctx| Box::pin(one(ctx)),
    )
    .query(QueryParameters::Details)
    .options("Translation Instance", "A translation.")
    .operation("getTranslation", "A translation"),
    api(
        "/api/translations/:project/:component/:language/units/",
        Action,
        Page(views::Unit::object),
        |ctx| Box::pin(units_page(ctx, UnitsOf::Translation)),
    )
    .query(QueryParameters::Units)
    .options("Units", "The strings of a translation.")
    .operation(
        "listUnitsOfTranslation",
        "The units of a translation, in the order of the template",
    ),
    api(
        "/api/translations/:project/:component/:language/statistics/",
        Action,
        Object(views::TranslationStatistics::object),
        |ctx| Box::pin(statistics(ctx)),
    )
    .options("Statistics", "Statistics of a translation.")
    .operation("getTranslationStatistics", "Statistics of a translation"),
    api(
        "/api/translations/:project/:component/:language/changes/",
        Action,
        Page(views::Change::object),
        |ctx| Box::pin(log_page(ctx, LogOf::Translation)),
    )
    .query(QueryParameters::Changes)
    .options("Changes", "The change log of a translation, newest first.")
    .operation(
        "listChangesOfTranslation",
        "The change log of a translation, newest first",
    ),
    api(
        "/api/translations/:project/:component/:language/file/",
        Download,
        File(CONVERTED),
        |ctx| Box::pin(download::translation(ctx)),
    )
    .options("File", "The translation file, unchanged or converted.")
    .operation(
        "getTranslationFile",
        "The translation file, unchanged or converted",
    ),
    api(
        "/api/translations/:project/:component/:language/repository/",
        Action,
        Object(views::Repository::object),
        |ctx| Box::pin(repository(ctx)),
    )
    .options(
        "Repository",
        "The repository status, with the newest commit.",
    )
    .operation(
        "getTranslationRepository",
        "The repository status of a translation, with its newest commit",
    ),
];

async fn all(ctx: &RequestContext) -> Reply {
    list(
        ctx,
        ctx.snapshot.translation_count(),
        |ctx, items, positions| {
            let views = ctx
                .snapshot
                .translations_from(positions.start)
                .take(positions.len());
            items.each(views, |out, view| {
                views::translation(out, &ctx.links, &ctx.snapshot, view, true)
            });
        },
    )
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    let view = ctx.translation()?;
    ctx.object(|out| {
        views::translation(out, &ctx.links, &ctx.snapshot, view, true);
        if ctx.details {
            with_details(out, |out| translation_details(out, view));
        }
    })
}

async fn statistics(ctx: &RequestContext) -> Reply {
    let view = ctx.translation()?;
    ctx.object(|out| views::statistics(out, &ctx.links, &ctx.snapshot, view, moment))
}

async fn repository(ctx: &RequestContext) -> Reply {
    let view = ctx.translation()?;
    let of = view.component;
    let path = of.path_of(view.translation);
    let path = ["translations/", &path, "/repository"];
    ctx.object(|out| views::repository(out, &ctx.links, &of.tip, &path))
}
