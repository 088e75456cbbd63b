//! The progress of a clone or fetch, for progress bars and for stall detection.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gix::Count;
use gix::progress::{Id, MessageLevel, Step, StepShared, Unit};

/// The phase of a clone or fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FetchPhase {
    /// The server lists branches and prepares the pack.
    Asking,
    /// The server sends objects.
    Receiving,
    /// gitglot resolves deltas.
    Resolving,
}

/// The progress of a clone or fetch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FetchProgress {
    /// The current phase.
    pub phase: FetchPhase,
    /// Objects processed in this phase.
    pub objects: u64,
    /// All objects of this phase, once known.
    pub total: Option<u64>,
    /// Bytes received.
    pub bytes: u64,
}

/// Observes a clone or fetch. `()` observes nothing.
pub trait Watch {
    /// Receives the progress about ten times a second, and at the end.
    fn progress(&mut self, progress: &FetchProgress) {
        let _ = progress;
    }

    /// Whether to abort; polled as often.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}

const RECEIVED_BYTES: Id = *b"BWRB";
const RECEIVED_OBJECTS: Id = *b"IWIO";
const RESOLVED_OBJECTS: Id = *b"IWRO";

/// The progress counters that gix updates during a fetch. gix's own tree (`gix::progress::tree`) removes a counter when its
/// task ends, between two polls, so that the final numbers would be lost.
#[derive(Clone, Default)]
pub(crate) struct ProgressTree {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    counters: Mutex<Vec<Counter>>,
    /// Number of other events.
    notes: AtomicUsize,
}

struct Counter {
    id: Id,
    steps: StepShared,
    max: Option<Step>,
}

impl ProgressTree {
    /// The root counter to pass to gix.
    pub(crate) fn root(&self) -> ProgressNode {
        self.node(String::new(), gix::progress::UNKNOWN)
    }

    fn node(&self, name: String, id: Id) -> ProgressNode {
        let steps = StepShared::default();
        let mut counters = self
            .shared
            .counters
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let at = counters.len();
        counters.push(Counter {
            id,
            steps: Arc::clone(&steps),
            max: None,
        });
        ProgressNode {
            tree: self.clone(),
            at,
            name,
            id,
            steps,
        }
    }

    /// The progress, and a number that changes when anything moves.
    pub(crate) fn poll(&self) -> (FetchProgress, usize) {
        let counters = self
            .shared
            .counters
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut progress = FetchProgress {
            phase: FetchPhase::Asking,
            objects: 0,
            total: None,
            bytes: 0,
        };
        let mut pulse = self
            .shared
            .notes
            .load(Ordering::Relaxed)
            .wrapping_add(counters.len());
        for counter in counters.iter() {
            let steps = counter.steps.load(Ordering::Relaxed);
            pulse = pulse.wrapping_add(steps);
            let number = u64::try_from(steps).unwrap_or(u64::MAX);
            let phase = match counter.id {
                RECEIVED_BYTES => {
                    progress.bytes = number;
                    continue;
                }
                RECEIVED_OBJECTS => FetchPhase::Receiving,
                RESOLVED_OBJECTS => FetchPhase::Resolving,
                _ => continue,
            };
            let total = counter.max.and_then(|max| u64::try_from(max).ok());
            progress = FetchProgress {
                phase,
                objects: number,
                total,
                ..progress
            };
        }
        (progress, pulse)
    }
}

/// One counter of gix's progress tree.
pub(crate) struct ProgressNode {
    tree: ProgressTree,
    at: usize,
    name: String,
    id: Id,
    steps: StepShared,
}

impl ProgressNode {
    fn note(&self) {
        self.tree.shared.notes.fetch_add(1, Ordering::Relaxed);
    }

    fn limit(&self, max: Option<Step>) -> Option<Step> {
        let mut counters = self
            .tree
            .shared
            .counters
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        counters
            .get_mut(self.at)
            .and_then(|counter| std::mem::replace(&mut counter.max, max))
    }
}

impl Count for ProgressNode {
    fn set(&self, step: Step) {
        self.steps.store(step, Ordering::Relaxed);
        self.note();
    }

    fn step(&self) -> Step {
        self.steps.load(Ordering::Relaxed)
    }

    fn inc_by(&self, step: Step) {
        self.steps.fetch_add(step, Ordering::Relaxed);
    }

    fn counter(&self) -> StepShared {
        Arc::clone(&self.steps)
    }
}

impl gix::Progress for ProgressNode {
    fn init(&mut self, max: Option<Step>, _unit: Option<Unit>) {
        self.limit(max);
        self.note();
    }

    fn set_max(&mut self, max: Option<Step>) -> Option<Step> {
        self.limit(max)
    }

    fn set_name(&mut self, name: String) {
        self.name = name;
        self.note();
    }

    fn name(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn id(&self) -> Id {
        self.id
    }

    fn message(&self, _level: MessageLevel, _message: String) {
        self.note();
    }
}

impl gix::NestedProgress for ProgressNode {
    type SubProgress = ProgressNode;

    fn add_child(&mut self, name: impl Into<String>) -> ProgressNode {
        self.tree.node(name.into(), gix::progress::UNKNOWN)
    }

    fn add_child_with_id(&mut self, name: impl Into<String>, id: Id) -> ProgressNode {
        self.tree.node(name.into(), id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::{NestedProgress, Progress as _};

    #[test]
    fn counters_of_gix_become_phases_objects_and_bytes() {
        let tree = ProgressTree::default();
        let mut root = tree.root();
        assert_eq!(tree.poll().0.phase, FetchPhase::Asking);
        let bytes = root.add_child_with_id("read pack", RECEIVED_BYTES);
        bytes.counter().fetch_add(4096, Ordering::Relaxed);
        let mut objects = root.add_child_with_id("indexing", RECEIVED_OBJECTS);
        objects.init(Some(10), None);
        objects.inc_by(4);
        let expected = FetchProgress {
            phase: FetchPhase::Receiving,
            objects: 4,
            total: Some(10),
            bytes: 4096,
        };
        assert_eq!(tree.poll().0, expected);
        let resolved = root.add_child_with_id("Resolving", RESOLVED_OBJECTS);
        resolved.inc();
        let expected = FetchProgress {
            phase: FetchPhase::Resolving,
            objects: 1,
            total: None,
            bytes: 4096,
        };
        assert_eq!(tree.poll().0, expected);
    }

    #[test]
    fn progress_changes_only_with_counters() {
        let tree = ProgressTree::default();
        let mut root = tree.root();
        let before = tree.poll().1;
        assert_eq!(tree.poll().1, before);
        root.inc();
        let counted = tree.poll().1;
        root.message(MessageLevel::Info, "still there".to_owned());
        let named = tree.poll().1;
        root.set_name("remote: Counting objects".to_owned());
        assert!(before != counted && counted != named && named != tree.poll().1);
    }
}
