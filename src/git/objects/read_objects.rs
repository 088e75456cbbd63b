//! The ids of the objects that readers have read.

use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashSet;

/// The id of an object.
pub(crate) type Id = [u8; 20];

/// The ids of objects that readers have read.
#[derive(Default)]
pub(crate) struct ReadObjects(Mutex<FxHashSet<Id>>);

impl ReadObjects {
    pub(crate) fn add(&self, id: &Id) {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.insert(*id);
    }

    pub(crate) fn clear(&self) {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.clear();
    }

    pub(crate) fn ids(&self) -> FxHashSet<Id> {
        let ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.clone()
    }
}
