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
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Tracks which of the expected components are published, failed or behind.
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
    ledger_error: Option<String>,
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
    /// `ready` or `starting`.
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
    /// Why nothing new can be recorded in the shared ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
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
    /// A state in which no component is known, so it is not ready.
    #[must_use]
    pub fn new() -> Self {
        Readiness::default()
    }

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
        state
            .components
            .get_or_insert_default()
            .retain(|name, _| names.contains(name));
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

    /// Reports why nothing new can be recorded in the shared ledger; `None` clears it.
    pub fn ledger_error(&self, reason: Option<String>) {
        self.state.lock().ledger_error = reason;
    }

    /// Marks a component as published, which it stays.
    pub fn published(&self, name: &str) {
        self.state
            .lock()
            .components
            .get_or_insert_default()
            .insert(name.to_owned(), ComponentStatus::Published);
    }

    /// Marks a component as failed, or as behind if it was published before.
    pub fn failed(&self, name: &str, reason: impl Into<String>) {
        let mut state = self.state.lock();
        let status = state
            .components
            .get_or_insert_default()
            .entry(name.to_owned());
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

    /// Whether every expected component is published or failed.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.state.lock().is_ready()
    }

    /// The current state.
    #[must_use]
    pub fn report(&self) -> ReadinessReport {
        let state = self.state.lock();
        let mut report = ReadinessReport {
            status: "starting",
            repository: state.repository_error.clone(),
            configuration: state.configuration_error.clone(),
            ledger: state.ledger_error.clone(),
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
                    report
                        .behind
                        .extend(state.behind.get(name).map(|reason| failure(name, reason)));
                }
            }
        }
        if state.components.is_some() && (report.missing.is_empty() || state.was_ready) {
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
        let body = match hide_details {
            true => serde_json::json!({"status": report.status, "published": report.published}),
            false => serde_json::json!(report),
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
        self.components.as_ref().is_some_and(|known| {
            known
                .values()
                .all(|status| *status != ComponentStatus::Missing)
        })
    }
}

/// Serves `/healthz` and `/readyz`.
pub struct HealthEndpoints {
    readiness: Arc<Readiness>,
}

impl HealthEndpoints {
    /// Creates the endpoints.
    pub fn new(readiness: Arc<Readiness>) -> Self {
        Self { readiness }
    }
}

impl Endpoint for HealthEndpoints {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        match request.uri().path() {
            "/healthz" => Ok(health(&request, || {
                (StatusCode::OK, r#"{"status":"ok"}"#.to_owned())
            })),
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
                self.readiness.response(hide_details)
            })),
            _ => Ok(StatusCode::NOT_FOUND.into()),
        }
    }
}

fn health(request: &Request, respond: impl FnOnce() -> (StatusCode, String)) -> Response {
    let (status, body) = match *request.method() {
        Method::GET | Method::HEAD => respond(),
        _ => (
            StatusCode::METHOD_NOT_ALLOWED,
            format!(
                r#"{{"detail":"Method \"{}\" not allowed."}}"#,
                request.method()
            ),
        ),
    };
    let mut response = Response::builder()
        .status(status)
        .header(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        )
        .header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .body(body);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response
            .headers_mut()
            .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(readiness: &Arc<Readiness>, path: &'static str) -> (StatusCode, String) {
        let request = Request::builder().uri(path.parse().unwrap()).finish();
        let response = HealthEndpoints::new(readiness.clone())
            .get_response(request)
            .await;
        (
            response.status(),
            response.into_body().into_string().await.unwrap(),
        )
    }

    #[tokio::test]
    async fn healthz_succeeds_before_components_are_ready() {
        let readiness = Arc::new(Readiness::new());
        assert_eq!(
            get(&readiness, "/healthz").await,
            (StatusCode::OK, r#"{"status":"ok"}"#.to_owned())
        );
        assert_eq!(
            get(&readiness, "/healthz/").await,
            (StatusCode::OK, "ok".to_owned())
        );
        assert_eq!(
            get(&readiness, "/readyz").await.0,
            StatusCode::SERVICE_UNAVAILABLE
        );
        assert_eq!(get(&readiness, "/api/").await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn readyz_lists_missing_failed_and_behind_components() {
        let readiness = Arc::new(Readiness::new());
        readiness.expect(["app/web", "app/extension"]);
        readiness.published("app/web");
        let missing = r#"{"status":"starting","published":1,"missing":["app/extension"],"failed":[],"behind":[]}"#;
        assert_eq!(
            get(&readiness, "/readyz").await,
            (StatusCode::SERVICE_UNAVAILABLE, missing.to_owned())
        );

        readiness.failed("app/extension", "The repository has no branch \"main\".");
        let (status, body) = get(&readiness, "/readyz").await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(
            body,
            r#"{"status":"ready","published":1,"missing":[],"failed":[{"component":"app/extension","reason":"The repository has no branch \"main\"."}],"behind":[]}"#
        );

        readiness.behind("app/web", Some("not reachable"));
        readiness.behind("app/extension", Some("not reachable"));
        let (status, body) = get(&readiness, "/readyz").await;
        assert_eq!(
            status,
            StatusCode::OK,
            "the last good state stays published"
        );
        assert!(
            body.ends_with(r#""behind":[{"component":"app/web","reason":"not reachable"}]}"#),
            "{body}"
        );
        readiness.behind("app/web", None);
        assert!(
            get(&readiness, "/readyz")
                .await
                .1
                .ends_with(r#""behind":[]}"#)
        );
    }

    #[test]
    fn a_published_component_stays_published_and_a_failed_one_can_recover() {
        let readiness = Readiness::new();
        readiness.expect(["a", "b"]);
        readiness.published("a");
        readiness.failed("a", "not reachable");
        readiness.failed("b", "not reachable");
        readiness.published("b");
        readiness.expect(["a"]);
        assert_eq!(readiness.report().published, 2);
        assert!(readiness.is_ready());
    }

    #[test]
    fn components_that_a_reload_adds_do_not_revoke_readiness() {
        let readiness = Readiness::new();
        readiness.expect(["a", "b"]);
        readiness.published("a");
        readiness.failed("b", "not reachable");
        readiness.behind("a", Some("not reachable"));
        readiness.replace(["b", "c"]);
        let report = readiness.report();
        assert_eq!(
            (report.status, report.missing),
            ("ready", vec!["c".to_owned()])
        );
        assert_eq!(
            (report.published, report.failed.len(), report.behind.len()),
            (0, 1, 0)
        );
    }

    #[tokio::test]
    async fn readyz_reports_a_rejected_configuration_until_it_is_fixed() {
        let readiness = Arc::new(Readiness::new());
        readiness.configuration_error(Some("gitglot.toml:3: slug: two".to_owned()));
        assert!(
            get(&readiness, "/readyz")
                .await
                .1
                .ends_with(r#","configuration":"gitglot.toml:3: slug: two"}"#)
        );
        readiness.configuration_error(None);
        assert!(!get(&readiness, "/readyz").await.1.contains("configuration"));
    }

    #[tokio::test]
    async fn readyz_reports_an_outage_of_the_ledger_and_stays_ready() {
        let readiness = Arc::new(Readiness::new());
        readiness.expect(["a"]);
        readiness.published("a");
        readiness.ledger_error(Some("no answer".to_owned()));
        let (status, body) = get(&readiness, "/readyz").await;
        assert_eq!(status, StatusCode::OK);
        assert!(body.ends_with(r#","ledger":"no answer"}"#), "{body}");
        readiness.ledger_error(None);
        assert!(!get(&readiness, "/readyz").await.1.contains("ledger"));
    }

    #[tokio::test]
    async fn readyz_names_a_repository_that_cannot_be_read() {
        let readiness = Arc::new(Readiness::new());
        let (repository, reason) = (
            "https://git.example/a".to_owned(),
            "it cannot be reached".to_owned(),
        );
        readiness.repository_error(Some(UnreadRepository { repository, reason }));
        let (status, body) = get(&readiness, "/readyz").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        let expected = r#","repository":{"repository":"https://git.example/a","reason":"it cannot be reached"}}"#;
        assert!(body.ends_with(expected), "{body}");
        readiness.repository_error(None);
        assert!(!get(&readiness, "/readyz").await.1.contains("repository"));
    }

    #[test]
    fn an_empty_configuration_is_ready_and_an_unknown_one_is_not() {
        let readiness = Readiness::new();
        assert!(!readiness.is_ready());
        readiness.expect(Vec::<String>::new());
        assert!(readiness.is_ready());
        assert_eq!(readiness.report().status, "ready");
    }

    #[tokio::test]
    async fn health_endpoints_reject_other_methods() {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/readyz".parse().unwrap())
            .finish();
        let response = HealthEndpoints::new(Arc::new(Readiness::new()))
            .get_response(request)
            .await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(response.header("allow"), Some("GET, HEAD"));
    }
}
