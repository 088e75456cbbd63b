//! The progress of a clone or fetch, for progress bars and for stall detection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// The size of the objects in bytes.
    pub inflated: u64,
}

const RECEIVED_BYTES: Id = *b"BWRB";
const RECEIVED_OBJECTS: Id = *b"IWIO";
const RESOLVED_OBJECTS: Id = *b"IWRO";
const INFLATED_BYTES: Id = *b"IWDB";

/// The progress counters that gix updates during a fetch. gix's own tree (`gix::progress::tree`) removes a counter when
/// its task ends, between two polls, so that the final numbers would be lost.
#[derive(Clone, Default)]
pub(crate) struct ProgressTree(Arc<Counters>);

/// The received bytes, the received objects, the resolved objects, the size of objects, and everything else.
#[derive(Default)]
struct Counters {
    steps: [StepShared; 5],
    /// 0 until it is known.
    max: [AtomicUsize; 5],
    /// Number of other events.
    notes: AtomicUsize,
}

impl ProgressTree {
    /// The root counter to pass to gix.
    pub(crate) fn root(&self) -> ProgressNode {
        self.node(gix::progress::UNKNOWN)
    }

    fn node(&self, id: Id) -> ProgressNode {
        let ids = [
            RECEIVED_BYTES,
            RECEIVED_OBJECTS,
            RESOLVED_OBJECTS,
            INFLATED_BYTES,
        ];
        let node = ProgressNode {
            tree: self.clone(),
            id,
            at: ids
                .iter()
                .position(|known| *known == id)
                .unwrap_or(ids.len()),
        };
        node.note();
        node
    }

    /// The progress, and a number that changes when anything moves.
    pub(crate) fn poll(&self) -> (FetchProgress, usize) {
        let Counters { steps, max, notes } = &*self.0;
        let load = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        let count = |at: usize| (load(&steps[at]), load(&max[at]));
        let [bytes, received, resolved, inflated] = [0, 1, 2, 3].map(count);
        let (phase, (objects, total)) = if resolved != (0, 0) {
            (FetchPhase::Resolving, resolved)
        } else if received != (0, 0) {
            (FetchPhase::Receiving, received)
        } else {
            (FetchPhase::Asking, (0, 0))
        };
        let progress = FetchProgress {
            phase,
            objects: objects as u64,
            total: (total > 0).then_some(total as u64),
            bytes: bytes.0 as u64,
            inflated: inflated.0 as u64,
        };
        let steps = steps.iter().map(|step| load(step));
        (progress, steps.fold(load(notes), usize::wrapping_add))
    }
}

/// One node of gix's progress tree.
pub(crate) struct ProgressNode {
    tree: ProgressTree,
    id: Id,
    /// The index of its counter.
    at: usize,
}

impl ProgressNode {
    fn steps(&self) -> &StepShared {
        &self.tree.0.steps[self.at]
    }

    fn note(&self) {
        self.tree.0.notes.fetch_add(1, Ordering::Relaxed);
    }
}

impl Count for ProgressNode {
    fn set(&self, step: Step) {
        self.steps().store(step, Ordering::Relaxed);
        self.note();
    }

    fn step(&self) -> Step {
        self.steps().load(Ordering::Relaxed)
    }

    fn inc_by(&self, step: Step) {
        self.steps().fetch_add(step, Ordering::Relaxed);
    }

    fn counter(&self) -> StepShared {
        Arc::clone(self.steps())
    }
}

impl gix::Progress for ProgressNode {
    fn init(&mut self, max: Option<Step>, _unit: Option<Unit>) {
        self.set_max(max);
        self.note();
    }

    fn set_max(&mut self, max: Option<Step>) -> Option<Step> {
        let known = &self.tree.0.max[self.at];
        Some(known.swap(max.unwrap_or_default(), Ordering::Relaxed))
    }

    fn set_name(&mut self, _name: String) {
        self.note();
    }

    fn name(&self) -> Option<String> {
        None
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

    fn add_child(&mut self, _name: impl Into<String>) -> ProgressNode {
        self.tree.root()
    }

    fn add_child_with_id(&mut self, _name: impl Into<String>, id: Id) -> ProgressNode {
        self.tree.node(id)
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
        root.add_child_with_id("decompressing", INFLATED_BYTES)
            .inc_by(9000);
        let expected = FetchProgress {
            phase: FetchPhase::Receiving,
            objects: 4,
            total: Some(10),
            bytes: 4096,
            inflated: 9000,
        };
        assert_eq!(tree.poll().0, expected);
        let resolved = root.add_child_with_id("Resolving", RESOLVED_OBJECTS);
        resolved.inc();
        let expected = FetchProgress {
            phase: FetchPhase::Resolving,
            objects: 1,
            total: None,
            bytes: 4096,
            inflated: 9000,
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
