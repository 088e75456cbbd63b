//! Counts and times the requests to a store.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::object_store::{Creation, ObjectInfo, ObjectStore, StoreError};

const OPERATIONS: [&str; 5] = ["get", "create", "put", "list", "delete"];

/// The requests of a process to its store.
#[derive(Default, Debug)]
pub struct StoreCounters([Operation; OPERATIONS.len()]);

#[derive(Default, Debug)]
struct Operation {
    requests: AtomicU64,
    failures: AtomicU64,
    nanoseconds: AtomicU64,
}

/// The requests of one operation of a store.
#[derive(Clone, Copy, Debug)]
pub struct StoreRequests {
    /// The name of the operation.
    pub operation: &'static str,
    /// All requests.
    pub all: u64,
    /// Those that failed.
    pub failed: u64,
    /// The time of all requests, in seconds.
    pub seconds: f64,
}

impl StoreCounters {
    /// The requests of each operation.
    pub fn operations(&self) -> impl Iterator<Item = StoreRequests> + '_ {
        let counted = OPERATIONS.into_iter().zip(&self.0);
        counted.map(|(operation, counters)| StoreRequests {
            operation,
            all: counters.requests.load(Ordering::Relaxed),
            failed: counters.failures.load(Ordering::Relaxed),
            seconds: counters.nanoseconds.load(Ordering::Relaxed) as f64 / 1e9,
        })
    }
}

/// A store that counts its requests.
#[derive(Debug)]
pub struct MeteredStore {
    inner: Arc<dyn ObjectStore>,
    counters: Arc<StoreCounters>,
}

impl MeteredStore {
    /// Counts the requests to `inner`.
    pub fn new(inner: Arc<dyn ObjectStore>, counters: Arc<StoreCounters>) -> Self {
        Self { inner, counters }
    }

    fn measure<T>(
        &self,
        operation: usize,
        request: impl FnOnce(&dyn ObjectStore) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let result = request(&*self.inner);
        if let Some(it) = self.counters.0.get(operation) {
            let elapsed = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            it.requests.fetch_add(1, Ordering::Relaxed);
            it.nanoseconds.fetch_add(elapsed, Ordering::Relaxed);
            it.failures
                .fetch_add(u64::from(result.is_err()), Ordering::Relaxed);
        }
        result
    }
}

impl ObjectStore for MeteredStore {
    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.measure(0, |inner| inner.get(name, max))
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.measure(1, |inner| inner.create(name, content))
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.measure(2, |inner| inner.put(name, content))
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        self.measure(3, |inner| inner.list(folder))
    }

    fn list_after(&self, folder: &str, after: &str) -> Result<Vec<String>, StoreError> {
        self.measure(3, |inner| inner.list_after(folder, after))
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.measure(4, |inner| inner.delete(name))
    }
}
