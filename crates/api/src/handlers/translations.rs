//! Translations and the resources below them.

use super::changes::{LogOf, log_page};
use super::units::{UnitsOf, units_page};
use crate::encode::json::timestamp;
use crate::files::download;
use crate::profile::{Current, Profile, in_profile};
use crate::request::context::Reply;
use crate::request::context::RequestContext;
use crate::response::lists::list;
use crate::response::media_type::CONVERTED;
use crate::route::ApiRoute;
use crate::route::QueryParameters;
use crate::route::ReadAccess;
use crate::route::ResponseBody::File;
use crate::route::ResponseBody::Object;
use crate::route::ResponseBody::Page;
use crate::route::RouteKind::Action;
use crate::route::RouteKind::Download;
use crate::route::RouteKind::Resource;
use crate::route::api;
use crate::views;
use crate::views::translation_details;
use crate::views::with_details;
use gitglot_catalog::scan::Budget;

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
    .current_body(Object(views::CurrentStatisticsOf::object))
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
    .access(ReadAccess::Permission)
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
    ctx.with_checks().await?;
    let count = match ctx.is_current() {
        true => ctx.snapshot.current_translation_count(),
        false => ctx.snapshot.translation_count(),
    };
    list(ctx, count, |ctx, items, positions| {
        if ctx.is_current() {
            let views = ctx.snapshot.current_translations_from(positions.start);
            let links = &ctx.links.of::<Current>();
            return items.each(views.take(positions.len()), |out, view| {
                views::translation(out, links, &ctx.snapshot, view, true)
            });
        }
        let views = ctx
            .snapshot
            .translations_from(positions.start)
            .take(positions.len());
        items.each(views, |out, view| {
            views::translation(out, &ctx.links, &ctx.snapshot, view, true)
        });
    })
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    ctx.with_checks().await?;
    if !ctx.details {
        return object(ctx, None);
    }
    let own = ctx.clone();
    ctx.scan(move |budget| object(&own, Some(budget))).await?
}

/// The object in the path; with details if they have a budget.
fn object(ctx: &RequestContext, budget: Option<&Budget>) -> Reply {
    let view = ctx.translation()?;
    ctx.object(|out| {
        in_profile!(ctx, links => views::translation(out, links, &ctx.snapshot, view, true));
        if let Some(budget) = budget {
            with_details(out, |out| translation_details(out, view, budget));
        }
    })
}

async fn statistics(ctx: &RequestContext) -> Reply {
    ctx.with_checks().await?;
    let view = ctx.translation()?;
    match ctx.links.profile() {
        Profile::Legacy => {
            ctx.object(|out| views::statistics(out, &ctx.links, &ctx.snapshot, view, timestamp))
        }
        Profile::Current => ctx.object(|out| {
            views::current_statistics(out, &ctx.links.of(), view);
        }),
    }
}

async fn repository(ctx: &RequestContext) -> Reply {
    let view = ctx.translation()?;
    let of = view.component;
    let path = of.path_of(view.translation);
    let path = ["translations/", &path, "/repository"];
    ctx.object(|out| views::repository(out, &ctx.links, &of.tip, &path))
}
