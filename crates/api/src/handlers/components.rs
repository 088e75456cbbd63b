//! Components and the resources below them.

use super::changes::{LogOf, log_page};
use super::current_changes;
use crate::apis::{Api, Current, Legacy};
use crate::encode::json::{boolean, timestamp};
use crate::files::download;
use crate::links::Links;
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::media_type::{BINARY, JSON};
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::RouteKind::{Action, Attachment, Flat, Resource};
use crate::route::{ApiRoute, QueryParameters, ReadAccess, api, handler};
use crate::schema::ObjectSchema;
use crate::views;
use crate::views::{component_details, with_details};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{Snapshot, TranslationView};

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/components/",
        Resource,
        Page(views::Component::object),
        handler!(<P> all),
    )
    .options("Component List", "All components.")
    .operation("listComponents", "All components, by id"),
    api(
        "/api/components/:project/:component/",
        Resource,
        Object(views::Component::object),
        handler!(<P> one),
    )
    .query(QueryParameters::Details)
    .options("Component Instance", "A component.")
    .operation("getComponent", "A component"),
    api(
        "/api/components/:project/:component/translations/",
        Action,
        Page(translation_of_component),
        handler!(<P> translations),
    )
    .options("Translations", "The translations of a component.")
    .operation(
        "listTranslationsOfComponent",
        "The translations of a component, by language name",
    ),
    api(
        "/api/components/:project/:component/statistics/",
        Flat,
        Page(views::TranslationStatistics::object),
        handler!(statistics | current_statistics),
    )
    .current_body(Page(views::CurrentStatisticsOf::object))
    .large_pages()
    .options(
        "Statistics",
        "Statistics of each translation of a component.",
    )
    .operation(
        "listComponentStatistics",
        "Statistics of each translation of a component, by language name",
    ),
    api(
        "/api/components/:project/:component/changes/",
        Action,
        Page(views::Change::object),
        handler!(log_page | current_changes::page, LogOf::Component),
    )
    .query(QueryParameters::Changes)
    .options("Changes", "The change log of a component, newest first.")
    .operation(
        "listChangesOfComponent",
        "The change log of a component, newest first",
    ),
    api(
        "/api/components/:project/:component/problems/",
        Action,
        Page(views::Problem::object),
        handler!(problems),
    )
    .options(
        "Problems",
        "Files that are excluded or do not parse, and unknown names in acknowledgements.",
    )
    .operation(
        "listProblemsOfComponent",
        "The problems of a component: files that are excluded or do not parse, and unknown names in acknowledgements",
    )
    .extension(),
    api(
        "/api/components/:project/:component/lock/",
        Action,
        Object(views::Lock::object),
        handler!(<P> lock),
    )
    .options("Lock", "The lock status of a component.")
    .operation(
        "getComponentLock",
        "The lock status of a component (never locked)",
    ),
    api(
        "/api/components/:project/:component/repository/",
        Action,
        Object(views::Repository::object),
        handler!(repository),
    )
    .access(ReadAccess::Permission)
    .options(
        "Repository",
        "The repository status, with the newest commit.",
    )
    .operation(
        "getComponentRepository",
        "The repository status of a component, with its newest commit",
    ),
    api(
        "/api/components/:project/:component/monolingual_base/",
        Attachment,
        File(&[JSON]),
        handler!(download::template),
    )
    .options("Monolingual base", "The template file.")
    .operation("getMonolingualBase", "The template file"),
    api(
        "/api/components/:project/:component/new_template/",
        Attachment,
        File(BINARY),
        handler!(download::new_base),
    )
    .options("New template", "The file that new languages start from.")
    .operation("getNewTemplate", "The file that new languages start from"),
];

/// A translation in a list of its component.
fn translation_of_component() -> ObjectSchema {
    views::Translation::object().without("component", "TranslationOfComponent")
}

async fn all<P: Api>(ctx: &RequestContext) -> Reply {
    list(
        ctx,
        ctx.snapshot.components().len(),
        |ctx, items, positions| {
            let components = ctx.snapshot.components().get(positions).unwrap_or_default();
            let links = &ctx.links.of::<P>();
            items.each(components, |out, of| {
                views::component(out, links, &ctx.snapshot, of, true);
            });
        },
    )
    .await
}

async fn one<P: Api>(ctx: &RequestContext) -> Reply {
    if !ctx.details {
        return object::<P>(ctx, None);
    }
    let own = ctx.clone();
    ctx.scan(move |budget| object::<P>(&own, Some(budget)))
        .await?
}

/// The object in the path; with details if they have a budget.
fn object<P: Api>(ctx: &RequestContext, budget: Option<&Budget>) -> Reply {
    let of = ctx.component()?;
    ctx.object(|out| {
        views::component(out, &ctx.links.of::<P>(), &ctx.snapshot, of, true);
        if let Some(budget) = budget {
            with_details(out, |out| component_details(out, of, budget));
        }
    })
}

async fn translations<P: Api>(ctx: &RequestContext) -> Reply {
    of_each_translation::<P>(ctx, |out, links, snapshot, view| {
        views::translation(out, links, snapshot, view, false);
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
    let problems = ctx.scan(move |_| snapshot.problems_of(&of).cloned().collect::<Vec<_>>());
    let problems = problems.await?;
    list(ctx, problems.len(), move |_, items, positions| {
        items.each(problems.get(positions).unwrap_or_default(), views::problem);
    })
    .await
}

async fn lock<P: Api>(ctx: &RequestContext) -> Reply {
    let is_locked = P::is_locked(ctx.component()?);
    ctx.object(|out| {
        out.extend_from_slice(b"{\"locked\":");
        boolean(out, is_locked);
        out.push(b'}');
    })
}

async fn repository(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?;
    let path = ["components/", &of.path(), "/repository"];
    ctx.object(|out| views::repository(out, &ctx.links, &of.tip, &path))
}

/// A list with one entry for each translation of a component.
async fn of_each_translation<P: Api>(
    ctx: &RequestContext,
    write: fn(&mut Vec<u8>, &Links<P>, &Snapshot, TranslationView<'_>),
) -> Reply {
    ctx.with_checks::<P>().await?;
    let of = ctx.component()?.clone();
    let count = P::count_of(&ctx.snapshot, &of);
    list(ctx, count, move |ctx, items, positions| {
        let links = &ctx.links.of::<P>();
        let views = P::translations_of(&ctx.snapshot, &of, positions);
        items.each(views, |out, view| write(out, links, &ctx.snapshot, view));
    })
    .await
}
