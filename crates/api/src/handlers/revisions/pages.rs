//! The pages of comparisons and revisions: data that is read outside the async threads, rendered by `web`.

use poem::http::StatusCode;

use crate::request::context::Reply;
use crate::request::context::RequestContext;
use crate::request::revisions::Compared;
use crate::request::revisions::Limit;
use crate::request::revisions::compare;
use crate::request::revisions::finding_filter;
use crate::request::revisions::states;
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use gitglot_catalog::scan::Budget;
use gitglot_revisions::FindingFilter;
use gitglot_web::ComparePage;
use gitglot_web::PageRequest;

/// The page of a comparison.
pub(crate) async fn comparison(ctx: &RequestContext) -> Reply {
    let filter = FindingFilter {
        only_new: true,
        ..finding_filter(&ctx.url)?
    };
    // The page selects its findings itself, because it lists strings, errors first.
    let pagination = ctx.pagination;
    let compared = compare(ctx, filter, move |_| Ok(pagination.nearest(0))).await?;
    let own = ctx.clone();
    let html = ctx.run_long(move |budget| page_of(&own, &compared, &Limit(budget)));
    let html = html.await?;
    Ok(ApiResponse::page(StatusCode::OK, html).volatile())
}

fn page_of(
    ctx: &RequestContext,
    compared: &Compared,
    limit: &Limit<'_>,
) -> Result<String, ApiError> {
    let (component, comparison) = (&compared.component, &compared.comparison);
    let language = compared.filter.language.as_deref();
    let revisions = &ctx.state.revisions;
    let siblings = ctx.snapshot.components_of(component.project.slug.as_str());
    let siblings: Vec<_> = siblings.cloned().collect();
    let findings = revisions.new_findings(component, &siblings, comparison, language, limit)?;
    let (differences, total) = revisions.differences(
        component,
        comparison,
        language,
        gitglot_web::DIFFERENCES,
        limit,
    )?;
    let state = revisions.state(component, comparison.head, limit).ok();
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    Ok(gitglot_web::compare(
        &request,
        &ComparePage {
            component,
            ends: (&compared.base, &compared.head),
            state: state.as_deref(),
            comparison,
            findings: (comparison.count(&compared.filter), &findings),
            differences: (&differences, total),
            language,
        },
    ))
}

/// The page of a project at a revision.
pub(crate) async fn revision(ctx: &RequestContext) -> Reply {
    let (name, found) = states(ctx).await?;
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    let html = gitglot_web::revision(&request, &name, &found);
    let is_found = found.iter().any(|(_, state)| state.is_ok());
    let status = if is_found {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    Ok(ApiResponse::page(status, html).volatile())
}
