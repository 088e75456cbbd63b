//! Sends requests in process and follows the links in the responses.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use gitglot_api::{ApiState, FileError, FileSource, Hosts, LinkConfig, Streams};
use gitglot_catalog::Published;
use gitglot_follow::PublishedRepositories;
use gitglot_model::{BlobId, CommitId, ComponentId};
use poem::endpoint::BoxEndpoint;
use poem::{Endpoint, EndpointExt, Request, Response};
use tokio::runtime::Runtime;

use super::random::Chance;

const HOST: &str = "l10n.example.org";
/// A response that takes longer counts as a hang, even on a busy machine.
const LONGEST: Duration = Duration::from_secs(20);

/// Requests that do not depend on the data.
const PATHS: [&str; 32] = [
    "/api/",
    "/api/projects/",
    "/api/components/",
    "/api/components/garden/app/",
    "/api/components/garden/app/problems/",
    "/api/components/garden/app/statistics/",
    "/api/components/garden/app/repository/",
    "/api/components/garden/app/monolingual_base/",
    "/api/components/garden/app/new_template/",
    "/api/translations/",
    "/api/translations/garden/app/cs/units/",
    "/api/translations/garden/app/en/file/",
    "/api/translations/garden/app/cs/file/?format=po",
    "/api/translations/garden/app/cs/file/?format=xliff",
    "/api/translations/garden/app/cs/file/?format=csv",
    "/api/languages/",
    "/api/changes/",
    "/api/units/",
    "/api/units/?format=api",
    "/api/units/?format=csv",
    "/api/units/?q=a+OR+NOT+state:translated",
    "/api/changes/?format=csv",
    "/api/sources/",
    "/api/users/",
    "/",
    "/projects/garden/app/",
    "/changes/",
    "/checks/",
    "/search/?q=e",
    "/engage/garden/",
    "/exports/rss/",
    "/sitemap.xml",
];

/// The files of the published repositories.
struct Files(Arc<PublishedRepositories>);

impl FileSource for Files {
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        let read = self.0.blob(component, blob);
        read.map_err(|error| FileError::Unreadable(error.to_string()))
    }

    fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, FileError> {
        let read = self.0.at_path(component, commit, path);
        read.map_err(|error| FileError::Unreadable(error.to_string()))
    }
}

/// The published data as a service.
pub struct TestApi<'r> {
    runtime: &'r Runtime,
    endpoint: BoxEndpoint<'static, Response>,
    published: Arc<Published>,
}

impl<'r> TestApi<'r> {
    /// Serves the published state of these files.
    pub fn new(
        runtime: &'r Runtime,
        published: Arc<Published>,
        sources: Arc<PublishedRepositories>,
    ) -> Self {
        let state = ApiState {
            links: LinkConfig {
                hosts: Hosts::new([HOST.to_owned()], Vec::new()),
                base_url: None,
                site_url: None,
            },
            files: Arc::new(Files(sources)),
            cache_size: 1 << 20,
            streams: Streams::new(2),
            ..ApiState::new(published.clone())
        };
        Self {
            runtime,
            endpoint: gitglot_api::endpoint(state).boxed(),
            published,
        }
    }

    /// Sends requests: fixed ones and links from responses. Returns the longest time
    /// of a response.
    pub fn ask(&self, questions: usize, chance: &mut Chance) -> Duration {
        let mut waiting: VecDeque<(String, String)> = VecDeque::new();
        let mut known = BTreeSet::new();
        let mut slowest = Duration::ZERO;
        for nth in 0..questions {
            // Links of responses, alternating with fixed requests.
            let (path, named_by) = match waiting.len() {
                0 => (chance.of(&PATHS).to_owned(), None),
                _ if nth % 3 == 0 => (chance.of(&PATHS).to_owned(), None),
                len => waiting
                    .swap_remove_back(chance.below(len))
                    .map(|(path, by)| (path, Some(by)))
                    .unwrap(),
            };
            let begun = Instant::now();
            let (status, media, body) = self.get(&path);
            let took = begun.elapsed();
            assert!(took < LONGEST, "{path} took {took:?}");
            slowest = slowest.max(took);
            self.judge(&path, named_by.as_deref(), status, &media, &body);
            for link in links(&media, &body) {
                if known.insert(link.clone()) && waiting.len() < 500 {
                    waiting.push_back((link, path.clone()));
                }
            }
        }
        slowest
    }

    fn get(&self, path: &str) -> (u16, String, Vec<u8>) {
        let uri = path
            .parse()
            .unwrap_or_else(|error| panic!("{path:?} is no address: {error}"));
        let request = Request::builder().uri(uri).header("host", HOST).finish();
        self.runtime.block_on(async {
            let response = self
                .endpoint
                .call(request)
                .await
                .unwrap_or_else(|error| error.into_response());
            let media = response
                .header("content-type")
                .unwrap_or_default()
                .to_owned();
            let status = response.status().as_u16();
            (
                status,
                media,
                response.into_body().into_vec().await.unwrap(),
            )
        })
    }

    /// Only unreadable files and missing snapshots have status 503.
    fn judge(&self, path: &str, named_by: Option<&str>, status: u16, media: &str, body: &[u8]) {
        let start = String::from_utf8_lossy(&body[..body.len().min(300)]);
        let unread =
            self.published.load().is_none() || start.contains("cannot be read from the repository");
        assert!(
            status < 500 || (status == 503 && unread),
            "{path}: {status} {start}"
        );
        // As in 3.4, links repeat the request's format, which downloads may not know.
        let other_format = path.contains("/file") && path.contains("format=");
        if let Some(page) = named_by
            && !unread
            && !other_format
        {
            assert!(
                (200..400).contains(&status),
                "{path}, which {page} names: {status} {start}"
            );
        }
        let is_file = ["/file", "/monolingual_base", "/new_template"]
            .iter()
            .any(|it| path.contains(it));
        if path.starts_with("/api/") && media.starts_with("application/json") && !is_file {
            let read = serde_json::from_slice::<serde_json::Value>(body);
            assert!(read.is_ok(), "{path}: {read:?} {start}");
        }
    }
}

/// The links to this server in a response, without the host.
fn links(media: &str, body: &[u8]) -> Vec<String> {
    // The text before a link; its last byte is the first of the link.
    let starts: &[&str] = match media.split(';').next() {
        Some("application/json") => &["\"http://l10n.example.org/"],
        Some("text/html") => &["href=\"http://l10n.example.org/", "href=\"/", "src=\"/"],
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for start in starts {
        for at in memchr::memmem::find_iter(body, start) {
            let link = &body[at + start.len() - 1..];
            let end = memchr::memchr(b'"', link).unwrap_or(link.len());
            let link = String::from_utf8_lossy(&link[..end]);
            let link = link
                .replace("&#38;", "&")
                .replace("&amp;", "&")
                .replace("&#x26;", "&");
            let link = link.split('#').next().unwrap_or_default().to_owned();
            // The stream of events has no end.
            if !link.starts_with("/api/events") {
                found.push(link);
            }
        }
    }
    found
}
