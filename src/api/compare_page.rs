//! The pages of comparisons and revisions: data that is read outside the async threads, rendered by `web`.

use poem::http::StatusCode;

use super::request::context::RequestContext;
use super::response::api_response::ApiResponse;
use super::response::error::ApiError;
use super::revision::{Compared, compare, finding_filter, states};
use crate::revisions::FindingFilter;
use crate::scan::Budget;
use crate::web::{self, ComparePage, PageLayout, PageRequest};

/// The page of a comparison. `params` are those of the path.
pub(super) async fn comparison(
    ctx: &RequestContext,
    params: &[(&'static str, String)],
) -> ApiResponse {
    let [project, component, range] =
        ["project", "component", "range"].map(|name| value(params, name));
    let filter = match finding_filter(&ctx.url) {
        Ok(filter) => FindingFilter {
            only_new: true,
            ..filter
        },
        Err(error) => return failed(ctx, &error),
    };
    // Numbers beyond the end mean the last page, as on other pages.
    let pagination = ctx.pagination.with_size(web::FINDINGS);
    let page = move |count| Ok(pagination.nearest(count));
    let compared = match compare(ctx, project, component, range, filter, page).await {
        Ok(compared) => compared,
        Err(error) => return failed(ctx, &error),
    };
    let own = ctx.clone();
    let rendered = ctx.state.scans.run_long(move || page_of(&own, &compared));
    match rendered.await {
        Ok(Ok(html)) => ApiResponse::page(StatusCode::OK, html).volatile(),
        Ok(Err(error)) => failed(ctx, &error),
        Err(refused) => ApiResponse::error(&ApiError::refused(refused, &ctx.state.scans), 0),
    }
}

fn page_of(ctx: &RequestContext, compared: &Compared) -> Result<String, ApiError> {
    let Compared {
        component,
        base,
        head,
        comparison,
        filter,
        findings,
        ..
    } = compared;
    let language = filter.language.as_deref();
    let (differences, total) = ctx
        .state
        .revisions
        .differences(component, comparison, language, web::DIFFERENCES)
        .map_err(ApiError::from)?;
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    Ok(web::compare(
        &request,
        &ComparePage {
            component,
            ends: (base, head),
            comparison,
            findings: (comparison.count(filter), findings),
            differences: (&differences, total),
            language,
        },
    ))
}

/// The page of a project at a revision. `params` are those of the path.
pub(super) async fn revision(
    ctx: &RequestContext,
    params: &[(&'static str, String)],
) -> ApiResponse {
    let [project, segment] = ["project", "revision"].map(|name| value(params, name));
    let (name, found) = match states(ctx, project, segment).await {
        Ok(found) => found,
        Err(error) => return failed(ctx, &error),
    };
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let request = PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, &pairs, &budget);
    let html = web::revision(&request, &name, &found);
    let is_found = found.iter().any(|(_, state)| state.is_ok());
    let status = if is_found {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    ApiResponse::page(status, html).volatile()
}

fn value<'a>(params: &'a [(&'static str, String)], name: &str) -> &'a str {
    let found = params.iter().find(|(own, _)| *own == name);
    found.map_or("", |(_, value)| value)
}

fn failed(ctx: &RequestContext, error: &ApiError) -> ApiResponse {
    match error {
        ApiError::NotFound => ApiResponse::not_found(&ctx.url.base),
        ApiError::NoRevision(reason) => ApiResponse::page(
            StatusCode::NOT_FOUND,
            web::no_revision(PageLayout::below(&ctx.url.base), reason),
        ),
        other => ApiResponse::error(other, 0),
    }
}
