//! Hooks: a service that hosts repositories says that somebody pushed, and gitglot looks at once (human_pages.md 4).
//!
//! A hook means "look now" and nothing else: what it says is used to find the components, never as an address to
//! fetch from. Looking too often is prevented where looks are scheduled, not here. Knows the snapshot, for the
//! addresses and branches of components; knows neither git nor who follows.

mod payload;
mod signature;

use std::collections::BTreeMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::catalog::{ComponentSnapshot, Published};
use payload::{Heard, Push, Service};

/// Bytes of a payload that are read; services send less than a tenth of it.
const MOST_BYTES: usize = 1 << 20;

/// Who is told that there is news of the component `project/component`.
pub trait News: Send + Sync {
    /// There may be news.
    fn news(&self, component: &str);
}

/// The hooks before another endpoint.
pub struct Hooks<E> {
    inner: E,
    published: Arc<Published>,
    secrets: Arc<Secrets>,
    news: Arc<dyn News>,
    /// What stands before every path of this server in a browser.
    root: String,
}

/// The secrets of components whose hooks must be signed, by `project/component`; filled in when they are known.
#[derive(Default)]
pub struct Secrets(ArcSwap<BTreeMap<String, String>>);

impl Secrets {
    /// Puts these in place of those before.
    pub fn set(&self, secrets: BTreeMap<String, String>) {
        self.0.store(Arc::new(secrets));
    }
}

impl<E: Endpoint> Hooks<E> {
    /// Answers what is below `/hooks/`, and hands everything else to `inner`.
    pub fn new(inner: E, published: Arc<Published>, secrets: Arc<Secrets>, news: Arc<dyn News>) -> Self {
        Self { inner, published, secrets, news, root: String::new() }
    }

    /// The same, reached below a path that a proxy cuts off; without a final slash.
    #[must_use]
    pub fn below(self, root: &str) -> Self {
        Self { root: root.to_owned(), ..self }
    }

    async fn answer(&self, mut request: Request) -> Response {
        let path = request.uri().path().to_owned();
        let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
        if !path.ends_with('/') || path.contains("//") {
            return if path.contains("//") { nowhere() } else { moved(&[&self.root, &*path].concat()) };
        }
        match parts[..] {
            ["update", project] => self.update(project, None),
            ["update", project, component] => self.update(project, Some(component)),
            [service] => {
                let Some(service) = Service::from_name(service) else { return nowhere() };
                if request.method() != Method::POST {
                    return Response::builder()
                        .status(StatusCode::METHOD_NOT_ALLOWED)
                        .header(header::ALLOW, "POST")
                        .finish();
                }
                let headers = request.headers().clone();
                match request.take_body().into_bytes_limit(MOST_BYTES).await {
                    Ok(body) => self.pushed(service, &headers, &body),
                    Err(_) => text(StatusCode::PAYLOAD_TOO_LARGE, "The payload is too large!"),
                }
            }
            _ => nowhere(),
        }
    }

    /// Looks at a project or one of its components.
    fn update(&self, project: &str, component: Option<&str>) -> Response {
        let snapshot = self.published.load().unwrap_or_default();
        if snapshot.project(project).is_none() {
            return nowhere();
        }
        let of = snapshot
            .components_of(project)
            .filter(|of| component.is_none_or(|slug| of.component.slug.as_str() == slug));
        let names: Vec<String> = of.map(|of| name(of)).collect();
        if names.is_empty() && component.is_some() {
            return nowhere();
        }
        names.iter().for_each(|name| self.news.news(name));
        told("success", "Update triggered")
    }

    /// Looks at what a service says was pushed to.
    fn pushed(&self, service: Service, headers: &HeaderMap, body: &[u8]) -> Response {
        let push = match payload::read(service, headers, body) {
            Ok(Heard::Push(push)) => push,
            Ok(Heard::Nothing) => return told("success", "Hook working"),
            Err(problem) => return text(StatusCode::BAD_REQUEST, problem.sentence()),
        };
        let snapshot = self.published.load().unwrap_or_default();
        let matching: Vec<String> =
            snapshot.components().iter().filter(|of| fits(&push, of)).map(|of| name(of)).collect();
        if matching.is_empty() {
            return told("failure", "No matching repositories found!");
        }
        let secrets = self.secrets.0.load();
        let allowed: Vec<&String> = matching
            .iter()
            .filter(|name| secrets.get(*name).is_none_or(|secret| signature::holds(service, headers, body, secret)))
            .collect();
        if allowed.is_empty() {
            return text(StatusCode::UNAUTHORIZED, "The signature is missing or wrong!");
        }
        allowed.iter().for_each(|name| self.news.news(name));
        let names: Vec<&str> = allowed.iter().map(|name| name.as_str()).collect();
        told("success", &format!("Update triggered: {}", names.join(", ")))
    }
}

/// Whether a push may have moved the branch of a component.
fn fits(push: &Push, of: &ComponentSnapshot) -> bool {
    let (repo, branch) = (of.component.repo.as_str(), of.component.branch.as_str());
    let by_suffix = |suffix: &str| !suffix.is_empty() && repo.to_lowercase().ends_with(&suffix.to_lowercase());
    let by_address = push.addresses.iter().any(|address| address == repo);
    push.branch.as_deref().is_none_or(|pushed| pushed == branch) && (by_address || by_suffix(&push.suffix))
}

fn name(of: &ComponentSnapshot) -> String {
    format!("{}/{}", of.project.slug, of.component.slug)
}

/// An answer in JSON, with blanks as 3.4 puts them.
fn told(status: &str, message: &str) -> Response {
    let message = serde_json::Value::from(message);
    let body = format!("{{\"status\": \"{status}\", \"message\": {message}}}");
    body.with_content_type("application/json").into_response()
}

fn text(status: StatusCode, sentence: &'static str) -> Response {
    sentence.with_content_type("text/html; charset=utf-8").with_status(status).into_response()
}

fn nowhere() -> Response {
    text(StatusCode::NOT_FOUND, "<!DOCTYPE html><title>Not found</title><p>There is no such hook.</p>")
}

fn moved(path: &str) -> Response {
    let mut response = Response::builder().status(StatusCode::MOVED_PERMANENTLY).finish();
    if let Ok(location) = HeaderValue::from_str(&[path, "/"].concat()) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

impl<E: Endpoint> Endpoint for Hooks<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        if request.uri().path().starts_with("/hooks/") {
            return Ok(self.answer(request).await);
        }
        self.inner.call(request).await.map(IntoResponse::into_response)
    }
}

#[cfg(test)]
mod tests;
