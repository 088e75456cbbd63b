//! How far a clone or a fetch has come, and whether it still moves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use gix::Count;
use gix::progress::{Id, MessageLevel, Step, StepShared, Unit};

/// What a clone or a fetch is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Asking for the branches, and the server preparing what to send.
    Asking,
    /// Receiving objects.
    Receiving,
    /// Working out the objects that came as differences from others.
    Resolving,
}

/// How far a clone or a fetch has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// Objects that are done in this phase.
    pub objects: u64,
    /// Objects that there are, once that is known.
    pub total: Option<u64>,
    /// Bytes received so far.
    pub bytes: u64,
}

/// Watches a clone or a fetch. `()` watches nothing.
pub trait Watch {
    /// Is told about ten times a second how far it is, and at the end.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }

    /// Whether to give up; asked as often.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}

const RECEIVED_BYTES: Id = *b"BWRB";
const RECEIVED_OBJECTS: Id = *b"IWIO";
const RESOLVED_OBJECTS: Id = *b"IWRO";

/// gix counts here; the one who waits for it looks.
#[derive(Clone, Default)]
pub(crate) struct ProgressTree {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    counters: Mutex<Vec<Counter>>,
    /// How often anything else was said.
    notes: AtomicUsize,
}

struct Counter {
    id: Id,
    steps: StepShared,
    max: Option<Step>,
}

impl ProgressTree {
    /// Where gix begins to count.
    pub(crate) fn root(&self) -> Node {
        self.node(String::new(), gix::progress::UNKNOWN)
    }

    fn node(&self, name: String, id: Id) -> Node {
        let steps = StepShared::default();
        let mut counters = self.shared.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let at = counters.len();
        counters.push(Counter { id, steps: Arc::clone(&steps), max: None });
        Node { meter: self.clone(), at, name, id, steps }
    }

    /// How far it is, and a number that stays the same while nothing moves.
    pub(crate) fn poll(&self) -> (Progress, usize) {
        let counters = self.shared.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let mut progress = Progress { phase: Phase::Asking, objects: 0, total: None, bytes: 0 };
        let mut pulse = self.shared.notes.load(Ordering::Relaxed).wrapping_add(counters.len());
        for counter in counters.iter() {
            let steps = counter.steps.load(Ordering::Relaxed);
            pulse = pulse.wrapping_add(steps);
            let number = u64::try_from(steps).unwrap_or(u64::MAX);
            let phase = match counter.id {
                RECEIVED_BYTES => {
                    progress.bytes = number;
                    continue;
                }
                RECEIVED_OBJECTS => Phase::Receiving,
                RESOLVED_OBJECTS => Phase::Resolving,
                _ => continue,
            };
            let total = counter.max.and_then(|max| u64::try_from(max).ok());
            progress = Progress { phase, objects: number, total, ..progress };
        }
        (progress, pulse)
    }
}

/// One counter of gix's tree of counters.
pub(crate) struct Node {
    meter: ProgressTree,
    at: usize,
    name: String,
    id: Id,
    steps: StepShared,
}

impl Node {
    fn note(&self) {
        self.meter.shared.notes.fetch_add(1, Ordering::Relaxed);
    }

    fn limit(&self, max: Option<Step>) -> Option<Step> {
        let mut counters = self.meter.shared.counters.lock().unwrap_or_else(PoisonError::into_inner);
        counters.get_mut(self.at).and_then(|counter| std::mem::replace(&mut counter.max, max))
    }
}

impl Count for Node {
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

impl gix::Progress for Node {
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

impl gix::NestedProgress for Node {
    type SubProgress = Node;

    fn add_child(&mut self, name: impl Into<String>) -> Node {
        self.meter.node(name.into(), gix::progress::UNKNOWN)
    }

    fn add_child_with_id(&mut self, name: impl Into<String>, id: Id) -> Node {
        self.meter.node(name.into(), id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gix::{NestedProgress, Progress as _};

    #[test]
    fn what_gix_counts_is_told_as_phases_objects_and_bytes() {
        let meter = ProgressTree::default();
        let mut root = meter.root();
        assert_eq!(meter.poll().0.phase, Phase::Asking);
        let bytes = root.add_child_with_id("read pack", RECEIVED_BYTES);
        bytes.counter().fetch_add(4096, Ordering::Relaxed);
        let mut objects = root.add_child_with_id("indexing", RECEIVED_OBJECTS);
        objects.init(Some(10), None);
        objects.inc_by(4);
        let expected = Progress { phase: Phase::Receiving, objects: 4, total: Some(10), bytes: 4096 };
        assert_eq!(meter.poll().0, expected);
        let resolved = root.add_child_with_id("Resolving", RESOLVED_OBJECTS);
        resolved.inc();
        let expected = Progress { phase: Phase::Resolving, objects: 1, total: None, bytes: 4096 };
        assert_eq!(meter.poll().0, expected);
    }

    #[test]
    fn a_pulse_stands_still_only_while_nothing_moves() {
        let meter = ProgressTree::default();
        let mut root = meter.root();
        let before = meter.poll().1;
        assert_eq!(meter.poll().1, before);
        root.inc();
        let counted = meter.poll().1;
        root.message(MessageLevel::Info, "still there".to_owned());
        let said = meter.poll().1;
        root.set_name("remote: Counting objects".to_owned());
        assert!(before != counted && counted != said && said != meter.poll().1);
    }
}
