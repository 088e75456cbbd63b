//! Push notifications (webhooks) of repository hosts. Source: `docs/spec/http.md#hooks`.
//!
//! A hook schedules a poll and has no other effect. Its payload only selects components; it is never used as an address
//! to fetch from. The follow loop limits how often it polls. Must not depend on git or `follow`.

mod payload;
mod signature;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use arc_swap::ArcSwap;
use poem::error::ReadBodyError;
use poem::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use crate::catalog::{ComponentSnapshot, Published};
use payload::{HookEvent, HookService, Push};

/// Maximum size of a payload. Services send less than a tenth of it.
const MAX_BYTES: usize = 1 << 20;

/// Receives push notifications for components, `project/component`.
pub trait PushListener: Send + Sync {
    /// The repository of a component may have changed.
    fn pushed(&self, component: &str);
}

/// Serves everything below `/hooks/`.
pub struct HookEndpoint {
    published: Arc<Published>,
    secrets: Arc<HookSecrets>,
    listener: Arc<dyn PushListener>,
    /// The path prefix that a proxy removes.
    root: String,
    /// Whether responses may not reveal which projects and components exist.
    hides_names: bool,
}

/// The secrets of components whose hooks must be signed, by `project/component`.
#[derive(Default)]
pub struct HookSecrets(ArcSwap<BTreeMap<String, String>>);

impl HookSecrets {
    /// Replaces all secrets.
    pub fn set(&self, secrets: BTreeMap<String, String>) {
        self.0.store(Arc::new(secrets));
    }
}

impl HookEndpoint {
    /// Serves hooks for the published components.
    pub fn new(
        published: Arc<Published>,
        secrets: Arc<HookSecrets>,
        listener: Arc<dyn PushListener>,
    ) -> Self {
        Self {
            published,
            secrets,
            listener,
            root: String::new(),
            hides_names: false,
        }
    }

    /// Sets the path prefix that a proxy removes, without a trailing slash.
    #[must_use]
    pub fn with_root(self, root: &str) -> Self {
        Self {
            root: root.to_owned(),
            ..self
        }
    }

    /// Makes responses independent of which projects and components exist, except to signed requests.
    #[must_use]
    pub fn with_hidden_names(self, hides_names: bool) -> Self {
        Self {
            hides_names,
            ..self
        }
    }

    async fn respond(&self, mut request: Request) -> Response {
        let path = request.uri().path().to_owned();
        let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
        if !path.ends_with('/') || path.contains("//") {
            return if path.contains("//") {
                not_found()
            } else {
                redirect(&[&self.root, &*path].concat())
            };
        }
        match parts[..] {
            ["update", ..] if request.method() == Method::OPTIONS && parts.len() <= 3 => {
                Response::builder()
                    .status(StatusCode::NO_CONTENT)
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
                    return Response::builder()
                        .status(StatusCode::METHOD_NOT_ALLOWED)
                        .header(header::ALLOW, "POST")
                        .finish();
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
        let snapshot = self.published.load().unwrap_or_default();
        let triggered = || status_body("success", "Update triggered");
        if snapshot.project(project).is_none() {
            return if self.hides_names {
                triggered()
            } else {
                not_found()
            };
        }
        let of = snapshot
            .components_of(project)
            .filter(|of| component.is_none_or(|slug| of.component.slug.as_str() == slug));
        let names: Vec<String> = of.map(|of| of.path()).collect();
        if names.is_empty() && component.is_some() && !self.hides_names {
            return not_found();
        }
        let secrets = self.secrets.0.load();
        let allowed: Vec<&String> = names
            .iter()
            .filter(|name| !secrets.contains_key(*name))
            .collect();
        if allowed.is_empty() && !names.is_empty() && !self.hides_names {
            return text(
                StatusCode::UNAUTHORIZED,
                "The signature is missing or wrong!",
            );
        }
        if request.method() != Method::HEAD {
            allowed.iter().for_each(|name| self.listener.pushed(name));
        }
        triggered()
    }

    /// Handles the payload of a service: schedules polls of the matching components.
    fn receive(&self, service: HookService, headers: &HeaderMap, body: &[u8]) -> Response {
        let push = match payload::parse(service, headers, body) {
            Ok(HookEvent::Push(push)) => push,
            Ok(HookEvent::Ignored) => return status_body("success", "Hook working"),
            Err(error) => return text(StatusCode::BAD_REQUEST, error.message()),
        };
        let snapshot = self.published.load().unwrap_or_default();
        let suffix = lower_suffix(&push);
        let matching: Vec<String> = snapshot
            .components()
            .iter()
            .filter(|of| matches(&push, &suffix, of))
            .map(|of| of.path())
            .collect();
        let secrets = self.secrets.0.load();
        // Components can share a secret, and a signature covers the whole body.
        let mut known = HashMap::new();
        let valid: HashSet<&String> = matching
            .iter()
            .filter(|name| {
                secrets.get(*name).is_some_and(|secret| {
                    let check = || signature::is_valid(service, headers, body, secret);
                    *known.entry(secret).or_insert_with(check)
                })
            })
            .collect();
        // With a secret, a valid signature proves that the sender knows the component.
        let is_signed = |name: &String| valid.contains(name);
        if self.hides_names && !matching.iter().any(is_signed) {
            matching
                .iter()
                .filter(|name| !secrets.contains_key(*name))
                .for_each(|name| self.listener.pushed(name));
            return status_body("success", "Update triggered");
        }
        if matching.is_empty() {
            return status_body("failure", "No matching repositories found!");
        }
        let allowed: Vec<&String> = matching
            .iter()
            .filter(|name| !secrets.contains_key(*name) || is_signed(name))
            .collect();
        if allowed.is_empty() {
            return text(
                StatusCode::UNAUTHORIZED,
                "The signature is missing or wrong!",
            );
        }
        allowed.iter().for_each(|name| self.listener.pushed(name));
        let names: Vec<&str> = allowed.iter().map(|name| name.as_str()).collect();
        status_body(
            "success",
            &format!("Update triggered: {}", names.join(", ")),
        )
    }
}

/// The longest suffix of an address in bytes. Each component's address is compared with it.
const MAX_SUFFIX: usize = 1_000;

/// The suffix of addresses in lower case; empty if there is none that an address can have.
fn lower_suffix(push: &Push) -> String {
    let suffix = Some(&push.suffix).filter(|suffix| suffix.len() <= MAX_SUFFIX);
    suffix.map_or_else(String::new, |suffix| suffix.to_lowercase())
}

/// Whether a push may affect the branch of a component. `suffix` is in lower case.
fn matches(push: &Push, suffix: &str, of: &ComponentSnapshot) -> bool {
    let (repo, branch) = (of.component.repo.as_str(), of.component.branch.as_str());
    let by_address = || push.addresses.iter().any(|address| address == repo);
    let by_suffix = || !suffix.is_empty() && repo.to_lowercase().ends_with(suffix);
    push.branch.as_deref().is_none_or(|pushed| pushed == branch) && (by_address() || by_suffix())
}

/// A JSON response with the whitespace of Weblate 3.4.
fn status_body(status: &str, message: &str) -> Response {
    let message = serde_json::Value::from(message);
    let body = format!("{{\"status\": \"{status}\", \"message\": {message}}}");
    body.with_content_type("application/json").into_response()
}

fn text(status: StatusCode, sentence: &'static str) -> Response {
    sentence
        .with_content_type("text/html; charset=utf-8")
        .with_status(status)
        .into_response()
}

fn not_found() -> Response {
    text(
        StatusCode::NOT_FOUND,
        "<!DOCTYPE html><title>Not found</title><p>There is no such hook.</p>",
    )
}

fn redirect(path: &str) -> Response {
    let mut response = Response::builder()
        .status(StatusCode::MOVED_PERMANENTLY)
        .finish();
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
