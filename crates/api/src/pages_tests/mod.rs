//! Tests of pages through the API pipeline.

mod contents;
mod documents;
mod responses;

use std::sync::Arc;

use poem::Endpoint;

use crate::testing::{HOST, ask, get, over, serving, snapshot};
use crate::{AccessControl, LinkConfig};
use gitglot_catalog::Published;

fn site() -> impl Endpoint<Output = poem::Response> {
    serving(Some(snapshot()), LinkConfig::default())
}

async fn page(path: &str) -> String {
    let got = get(&site(), path).await;
    assert_eq!(
        (got.status, got.header("content-type")),
        (200, "text/html; charset=utf-8"),
        "{path}: {}",
        got.body
    );
    got.body
}

/// Status, content type and body of a binary response.
async fn bytes(
    site: &impl Endpoint<Output = poem::Response>,
    path: &str,
) -> (u16, String, Vec<u8>) {
    let request = poem::Request::builder()
        .uri(path.parse().unwrap())
        .header("host", HOST)
        .finish();
    let response = site.call(request).await.unwrap();
    let media = response.content_type().unwrap_or_default().to_owned();
    (
        response.status().as_u16(),
        media,
        response.into_body().into_vec().await.unwrap(),
    )
}

/// Pages of the test data, at least one of each kind.
const PAGES: &[&str] = &[
    "/",
    "/projects/",
    "/projects/hello/",
    "/projects/empty/",
    "/projects/hello/app/",
    "/projects/hello/app/cs/",
    "/projects/hello/web/xx/",
    "/translate/hello/app/cs/",
    "/translate/hello/app/cs/?type=todo&q=app",
    "/translate/hello/app/cs/?q=(",
    "/translate/hello/app/cs/?offset=1",
    "/translate/hello/web/de/?page=2",
    "/languages/",
    "/languages/cs/",
    "/languages/cs/empty/",
    "/languages/%C4%9B%C5%A1/hello/",
    "/engage/hello/",
    "/engage/hello/cs/",
    "/engage/empty/",
    "/changes/",
    "/changes/?project=hello&component=app&lang=cs&user=ada-example&action=5",
    "/widgets/hello/",
    "/stats/hello/",
    "/stats/hello/cs/",
    "/stats/empty/",
    "/stats/hello/?show=numbers",
    "/stats/hello/?show=map",
    "/stats/hello/?show=map&component=app",
    "/stats/hello/?show=people",
    "/health/hello/",
    "/health/empty/",
    "/projects/hello/?sort=-words&name=e",
    "/checks/",
    "/checks/end_stop/",
    "/checks/same/hello/",
    "/search/",
    "/search/?q=app&project=hello&lang=cs",
    "/search/?q=(",
    "/about/",
];
