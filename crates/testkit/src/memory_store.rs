//! A store in memory, for tests. It has faults on demand.

use std::collections::BTreeMap;
use std::fmt;
use std::time::SystemTime;

use parking_lot::{Mutex, MutexGuard};

use gitglot_store::{Creation, ObjectInfo, ObjectStore, StoreError};

/// The names that one call of [`ObjectStore::list_after`] returns.
const PAGE: usize = 3;

/// The faults of a store, none by default.
#[derive(Clone, Copy, Default, Debug)]
pub struct Faults {
    /// All operations fail without effect.
    pub failing: bool,
    /// Writes take effect but fail, as if the response were lost.
    pub losing_answers: bool,
    /// Writes are acknowledged without effect.
    pub dropping: bool,
    /// Objects are created even if they exist.
    pub overwriting: bool,
    /// Reads return half of an object.
    pub truncating: bool,
    /// Reads find nothing.
    pub hiding: bool,
    /// Reads find an object that is larger than allowed.
    pub inflating: bool,
}

/// A kind of operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreOperation {
    /// It reads an object or a list.
    Read,
    /// It creates, replaces or deletes an object.
    Write,
}

/// What happens before an operation on an object or folder.
type Interruption = Box<dyn FnMut(StoreOperation, &str) + Send>;

/// Objects in memory.
#[derive(Default)]
pub struct MemoryStore {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    faults: Mutex<Faults>,
    interruption: Mutex<Option<Interruption>>,
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("MemoryStore");
        shown.field("faults", &self.faults).finish_non_exhaustive()
    }
}

impl MemoryStore {
    /// Replaces the faults.
    pub fn set(&self, faults: Faults) {
        *self.faults.lock() = faults;
    }

    /// Calls a function before each operation, as if the operation were delayed while others go on. Operations of the
    /// function itself are not interrupted.
    pub fn interrupt(&self, interruption: Option<Interruption>) {
        *self.interruption.lock() = interruption;
    }

    fn objects(
        &self,
        operation: StoreOperation,
        name: &str,
    ) -> Result<MutexGuard<'_, BTreeMap<String, Vec<u8>>>, StoreError> {
        let interruption = self.interruption.lock().take();
        if let Some(mut interruption) = interruption {
            interruption(operation, name);
            self.interruption.lock().get_or_insert(interruption);
        }
        if self.faults.lock().failing {
            return Err(StoreError::Unavailable("it fails on demand".to_owned()));
        }
        Ok(self.objects.lock())
    }

    fn write(&self, name: &str, content: &[u8], only_new: bool) -> Result<Creation, StoreError> {
        let faults = *self.faults.lock();
        let mut objects = self.objects(StoreOperation::Write, name)?;
        let exists = only_new && !faults.overwriting && objects.contains_key(name);
        if !exists && !faults.dropping {
            objects.insert(name.to_owned(), content.to_vec());
        }
        match (faults.losing_answers, exists) {
            (true, _) => Err(StoreError::Unavailable("the response is lost".to_owned())),
            (_, true) => Ok(Creation::Exists),
            _ => Ok(Creation::Created),
        }
    }
}

impl ObjectStore for MemoryStore {
    fn get(&self, name: &str, max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let faults = *self.faults.lock();
        let found = self.objects(StoreOperation::Read, name)?.get(name).cloned();
        match found.filter(|_| !faults.hiding) {
            Some(content) if faults.inflating || content.len() as u64 > max => {
                Err(StoreError::too_large(name, max))
            }
            Some(content) if faults.truncating => Ok(Some(content[..content.len() / 2].to_vec())),
            found => Ok(found),
        }
    }

    fn create(&self, name: &str, content: &[u8]) -> Result<Creation, StoreError> {
        self.write(name, content, true)
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), StoreError> {
        self.write(name, content, false).map(drop)
    }

    fn list(&self, folder: &str) -> Result<Vec<ObjectInfo>, StoreError> {
        let folder = format!("{}/", folder.trim_end_matches('/'));
        let objects = self.objects(StoreOperation::Read, &folder)?;
        let found = objects.iter().filter(|(name, _)| name.starts_with(&folder));
        Ok(found
            .map(|(name, content)| ObjectInfo {
                name: name.clone(),
                size: content.len() as u64,
                modified: SystemTime::UNIX_EPOCH,
            })
            .collect())
    }

    fn list_after(&self, folder: &str, after: &str) -> Result<Vec<String>, StoreError> {
        let names = self.list(folder)?.into_iter().map(|object| object.name);
        Ok(names.filter(|name| &**name > after).take(PAGE).collect())
    }

    fn delete(&self, name: &str) -> Result<(), StoreError> {
        self.objects(StoreOperation::Write, name)?.remove(name);
        Ok(())
    }
}
