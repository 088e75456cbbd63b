//! The snapshots that readers with restricted access see. Each is built when it is requested, once for all who may read
//! the same projects.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::visible_projects::VisibleProjects;
use crate::response::error::ApiError;
use gitglot_catalog::Snapshot;

/// The most snapshots that are stored; the one that was not requested for the longest time is dropped first.
const MAX_SNAPSHOTS: usize = 1_000;
/// An outdated snapshot that nobody requested for this time is dropped, so that it keeps no old data in memory.
const IDLE: Duration = Duration::from_secs(300);

/// The restricted snapshots, by what they contain.
#[derive(Default, Debug)]
pub(super) struct RestrictedSnapshots(Mutex<Stored>);

#[derive(Default, Debug)]
struct Stored {
    generation: u64,
    slots: HashMap<VisibleProjects, Slot>,
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
        let slot = self.slot(all.generation(), &projects);
        let mut known = slot.lock().await;
        let version = |of: &Snapshot| (of.generation(), of.failures_revision());
        let before = match &*known {
            Some(found) if version(found) >= version(&all) => return Ok(found.clone()),
            older => older.clone(),
        };
        let build = move || {
            let is_visible = |slug: &_| projects.contains(slug);
            all.restricted(projects.number(), is_visible, before.as_deref())
        };
        let built = tokio::task::spawn_blocking(build).await;
        let built = built.map(Arc::new).map_err(|_| ApiError::Unreadable)?;
        *known = Some(built.clone());
        Ok(built)
    }

    fn slot(
        &self,
        generation: u64,
        projects: &VisibleProjects,
    ) -> Arc<tokio::sync::Mutex<Option<Arc<Snapshot>>>> {
        let mut stored = self.0.lock();
        let now = Instant::now();
        if stored.generation != generation {
            stored.generation = generation;
            stored.slots.retain(|_, slot| now - slot.used < IDLE);
        }
        if stored.slots.len() >= MAX_SNAPSHOTS && !stored.slots.contains_key(projects) {
            let slots = stored.slots.iter();
            let oldest = slots.min_by_key(|(_, slot)| slot.used);
            if let Some(oldest) = oldest.map(|(projects, _)| projects.clone()) {
                stored.slots.remove(&oldest);
            }
        }
        let slot = stored
            .slots
            .entry(projects.clone())
            .or_insert_with(|| Slot {
                used: now,
                snapshot: Arc::default(),
            });
        slot.used = now;
        slot.snapshot.clone()
    }
}
