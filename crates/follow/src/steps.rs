//! The steps of a batch: the observed components of one repository advance together, because they share a limit and strings
//! move between them. A step that takes longer than a slice goes on on a thread of its own, and others do not wait for it any longer.
//! Source: `docs/spec/ids-and-ledger.md#late-steps`.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::component::{
    Advance, AdvanceInput, Advanced, ComponentState, FollowedChecks, RecordedLog, StepId,
};
use super::handle::Message;
use super::id_limit::IdBytes;
use super::moved_strings::MovedStrings;
use super::observation::{ComponentError, Freshness, Observation};
use gitglot_catalog::PreparedRows;
use gitglot_history::{Projection, StepProgress};
use gitglot_model::{ComponentIndex, Crash, Timestamp, catch_crash};

/// The slice of a step, except at the start.
pub(super) const SLICE: Duration = Duration::from_millis(500);
/// What a step gets when the others of its batch have used up their slice. Most steps need less.
const LAST_SLICE: Duration = Duration::from_millis(20);
/// Maximum number of late steps: each needs memory. At the limit, repositories whose last step took longer than a slice wait
/// for one of them to end…
const MAX_LATE: usize = 8;
/// … and at this one, all do.
const MAX_RUNNING: usize = 2 * MAX_LATE;

/// Receives the progress of reading a component, on any thread.
pub(super) type ProgressSink = Arc<dyn Fn(&str, StepProgress) + Send + Sync>;

/// The observed components of a repository, with what their advance needs, and once it ran, what it found.
pub(super) struct Step {
    pub id: StepId,
    pub members: Vec<Member>,
    pub id_bytes: IdBytes,
    pub observed_at: Timestamp,
    pub checks: Arc<FollowedChecks>,
    /// The strings that moved between the components of the repository, if all of them are in the step.
    pub moved: Option<MovedStrings>,
    /// The objects that it lacked were taken from the object store: it is not tried again.
    pub is_retried: bool,
}

/// A component of a step.
pub(super) struct Member {
    pub state: ComponentState,
    /// What was recorded of it when the step began.
    pub recorded: RecordedLog,
    pub observation: Observation,
    /// What its advance led to; nothing before.
    pub result: Result<Option<(Advance, Projection)>, ComponentError>,
    /// The rows of the new state.
    pub rows: Option<PreparedRows>,
    pub elapsed: Duration,
}

impl Member {
    /// Advances the component to its observed tip, and projects its state there.
    fn advance(
        &mut self,
        id_bytes: &mut IdBytes,
        observed_at: Timestamp,
        progress: &(dyn Fn(&str, StepProgress) + Send + Sync),
    ) {
        let (state, observation) = (&mut self.state, &self.observation);
        let started = Instant::now();
        let before = state.id_bytes();
        state.max_id_bytes = id_bytes.allowed(before);
        self.result = match observation.state.clone() {
            Ok(observed) => {
                let name = state.name.clone();
                state.advance(&AdvanceInput {
                    component: observation.component,
                    observed,
                    freshness: observation.freshness,
                    recorded: &self.recorded,
                    observed_at,
                    progress: &|step| progress(&name, step),
                })
            }
            Err(error) => Err(error.into()),
        };
        id_bytes.advanced(before, state.id_bytes());
        // The component has read them, and the newest move is all that the batch compares.
        self.recorded.current = Vec::new();
        self.elapsed = started.elapsed();
    }
}

impl Step {
    /// Advances each component to its observed tip, projects its state there, finds the strings that moved between them, and
    /// prepares the rows, which runs the checks.
    fn run(mut self, progress: &(dyn Fn(&str, StepProgress) + Send + Sync)) -> Self {
        for member in &mut self.members {
            member.advance(&mut self.id_bytes, self.observed_at, progress);
        }
        let started = Instant::now();
        if let Some(moved) = &mut self.moved {
            find_moves(moved, &mut self.members);
        }
        if let Some(first) = self.members.first_mut() {
            first.elapsed += started.elapsed();
        }
        for member in &mut self.members {
            let started = Instant::now();
            if let Ok(Some((_, projection))) = &member.result {
                match member.state.try_prepare_rows(projection, &self.checks) {
                    Ok(rows) => member.rows = Some(rows),
                    Err(error) => {
                        member.result = Err(error);
                        // Others have strings of the state that is discarded: all are compared again.
                        self.moved = None;
                    }
                }
            }
            member.elapsed += started.elapsed();
        }
        for observation in self.observations() {
            if let Ok(observed) = &observation.state {
                observed.repository.clear_tree_indexes();
            }
        }
        self
    }

    /// The observations of its components.
    pub fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.members.iter().map(|member| &member.observation)
    }
}

/// Finds the strings that moved between the components of a step. A panic is a fault of the program, and an error of these
/// components only.
fn find_moves(moved: &mut MovedStrings, members: &mut [Member]) {
    let mut advanced = Advanced::default();
    let mut components = BTreeMap::new();
    let mut tips = HashMap::new();
    for member in &mut *members {
        let index = member.observation.component;
        if let Ok(result) = &mut member.result
            && let Some((advance, projection)) = result.take()
        {
            tips.insert(index, advance.to);
            advanced.states.insert(index, (advance, projection));
        }
        components.insert(index, &mut member.state);
    }
    let found = catch_crash(|| {
        moved.find(&mut components, &mut advanced);
        advanced.states
    });
    match found {
        Ok(mut states) => {
            for member in members {
                if let Ok(result) = &mut member.result {
                    *result = states.remove(&member.observation.component);
                }
            }
        }
        Err(Crash(text)) => {
            *moved = MovedStrings::default();
            for member in members {
                if let Some(tip) = tips.get(&member.observation.component) {
                    let crash = Crash(text.clone());
                    member.result = Err(member.state.crashed(*tip, crash));
                }
            }
        }
    }
}

/// How long a batch waits for its steps. After the start, they share a slice: otherwise a batch of many slow repositories
/// would wait for each of them.
#[derive(Clone, Copy, Debug)]
struct Patience {
    each: Duration,
    left: Duration,
}

impl Patience {
    fn new(slice: Duration) -> Self {
        Self {
            each: slice,
            left: slice,
        }
    }

    /// For the next step.
    fn next(&self) -> Duration {
        if self.each > SLICE {
            return self.each;
        }
        self.left.max(LAST_SLICE).min(self.each)
    }

    fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }
}

/// Runs steps, and keeps those that are late.
pub(super) struct Steps {
    /// How long others wait for the steps of a batch; `None` when they wait for their end.
    pub slice: Option<Duration>,
    /// What is left of it.
    patience: Patience,
    pub progress: ProgressSink,
    /// Wakes the loop when a late step or a checkpoint is done.
    pub wake: Option<Sender<Message>>,
    next: u64,
    sender: Sender<Step>,
    results: Receiver<Step>,
    /// Number of steps on threads.
    running: usize,
    finished: VecDeque<Step>,
    /// The repositories whose last step took longer than a slice.
    slow: HashSet<String>,
    /// Observations of components whose repository has a late step or a checkpoint that is written, or waits for one to end,
    /// by name.
    waiting: BTreeMap<String, (Timestamp, Observation)>,
}

impl Default for Steps {
    fn default() -> Self {
        let (sender, results) = mpsc::channel();
        Self {
            slice: None,
            patience: Patience::new(SLICE),
            progress: Arc::new(|_, _| {}),
            wake: None,
            next: 0,
            sender,
            results,
            running: 0,
            finished: VecDeque::new(),
            slow: HashSet::new(),
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

    /// A batch begins.
    pub fn begin_batch(&mut self) {
        self.patience = Patience::new(self.slice.unwrap_or(SLICE));
    }

    /// Whether the next step of a repository waits for a late one to end.
    pub fn must_wait(&self, repository: &str) -> bool {
        self.running >= MAX_RUNNING || self.running >= MAX_LATE && self.slow.contains(repository)
    }

    /// Whether the observation of a component waits.
    pub fn is_waiting(&self, name: &str) -> bool {
        self.waiting.contains_key(name)
    }

    /// Notes whether the repository of a step is slow: also one of others can be late, if they have used up the slice.
    fn note_time(&mut self, finished: &Step) {
        let Some(first) = finished.members.first() else {
            return;
        };
        let time: Duration = finished.members.iter().map(|member| member.elapsed).sum();
        if time > SLICE {
            self.slow.insert(first.state.repository.clone());
        } else {
            self.slow.remove(&first.state.repository);
        }
    }

    /// Runs a step; `None` if it is late.
    pub fn run(&mut self, step: Step) -> Option<Step> {
        let reads = |it: &Member| it.observation.state.is_ok();
        if self.slice.is_none() || !step.members.iter().any(reads) {
            return Some(step.run(&*self.progress));
        }
        let id = step.id;
        let (sender, progress) = (self.sender.clone(), self.progress.clone());
        let wake = self.wake.clone();
        run_on_thread("step", move || {
            let _ = sender.send(step.run(&*progress));
            wake.map(|wake| wake.send(Message::StepFinished));
        });
        self.running += 1;
        let (slice, started) = (self.patience.next(), Instant::now());
        let deadline = started + slice;
        // In tests, each step with a slice of zero is late.
        while !slice.is_zero() {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.results.recv_timeout(rest) {
                Ok(finished) if finished.id == id => {
                    self.running -= 1;
                    self.note_time(&finished);
                    self.patience.waited(started.elapsed());
                    return Some(finished);
                }
                Ok(finished) => self.receive(finished),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.patience.waited(slice);
        None
    }

    fn receive(&mut self, finished: Step) {
        self.running -= 1;
        self.note_time(&finished);
        self.finished.push_back(finished);
    }

    /// The next late step that is done.
    pub fn next_finished(&mut self) -> Option<Step> {
        self.finished.pop_front()
    }

    /// The number of late steps that are done.
    pub fn count_finished(&mut self) -> usize {
        while let Ok(finished) = self.results.try_recv() {
            self.receive(finished);
        }
        self.finished.len()
    }

    /// Whether a late step is done.
    pub fn has_finished(&mut self) -> bool {
        self.count_finished() > 0
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

    /// Keeps the observation of a component until the late step of its repository is done or its checkpoint is written. The
    /// newest one counts.
    pub fn postpone(&mut self, name: &str, observed_at: Timestamp, observation: Observation) {
        let known = self.waiting.get(name);
        if known.is_none_or(|known| is_newer(observed_at, &observation, known)) {
            let waiting = (observed_at, observation);
            self.waiting.insert(name.to_owned(), waiting);
        }
    }

    /// A step has a newer observation of a component than the one that waits, if any: that one would move it back.
    pub fn replace_waiting(
        &mut self,
        name: &str,
        observed_at: Timestamp,
        observation: &Observation,
    ) {
        let known = self.waiting.get(name);
        if known.is_some_and(|known| is_newer(observed_at, observation, known)) {
            self.waiting.remove(name);
        }
    }

    /// Another replica has moved a component: the tip that waits may be older.
    pub fn overtake_waiting(&mut self, name: &str) {
        if let Some((_, waiting)) = self.waiting.get_mut(name)
            && waiting.freshness == Freshness::Current
        {
            waiting.freshness = Freshness::Overtaken;
        }
    }

    /// Forgets the observation of a component, whose repository or settings have changed.
    pub fn forget_waiting(&mut self, name: &str) {
        self.waiting.remove(name);
    }

    /// Removes the observations of components that need not wait any more, given their present positions, their repositories
    /// and those that have late steps, and forgets those of removed components. Returns also when the newest was made.
    pub fn take_waiting<'a>(
        &mut self,
        position: impl Fn(&str) -> Option<(usize, &'a str)>,
        busy: &HashSet<String>,
    ) -> (Vec<Observation>, Timestamp) {
        let (mut ready, mut newest) = (Vec::new(), Timestamp(i64::MIN));
        for (name, (observed_at, observation)) in std::mem::take(&mut self.waiting) {
            match position(&name) {
                Some((_, repository))
                    if busy.contains(repository) || self.must_wait(repository) =>
                {
                    self.waiting.insert(name, (observed_at, observation));
                }
                Some((at, _)) => {
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
        ready.sort_by_key(|observation| observation.component);
        (ready, newest)
    }
}

/// Runs work on a thread of its own, or in place if the system starts none.
pub(super) fn run_on_thread(name: &str, work: impl FnOnce() + Send + 'static) {
    let shared = Arc::new(Mutex::new(Some(work)));
    let run = move || {
        // A statement of its own, so that the lock is released.
        let work = shared.lock().take();
        if let Some(work) = work {
            work();
        }
    };
    let thread = std::thread::Builder::new().name(name.to_owned());
    if thread.spawn(run.clone()).is_err() {
        run();
    }
}

/// Whether an observation of a component counts rather than one that waits. The step of an older one can be tried again
/// while a newer one waits.
fn is_newer(
    observed_at: Timestamp,
    observation: &Observation,
    (known_at, known): &(Timestamp, Observation),
) -> bool {
    known.freshness == Freshness::Old
        || observation.freshness != Freshness::Old && observed_at >= *known_at
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observation::BranchError;

    fn observation(freshness: Freshness) -> Observation {
        Observation {
            component: ComponentIndex::new(0),
            state: Err(BranchError::Missing),
            freshness,
        }
    }

    /// When the observation that waits was made, and how current it is.
    fn waiting(steps: &Steps) -> Option<(i64, Freshness)> {
        let (at, waiting) = steps.waiting.get("one/app")?;
        Some((at.0, waiting.freshness))
    }

    #[test]
    fn an_observation_that_waits_is_dropped_when_a_newer_one_is_processed() {
        let [current, old] = [Freshness::Current, Freshness::Old].map(observation);
        let mut steps = Steps::default();
        steps.postpone("one/app", Timestamp(2), current.clone());
        steps.replace_waiting("one/app", Timestamp(1), &current);
        steps.replace_waiting("one/app", Timestamp(3), &old);
        steps.postpone("one/app", Timestamp(1), current.clone());
        assert_eq!(waiting(&steps), Some((2, Freshness::Current)));
        steps.replace_waiting("one/app", Timestamp(3), &current);
        assert_eq!(waiting(&steps), None);
    }

    #[test]
    fn an_observation_that_waits_is_not_current_after_a_move_by_another_replica() {
        let mut steps = Steps::default();
        steps.postpone("one/app", Timestamp(1), observation(Freshness::Current));
        steps.overtake_waiting("one/app");
        steps.postpone("one/app", Timestamp(2), observation(Freshness::Old));
        assert_eq!(waiting(&steps), Some((1, Freshness::Overtaken)));
    }

    #[test]
    fn at_the_hard_limit_all_repositories_wait() {
        let mut steps = Steps {
            running: MAX_LATE,
            slow: HashSet::from(["slow".to_owned()]),
            ..Steps::default()
        };
        assert!(steps.must_wait("slow") && !steps.must_wait("quick"));
        steps.running = MAX_RUNNING;
        assert!(steps.must_wait("quick"));
    }

    #[test]
    fn a_batch_of_many_slow_repositories_waits_for_about_one_slice() {
        let mut patience = Patience::new(SLICE);
        let mut waited = Duration::ZERO;
        for _ in 0..MAX_RUNNING {
            let slice = patience.next();
            assert!(!slice.is_zero());
            patience.waited(slice);
            waited += slice;
        }
        assert!(waited < 2 * SLICE, "{waited:?}");
        // Steps that are quick leave time for others.
        let mut patience = Patience::new(SLICE);
        patience.waited(SLICE / 10);
        assert_eq!(patience.next(), SLICE * 9 / 10);
        // At the start, each has its own, so that ids do not depend on the number of repositories.
        let mut patience = Patience::new(2 * SLICE);
        patience.waited(2 * SLICE);
        assert_eq!(patience.next(), 2 * SLICE);
    }
}
