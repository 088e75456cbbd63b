//! Objects in S3, Google Cloud Storage and Azure Blob Storage, with the crate `object_store`. Credentials and endpoints
//! are the environment variables of that crate, which are those of each cloud.

use std::future::Future;
use std::time::Duration;

use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::path::Path;
use object_store::{
    ClientConfigKey, Error, ObjectStore as _, ObjectStoreExt, PutMode, PutOptions, PutPayload,
    RetryConfig,
};
use tokio::runtime::Runtime;

use super::{Creation, ObjectInfo, ObjectStore, StoreError};

/// Timeout of a request without content. A store that does not respond in this time counts as down.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The lowest speed of transfers, in bytes per second.
const MIN_SPEED: usize = 1 << 20;
/// The longest time for one object.
const MAX_TIME: &str = "15m";
const CONNECT_TIMEOUT: &str = "3s";
const RETRIES: usize = 2;

/// A bucket or container.
#[derive(Debug)]
pub(super) struct CloudStore {
    inner: Box<dyn object_store::ObjectStore>,
    /// The first segments of all names.
    prefix: String,
    runtime: Runtime,
}

impl CloudStore {
    /// Opens the store at `SCHEME://BUCKET/PREFIX`.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let invalid = || StoreError::Address(address.to_owned());
        let (scheme, rest) = address.split_once("://").ok_or_else(invalid)?;
        let (_, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let retry = RetryConfig {
            max_retries: RETRIES,
            retry_timeout: TIMEOUT,
            ..RetryConfig::default()
        };
        let (time, connect) = (ClientConfigKey::Timeout, ClientConfigKey::ConnectTimeout);
        let built: Result<Box<dyn object_store::ObjectStore>, Error> = match scheme {
            "s3" => AmazonS3Builder::from_env()
                .with_url(address)
                .with_config(AmazonS3ConfigKey::Client(time), MAX_TIME)
                .with_config(AmazonS3ConfigKey::Client(connect), CONNECT_TIMEOUT)
                .with_retry(retry)
                .build()
                .map(|store| Box::new(store) as _),
            "gs" => GoogleCloudStorageBuilder::from_env()
                .with_url(address)
                .with_config(GoogleConfigKey::Client(time), MAX_TIME)
                .with_config(GoogleConfigKey::Client(connect), CONNECT_TIMEOUT)
                .with_retry(retry)
                .build()
                .map(|store| Box::new(store) as _),
            "az" => MicrosoftAzureBuilder::from_env()
                .with_url(address)
                .with_config(AzureConfigKey::Client(time), MAX_TIME)
                .with_config(AzureConfigKey::Client(connect), CONNECT_TIMEOUT)
                .with_retry(retry)
                .build()
                .map(|store| Box::new(store) as _),
            _ => return Err(invalid()),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self {
            inner: built.map_err(unavailable)?,
            prefix: prefix.trim_matches('/').to_owned(),
            runtime,
        })
    }

    fn path(&self, name: &str) -> Result<Path, StoreError> {
        Path::parse([&*self.prefix, name].join("/"))
            .map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Waits for a request that transfers `bytes`.
    fn wait<T>(
        &self,
        bytes: usize,
        request: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, StoreError> {
        let time = TIMEOUT + Duration::from_secs((bytes / MIN_SPEED) as u64);
        let result = self
            .runtime
            .handle()
            .block_on(async { tokio::time::timeout(time, request).await });
        result.map_err(|_| {
            StoreError::Unavailable(format!("no response within {} s", time.as_secs()))
        })
    }

    fn write(&self, name: &str, content: &[u8], mode: PutMode) -> Result<Creation, StoreError> {
        let (path, payload) = (self.path(name)?, PutPayload::from(content.to_vec()));
        let put = self.inner.put_opts(&path, payload, PutOptions::from(mode));
        match self.wait(content.len(), put)? {
            Ok(_) => Ok(Creation::Created),
            Err(Error::AlreadyExists { .. }) => Ok(Creation::Exists),
            Err(error) => Err(unavailable(error)),
        }
    }
}

impl ObjectStore for CloudStore {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(name)?;
        let found = match self.wait(0, self.inner.get(&path))? {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let size = usize::try_from(found.meta.size).unwrap_or(usize::MAX);
        let bytes = self.wait(size, found.bytes())?.map_err(unavailable)?;
        Ok(Some(bytes.to_vec()))
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.write(name, content, PutMode::Create)
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.write(name, content, PutMode::Overwrite).map(drop)
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        let path = self.path(folder.trim_end_matches('/'))?;
        let skip = if self.prefix.is_empty() {
            0
        } else {
            self.prefix.len() + 1
        };
        let objects = self.inner.list(Some(&path)).map_ok(|meta| ObjectInfo {
            name: meta.location.as_ref().get(skip..).unwrap_or("").to_owned(),
            size: meta.size,
            modified: meta.last_modified.into(),
        });
        // A list has many pages.
        let listed = self.wait(100 * MIN_SPEED, objects.try_collect::<Vec<_>>())?;
        let mut listed = listed.map_err(unavailable)?;
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(listed)
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        let path = self.path(name)?;
        match self.wait(0, self.inner.delete(&path))? {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }
}

/// Describes an error with its causes, on one line.
fn unavailable(error: Error) -> StoreError {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(inner) = cause {
        let more = inner.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = inner.source();
    }
    let text: Vec<&str> = text.split_whitespace().collect();
    StoreError::Unavailable(text.join(" ").chars().take(300).collect())
}
