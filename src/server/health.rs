//! `/healthz` and `/readyz`, and the state behind them (design 5).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::http::{HeaderValue, Method, StatusCode, header};
use poem::{Endpoint, IntoResponse, Request, Response, Result};
use serde::Serialize;

/// Seconds after which a client that waits for readiness should ask again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// Which of the expected components are published, and which have failed. Cheap to share in an
/// [`Arc`]; whoever follows the repositories updates it.
#[derive(Debug, Default)]
pub struct Readiness {
    state: Mutex<State>,
    behind: Mutex<BTreeMap<String, String>>,
    refused: Mutex<Option<String>>,
    /// Whether it was ready once: what is to be published later leaves it so.
    once: AtomicBool,
}

/// `None` until somebody said what to expect.
type State = Option<BTreeMap<String, Standing>>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    Missing,
    Failed(String),
    Published,
}

/// What `/readyz` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// `ready` or `starting`.
    pub status: &'static str,
    /// How many components are published.
    pub published: usize,
    /// Names of the components that are neither published nor failed, in alphabetical order.
    pub missing: Vec<String>,
    /// The components that have failed and were never published, in alphabetical order.
    pub failed: Vec<Failure>,
    /// The components that are served as they were, since their repository cannot be fetched or what is new in it
    /// cannot be read; in alphabetical order.
    pub behind: Vec<Failure>,
    /// What is wrong with the newest configuration, if it was refused: the one before is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<String>,
}

/// A component that could not be published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `project/component`, or whatever name was expected.
    pub component: String,
    /// Why, in one sentence. It is public: no credentials, no addresses of people.
    pub reason: String,
}

impl Readiness {
    /// Nothing is known yet, so nothing is ready.
    #[must_use]
    pub fn new() -> Self {
        Readiness::default()
    }

    /// Adds `names` (`project/component`) to what has to be published before the server is
    /// ready. A name that is known already keeps its standing. With no name at all the server
    /// is ready at once.
    pub fn expect<N: Into<String>>(&self, names: impl IntoIterator<Item = N>) {
        let mut state = self.lock();
        let known = state.get_or_insert_default();
        for name in names {
            known.entry(name.into()).or_insert(Standing::Missing);
        }
    }

    /// Forgets every name but these, and expects those that it does not know.
    pub fn only<N: Into<String>>(&self, names: impl IntoIterator<Item = N>) {
        self.once.fetch_or(self.is_ready(), Ordering::Relaxed);
        let names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
        self.lock().get_or_insert_default().retain(|name, _| names.contains(name));
        self.behind.lock().unwrap_or_else(PoisonError::into_inner).retain(|name, _| names.contains(name));
        self.expect(names);
    }

    /// What is wrong with a new configuration; `None` when nothing is.
    pub fn refused(&self, reason: Option<String>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }

    /// `name` is published. It stays so: a later failure leaves the last good state in place.
    pub fn published(&self, name: &str) {
        self.lock().get_or_insert_default().insert(name.to_owned(), Standing::Published);
    }

    /// `name` could not be published because of `reason`; it may be later. One that was published before is behind.
    pub fn failed(&self, name: &str, reason: impl Into<String>) {
        let mut state = self.lock();
        let standing = state.get_or_insert_default().entry(name.to_owned()).or_insert(Standing::Missing);
        if *standing != Standing::Published {
            *standing = Standing::Failed(reason.into());
            return;
        }
        drop(state);
        self.behind(name, Some(&reason.into()));
    }

    /// What is served of `name` may be old because of a reason; `None` when it is not.
    pub fn behind(&self, name: &str, reason: Option<&str>) {
        let mut behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        match reason {
            Some(reason) => behind.insert(name.to_owned(), reason.to_owned()),
            None => behind.remove(name),
        };
    }

    /// Whether every expected component is published or has failed.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.lock().as_ref().is_some_and(|known| !known.values().any(|standing| *standing == Standing::Missing))
    }

    /// The state of this moment.
    #[must_use]
    pub fn report(&self) -> Report {
        let state = self.lock();
        let mut report = Report {
            status: "starting",
            published: 0,
            missing: Vec::new(),
            failed: Vec::new(),
            behind: Vec::new(),
            configuration: self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        };
        let Some(known) = state.as_ref() else { return report };
        let behind = self.behind.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, standing) in known {
            match standing {
                Standing::Missing => report.missing.push(name.clone()),
                Standing::Failed(reason) => {
                    report.failed.push(Failure { component: name.clone(), reason: reason.clone() });
                }
                Standing::Published => {
                    report.published += 1;
                    if let Some(reason) = behind.get(name) {
                        report.behind.push(Failure { component: name.clone(), reason: reason.clone() });
                    }
                }
            }
        }
        if report.missing.is_empty() || self.once.load(Ordering::Relaxed) {
            report.status = "ready";
        }
        report
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one insertion, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `api` with `/healthz` and `/readyz` before it. They stand outside `api` on purpose: whatever
/// it demands of a request (a token, a known host) they do not.
pub fn app<E: Endpoint>(api: E, readiness: Arc<Readiness>) -> App<E> {
    App { api, readiness }
}

/// See [`app`].
pub struct App<E> {
    api: E,
    readiness: Arc<Readiness>,
}

impl<E: Endpoint> Endpoint for App<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        match request.uri().path() {
            "/healthz" => Ok(health(&request, || (StatusCode::OK, r#"{"status":"ok"}"#.to_owned()))),
            // Where Weblate 3.4 has it, and as it says it.
            "/healthz/" => Ok(page_of_weblate(health(&request, || (StatusCode::OK, "ok".to_owned())))),
            "/readyz" => Ok(health(&request, || self.readiness.answer())),
            _ => self.api.call(request).await.map(IntoResponse::into_response),
        }
    }
}

impl Readiness {
    fn answer(&self) -> (StatusCode, String) {
        let report = self.report();
        let status = if report.status == "ready" { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
        // Strings and numbers only, which always serialize.
        (status, serde_json::to_string(&report).unwrap_or_default())
    }
}

fn health(request: &Request, answer: impl FnOnce() -> (StatusCode, String)) -> Response {
    let (status, body) = match *request.method() {
        Method::GET | Method::HEAD => answer(),
        _ => {
            (StatusCode::METHOD_NOT_ALLOWED, format!(r#"{{"detail":"Method \"{}\" not allowed."}}"#, request.method()))
        }
    };
    let mut response = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))
        .header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .body(body);
    if status == StatusCode::METHOD_NOT_ALLOWED {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
    }
    response
}

fn page_of_weblate(mut response: Response) -> Response {
    if response.status() == StatusCode::OK {
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn get(readiness: &Arc<Readiness>, path: &'static str) -> (StatusCode, String) {
        let request = Request::builder().uri(path.parse().unwrap()).finish();
        let api = poem::endpoint::make_sync(|_| "the api");
        let response = app(api, readiness.clone()).get_response(request).await;
        (response.status(), response.into_body().into_string().await.unwrap())
    }

    #[tokio::test]
    async fn the_process_is_alive_before_anything_is_ready() {
        let readiness = Arc::new(Readiness::new());
        assert_eq!(get(&readiness, "/healthz").await, (StatusCode::OK, r#"{"status":"ok"}"#.to_owned()));
        assert_eq!(get(&readiness, "/healthz/").await, (StatusCode::OK, "ok".to_owned()));
        assert_eq!(get(&readiness, "/readyz").await.0, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(get(&readiness, "/api/").await.1, "the api");
    }

    #[tokio::test]
    async fn readiness_names_what_is_missing_and_then_what_has_failed() {
        let readiness = Arc::new(Readiness::new());
        readiness.expect(["app/web", "app/extension"]);
        readiness.published("app/web");
        let missing = r#"{"status":"starting","published":1,"missing":["app/extension"],"failed":[],"behind":[]}"#;
        assert_eq!(get(&readiness, "/readyz").await, (StatusCode::SERVICE_UNAVAILABLE, missing.to_owned()));

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
        assert_eq!(status, StatusCode::OK, "the last good state is served");
        assert!(body.ends_with(r#""behind":[{"component":"app/web","reason":"not reachable"}]}"#), "{body}");
        readiness.behind("app/web", None);
        assert!(get(&readiness, "/readyz").await.1.ends_with(r#""behind":[]}"#));
    }

    #[test]
    fn a_component_that_was_published_stays_so_and_a_failed_one_may_recover() {
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
    fn what_is_added_later_leaves_the_server_ready_and_what_is_removed_is_forgotten() {
        let readiness = Readiness::new();
        readiness.expect(["a", "b"]);
        readiness.published("a");
        readiness.failed("b", "not reachable");
        readiness.behind("a", Some("not reachable"));
        readiness.only(["b", "c"]);
        let report = readiness.report();
        assert_eq!((report.status, report.missing), ("ready", vec!["c".to_owned()]));
        assert_eq!((report.published, report.failed.len(), report.behind.len()), (0, 1, 0));
    }

    #[tokio::test]
    async fn a_configuration_that_is_refused_is_told_until_a_good_one_comes() {
        let readiness = Arc::new(Readiness::new());
        readiness.refused(Some("gitglot.toml:3: slug: two".to_owned()));
        assert!(get(&readiness, "/readyz").await.1.ends_with(r#","configuration":"gitglot.toml:3: slug: two"}"#));
        readiness.refused(None);
        assert!(!get(&readiness, "/readyz").await.1.contains("configuration"));
    }

    #[test]
    fn nothing_to_expect_is_ready_but_not_knowing_is_not() {
        let readiness = Readiness::new();
        assert!(!readiness.is_ready());
        readiness.expect(Vec::<String>::new());
        assert!(readiness.is_ready());
        assert_eq!(readiness.report().status, "ready");
    }

    #[tokio::test]
    async fn health_accepts_no_other_method() {
        let request = Request::builder().method(Method::POST).uri("/readyz".parse().unwrap()).finish();
        let api = poem::endpoint::make_sync(|_| "the api");
        let response = app(api, Arc::new(Readiness::new())).get_response(request).await;
        assert_eq!(response.status(), StatusCode::METHOD_NOT_ALLOWED);
        assert_eq!(response.header("allow"), Some("GET, HEAD"));
    }
}
