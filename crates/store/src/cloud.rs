//! Objects in S3, Google Cloud Storage and Azure Blob Storage, with the crate `object_store`. Credentials and endpoints
//! are the environment variables of that crate, which are those of each cloud.

use std::future::Future;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    ClientConfigKey, Error, GetResult, ObjectStore as _, ObjectStoreExt, PutMode, PutOptions,
    PutPayload, RetryConfig,
};
use tokio::runtime::Runtime;

use super::response_limit::{LimitedConnector, MAX_PAGE, limited};
use crate::object_store::{Creation, ObjectInfo, ObjectStore, StoreError};

/// Timeout of a request without content. A store that does not respond in this time counts as down.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The lowest speed of transfers, in bytes per second.
const MIN_SPEED: u64 = 1 << 20;
/// The longest time for a list of all objects, which has many pages.
const MAX_LIST_TIME: Duration = Duration::from_secs(110);
const MAX_LISTED: usize = 2_000_000;
/// The names that one call of [`ObjectStore::list_after`] returns. Stores send as many at once.
const PAGE: usize = 1_000;
/// The longest time for one object.
const MAX_TIME: &str = "15m";
const CONNECT_TIMEOUT: &str = "3s";
const RETRIES: usize = 2;
/// The longest description of an error, in characters.
const MAX_REASON: usize = 200;

/// A bucket or container.
#[derive(Debug)]
pub(super) struct CloudStore {
    inner: Box<dyn object_store::ObjectStore>,
    /// The first segments of all names.
    prefix: String,
    timeout: Duration,
    runtime: Runtime,
}

impl CloudStore {
    /// Opens the store at `SCHEME://BUCKET/PREFIX`.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let invalid = || StoreError::Address(address.to_owned());
        let (scheme, rest) = address.split_once("://").ok_or_else(invalid)?;
        let (_, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let (time, connect) = (ClientConfigKey::Timeout, ClientConfigKey::ConnectTimeout);
        let built: Result<Box<dyn object_store::ObjectStore>, Error> = match scheme {
            "s3" => return Self::s3(AmazonS3Builder::from_env().with_url(address), prefix),
            "gs" => GoogleCloudStorageBuilder::from_env()
                .with_url(address)
                .with_config(GoogleConfigKey::Client(time), MAX_TIME)
                .with_config(GoogleConfigKey::Client(connect), CONNECT_TIMEOUT)
                .with_http_connector(LimitedConnector)
                .with_retry(retries())
                .build()
                .map(|store| Box::new(store) as _),
            "az" => MicrosoftAzureBuilder::from_env()
                .with_url(address)
                .with_config(AzureConfigKey::Client(time), MAX_TIME)
                .with_config(AzureConfigKey::Client(connect), CONNECT_TIMEOUT)
                .with_http_connector(LimitedConnector)
                .with_retry(retries())
                .build()
                .map(|store| Box::new(store) as _),
            _ => return Err(invalid()),
        };
        Self::new(built.map_err(unavailable)?, prefix)
    }

    pub(super) fn s3(builder: AmazonS3Builder, prefix: &str) -> Result<Self, StoreError> {
        let (time, connect) = (ClientConfigKey::Timeout, ClientConfigKey::ConnectTimeout);
        let store = builder
            .with_config(AmazonS3ConfigKey::Client(time), MAX_TIME)
            .with_config(AmazonS3ConfigKey::Client(connect), CONNECT_TIMEOUT)
            .with_http_connector(LimitedConnector)
            .with_retry(retries())
            .build();
        Self::new(Box::new(store.map_err(unavailable)?), prefix)
    }

    fn new(inner: Box<dyn object_store::ObjectStore>, prefix: &str) -> Result<Self, StoreError> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self {
            inner,
            prefix: prefix.trim_matches('/').to_owned(),
            timeout: TIMEOUT,
            runtime,
        })
    }

    #[cfg(test)]
    pub(super) fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    fn path(&self, name: &str) -> Result<Path, StoreError> {
        Path::parse([&*self.prefix, name].join("/"))
            .map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Waits for a request whose response has at most `max` bytes.
    fn wait<T>(
        &self,
        time: Duration,
        max: u64,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, StoreError> {
        let request = limited(max, request);
        let timed = async { tokio::time::timeout(time, request).await };
        let result = self.runtime.handle().block_on(timed);
        result.map_err(|_| no_response(time))
    }

    /// Receives the content of an object. It may take a time that grows with the bytes that have arrived: the store can
    /// claim any length.
    async fn receive(&self, name: &str, found: GetResult, max: u64) -> Result<Vec<u8>, StoreError> {
        let (started, mut content) = (Instant::now(), Vec::new());
        let mut chunks = found.into_stream();
        loop {
            let time = self.timeout + Duration::from_secs(content.len() as u64 / MIN_SPEED);
            let left = time.saturating_sub(started.elapsed());
            let next = tokio::time::timeout(left, chunks.try_next());
            let next = next.await.map_err(|_| no_response(time))?;
            let Some(chunk) = next.map_err(unavailable)? else {
                return Ok(content);
            };
            if (content.len() + chunk.len()) as u64 > max {
                return Err(StoreError::too_large(name, max));
            }
            content.extend_from_slice(&chunk);
        }
    }

    /// The name of an object in this store.
    fn name(&self, location: &Path) -> String {
        let skip = match &*self.prefix {
            "" => 0,
            prefix => prefix.len() + 1,
        };
        location.as_ref().get(skip..).unwrap_or("").to_owned()
    }

    fn write(&self, name: &str, content: &[u8], mode: PutMode) -> Result<Creation, StoreError> {
        let (path, payload) = (self.path(name)?, PutPayload::from(content.to_vec()));
        let put = self.inner.put_opts(&path, payload, PutOptions::from(mode));
        let time = self.timeout + Duration::from_secs(content.len() as u64 / MIN_SPEED);
        match self.wait(time, MAX_PAGE, put)? {
            Ok(_) => Ok(Creation::Created),
            Err(Error::AlreadyExists { .. }) => Ok(Creation::Exists),
            Err(error) => Err(unavailable(error)),
        }
    }
}

impl ObjectStore for CloudStore {
    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name)?;
        let found = match self.wait(self.timeout, max, self.inner.get(&path))? {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        if found.meta.size > max {
            return Err(StoreError::too_large(name, max));
        }
        let content = limited(max, self.receive(name, found, max));
        self.runtime.handle().block_on(content).map(Some)
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.write(name, content, PutMode::Create)
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.write(name, content, PutMode::Overwrite).map(drop)
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        let path = self.path(folder.trim_end_matches('/'))?;
        let objects = self.inner.list(Some(&path)).map_ok(|meta| ObjectInfo {
            name: self.name(&meta.location),
            size: meta.size,
            modified: meta.last_modified.into(),
        });
        let objects = objects.take(MAX_LISTED + 1).try_collect::<Vec<_>>();
        let listed = self.wait(MAX_LIST_TIME, MAX_PAGE, objects)?;
        let mut listed = listed.map_err(unavailable)?;
        if listed.len() > MAX_LISTED {
            let reason = format!("{folder} has more than {MAX_LISTED} objects");
            return Err(StoreError::Unavailable(reason));
        }
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed)
    }

    fn list_after(&self, folder: &str, after: &str) -> Result<Vec<String>, StoreError> {
        let (path, offset) = (self.path(folder)?, self.path(after)?);
        let objects = self.inner.list_with_offset(Some(&path), &offset);
        let names = objects.map_ok(|meta| self.name(&meta.location));
        let names = names.take(PAGE).try_collect::<Vec<_>>();
        let listed = self.wait(self.timeout, MAX_PAGE, names)?;
        let mut listed = listed.map_err(unavailable)?;
        let is_page = listed.len() == PAGE;
        listed.retain(|name| &**name > after);
        if is_page && listed.is_empty() {
            let reason = format!("its list of {folder} does not begin after {after}");
            return Err(StoreError::Unavailable(reason));
        }
        listed.sort();
        Ok(listed)
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        let path = self.path(name)?;
        match self.wait(self.timeout, MAX_PAGE, self.inner.delete(&path))? {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }
}

/// Few retries: a follower tries again.
fn retries() -> RetryConfig {
    RetryConfig {
        max_retries: RETRIES,
        retry_timeout: TIMEOUT,
        ..RetryConfig::default()
    }
}

fn no_response(time: Duration) -> StoreError {
    StoreError::Unavailable(format!("no response within {} s", time.as_secs()))
}

/// Describes an error with its innermost cause, on one line. The outer ones repeat the request and its settings.
fn unavailable(error: Error) -> StoreError {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    let text: Vec<&str> = text.split_whitespace().collect();
    StoreError::Unavailable(text.join(" ").chars().take(MAX_REASON).collect())
}
