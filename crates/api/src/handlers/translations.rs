//! Translations and the resources below them.

use super::changes::log_page;
use super::current_changes;
use super::log_of::LogOf;
use super::units::{UnitsOf, units_page};
use crate::apis::{Api, Current, Legacy};
use crate::encode::json::timestamp;
use crate::files::download;
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::media_type::CONVERTED;
use crate::response::methods::{CREATE, DELETE, UPLOAD};
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::{ApiRoute, QueryParameters, ReadAccess, routes};
use crate::views;
use crate::views::{translation_details, with_details};
use gitglot_catalog::scan::Budget;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/translations/" Resource Page(views::Translation::object) => (<P> all)
        "Translation List" "All translations.", "listTranslations" "All translations, by id";
    "/api/translations/:project/:component/:language/" Resource Object(views::Translation::object)
        => (<P> one)
        "Translation Instance" "A translation.", "getTranslation"
        .query(QueryParameters::Details).writes(DELETE);
    "/api/translations/:project/:component/:language/units/" Action Page(views::Unit::object)
        => (<P> units_page, UnitsOf::Translation)
        "Units" "The strings of a translation.",
        "listUnitsOfTranslation" "The units of a translation, in the order of the template"
        .query(QueryParameters::Units).writes(CREATE);
    "/api/translations/:project/:component/:language/statistics/" Action Object(views::TranslationStatistics::object)
        => (statistics | current_statistics)
        "Statistics" "Statistics of a translation.", "getTranslationStatistics"
        .current_body(Object(views::CurrentStatisticsOf::object));
    "/api/translations/:project/:component/:language/changes/" Action Page(views::Change::object)
        => (log_page | current_changes::page, LogOf::Translation)
        "Changes" "The change log of a translation, newest first.", "listChangesOfTranslation"
        .query(QueryParameters::Changes);
    "/api/translations/:project/:component/:language/file/" Download File(CONVERTED)
        => (download::translation | download::current_translation)
        "File" "The translation file, unchanged or converted.", "getTranslationFile" .writes(UPLOAD);
    "/api/translations/:project/:component/:language/repository/" Action Object(views::Repository::object)
        => (<P> repository)
        "Repository" "The repository status, with the newest commit.",
        "getTranslationRepository" "The repository status of a translation, with its newest commit"
        .access(ReadAccess::Permission).writes(CREATE);
};

async fn all<P: Api>(ctx: &RequestContext) -> Reply {
    ctx.with_checks::<P>().await?;
    let count = P::translation_count(&ctx.snapshot);
    list(ctx, count, |ctx, items, positions| {
        let views = P::translations_from(&ctx.snapshot, positions.start);
        items.each(views.take(positions.len()), |out, view| {
            views::translation::<P>(out, &ctx.links, &ctx.snapshot, view, true);
        });
    })
    .await
}

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    ctx.with_checks::<P>().await?;
    ctx.with_details(object::<P>).await
}

/// The object in the path; with details if they have a budget.
fn object<P: Api>(ctx: &RequestContext, budget: Option<&Budget>) -> Reply {
    let view = ctx.translation::<P>()?;
    ctx.object(|out| {
        views::translation::<P>(out, &ctx.links, &ctx.snapshot, view, true);
        if let Some(budget) = budget {
            with_details(out, |out| translation_details(out, view, budget));
        }
    })
}

async fn statistics(ctx: &RequestContext) -> Reply {
    let view = ctx.translation::<Legacy>()?;
    ctx.object(|out| views::statistics(out, &ctx.links, &ctx.snapshot, view, timestamp))
}

async fn current_statistics(ctx: &RequestContext) -> Reply {
    ctx.with_checks::<Current>().await?;
    let view = ctx.translation::<Current>()?;
    ctx.object(|out| views::current_statistics(out, &ctx.links, view))
}

async fn repository<P: Api>(ctx: &RequestContext) -> Reply {
    let view = ctx.translation::<P>()?;
    let of = view.component;
    let path = of.path_of(view.translation);
    let path = ["translations/", &path, "/repository"];
    ctx.object(|out| views::repository(out, &ctx.links, &of.tip, &path))
}
