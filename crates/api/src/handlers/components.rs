//! Components and the resources below them.

use super::changes::{LogOf, log_page};
use crate::encode::json::{boolean, timestamp};
use crate::files::download;
use crate::profile::{Profile, in_profile};
use crate::request::context::Reply;
use crate::request::context::RequestContext;
use crate::response::lists::list;
use crate::response::media_type::BINARY;
use crate::response::media_type::JSON;
use crate::route::ApiRoute;
use crate::route::QueryParameters;
use crate::route::ReadAccess;
use crate::route::ResponseBody::File;
use crate::route::ResponseBody::Object;
use crate::route::ResponseBody::Page;
use crate::route::RouteKind::Action;
use crate::route::RouteKind::Attachment;
use crate::route::RouteKind::Flat;
use crate::route::RouteKind::Resource;
use crate::route::api;
use crate::schema::ObjectSchema;
use crate::views;
use crate::views::component_details;
use crate::views::component_is_locked;
use crate::views::with_details;
use gitglot_catalog::TranslationView;
use gitglot_catalog::scan::Budget;

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/components/",
        Resource,
        Page(views::Component::object),
        |ctx| Box::pin(all(ctx)),
    )
    .options("Component List", "All components.")
    .operation("listComponents", "All components, by id"),
    api(
        "/api/components/:project/:component/",
        Resource,
        Object(views::Component::object),
        |ctx| Box::pin(one(ctx)),
    )
    .query(QueryParameters::Details)
    .options("Component Instance", "A component.")
    .operation("getComponent", "A component"),
    api(
        "/api/components/:project/:component/translations/",
        Action,
        Page(translation_of_component),
        |ctx| Box::pin(translations(ctx)),
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
        |ctx| Box::pin(statistics(ctx)),
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
        |ctx| Box::pin(log_page(ctx, LogOf::Component)),
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
        |ctx| Box::pin(problems(ctx)),
    )
    .options("Problems", "Files that are excluded or do not parse.")
    .operation(
        "listProblemsOfComponent",
        "The files of a component that are excluded or do not parse, with reasons",
    )
    .extension(),
    api(
        "/api/components/:project/:component/lock/",
        Action,
        Object(views::Lock::object),
        |ctx| Box::pin(lock(ctx)),
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
        |ctx| Box::pin(repository(ctx)),
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
        |ctx| Box::pin(download::template(ctx)),
    )
    .options("Monolingual base", "The template file.")
    .operation("getMonolingualBase", "The template file"),
    api(
        "/api/components/:project/:component/new_template/",
        Attachment,
        File(BINARY),
        |ctx| Box::pin(download::new_base(ctx)),
    )
    .options("New template", "The file that new languages start from.")
    .operation("getNewTemplate", "The file that new languages start from"),
];

/// A translation in a list of its component.
fn translation_of_component() -> ObjectSchema {
    views::Translation::object().without("component", "TranslationOfComponent")
}

async fn all(ctx: &RequestContext) -> Reply {
    list(
        ctx,
        ctx.snapshot.components().len(),
        |ctx, items, positions| {
            let components = ctx.snapshot.components().get(positions).unwrap_or_default();
            in_profile!(ctx, links => items.each(components, |out, of| {
                views::component(out, links, &ctx.snapshot, of, true)
            }));
        },
    )
    .await
}

async fn one(ctx: &RequestContext) -> Reply {
    if !ctx.details {
        return object(ctx, None);
    }
    let own = ctx.clone();
    ctx.scan(move |budget| object(&own, Some(budget))).await?
}

/// The object in the path; with details if they have a budget.
fn object(ctx: &RequestContext, budget: Option<&Budget>) -> Reply {
    let of = ctx.component()?;
    ctx.object(|out| {
        in_profile!(ctx, links => views::component(out, links, &ctx.snapshot, of, true));
        if let Some(budget) = budget {
            with_details(out, |out| component_details(out, of, budget));
        }
    })
}

async fn translations(ctx: &RequestContext) -> Reply {
    of_each_translation(ctx, |out, ctx, view| {
        in_profile!(ctx, links => {
            views::translation(out, links, &ctx.snapshot, view, false);
        });
    })
    .await
}

async fn statistics(ctx: &RequestContext) -> Reply {
    of_each_translation(ctx, |out, ctx, view| match ctx.links.profile() {
        Profile::Legacy => views::statistics(out, &ctx.links, &ctx.snapshot, view, timestamp),
        Profile::Current => {
            views::current_statistics(out, &ctx.links.of(), view);
        }
    })
    .await
}

async fn problems(ctx: &RequestContext) -> Reply {
    let of = ctx.component()?.clone();
    list(ctx, of.problems.len(), move |_, items, positions| {
        items.each(
            of.problems.get(positions).unwrap_or_default(),
            views::problem,
        );
    })
    .await
}

async fn lock(ctx: &RequestContext) -> Reply {
    let is_locked = ctx.is_current() && component_is_locked(ctx.component()?);
    ctx.component()?;
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

/// A list with one entry for each translation of a component, by language name.
async fn of_each_translation(
    ctx: &RequestContext,
    write: fn(&mut Vec<u8>, &RequestContext, TranslationView<'_>),
) -> Reply {
    ctx.with_checks().await?;
    let of = ctx.component()?.clone();
    let count = of.by_name.len();
    if ctx.is_current() {
        let count = ctx.snapshot.current_translations_of(&of).len();
        return list(ctx, count, move |ctx, items, positions| {
            let views = ctx.snapshot.current_translations_of(&of).into_iter();
            let views = views.skip(positions.start).take(positions.len());
            items.each(views, |out, view| write(out, ctx, view));
        })
        .await;
    }
    list(ctx, count, move |ctx, items, positions| {
        items.each(of.named(positions), |out, view| write(out, ctx, view));
    })
    .await
}
