//! Components at any revision, and the comparison of two (docs/spec/revisions.md).

pub(crate) mod pages;

use super::units::{UnitsOf, units_page};
use crate::apis::Legacy;
use crate::files::download;
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::request::revisions::{self, StateAt};
use crate::response::media_type::BINARY;
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::{ApiRoute, QueryParameters, routes};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/components/:project/:component/revisions/:revision/" Plain Object(views::RevisionInfo::object)
        => (info)
        "Revision" "The component at a commit, tag, branch or time.",
        "getRevision" "A component at a revision: a commit, tag, branch or time" .extension();
    "/api/components/:project/:component/revisions/:revision/translations/" Action Page(views::RevisionTranslation::object)
        => (translations)
        "Translations" "The translations at a revision.",
        "listTranslationsOfRevision" "The translations of a component at a revision, by path"
        .extension();
    "/api/components/:project/:component/revisions/:revision/units/" Action Page(views::RevisionUnit::object)
        => (units)
        "Units" "The strings at a revision.",
        "listUnitsOfRevision" "The units of a component at a revision, by path and in the order of the template"
        .query(QueryParameters::Units).extension();
    "/api/components/:project/:component/revisions/:revision/file/" Download File(BINARY) => (file)
        "File" "The file of a language at a revision.",
        "getFileOfRevision" "The file of a language at a revision; the template if no language is given"
        .query(QueryParameters::File).extension();
    "/api/components/:project/:component/compare/:range/" Plain Object(views::ComparisonReport::object)
        => (compare)
        "Comparison" "A comparison of two revisions.",
        "compareRevisions" "The comparison of two revisions: the findings of `gitglot check`"
        .query(QueryParameters::Comparison).legacy_only().description(ABOUT_COMPARISON);
};

const ABOUT_COMPARISON: &str = "`range` is `BASE...HEAD`. The head is compared with the common ancestor of base and \
head. Not in Weblate 3.4.";

async fn info(ctx: &RequestContext) -> Reply {
    let StateAt { revision, state } = revisions::state(ctx).await?;
    let response = ctx.object(|out| views::revision(out, &ctx.links, &revision, &state))?;
    Ok(response.volatile())
}

async fn translations(ctx: &RequestContext) -> Reply {
    let StateAt { revision, state } = revisions::state(ctx).await?;
    let count = state.translations.len();
    let response = list(ctx, count, move |ctx, items, positions| {
        let translations = state.translations.get(positions).unwrap_or_default();
        items.each(translations, |out, translation| {
            views::revision_translation(out, &ctx.links, &revision.name, &state, translation);
        });
    });
    Ok(response.await?.volatile())
}

async fn units(ctx: &RequestContext) -> Reply {
    let state = revisions::state(ctx).await?.state;
    let page = units_page::<Legacy>(ctx, UnitsOf::Revision(state));
    Ok(page.await?.volatile())
}

async fn file(ctx: &RequestContext) -> Reply {
    let state = revisions::state(ctx).await?.state;
    Ok(download::of_revision(ctx, &state).await?.volatile())
}

async fn compare(ctx: &RequestContext) -> Reply {
    let filter = revisions::finding_filter(&ctx.url)?;
    let pagination = ctx.pagination;
    let compared = revisions::compare(ctx, filter, move |count| pagination.page(count)).await?;
    let is_fixed = compared.base.is_fixed && compared.head.is_fixed;
    let response = ctx.object(|out| views::comparison(out, &ctx.url, compared))?;
    Ok(if is_fixed {
        response.immutable()
    } else {
        response.volatile()
    })
}
