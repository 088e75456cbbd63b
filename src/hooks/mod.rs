//! Push notifications (webhooks) of repository hosts. Source: `docs/spec/http.md#hooks`.
//!
//! A hook schedules a poll and has no other effect. Its payload only selects components; it is never used as an address
//! to fetch from. The follow loop limits how often it polls. Must not depend on git or `follow`.

mod payload;
mod signature;

use std::collections::{BTreeMap, HashMap};
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

/// Serves the paths of hooks for the published components.
pub struct HookEndpoint {
    /// The components.
    pub published: Arc<Published>,
    /// The secrets of components.
    pub secrets: Arc<HookSecrets>,
    /// Receives the pushes.
    pub listener: Arc<dyn PushListener>,
    /// The path prefix that a proxy removes, without a trailing slash.
    pub root: String,
    /// Whether responses do not reveal which projects and components exist, except to signed requests.
    pub hides_names: bool,
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
            Err(error) => return text(StatusCode::BAD_REQUEST, &error.to_string()),
        };
        let snapshot = self.published.load().unwrap_or_default();
        let suffix = lower_suffix(&push);
        let secrets = self.secrets.0.load();
        // Components can share a secret, and a signature covers the whole body.
        let mut known = HashMap::new();
        // Each name with the validity of the signature if the component has a secret.
        let matching: Vec<(String, Option<bool>)> = snapshot
            .components()
            .iter()
            .filter(|of| matches(&push, &suffix, of))
            .map(|of| {
                let name = of.path();
                let signed = secrets.get(&name).map(|secret| {
                    let check = || signature::is_valid(service, headers, body, secret);
                    *known.entry(secret).or_insert_with(check)
                });
                (name, signed)
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
            return text(
                StatusCode::UNAUTHORIZED,
                "The signature is missing or wrong!",
            );
        }
        status_body(
            "success",
            &format!("Update triggered: {}", allowed.join(", ")),
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

fn text(status: StatusCode, sentence: &str) -> Response {
    sentence
        .to_owned()
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
