//! Number and duration of HTTP requests, by route.

use std::sync::OnceLock;
use std::time::Duration;

use poem::http::{Method, StatusCode};

use super::exposition::Exposition;
use crate::counters::Counters;

/// The values of the label `method`.
const METHODS: [&str; 5] = ["GET", "HEAD", "OPTIONS", "POST", "other"];
/// The values of the label `status`; 0 is any other status.
const STATUSES: [u16; 19] = [
    200, 301, 302, 303, 304, 400, 401, 403, 404, 405, 406, 413, 414, 429, 500, 502, 503, 504, 0,
];
/// Upper bounds of the duration buckets, in nanoseconds: 10 µs to 2.5 s.
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

/// Counters per route: requests by method and status, then by duration, then the sum of durations.
const STATUS_COUNTERS: usize = METHODS.len() * STATUSES.len();
const BUCKETS: usize = BOUNDS.len() + 1;
const WIDTH: usize = STATUS_COUNTERS + BUCKETS + 1;

/// The metrics of all requests.
#[derive(Debug)]
pub struct HttpMetrics(Vec<RouteMetrics>);

/// The metrics of the requests to a route.
#[derive(Debug)]
struct RouteMetrics {
    route: String,
    /// Allocated at the first request: most routes never get one, and counters take memory for each core.
    counters: OnceLock<Counters>,
}

impl HttpMetrics {
    /// Metrics of requests to these routes.
    pub fn new(routes: Vec<String>) -> Self {
        let of_route = |route| RouteMetrics {
            route,
            counters: OnceLock::new(),
        };
        Self(routes.into_iter().map(of_route).collect())
    }

    /// Counts a request to the route at that index.
    pub fn record(&self, route: usize, method: &Method, status: StatusCode, elapsed: Duration) {
        let Some(route) = self.0.get(route) else {
            return;
        };
        let counters = route.counters.get_or_init(|| Counters::new(WIDTH));
        let nanos = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.iter().position(|bound| nanos <= *bound);
        let bucket = bucket.unwrap_or(BOUNDS.len());
        let request = method_index(method) * STATUSES.len() + status_index(status);
        counters.add(request, 1);
        counters.add(STATUS_COUNTERS + bucket, 1);
        counters.add(STATUS_COUNTERS + BUCKETS, nanos);
    }

    /// Writes the metrics.
    pub fn expose(&self, page: &mut Exposition) {
        let family = page.counter("gitglot_http_requests_total", "HTTP requests.");
        for (route, counters) in self.routes() {
            for (method, &method_name) in METHODS.iter().enumerate() {
                for (index, status) in STATUSES.iter().enumerate() {
                    let count = counters.get(method * STATUSES.len() + index);
                    if count > 0 {
                        let status = match status {
                            0 => "other".to_owned(),
                            status => status.to_string(),
                        };
                        let method = ("method", method_name);
                        family.add(
                            &[("route", route), method, ("status", &status)],
                            count as f64,
                        );
                    }
                }
            }
        }
        let help = "Time from the end of the request headers until the response is ready.";
        let family = page.histogram("gitglot_http_request_duration_seconds", help);
        let bounds = BOUNDS.map(seconds);
        for (route, counters) in self.routes() {
            let counts = (0..BUCKETS).map(|bucket| counters.get(STATUS_COUNTERS + bucket));
            let counts: Vec<u64> = counts.collect();
            let sum = seconds(counters.get(STATUS_COUNTERS + BUCKETS));
            family.add_durations(&[("route", route)], &bounds, &counts, sum);
        }
    }

    /// The routes with requests.
    fn routes(&self) -> impl Iterator<Item = (&str, &Counters)> {
        let routes = self.0.iter();
        routes.filter_map(|route| Some((&*route.route, route.counters.get()?)))
    }
}

fn seconds(nanos: u64) -> f64 {
    nanos as f64 / 1e9
}

fn status_index(status: StatusCode) -> usize {
    let status = status.as_u16();
    let index = STATUSES.iter().position(|known| *known == status);
    index.unwrap_or(STATUSES.len() - 1)
}

fn method_index(method: &Method) -> usize {
    let index = METHODS.iter().position(|known| *known == method.as_str());
    index.unwrap_or(METHODS.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_method_and_status() {
        let requests = HttpMetrics::new(vec!["/a/:id/".to_owned(), "other".to_owned()]);
        for (route, status) in [
            (0, StatusCode::NOT_FOUND),
            (0, StatusCode::NOT_FOUND),
            (1, StatusCode::IM_A_TEAPOT),
        ] {
            requests.record(route, &Method::GET, status, Duration::from_micros(20));
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
