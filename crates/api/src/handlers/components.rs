//! Components and the resources below them.

use super::changes::log_page;
use super::current_changes;
use super::log_of::LogOf;
use crate::apis::{Api, Current, Legacy};
use crate::encode::json::timestamp;
use crate::files::download;
use crate::links::Links;
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::media_type::{BINARY, JSON};
use crate::response::methods::{CHANGE, CREATE};
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::{ApiRoute, QueryParameters, ReadAccess, routes};
use crate::schema::ObjectSchema;
use crate::views;
use crate::views::{component_details, with_details};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{Snapshot, TranslationView, problems_of};

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/components/" Resource Page(views::Component::object) => (<P> all)
        "Component List" "All components.", "listComponents" "All components, by id";
    "/api/components/:project/:component/" Resource Object(views::Component::object) => (<P> one)
        "Component Instance" "A component.", "getComponent"
        .query(QueryParameters::Details).writes(CHANGE);
    "/api/components/:project/:component/translations/" Action Page(translation_of_component)
        => (<P> translations)
        "Translations" "The translations of a component.",
        "listTranslationsOfComponent" "The translations of a component, by language name"
        .writes(CREATE);
    "/api/components/:project/:component/statistics/" Flat Page(views::TranslationStatistics::object)
        => (statistics | current_statistics)
        "Statistics" "Statistics of each translation of a component.",
        "listComponentStatistics" "Statistics of each translation of a component, by language name"
        .current_body(Page(views::CurrentStatisticsOf::object)).large_pages();
    "/api/components/:project/:component/changes/" Action Page(views::Change::object)
        => (log_page | current_changes::page, LogOf::Component)
        "Changes" "The change log of a component, newest first.", "listChangesOfComponent"
        .query(QueryParameters::Changes);
    "/api/components/:project/:component/problems/" Action Page(views::Problem::object)
        => (problems)
        "Problems" "Files that are excluded or do not parse, and unknown names in acknowledgements.",
        "listProblemsOfComponent" "The problems of a component: files that are excluded or do not parse, and unknown names in acknowledgements"
        .extension();
    "/api/components/:project/:component/lock/" Action Object(views::Lock::object) => (<P> lock)
        "Lock" "The lock status of a component.",
        "getComponentLock" "The lock status of a component (never locked)" .writes(CREATE);
    "/api/components/:project/:component/repository/" Action Object(views::Repository::object)
        => (repository)
        "Repository" "The repository status, with the newest commit.",
        "getComponentRepository" "The repository status of a component, with its newest commit"
        .access(ReadAccess::Permission).writes(CREATE);
    "/api/components/:project/:component/monolingual_base/" Attachment File(&[JSON])
        => (download::template)
        "Monolingual base" "The template file.", "getMonolingualBase";
    "/api/components/:project/:component/new_template/" Attachment File(BINARY)
        => (download::new_base)
        "New template" "The file that new languages start from.", "getNewTemplate";
};

/// A translation in a list of its component.
fn translation_of_component() -> ObjectSchema {
    views::Translation::object().without("component", "TranslationOfComponent")
}

async fn all<P: Api>(ctx: &RequestContext) -> Reply {
    let count = ctx.snapshot.components().len();
    list(ctx, count, |ctx, items, positions| {
        let components = ctx.snapshot.components().get(positions).unwrap_or_default();
        items.each(components, |out, of| {
            views::component::<P>(out, &ctx.links, &ctx.snapshot, of, true);
        });
    })
    .await
}

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    ctx.with_details(object::<P>).await
}

/// The object in the path; with details if they have a budget.
fn object<P: Api>(ctx: &RequestContext, budget: Option<&Budget>) -> Reply {
    let of = ctx.component()?;
    ctx.object(|out| {
        views::component::<P>(out, &ctx.links, &ctx.snapshot, of, true);
        if let Some(budget) = budget {
            with_details(out, |out| component_details(out, of, budget));
        }
    })
}

async fn translations<P: Api>(ctx: &RequestContext) -> Reply {
    of_each_translation::<P>(ctx, |out, links, snapshot, view| {
        views::translation::<P>(out, links, snapshot, view, false);
    })
    .await
}

async fn statistics(ctx: &RequestContext) -> Reply {
    of_each_translation::<Legacy>(ctx, |out, links, snapshot, view| {
        views::statistics(out, links, snapshot, view, timestamp);
    })
    .await
}

async fn current_statistics(ctx: &RequestContext) -> Reply {
    of_each_translation::<Current>(ctx, |out, links, _, view| {
        views::current_statistics(out, links, view);
    })
    .await
}

async fn problems(ctx: &RequestContext) -> Reply {
    let (snapshot, of) = (ctx.snapshot.clone(), ctx.component()?.clone());
    // The first time in a snapshot, the names in acknowledgements are looked for.
    let problems = ctx.scan(move |_| problems_of(&snapshot, &of).cloned().collect::<Vec<_>>());
    let problems = problems.await?;
    list(ctx, problems.len(), move |_, items, positions| {
        items.each(problems.get(positions).unwrap_or_default(), views::problem);
    })
    .await
}

async fn lock<P: Api>(ctx: &RequestContext) -> Reply {
    let is_locked = P::is_locked(ctx.component()?);
    ctx.object(|out| views::lock(out, is_locked))
}

async fn repository(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?;
    let path = ["components/", &of.path(), "/repository"];
    ctx.object(|out| views::repository(out, &ctx.links, &of.tip, &path))
}

/// A list with one entry for each translation of a component.
async fn of_each_translation<P: Api>(
    ctx: &RequestContext,
    write: fn(&mut Vec<u8>, &Links, &Snapshot, TranslationView<'_>),
) -> Reply {
    ctx.with_checks::<P>().await?;
    let of = ctx.component()?.clone();
    let count = P::translations_of(&ctx.snapshot, &of).count();
    list(ctx, count, move |ctx, items, positions| {
        let views = P::translations_of(&ctx.snapshot, &of).skip(positions.start);
        items.each(views.take(positions.len()), |out, view| {
            write(out, &ctx.links, &ctx.snapshot, view)
        });
    })
    .await
}
