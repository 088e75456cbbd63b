//! A store in memory, for tests. It can fail on demand.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use parking_lot::{Mutex, MutexGuard};

use super::{Creation, ObjectInfo, ObjectStore, StoreError};

/// Objects in memory.
#[derive(Default, Debug)]
pub struct MemoryStore {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    failing: AtomicBool,
    losing_answers: AtomicBool,
}

impl MemoryStore {
    /// Whether all operations fail without effect.
    pub fn set_failing(&self, failing: bool) {
        self.failing.store(failing, Ordering::SeqCst);
    }

    /// Whether writes take effect but fail, as if the response were lost.
    pub fn set_losing_answers(&self, losing: bool) {
        self.losing_answers.store(losing, Ordering::SeqCst);
    }

    fn objects(&self) -> Result<MutexGuard<'_, BTreeMap<String, Vec<u8>>>, StoreError> {
        if self.failing.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("it fails on demand".to_owned()));
        }
        Ok(self.objects.lock())
    }

    fn respond<T>(&self, result: T) -> Result<T, StoreError> {
        if self.losing_answers.load(Ordering::SeqCst) {
            return Err(StoreError::Unavailable("the response is lost".to_owned()));
        }
        Ok(result)
    }
}

impl ObjectStore for MemoryStore {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.objects()?.get(name).cloned())
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        let mut objects = self.objects()?;
        if objects.contains_key(name) {
            return self.respond(Creation::Exists);
        }
        objects.insert(name.to_owned(), content.to_vec());
        self.respond(Creation::Created)
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.objects()?.insert(name.to_owned(), content.to_vec());
        self.respond(())
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        let objects = self.objects()?;
        let found = objects.iter().filter(|(name, _)| name.starts_with(&folder));
        Ok(found
            .map(|(name, content)| ObjectInfo {
                name: name.clone(),
                size: content.len() as u64,
                modified: SystemTime::UNIX_EPOCH,
            })
            .collect())
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.objects()?.remove(name);
        self.respond(())
    }
}
