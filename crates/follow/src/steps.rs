//! The steps of a batch: the observed components of one repository advance together, because they share a limit and strings
//! move between them. A step that takes longer than a slice goes on on a thread of its own, and others do not wait for it.
//! Source: `docs/spec/ids-and-ledger.md#late-steps`.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::component::{Advance, ComponentState, RecordedLog, StepId};
use super::handle::Message;
use super::id_limit::IdBytes;
use super::observation::{ComponentError, Freshness, Observation};
use gitglot_history::{Projection, StepProgress};
use gitglot_model::{ComponentIndex, Timestamp};

/// The slice of a step, except at the start.
pub(super) const SLICE: Duration = Duration::from_millis(500);
/// Maximum number of late steps: each needs memory. At the limit, the next step waits for one of them to end.
const MAX_LATE: usize = 8;

/// Receives the progress of reading a component, on any thread.
pub(super) type ProgressSink = Arc<dyn Fn(&str, StepProgress) + Send + Sync>;

/// The observed components of a repository, with what their advance needs.
pub(super) struct Step {
    pub id: StepId,
    pub members: Vec<Member>,
    pub id_bytes: IdBytes,
    pub observed_at: Timestamp,
    /// The objects that it lacked were taken from the object store: it is not tried again.
    pub is_retried: bool,
}

/// A component of a step.
pub(super) struct Member {
    pub state: ComponentState,
    pub recorded: RecordedLog,
    pub observation: Observation,
}

/// A step that is done.
pub(super) struct FinishedStep {
    pub id: StepId,
    pub members: Vec<FinishedMember>,
    pub observed_at: Timestamp,
    pub is_retried: bool,
}

/// A component after its advance.
pub(super) struct FinishedMember {
    pub state: ComponentState,
    pub observation: Observation,
    /// The newest recorded batch of the component when the step began.
    pub newest_batch: u32,
    pub result: Result<Option<(Advance, Projection)>, ComponentError>,
    pub elapsed: Duration,
}

impl Step {
    /// Advances each component to its observed tip, and projects its state there.
    fn run(self, progress: &(dyn Fn(&str, StepProgress) + Send + Sync)) -> FinishedStep {
        let Self {
            id,
            members,
            mut id_bytes,
            observed_at,
            is_retried,
        } = self;
        let advance = |Member {
                           mut state,
                           recorded,
                           observation,
                       }| {
            let started = Instant::now();
            let before = state.id_bytes();
            state.max_id_bytes = id_bytes.allowed(before);
            let (component, freshness) = (observation.component, observation.freshness);
            let result = match observation.state.clone() {
                Ok(observed) => {
                    let name = state.name.clone();
                    let progress = |it| progress(&name, it);
                    state.advance(
                        component,
                        observed,
                        freshness,
                        &recorded,
                        observed_at,
                        &progress,
                    )
                }
                Err(error) => Err(error.into()),
            };
            id_bytes.advanced(before, state.id_bytes());
            FinishedMember {
                newest_batch: recorded.newest_batch(),
                elapsed: started.elapsed(),
                state,
                observation,
                result,
            }
        };
        FinishedStep {
            id,
            members: members.into_iter().map(advance).collect(),
            observed_at,
            is_retried,
        }
    }
}

impl FinishedStep {
    /// The observations of its components.
    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.members.iter().map(|it| &it.observation)
    }
}

/// Runs steps, and keeps those that are late.
pub(super) struct Steps {
    /// How long others wait for a step; `None` when they wait for its end.
    pub slice: Option<Duration>,
    pub progress: ProgressSink,
    /// Tells the loop that a late step is done.
    pub wake: Option<Sender<Message>>,
    next: u64,
    sender: Sender<FinishedStep>,
    results: Receiver<FinishedStep>,
    /// Number of steps on threads.
    running: usize,
    finished: VecDeque<FinishedStep>,
    /// Observations of components whose repository has a late step, by name.
    waiting: BTreeMap<String, (Timestamp, Observation)>,
}

impl Default for Steps {
    fn default() -> Self {
        let (sender, results) = mpsc::channel();
        Self {
            slice: None,
            progress: Arc::new(|_, _| {}),
            wake: None,
            next: 0,
            sender,
            results,
            running: 0,
            finished: VecDeque::new(),
            waiting: BTreeMap::new(),
        }
    }
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut f.debug_struct("Steps");
        let fields = fields.field("slice", &self.slice);
        fields
            .field("running", &self.running)
            .finish_non_exhaustive()
    }
}

impl Steps {
    /// The id of the next step.
    pub fn next_id(&mut self) -> StepId {
        self.next += 1;
        StepId(self.next)
    }

    /// Runs a step; `None` if it is late.
    pub fn run(&mut self, step: Step) -> Option<FinishedStep> {
        let reads = |it: &Member| it.observation.state.is_ok();
        let Some(slice) = self.slice.filter(|_| step.members.iter().any(reads)) else {
            return Some(step.run(&*self.progress));
        };
        while self.running >= MAX_LATE
            && let Ok(finished) = self.results.recv()
        {
            self.receive(finished);
        }
        let id = step.id;
        let shared = Arc::new(Mutex::new(Some(step)));
        let (progress, own) = (self.progress.clone(), shared.clone());
        let (sender, wake) = (self.sender.clone(), self.wake.clone());
        let run = move || {
            // A statement of its own, so that the lock is released.
            let step = own.lock().take();
            if let Some(step) = step {
                let _ = sender.send(step.run(&*progress));
                wake.map(|wake| wake.send(Message::StepFinished));
            }
        };
        let thread = std::thread::Builder::new().name("step".to_owned());
        if thread.spawn(run).is_err() {
            let step = shared.lock().take();
            return step.map(|step| step.run(&*self.progress));
        }
        self.running += 1;
        let deadline = Instant::now() + slice;
        // In tests, each step with a slice of zero is late.
        while !slice.is_zero() {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.results.recv_timeout(rest) {
                Ok(finished) if finished.id == id => {
                    self.running -= 1;
                    return Some(finished);
                }
                Ok(finished) => self.receive(finished),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        None
    }

    fn receive(&mut self, finished: FinishedStep) {
        self.running -= 1;
        self.finished.push_back(finished);
    }

    /// The next late step that is done.
    pub fn next_finished(&mut self) -> Option<FinishedStep> {
        while let Ok(finished) = self.results.try_recv() {
            self.receive(finished);
        }
        self.finished.pop_front()
    }

    /// Whether a late step is done.
    pub fn has_finished(&mut self) -> bool {
        let next = self.next_finished();
        let has_one = next.is_some();
        next.into_iter().for_each(|it| self.finished.push_front(it));
        has_one
    }

    /// Waits until a late step is done; `false` if there is none.
    #[cfg(test)]
    pub fn wait(&mut self) -> bool {
        if self.finished.is_empty() && self.running > 0 {
            let finished = self.results.recv().unwrap();
            self.receive(finished);
        }
        self.has_finished()
    }

    /// Keeps the observation of a component until the late step of its repository is done. The newest one counts.
    pub fn postpone(&mut self, name: &str, observed_at: Timestamp, observation: Observation) {
        let known = self.waiting.get(name);
        let is_older = observation.freshness == Freshness::Old;
        if known.is_none_or(|(_, known)| known.freshness == Freshness::Old || !is_older) {
            let waiting = (observed_at, observation);
            self.waiting.insert(name.to_owned(), waiting);
        }
    }

    /// Removes the observations of components, given their present positions, that need not wait any more, and forgets
    /// those of removed components. Returns also when the newest was made.
    pub fn take_waiting(
        &mut self,
        position: impl Fn(&str) -> Option<usize>,
        is_busy: impl Fn(usize) -> bool,
    ) -> (Vec<Observation>, Timestamp) {
        let (mut ready, mut newest) = (Vec::new(), Timestamp(i64::MIN));
        for (name, (observed_at, observation)) in std::mem::take(&mut self.waiting) {
            match position(&name) {
                Some(at) if is_busy(at) => {
                    self.waiting.insert(name, (observed_at, observation));
                }
                Some(at) => {
                    newest = newest.max(observed_at);
                    let component = ComponentIndex::new(at);
                    ready.push(Observation {
                        component,
                        ..observation
                    });
                }
                None => {}
            }
        }
        ready.sort_by_key(|it| it.component);
        (ready, newest)
    }
}

/// Observations by repository, in the order of their first components.
pub(super) fn by_repository(
    observations: Vec<Observation>,
    components: &[ComponentState],
) -> Vec<Vec<Observation>> {
    let mut groups: Vec<Vec<Observation>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for observation in observations {
        if let Some(component) = components.get(observation.component.get()) {
            let at = *known.entry(&component.repository).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.push(observation),
                None => groups.push(vec![observation]),
            }
        }
    }
    groups
}
