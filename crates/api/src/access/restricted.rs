//! The snapshots that readers with restricted access see. Each is built when it is requested, once for all who may read
//! the same projects.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::visible_projects::VisibleProjects;
use crate::response::error::ApiError;
use gitglot_catalog::{Snapshot, restricted};

/// The most snapshots that are stored; the one that was not requested for the longest time is dropped first.
const MAX_SNAPSHOTS: usize = 1_000;
/// An outdated snapshot that nobody requested for this time is dropped, so that it keeps no old data in memory.
const IDLE: Duration = Duration::from_secs(300);

#[derive(Default, Debug)]
pub(super) struct RestrictedSnapshots {
    /// The newest generation that was requested.
    generation: AtomicU64,
    slots: Mutex<HashMap<VisibleProjects, Slot>>,
}

/// Built by one request at a time.
#[derive(Debug)]
struct Slot {
    used: Instant,
    snapshot: Arc<tokio::sync::Mutex<Option<Arc<Snapshot>>>>,
}

impl RestrictedSnapshots {
    /// The part of a snapshot, or of a newer one, that contains these projects.
    ///
    /// # Errors
    /// [`ApiError::Unreadable`] when the server stops.
    pub async fn part(
        &self,
        all: Arc<Snapshot>,
        projects: VisibleProjects,
    ) -> Result<Arc<Snapshot>, ApiError> {
        self.drop_idle(all.generation());
        let slot = self.slot(&projects);
        let mut known = slot.lock().await;
        let version = |of: &Snapshot| (of.generation(), of.failures_revision());
        let before = match &*known {
            Some(found) if version(found) >= version(&all) => return Ok(found.clone()),
            older => older.clone(),
        };
        let build = move || {
            let is_visible = |slug: &_| projects.contains(slug);
            restricted(&all, projects.number(), is_visible, before.as_deref())
        };
        let built = tokio::task::spawn_blocking(build).await;
        let built = built.map(Arc::new).map_err(|_| ApiError::Unreadable)?;
        *known = Some(built.clone());
        Ok(built)
    }

    /// Drops outdated snapshots that nobody requested for some time, once for each new generation. Requests of all
    /// readers call it, because those who need these snapshots may never return.
    pub fn drop_idle(&self, generation: u64) {
        if self.generation.load(Ordering::Relaxed) < generation {
            self.generation.store(generation, Ordering::Relaxed);
            let now = Instant::now();
            let mut slots = self.slots.lock();
            slots.retain(|_, slot| now.duration_since(slot.used) < IDLE);
        }
    }

    fn slot(&self, projects: &VisibleProjects) -> Arc<tokio::sync::Mutex<Option<Arc<Snapshot>>>> {
        let mut slots = self.slots.lock();
        let now = Instant::now();
        if slots.len() >= MAX_SNAPSHOTS && !slots.contains_key(projects) {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used);
            if let Some(oldest) = oldest.map(|(projects, _)| projects.clone()) {
                slots.remove(&oldest);
            }
        }
        let slot = slots.entry(projects.clone()).or_insert_with(|| Slot {
            used: now,
            snapshot: Arc::default(),
        });
        slot.used = now;
        slot.snapshot.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::two_tenants;

    #[tokio::test]
    async fn requests_of_other_readers_drop_snapshots_that_nobody_reads() {
        let published = gitglot_catalog::Published::new();
        let publish = || {
            published.publish(two_tenants());
            published.load().unwrap()
        };
        let snapshots = RestrictedSnapshots::default();
        let hello = VisibleProjects::new(["hello"]);
        snapshots.part(publish(), hello.clone()).await.unwrap();
        snapshots.drop_idle(publish().generation());
        assert_eq!(snapshots.slots.lock().len(), 1, "it was just read");
        let before = Instant::now().checked_sub(IDLE);
        if let (Some(slot), Some(before)) = (snapshots.slots.lock().get_mut(&hello), before) {
            slot.used = before;
        }
        let snapshot = publish();
        snapshots.drop_idle(snapshot.generation());
        assert_eq!(snapshots.slots.lock().len(), usize::from(before.is_none()));
    }
}
