//! A client that asks for a small snapshot in process.

use std::sync::Arc;

use hyper::body::Bytes;
use poem::{Endpoint, Request, Response};

use crate::{AccessControl, ApiState, FileError, FileSource, LinkConfig, Streams, endpoint};
use gitglot_catalog::{Published, Snapshot};
use gitglot_model::{BlobId, CommitId, ComponentId};

#[path = "../../../catalog/src/test_snapshot.rs"]
mod test_snapshot;

pub(crate) use test_snapshot::*;

/// Where the test server seems to be.
pub(crate) const HOST: &str = "l10n.example.org";

/// Files whose content is their name.
struct Named;

impl FileSource for Named {
    fn blob(&self, _: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        Ok(format!("\"{blob}\"").into_bytes())
    }

    fn at_path(&self, _: ComponentId, _: CommitId, path: &str) -> Result<Vec<u8>, FileError> {
        Ok(format!("\"{path}\"").into_bytes())
    }
}

/// The API over a snapshot.
pub(crate) fn serving(
    snapshot: Option<Snapshot>,
    links: LinkConfig,
) -> impl Endpoint<Output = Response> {
    guarded(snapshot, links, AccessControl::default())
}

/// The API over a snapshot, with access control.
pub(crate) fn guarded(
    snapshot: Option<Snapshot>,
    links: LinkConfig,
    access: AccessControl,
) -> impl Endpoint<Output = Response> {
    let published = Arc::new(Published::new());
    if let Some(snapshot) = snapshot {
        published.publish(snapshot);
    }
    over(published, links, access)
}

/// The API over the published snapshot.
pub(crate) fn over(
    published: Arc<Published>,
    links: LinkConfig,
    access: AccessControl,
) -> impl Endpoint<Output = Response> {
    reading(Arc::new(Named), published, links, access)
}

/// The same with files from elsewhere.
pub(crate) fn reading(
    files: Arc<dyn FileSource>,
    published: Arc<Published>,
    links: LinkConfig,
    access: AccessControl,
) -> impl Endpoint<Output = Response> {
    endpoint(ApiState {
        links,
        access,
        files,
        title: "Test".into(),
        cache_size: 1 << 20,
        streams: Streams::new(2),
        ..ApiState::new(published)
    })
}

/// A parsed response.
pub(crate) struct Got {
    pub(crate) status: u16,
    pub(crate) headers: poem::http::HeaderMap,
    pub(crate) body: String,
    pub(crate) bytes: Bytes,
}

impl Got {
    pub(crate) async fn of(mut response: Response) -> Self {
        let bytes = response.take_body().into_bytes().await.unwrap();
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            // Tests of pictures and Parquet use the bytes.
            body: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
        }
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Asks for a path with a method and further headers.
pub(crate) async fn ask(
    api: &impl Endpoint,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
) -> Got {
    let mut request = Request::builder()
        .method(method.parse().unwrap())
        .uri_str(path)
        .header("host", HOST);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Got::of(api.get_response(request.finish()).await).await
}

/// Asks for a path.
pub(crate) async fn get(api: &impl Endpoint, path: &str) -> Got {
    ask(api, "GET", path, &[]).await
}

/// The ids of the entries that a list has on all its pages.
pub(crate) async fn ids(api: &impl Endpoint, path: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut next = Some(format!("http://{HOST}{path}"));
    while let Some(url) = next {
        let got = get(api, url.strip_prefix(&format!("http://{HOST}")).unwrap()).await;
        assert_eq!(got.status, 200, "{url}: {}", got.body);
        let page = got.json();
        found.extend(
            page["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|entry| entry["id"].as_u64().unwrap()),
        );
        assert!(page["count"].as_u64().unwrap() >= found.len() as u64);
        next = page["next"].as_str().map(str::to_owned);
    }
    found
}
