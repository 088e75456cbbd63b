//! The pages of comparisons and revisions: data that is read outside the async threads, rendered by `web`.

use std::borrow::Cow;
use std::sync::Arc;

use poem::http::StatusCode;

use crate::request::context::{Reply, RequestContext};
use crate::request::revisions::{Compared, Limit, compare, finding_filter, states};
use crate::response::api_response::ApiResponse;
use crate::response::error::ApiError;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ComponentSnapshot, contributions};
use gitglot_model::{SeededMap, WorkLimit};
use gitglot_revisions::{FindingFilter, RevisionProblem, entries_at_revision};
use gitglot_web::{ComparePage, Credits, KeysInCode, PageRequest, PageResponse};

/// A request for a page; `pairs` are those of its query.
fn request<'a>(
    ctx: &'a RequestContext,
    pairs: &'a [(Cow<'a, str>, Cow<'a, str>)],
    budget: &'a Budget,
) -> PageRequest<'a> {
    PageRequest::new(&ctx.snapshot, &ctx.url.base, &ctx.url.path, pairs, budget)
}

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
    let most = gitglot_web::DIFFERENCES;
    let (differences, total) =
        revisions.differences(component, comparison, language, most, limit)?;
    let state = revisions.state(component, comparison.head, limit).ok();
    let page = ComparePage {
        component,
        ends: (&compared.base, &compared.head),
        state: state.as_deref(),
        comparison,
        findings: (comparison.count(&compared.filter), &findings),
        differences: (&differences, total),
        language,
    };
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    Ok(gitglot_web::compare(&request(ctx, &pairs, &budget), &page))
}

/// The page of a project at a revision.
pub(crate) async fn revision(ctx: &RequestContext) -> Reply {
    let (name, found) = states(ctx).await?;
    let (pairs, budget) = (ctx.url.pairs(), Budget::unlimited());
    let html = gitglot_web::revision(&request(ctx, &pairs, &budget), &name, &found);
    let status = if found.iter().any(|(_, state)| state.is_ok()) {
        StatusCode::OK
    } else {
        StatusCode::NOT_FOUND
    };
    Ok(ApiResponse::page(status, html).volatile())
}

/// The work to find two revisions, in the bytes that a limit counts: enough to look at the clock and for the client.
const WORK_PER_REVISION: usize = 1 << 16;

/// The page, or the data, of who wrote the translations of a release.
pub(crate) async fn credits(ctx: &RequestContext, is_data: bool) -> Reply {
    // Without a turn of long work.
    if ctx.snapshot.project(ctx.param("project")).is_none() {
        return Err(ApiError::NotFound);
    }
    let ends = ["from", "to"].map(|name| ctx.url.value(name));
    let has_ends = ends.iter().any(Option::is_some);
    let own = ctx.clone();
    let found = ctx.run_long(move |budget| {
        let limit = Limit(budget);
        let meter = limit.meter();
        let slug = own.param("project");
        let project = own.snapshot.project(slug).ok_or(ApiError::NotFound)?;
        let components: Vec<_> = own.snapshot.components_of(slug).cloned().collect();
        let (mut parts, mut left_out, mut problem) = (Vec::new(), Vec::new(), None);
        for component in &components {
            if has_ends && !meter(WORK_PER_REVISION) {
                return Err(ApiError::Unreadable);
            }
            let end = |end: usize, usual| match &ends[end] {
                Some(name) => entries_at_revision(&own.state.revisions, component, name),
                None => Ok(usual),
            };
            let last = u32::try_from(component.log.len()).unwrap_or(u32::MAX);
            match end(0, 0).and_then(|from| Ok(from..end(1, last)?)) {
                Ok(range) => parts.push((&**component, range)),
                // The repository of another component can have the revision.
                Err(RevisionProblem::NotFound(reason)) => {
                    left_out.push(component.component.slug.to_string());
                    problem = problem.or(Some(RevisionProblem::NotFound(reason)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let (true, Some(problem)) = (parts.is_empty(), problem) {
            return Err(problem.into());
        }
        let contributions = contributions(&own.snapshot, &parts, &limit);
        let (pairs, unlimited) = (own.url.pairs(), Budget::unlimited());
        let request = request(&own, &pairs, &unlimited);
        let credits = Credits {
            project,
            ends: ends.each_ref().map(Option::as_deref),
            contributions: &contributions,
            left_out: &left_out,
        };
        Ok(if is_data {
            gitglot_web::credits_data(&request, &credits)
        } else {
            PageResponse::Html(gitglot_web::credits(&request, &credits))
        })
    });
    let response = match found.await? {
        PageResponse::File(body, content_type) => {
            ApiResponse::outside(StatusCode::OK, content_type, body)
        }
        PageResponse::Html(html) => ApiResponse::page(StatusCode::OK, html),
        PageResponse::Redirect(_) => return Err(ApiError::NotFound),
    };
    // What a name means can change without a new snapshot.
    Ok(response.with(|head| head.is_volatile = has_ends))
}

/// The page of a project's health. Code is searched for removed keys once for each tip.
pub(crate) async fn health(ctx: &RequestContext) -> Reply {
    let slug = ctx.param("project");
    if ctx.snapshot.project(slug).is_none() {
        return Err(ApiError::NotFound);
    }
    let components: Vec<_> = ctx.snapshot.components_of(slug).cloned().collect();
    let revisions = &ctx.state.revisions;
    let all = ctx.snapshot.components();
    let known = components.iter().map(|of| {
        let known = revisions.known_used_keys(of, all)?;
        Some((of.clone(), known))
    });
    let keys = match known.collect::<Option<Vec<_>>>() {
        Some(found) => KeysInCode {
            found,
            unread: None,
        },
        None => {
            let own = ctx.clone();
            let of_project = components.clone();
            let read = ctx.run_long(move |budget| search(&own, &of_project, &Limit(budget)));
            match read.await {
                Ok(keys) => keys,
                // What was found in other repositories is known: the next request goes on from there.
                Err(ApiError::TooExpensive(_)) => KeysInCode {
                    found: components
                        .into_iter()
                        .filter_map(|of| revisions.known_used_keys(&of, all).map(|keys| (of, keys)))
                        .collect(),
                    unread: Some("the search takes too long".to_owned()),
                },
                Err(error) => return Err(error),
            }
        }
    };
    let is_complete = keys.unread.is_none();
    let own = ctx.clone();
    let html = ctx.scan(move |budget| {
        let pairs = own.url.pairs();
        let request = request(&own, &pairs, budget).hosted(own.state.hosting);
        gitglot_web::health(&request, own.param("project"), &keys)
    });
    let html = html.await?.ok_or(ApiError::NotFound)?;
    let response = ApiResponse::page(StatusCode::OK, html);
    // What could not be read can be readable later.
    Ok(response.with(|head| head.is_volatile = !is_complete))
}

/// Searches the code of each repository once.
fn search(
    ctx: &RequestContext,
    components: &[Arc<ComponentSnapshot>],
    limit: &Limit<'_>,
) -> Result<KeysInCode, ApiError> {
    let mut repositories: SeededMap<_, Vec<Arc<ComponentSnapshot>>> = SeededMap::default();
    for of in components {
        let (component, tip) = (&of.component, of.tip.id);
        let state = (&component.repo, &component.branch, tip);
        repositories.entry(state).or_default().push(of.clone());
    }
    let (mut keys, all) = (KeysInCode::default(), ctx.snapshot.components());
    for components in repositories.into_values() {
        match ctx.state.revisions.used_keys(&components, all, limit) {
            Ok(found) => keys.found.extend(components.into_iter().zip(found)),
            Err(RevisionProblem::Stopped) => return Err(ApiError::Unreadable),
            Err(RevisionProblem::Unreadable(reason)) => {
                tracing::warn!(%reason, "cannot search source code for keys");
                keys.unread = Some("a repository cannot be read at the moment".to_owned());
            }
            Err(RevisionProblem::NotFound(reason)) => keys.unread = Some(reason),
        }
    }
    keys.found.sort_by_key(|(of, _)| of.component.id);
    Ok(keys)
}
