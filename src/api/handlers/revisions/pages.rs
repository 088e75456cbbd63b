//! The pages of comparisons and revisions: data that is read outside the async threads, rendered by `web`.

use poem::http::StatusCode;

use crate::api::request::context::{Reply, RequestContext};
use crate::api::request::revisions::{Compared, compare, finding_filter, states};
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::revisions::FindingFilter;
use crate::scan::Budget;
use crate::web::{self, ComparePage, PageRequest};

/// The page of a comparison.
pub(in crate::api) async fn comparison(ctx: &RequestContext) -> Reply {
    let filter = FindingFilter {
        only_new: true,
        ..finding_filter(&ctx.url)?
    };
    // Numbers beyond the end mean the last page, as on other pages.
    let pagination = ctx.pagination.with_size(web::FINDINGS);
    let compared = compare(ctx, filter, move |count| Ok(pagination.nearest(count))).await?;
    let own = ctx.clone();
    let html = ctx.run_long(move || page_of(&own, &compared)).await?;
    Ok(ApiResponse::page(StatusCode::OK, html).volatile())
}

fn page_of(ctx: &RequestContext, compared: &Compared) -> Result<String, ApiError> {
    let (component, comparison) = (&compared.component, &compared.comparison);
    let language = compared.filter.language.as_deref();
    let revisions = &ctx.state.revisions;
    let (differences, total) =
        revisions.differences(component, comparison, language, web::DIFFERENCES)?;
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    Ok(web::compare(
        &request,
        &ComparePage {
            component,
            ends: (&compared.base, &compared.head),
            comparison,
            findings: (comparison.count(&compared.filter), &compared.findings),
            differences: (&differences, total),
            language,
        },
    ))
}

/// The page of a project at a revision.
pub(in crate::api) async fn revision(ctx: &RequestContext) -> Reply {
    let (name, found) = states(ctx).await?;
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    let html = web::revision(&request, &name, &found);
    let is_found = found.iter().any(|(_, state)| state.is_ok());
    let status = if is_found {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    Ok(ApiResponse::page(status, html).volatile())
}
