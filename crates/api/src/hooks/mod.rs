//! Push notifications (webhooks) of repository hosts. Source: `docs/spec/http.md#hooks`.
//!
//! A hook schedules a poll and has no other effect. Its payload only selects components; it is never used as an address
//! to fetch from. The follow loop limits how often it polls. Must not depend on git or `follow`.

mod payload;
mod signature;

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use poem::error::ReadBodyError;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use gitglot_catalog::{Published, Snapshot};
use payload::{HookEvent, HookService, Push};

/// Maximum size of a payload. Services send less than a tenth of it.
const MAX_BYTES: usize = 1 << 20;

/// Receives push notifications for components, `project/component`.
pub trait PushListener: Send + Sync {
    /// The repository of a component may have changed.
    fn pushed(&self, component: &str);
}

/// Serves the paths of hooks for the configured components, published or not: a push can repair the cause why one is
/// not published.
pub struct HookEndpoint {
    /// The published projects, and the branches of published components.
    pub published: Arc<Published>,
    /// The configured components.
    pub targets: Arc<HookTargets>,
    /// Receives the pushes.
    pub listener: Arc<dyn PushListener>,
    /// The path prefix that a proxy removes, without a trailing slash.
    pub root: String,
    /// Whether responses do not reveal which projects and components exist, except to signed requests.
    pub hides_names: bool,
}

/// A configured component.
pub struct HookTarget {
    /// The slug of its project.
    pub project: String,
    /// Its own slug.
    pub component: String,
    /// The public address of its repository.
    pub repo: String,
    /// Its branch; `None` for the default branch.
    pub branch: Option<String>,
    /// The secret with which its hooks must be signed.
    pub secret: Option<String>,
}

impl HookTarget {
    fn name(&self) -> String {
        [&*self.project, "/", &*self.component].concat()
    }
}

/// The configured components, in configuration order.
#[derive(Default)]
pub struct HookTargets(ArcSwap<Vec<HookTarget>>);

impl HookTargets {
    /// Replaces all components.
    pub fn set(&self, targets: Vec<HookTarget>) {
        self.0.store(Arc::new(targets));
    }
}

impl HookEndpoint {
    async fn respond(&self, mut request: Request) -> Response {
        let path = request.uri().path().to_owned();
        let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
        if path.contains("//") {
            return not_found();
        }
        if !path.ends_with('/') {
            return redirect(&[&self.root, &*path].concat());
        }
        match parts[..] {
            ["update", ..] if request.method() == Method::OPTIONS && parts.len() <= 3 => {
                let response = Response::builder().status(StatusCode::NO_CONTENT);
                response
                    .header(header::ALLOW, "GET, HEAD, OPTIONS, POST")
                    .finish()
            }
            ["update", project] => self.update(&request, project, None),
            ["update", project, component] => self.update(&request, project, Some(component)),
            [service] => {
                let Some(service) = HookService::from_name(service) else {
                    return not_found();
                };
                if request.method() != Method::POST {
                    let response = Response::builder().status(StatusCode::METHOD_NOT_ALLOWED);
                    return response.header(header::ALLOW, "POST").finish();
                }
                let headers = request.headers().clone();
                match request.take_body().into_bytes_limit(MAX_BYTES).await {
                    Ok(body) => self.receive(service, &headers, &body),
                    Err(ReadBodyError::PayloadTooLarge) => {
                        text(StatusCode::PAYLOAD_TOO_LARGE, "The payload is too large!")
                    }
                    Err(_) => text(StatusCode::BAD_REQUEST, "The payload cannot be read!"),
                }
            }
            _ => not_found(),
        }
    }

    /// Schedules a poll of a project or one of its components, except for `HEAD`. Components with a secret need a
    /// signed hook of a service.
    fn update(&self, request: &Request, project: &str, component: Option<&str>) -> Response {
        let targets = self.targets.0.load();
        let named = |of: &&HookTarget| {
            of.project == project && component.is_none_or(|slug| of.component == slug)
        };
        let named: Vec<&HookTarget> = targets.iter().filter(named).collect();
        // A project can have no components.
        let is_project = || {
            let snapshot = self.published.load().unwrap_or_default();
            component.is_none() && snapshot.project(project).is_some()
        };
        if named.is_empty() && !self.hides_names && !is_project() {
            return not_found();
        }
        let allowed = named.iter().filter(|of| of.secret.is_none());
        let allowed: Vec<String> = allowed.map(|of| of.name()).collect();
        if allowed.is_empty() && !named.is_empty() && !self.hides_names {
            return unsigned();
        }
        if request.method() != Method::HEAD {
            allowed.iter().for_each(|name| self.listener.pushed(name));
        }
        status_body("success", "Update triggered")
    }

    /// Handles the payload of a service: schedules polls of the matching components.
    fn receive(&self, service: HookService, headers: &HeaderMap, body: &[u8]) -> Response {
        let push = match payload::parse(service, headers, body) {
            Ok(HookEvent::Push(push)) => push,
            Ok(HookEvent::Ignored) => return status_body("success", "Hook working"),
            Err(error) => return text(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let snapshot = self.published.load().unwrap_or_default();
        let targets = self.targets.0.load();
        let suffix = lower_suffix(&push);
        // Components can share a secret, and a signature covers the whole body.
        let mut known = HashMap::new();
        // Each name with the validity of the signature if the component has a secret.
        let matching: Vec<(String, Option<bool>)> = targets
            .iter()
            .filter(|of| matches(&push, &suffix, of, &snapshot))
            .map(|of| {
                let signed = of.secret.as_ref().map(|secret| {
                    let check = || signature::is_valid(service, headers, body, secret);
                    *known.entry(secret).or_insert_with(check)
                });
                (of.name(), signed)
            })
            .collect();
        let allowed = matching.iter().filter(|(_, signed)| *signed != Some(false));
        let allowed: Vec<&str> = allowed.map(|(name, _)| name.as_str()).collect();
        allowed.iter().for_each(|name| self.listener.pushed(name));
        // A valid signature proves that the sender knows the component.
        let is_proven = matching.iter().any(|(_, signed)| *signed == Some(true));
        if self.hides_names && !is_proven {
            return status_body("success", "Update triggered");
        }
        if matching.is_empty() {
            return status_body("failure", "No matching repositories found!");
        }
        if allowed.is_empty() {
            return unsigned();
        }
        let names = allowed.join(", ");
        status_body("success", &format!("Update triggered: {names}"))
    }
}

/// The longest suffix of an address in bytes. Each component's address is compared with it.
const MAX_SUFFIX: usize = 1_000;

/// The suffix of addresses in lower case; empty if there is none that an address can have.
fn lower_suffix(push: &Push) -> String {
    let suffix = Some(&push.suffix).filter(|suffix| suffix.len() <= MAX_SUFFIX);
    suffix.map_or_else(String::new, |suffix| suffix.to_lowercase())
}

/// Whether a push may affect the branch of a component. `suffix` is in lower case. The default branch is known once the
/// component is published.
fn matches(push: &Push, suffix: &str, of: &HookTarget, snapshot: &Snapshot) -> bool {
    let by_address = || push.addresses.contains(&of.repo);
    let by_suffix = || !suffix.is_empty() && of.repo.to_lowercase().ends_with(suffix);
    let is_branch = |pushed: &str| match &of.branch {
        Some(branch) => pushed == branch,
        None => snapshot
            .component(&of.project, &of.component)
            .is_none_or(|published| pushed == published.component.branch),
    };
    push.branch.as_deref().is_none_or(is_branch) && (by_address() || by_suffix())
}

/// A JSON response with the whitespace of Weblate 3.4.
fn status_body(status: &str, message: &str) -> Response {
    let message = serde_json::Value::from(message);
    let body = format!("{{\"status\": \"{status}\", \"message\": {message}}}");
    body.with_content_type("application/json").into_response()
}

fn text(status: StatusCode, sentence: &str) -> Response {
    let body = sentence
        .to_owned()
        .with_content_type("text/html; charset=utf-8");
    body.with_status(status).into_response()
}

fn unsigned() -> Response {
    let sentence = "The signature is missing or wrong!";
    text(StatusCode::UNAUTHORIZED, sentence)
}

fn not_found() -> Response {
    let page = "<!DOCTYPE html><title>Not found</title><p>There is no such hook.</p>";
    text(StatusCode::NOT_FOUND, page)
}

fn redirect(path: &str) -> Response {
    let mut response = StatusCode::MOVED_PERMANENTLY.into_response();
    if let Ok(location) = HeaderValue::from_str(&[path, "/"].concat()) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

impl Endpoint for HookEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        Ok(self.respond(request).await)
    }
}

#[cfg(test)]
mod tests;
