//! How many requests were answered, with what, and how long that took: by route, not by address.

use std::sync::Arc;
use std::time::{Duration, Instant};

use poem::http::{Method, StatusCode};
use poem::{Endpoint, IntoResponse, Request, Response, Result};

use super::Counts;
use super::exposition::{Exposition, Histogram};

/// The methods that are told apart.
const METHODS: [&str; 5] = ["GET", "HEAD", "OPTIONS", "POST", "other"];
/// The statuses that are told apart; 0 stands for all others.
const STATUSES: [u16; 19] =
    [200, 301, 302, 303, 304, 400, 401, 403, 404, 405, 406, 413, 414, 429, 500, 502, 503, 504, 0];
/// Upper bounds of the times that are told apart, in nanoseconds: 10 µs to 2.5 s.
const BOUNDS: [u64; 12] = [
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    1_000_000,
    2_500_000,
    10_000_000,
    50_000_000,
    100_000_000,
    500_000_000,
    2_500_000_000,
];

/// Numbers for each route: by method and status, then by time, then the sum of times.
const ANSWERS: usize = METHODS.len() * STATUSES.len();
const TIMES: usize = BOUNDS.len() + 1;
const WIDTH: usize = ANSWERS + TIMES + 1;

/// What was answered so far.
#[derive(Debug)]
pub struct Requests {
    routes: Vec<String>,
    counts: Counts,
}

impl Requests {
    /// Requests to these routes; they are named by place.
    pub fn new(routes: Vec<String>) -> Self {
        let counts = Counts::new(routes.len() * WIDTH);
        Self { routes, counts }
    }

    /// Counts one answer.
    pub fn record(&self, route: usize, method: usize, status: StatusCode, took: Duration) {
        let first = route * WIDTH;
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let time = BOUNDS.iter().position(|bound| nanos <= *bound).unwrap_or(BOUNDS.len());
        self.counts.add(first + method * STATUSES.len() + status_place(status), 1);
        self.counts.add(first + ANSWERS + time, 1);
        self.counts.add(first + ANSWERS + TIMES, nanos);
    }

    /// Writes what was counted.
    pub fn expose(&self, page: &mut Exposition) {
        let mut family = page.counter("gitglot_http_requests_total", "Requests that were answered.");
        for (first, route) in self.each() {
            for (method, method_name) in METHODS.iter().enumerate() {
                for (place, status) in STATUSES.iter().enumerate() {
                    let count = self.counts.get(first + method * STATUSES.len() + place);
                    if count > 0 {
                        let status = if *status == 0 { "other".to_owned() } else { status.to_string() };
                        family.add(&[("route", route), ("method", method_name), ("status", &status)], count as f64);
                    }
                }
            }
        }
        let help = "Time from the complete head of a request until its answer was ready to be sent.";
        let mut family = page.histogram("gitglot_http_request_duration_seconds", help);
        for (first, route) in self.each() {
            let counts: Vec<u64> = (0..TIMES).map(|time| self.counts.get(first + ANSWERS + time)).collect();
            if counts.iter().all(|count| *count == 0) {
                continue;
            }
            let sum = seconds(self.counts.get(first + ANSWERS + TIMES));
            let bounds: Vec<f64> = BOUNDS.iter().map(|bound| seconds(*bound)).collect();
            family.add_times(&[("route", route)], &Histogram { bounds: &bounds, counts: &counts, sum });
        }
    }

    /// The first number of each route, and its name.
    fn each(&self) -> impl Iterator<Item = (usize, &str)> {
        self.routes.iter().enumerate().map(|(at, route)| (at * WIDTH, &**route))
    }
}

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

fn status_place(status: StatusCode) -> usize {
    let status = status.as_u16();
    STATUSES.iter().position(|known| *known == status).unwrap_or(STATUSES.len() - 1)
}

fn method_place(method: &Method) -> usize {
    match *method {
        Method::GET => 0,
        Method::HEAD => 1,
        Method::OPTIONS => 2,
        Method::POST => 3,
        _ => 4,
    }
}

/// An endpoint whose answers are counted.
pub struct Counted<E> {
    inner: E,
    requests: Arc<Requests>,
    /// The place of a path's route.
    route: fn(&str) -> usize,
}

impl<E> Counted<E> {
    /// Counts what `inner` answers; `route` finds the route of a path.
    pub fn new(inner: E, requests: Arc<Requests>, route: fn(&str) -> usize) -> Self {
        Self { inner, requests, route }
    }
}

impl<E: Endpoint> Endpoint for Counted<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let begun = Instant::now();
        let (route, method) = ((self.route)(request.uri().path()), method_place(request.method()));
        let answered = self.inner.call(request).await.map(IntoResponse::into_response);
        let status = answered.as_ref().map_or_else(poem::Error::status, Response::status);
        self.requests.record(route, method, status, begun.elapsed());
        answered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn answers_are_counted_by_route_method_and_status() {
        let requests = Arc::new(Requests::new(vec!["/a/:id/".to_owned(), "other".to_owned()]));
        let inner = poem::endpoint::make_sync(|request: Request| match request.uri().path() {
            "/a/9/" => StatusCode::NOT_FOUND,
            _ => StatusCode::IM_A_TEAPOT,
        });
        let counted = Counted::new(inner, requests.clone(), |path| usize::from(!path.starts_with("/a/")));
        for path in ["/a/9/", "/a/9/", "/b/"] {
            counted.get_response(Request::builder().uri_str(path).finish()).await;
        }
        let mut page = Exposition::default();
        requests.expose(&mut page);
        let text = page.text();
        for line in [
            r#"gitglot_http_requests_total{route="/a/:id/",method="GET",status="404"} 2"#,
            r#"gitglot_http_requests_total{route="other",method="GET",status="other"} 1"#,
            r#"gitglot_http_request_duration_seconds_bucket{route="/a/:id/",le="+Inf"} 2"#,
            r#"gitglot_http_request_duration_seconds_count{route="other"} 1"#,
        ] {
            assert!(text.lines().any(|own| own == line), "{line}\n{text}");
        }
    }
}
