//! The health endpoints `/healthz` and `/readyz`, and the readiness state behind them.
//!
//! The follower reports to [`Readiness`]; this module must not depend on how components are
//! followed or served. The endpoints need no token, but [`HideDetails`] keeps names from requests without one. Rules:
//! `docs/spec/settings.md#readiness`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;
use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, Request, Response, Result};
use serde::Serialize;

/// Seconds until a client should poll `/readyz` again.
const RETRY_AFTER: &str = "1";

/// Tracks which of the expected components are published, failed or behind. By default no component is known, so that it
/// is not ready.
#[derive(Debug, Default)]
pub struct Readiness {
    state: Mutex<HealthState>,
}

#[derive(Debug, Default)]
struct HealthState {
    /// The expected components; `None` until they are known.
    components: Option<BTreeMap<String, ComponentStatus>>,
    /// Published components that may lack newer commits, with the reason.
    behind: BTreeMap<String, String>,
    configuration_error: Option<String>,
    repository_error: Option<UnreadRepository>,
    /// Problems of the shared ledger: whether they are fatal, their kind, and the reason.
    ledger_problems: BTreeMap<(bool, &'static str), String>,
    /// Whether at least one component must be published.
    is_replica: bool,
    /// Set once ready: components that a reload adds do not revoke readiness.
    was_ready: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ComponentStatus {
    Missing,
    Failed(String),
    Published,
}

/// The body of `/readyz`.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct ReadinessReport {
    /// `ready`; `starting` until all components were read; `unready` if the process must not get requests.
    pub status: &'static str,
    /// Number of published components.
    pub published: usize,
    /// Components that are neither published nor failed, sorted by name.
    pub missing: Vec<String>,
    /// Components that failed and were never published, sorted by name.
    pub failed: Vec<ComponentFailure>,
    /// Published components that may lack newer commits, sorted by name.
    pub behind: Vec<ComponentFailure>,
    /// The repository whose components are not known yet, because it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<UnreadRepository>,
    /// Why the latest configuration was rejected; gitglot keeps the previous one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
    /// The most serious problem of the shared ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
    /// Why the status is `unready`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The kinds of problems of the shared ledger.
    #[serde(skip)]
    pub ledger_problems: Vec<&'static str>,
}

/// The data of a request whose sender may not see the names of components and repositories.
#[derive(Clone, Debug)]
pub struct HideDetails;

/// A repository that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadRepository {
    /// Its address, without credentials.
    pub repository: String,
    /// One public sentence.
    pub reason: String,
}

/// A component with an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComponentFailure {
    /// `project/component`.
    pub component: String,
    /// One public sentence: no credentials, no email addresses.
    pub reason: String,
}

impl Readiness {
    /// Adds components (`project/component`) that readiness requires. Known components keep their status. With no
    /// component at all, the state is ready.
    pub fn expect<N: Into<String>>(&self, names: impl IntoIterator<Item = N>) {
        self.state.lock().expect(names.into_iter().map(Into::into));
    }

    /// Expects exactly these components and forgets all others.
    pub fn replace<N: Into<String>>(&self, names: impl IntoIterator<Item = N>) {
        let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
        let mut state = self.state.lock();
        state.was_ready |= state.is_ready();
        let components = state.components.get_or_insert_default();
        components.retain(|name, _| names.contains(name));
        state.behind.retain(|name, _| names.contains(name));
        state.expect(names);
    }

    /// Reports why the latest configuration was rejected; `None` clears it.
    pub fn configuration_error(&self, reason: Option<String>) {
        self.state.lock().configuration_error = reason;
    }

    /// Reports the repository that must be read before components are known; `None` clears it.
    pub fn repository_error(&self, error: Option<UnreadRepository>) {
        self.state.lock().repository_error = error;
    }

    /// Reports a problem of the shared ledger; `None` clears it. With a `fatal` one, the state is not ready.
    pub fn ledger_problem(&self, kind: &'static str, fatal: bool, reason: Option<String>) {
        let problems = &mut self.state.lock().ledger_problems;
        match reason {
            Some(reason) => problems.insert((fatal, kind), reason),
            None => problems.remove(&(fatal, kind)),
        };
    }

    /// Requires a published component from now on: others can serve the requests of a replica.
    pub fn require_published(&self) {
        self.state.lock().is_replica = true;
    }

    /// Marks a component as published, which it stays.
    pub fn published(&self, name: &str) {
        let components = &mut self.state.lock().components;
        let components = components.get_or_insert_default();
        components.insert(name.to_owned(), ComponentStatus::Published);
    }

    /// Marks a component as failed, or as behind if it was published before.
    pub fn failed(&self, name: &str, reason: impl Into<String>) {
        let mut state = self.state.lock();
        let components = state.components.get_or_insert_default();
        let status = components.entry(name.to_owned());
        let status = status.or_insert(ComponentStatus::Missing);
        if *status == ComponentStatus::Published {
            state.behind.insert(name.to_owned(), reason.into());
        } else {
            *status = ComponentStatus::Failed(reason.into());
        }
    }

    /// Reports why a component may lack newer commits; `None` clears it.
    pub fn behind(&self, name: &str, reason: Option<&str>) {
        let mut state = self.state.lock();
        match reason {
            Some(reason) => state.behind.insert(name.to_owned(), reason.to_owned()),
            None => state.behind.remove(name),
        };
    }

    /// Whether every expected component is published or failed, and requests can be served.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.state.lock().is_ready()
    }

    /// The current state.
    #[must_use]
    pub fn report(&self) -> ReadinessReport {
        let state = self.state.lock();
        let ledger_problems = state.ledger_problems.keys();
        let mut report = ReadinessReport {
            status: "starting",
            repository: state.repository_error.clone(),
            configuration: state.configuration_error.clone(),
            // Fatal ones are last.
            ledger: state.ledger_problems.values().next_back().cloned(),
            reason: state.unready_reason(),
            ledger_problems: ledger_problems.map(|(_, kind)| *kind).collect(),
            ..ReadinessReport::default()
        };
        let failure = |name: &String, reason: &String| ComponentFailure {
            component: name.clone(),
            reason: reason.clone(),
        };
        for (name, status) in state.components.iter().flatten() {
            match status {
                ComponentStatus::Missing => report.missing.push(name.clone()),
                ComponentStatus::Failed(reason) => report.failed.push(failure(name, reason)),
                ComponentStatus::Published => {
                    report.published += 1;
                    let reason = state.behind.get(name);
                    (report.behind).extend(reason.map(|reason| failure(name, reason)));
                }
            }
        }
        if report.reason.is_some() {
            report.status = "unready";
        } else if state.components.is_some() && (report.missing.is_empty() || state.was_ready) {
            report.status = "ready";
        }
        report
    }

    fn response(&self, hide_details: bool) -> (StatusCode, String) {
        let report = self.report();
        let status = if report.status == "ready" {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        };
        let body = if hide_details {
            serde_json::json!({"status": report.status, "published": report.published})
        } else {
            serde_json::json!(report)
        };
        (status, body.to_string())
    }
}

impl HealthState {
    fn expect(&mut self, names: impl IntoIterator<Item = String>) {
        let components = self.components.get_or_insert_default();
        for name in names {
            components.entry(name).or_insert(ComponentStatus::Missing);
        }
    }

    fn is_ready(&self) -> bool {
        self.unready_reason().is_none() && self.is_read()
    }

    /// Whether every expected component is published or failed.
    fn is_read(&self) -> bool {
        let missing = |status: &ComponentStatus| *status == ComponentStatus::Missing;
        let known = self.components.as_ref();
        known.is_some_and(|known| !known.values().any(missing))
    }

    /// Why the process must not get requests.
    fn unready_reason(&self) -> Option<String> {
        let last = self.ledger_problems.last_key_value();
        if let Some(((true, _), reason)) = last {
            return Some(reason.clone());
        }
        let mut known = self.components.iter().flat_map(BTreeMap::values).peekable();
        let serves_nothing = self.is_replica
            && !self.was_ready
            && self.is_read()
            && known.peek().is_some()
            && !known.any(|status| *status == ComponentStatus::Published);
        serves_nothing.then(|| "no component is published".to_owned())
    }
}

/// Serves `/healthz` and `/readyz`.
pub struct HealthEndpoints(pub Arc<Readiness>);

impl Endpoint for HealthEndpoints {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        match request.uri().path() {
            "/healthz" => {
                let body = r#"{"status":"ok"}"#.to_owned();
                Ok(health(&request, || (StatusCode::OK, body)))
            }
            // The health check of Weblate 3.4: same path, same body.
            "/healthz/" => {
                let mut response = health(&request, || (StatusCode::OK, "ok".to_owned()));
                if response.status() == StatusCode::OK {
                    let html = HeaderValue::from_static("text/html; charset=utf-8");
                    response.headers_mut().insert(header::CONTENT_TYPE, html);
                }
                Ok(response)
            }
            "/readyz" => Ok(health(&request, || {
                let hide_details = request.data::<HideDetails>().is_some();
                self.0.response(hide_details)
            })),
            _ => Ok(StatusCode::NOT_FOUND.into()),
        }
    }
}

fn health(request: &Request, respond: impl FnOnce() -> (StatusCode, String)) -> Response {
    let (status, body) = match *request.method() {
        Method::GET | Method::HEAD => respond(),
        _ => {
            let method = request.method();
            let body = format!(r#"{{"detail":"Method \"{method}\" not allowed."}}"#);
            (StatusCode::METHOD_NOT_ALLOWED, body)
        }
    };
    let mut response = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::CACHE_CONTROL, "no-store");
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response = response.header(header::ALLOW, "GET, HEAD");
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response = response.header(header::RETRY_AFTER, RETRY_AFTER);
    }
    response.body(body)
}

#[cfg(test)]
mod tests;
