//! What stands beside `/api/`: pages for people and what they load, the downloads and exports that 3.4 has outside
//! of its API (human_pages.md 1 to 3), and the way to the line of a string. Each is sent whatever the `Accept` header says.

use std::sync::Arc;

use poem::http::{Method, StatusCode};
use poem::{IntoResponse, Request, Response};

use crate::api::State;
use crate::api::files::download;
use crate::api::files::source_line;
use crate::api::legacy::{rss, stats};
use crate::api::request::context::RequestContext;
use crate::api::request::negotiate::Representation;
use crate::api::request::pagination::{Pagination, RequestUrl};
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::links::{Links, query_as_it_came};
use crate::catalog::Snapshot;
use crate::web::{self, Layout, PageRequest, PageResponse};

/// A file that pages load.
pub(super) fn asset(path: &str, query: Option<&str>) -> Option<ApiResponse> {
    web::asset(path, query.unwrap_or_default()).map(|asset| ApiResponse::asset(&asset))
}

/// Whether who asks for a path expects a page.
pub(super) fn is_page(path: &str) -> bool {
    !["/api", "/exports/", "/download/"].iter().any(|beside| path.starts_with(beside))
}

/// The page of a server that has not read anything yet.
pub(super) fn not_ready(base: &str) -> ApiResponse {
    let failure = ApiError::NotReady;
    ApiResponse::page(failure.status(), web::loading(Layout::below(base)).into_bytes())
        .with_retry_after(failure.retry_after())
}

/// Answers a path at which a page for people may stand. It is made off the async threads.
async fn page(
    snapshot: Arc<Snapshot>,
    base: String,
    method: &Method,
    path: &str,
    query: &str,
) -> Result<Response, ApiResponse> {
    let url = RequestUrl { base: base.clone(), path: path.to_owned(), query: query.to_owned() };
    let made = tokio::task::spawn_blocking(move || {
        web::find(&PageRequest::new(&snapshot, &url.base, &url.path, &url.pairs()))
    });
    let found = made
        .await
        .map_err(|_| ApiResponse::error(&ApiError::Unreadable, 0))?
        .ok_or_else(|| ApiResponse::not_found(&base))?;
    if web::lacks_slash(path) {
        return Err(ApiResponse::with_slash(&base, path, query));
    }
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Err(ApiResponse::error(&ApiError::Method(method.clone()), 0));
    }
    let answer = match found {
        PageResponse::Html(page) => ApiResponse::page(StatusCode::OK, page.into_bytes()),
        PageResponse::File(bytes, media) => ApiResponse::export(bytes, media),
        PageResponse::Redirect(to) => {
            let mark = if query.is_empty() { "" } else { "?" };
            ApiResponse::moved_permanently(&[Layout::below(&base).root(), &to, mark, &query_as_it_came(query)].concat())
        }
    };
    Ok(answer.into_response())
}

/// Answers a path that does not begin with `/api/`; `path` is decoded.
pub(super) async fn answer(
    state: &Arc<State>,
    snapshot: Arc<Snapshot>,
    base: String,
    request: &Request,
    path: &str,
    query: &str,
) -> Result<Response, ApiResponse> {
    let refused = |failure: ApiError| ApiResponse::error(&failure, 0);
    let page_base = base.clone();
    let nowhere = move || ApiResponse::not_found(&page_base);
    let slashed = path.ends_with('/');
    let parts: Vec<&str> = path.trim_start_matches('/').trim_end_matches('/').split('/').collect();
    if !matches!(
        &parts[..],
        ["exports", "stats", _] | ["exports", "stats", _, _] | ["exports", "rss", ..] | ["download" | "line", _, _, _]
    ) || path.contains("//")
    {
        return page(snapshot, base, request.method(), path, query).await;
    }
    if !slashed {
        return Err(ApiResponse::with_slash(&base, path, query));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(refused(ApiError::Method(request.method().clone())));
    }
    let links = Links::new(&base, state.links.site_url.as_deref(), None, None);
    let url = RequestUrl { base, path: path.to_owned(), query: query.to_owned() };
    let format = url.value("format");
    let ctx = RequestContext {
        state: state.clone(),
        snapshot,
        links,
        pagination: Pagination::default(),
        url,
        matches: Arc::default(),
        form: Representation::Json,
        indent: 0,
        format,
    };
    let found = match &parts[..] {
        ["exports", "stats", project] => stats::of_project(&ctx, project),
        ["exports", "stats", project, component] => stats::of_component(&ctx, project, component),
        ["exports", "rss", scope @ ..] => rss::answer(&ctx, scope),
        ["download", project, component, language] => {
            let file = download::translation(&ctx, project, component, language).await.into_response();
            // Only inside the API a missing object is told in JSON.
            return if file.status() == StatusCode::NOT_FOUND { Err(nowhere()) } else { Ok(file) };
        }
        ["line", project, component, language] => source_line::answer(&ctx, project, component, language).await,
        _ => None,
    };
    found.map(IntoResponse::into_response).ok_or_else(nowhere)
}
