//! How long a page of 20 units takes, in process: from the request to the whole body.
//!
//! `cargo bench --bench api_page`

#[path = "common/site.rs"]
mod site;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use gitglot_api::{ApiState, Roots, endpoint, route_labels};
use gitglot_catalog::{Published, Snapshot};
use gitglot_metrics::HttpMetrics;
use poem::{Endpoint, Request, Response};

/// Strings in the template.
const STRINGS: u32 = 400;
/// Requests in one round.
const ROUND: u32 = 20_000;

fn snapshot() -> Result<Snapshot, Box<dyn std::error::Error>> {
    let codes = ["cs", "de", "en", "fr", "ru"].map(str::to_owned);
    site::site(STRINGS, &codes, |at, language| {
        let code = &codes[language as usize];
        format!("Klepněte pro zablokování všech oken na této stránce, {code} {at}")
    })
}

/// How long a request takes, and the size of its answer.
fn measure(runtime: &tokio::runtime::Runtime, api: &impl Endpoint<Output = Response>) {
    for path in [
        "/api/units/?page=5",
        "/api/units/",
        "/api/units/1/",
        "/api/translations/",
        "/api/components/",
    ] {
        let mut bytes = 0;
        let mut best = f64::MAX;
        for _ in 0..7 {
            let start = Instant::now();
            runtime.block_on(async {
                for _ in 0..ROUND {
                    let request = Request::builder()
                        .uri_str(path)
                        .header("host", "127.0.0.1:8000")
                        .finish();
                    let response = api.get_response(request).await;
                    bytes = black_box(response.into_body().into_vec().await)
                        .map_or(0, |body| body.len());
                }
            });
            best = best.min(start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUND));
        }
        println!("  {path:24} {bytes:6} bytes {best:8.2} µs");
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let published = Arc::new(Published::new());
    published.publish(snapshot()?);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let requests = Arc::new(HttpMetrics::new(route_labels(Roots::default())));
    let api = |cache_size, requests| {
        endpoint(ApiState {
            cache_size,
            requests,
            ..ApiState::new(published.clone())
        })
    };
    println!("not cached:");
    measure(&runtime, &api(0, None));
    println!("cached:");
    measure(&runtime, &api(64 << 20, None));
    println!("cached and counted:");
    measure(&runtime, &api(64 << 20, Some(requests)));
    Ok(())
}
