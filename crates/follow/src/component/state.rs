//! One component: its settings, how far it was read, and the state that is served.

use std::sync::Arc;
use std::time::Instant;

use super::overtaken::Overtaken;
use super::phase::{FollowedLog, Phase};
use crate::observation::{BranchState, Observation};
use crate::project::{ComponentConfig, HistoryMode, ProjectConfig, RepoAddress};
use gitglot_catalog::{Arrivals, ComponentSnapshot};
use gitglot_checks::CheckSettings;
use gitglot_git::{ClosedRepository, Repository};
use gitglot_history::{History, Person, Projection};
use gitglot_ledger::Ledger;
use gitglot_model::{CommitId, Component, ComponentIndex, TableColumns};
use serde_json::{Value, json};

/// Why a component whose step takes long is behind.
pub(crate) const LATE: &str =
    "reading its new commits takes long: its state before is shown until they are read";

/// The state of a followed component.
#[derive(Clone, Debug)]
pub(crate) struct ComponentState {
    /// `project/component`.
    pub name: String,
    pub project_slug: String,
    pub source_language: String,
    /// The address of its repository, which identifies this.
    pub repository: String,
    /// The configuration. Ids and branch are set when they are known.
    pub config: Component,
    /// Why the configuration cannot be used with the files of the repository.
    pub(super) refused: Option<String>,
    /// Which checks run.
    pub checks: CheckSettings,
    pub mode: HistoryMode,
    /// Hash of the settings that the change log depends on.
    pub fingerprint: String,
    pub source: Source,
    pub phase: Phase,
    /// The phase before an advance that is not recorded yet. Only of a shared ledger.
    pub(super) undo: Option<Box<Phase>>,
    pub served: Served,
    pub people: Arc<[Person]>,
    /// Why the component cannot be served or updated.
    pub failure: Option<Failure>,
    /// The mirror was corrupt at the last poll, and is cloned again at the next one.
    pub recovering: bool,
    /// Why an older state is shown.
    pub(super) behind: Option<Behind>,
    /// The number of languages before more than half of them were gone.
    pub(super) languages: usize,
    /// The newest batch when the component got its settings. Later moves of other replicas with different settings
    /// win.
    pub since: u32,
    pub(super) overtaken: Overtaken,
    /// When another replica last moved it.
    pub moved_at: Option<Instant>,
    /// The step that has the state, of which this is a placeholder.
    pub(super) step: Option<StepId>,
    /// Most bytes of ids that it may have.
    pub max_id_bytes: usize,
    /// The bytes of ids of the last projection.
    pub(super) projected_id_bytes: usize,
}

/// A step of a repository, or a checkpoint that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepId(pub u64);

/// The repository of a component.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// It was not read yet.
    Unknown,
    /// That of the batch in progress.
    Open(Repository),
    /// That of the last batch that observed the component.
    Closed(ClosedRepository),
}

/// The state of a component that is published or about to be.
#[derive(Clone, Debug)]
pub(crate) enum Served {
    Nothing,
    /// The state under the previous configuration, until the component is read under the new one.
    Previous(Arc<ComponentSnapshot>),
    /// The state of a checkpoint, and its batch. It has no strings of other components until a batch is complete.
    Restored(Arc<ComponentSnapshot>, u32),
    /// The newest state that could be shown, and the batch of the last recorded move that it contains.
    Current(Arc<ComponentSnapshot>, u32),
}

/// Why a component cannot be served or updated.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub reason: String,
    /// Whether the shared ledger, which is the only source, lacks git objects.
    pub lacks_objects: bool,
}

/// Why an older state than that of the observed tip is shown, or one that lacks files.
#[derive(Clone, Debug)]
pub(super) enum Behind {
    /// The step to a newer tip takes long.
    Late,
    /// The tip has no usable template, or lacks the files of languages.
    MissingFiles(String),
    /// Nothing can be shown from this tip. It is not read again.
    Unusable(CommitId, String),
}

impl ComponentState {
    pub fn new(project: &ProjectConfig, config: &ComponentConfig, mode: HistoryMode) -> Self {
        let component = Component {
            repo: config.repo.public(),
            branch: config.branch.clone().unwrap_or_default(),
            ..Component::new(config.settings.clone())
        };
        Self {
            name: project.name_of(config),
            project_slug: project.slug.to_string(),
            source_language: project.source_language.clone(),
            fingerprint: fingerprint(&component, &project.source_language),
            repository: config.repo.public(),
            config: component,
            refused: config
                .names
                .as_ref()
                .and_then(|names| names.problem.clone()),
            checks: config.checks.clone(),
            mode,
            source: Source::Unknown,
            phase: Phase::default(),
            undo: None,
            served: Served::Nothing,
            people: Arc::new([]),
            failure: None,
            recovering: false,
            behind: None,
            languages: 0,
            since: 0,
            overtaken: Overtaken::default(),
            moved_at: None,
            step: None,
            max_id_bytes: gitglot_history::MAX_ID_BYTES,
            projected_id_bytes: 0,
        }
    }

    /// The bytes of the ids of its strings.
    pub fn id_bytes(&self) -> usize {
        let history = self.phase.history();
        history.map_or(self.projected_id_bytes, History::id_bytes)
    }

    /// Serves the state under the previous configuration until the component is read under the new one.
    pub fn serve_previous(&mut self, before: Self) {
        if let Some(snapshot) = before.served() {
            self.served = Served::Previous(snapshot.clone());
        }
        (self.source, self.people) = (before.source, before.people);
    }

    /// The history mode as the ledger records it.
    pub fn mode_name(&self) -> &'static str {
        match self.mode {
            HistoryMode::Full => "full",
            HistoryMode::None => "none",
        }
    }

    /// The served state.
    pub fn served(&self) -> Option<&Arc<ComponentSnapshot>> {
        match &self.served {
            Served::Nothing => None,
            Served::Previous(snapshot)
            | Served::Restored(snapshot, _)
            | Served::Current(snapshot, _) => Some(snapshot),
        }
    }

    /// The served state if it is one under the present configuration.
    pub fn snapshot(&self) -> Option<&Arc<ComponentSnapshot>> {
        match &self.served {
            Served::Restored(snapshot, _) | Served::Current(snapshot, _) => Some(snapshot),
            Served::Nothing | Served::Previous(_) => None,
        }
    }

    /// Whether the served state is complete, and the one at a tip.
    pub(super) fn shows(&self, tip: CommitId) -> bool {
        matches!(&self.served, Served::Current(shown, _) if shown.tip.id == tip)
    }

    /// Whether the served state is that of a checkpoint, which lacks the strings of other components.
    pub fn is_restored(&self) -> bool {
        matches!(self.served, Served::Restored(..))
    }

    /// Completes the state of a checkpoint with the strings that came from other components.
    pub fn complete_restored(&mut self, arrivals: Arc<Arrivals>) {
        self.served = match std::mem::replace(&mut self.served, Served::Nothing) {
            Served::Restored(snapshot, batch) => {
                let restored = Arc::unwrap_or_clone(snapshot);
                Served::Current(Arc::new(restored.with_arrivals(arrivals)), batch)
            }
            served => served,
        };
    }

    /// Notes and logs why the component cannot be served or updated. Its published state stays.
    pub fn fail(&mut self, failure: Failure) {
        let reason = &failure.reason;
        if self.failure.as_ref().map(|failure| &failure.reason) != Some(reason) {
            tracing::warn!(component = self.name, "cannot read {}: {reason}", self.name);
        }
        self.failure = Some(failure);
    }

    /// Why the component cannot be served or updated.
    pub fn why_failed(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| &*failure.reason)
    }

    /// Logs the files that are excluded or do not parse, unless the previous snapshot had the same problems.
    pub fn log_problems(&self, projection: &Projection) {
        let shown = self.snapshot();
        let known = shown.map_or(&[][..], |snapshot| &snapshot.problems);
        let problems = projection.problems.iter();
        for problem in problems.filter(|problem| !known.contains(problem)) {
            let cannot = if problem.broken {
                "cannot be parsed: "
            } else {
                ""
            };
            tracing::warn!(
                component = self.name,
                "{}: {cannot}{}",
                problem.path,
                problem.reason
            );
        }
    }

    /// Whether it has a log in the ledger but none in memory, and was not restored from a checkpoint yet.
    pub fn wants_checkpoint(&self, ledger: &Ledger) -> bool {
        self.mode == HistoryMode::Full
            && matches!(self.phase, Phase::Unread)
            && self.last_move(ledger).is_some()
    }

    /// Continues from the checkpoint of a batch.
    pub fn continue_from(&mut self, log: FollowedLog, state: Projection, shown: ComponentSnapshot) {
        // A newer state is shown if the history had to be read again.
        if self.snapshot().is_none() {
            self.config = (*shown.component).clone();
            self.people = state.people.clone();
            self.served = Served::Restored(Arc::new(shown), log.applied);
        }
        self.phase = Phase::Restored(Box::new((log, state)));
    }

    /// Undoes the last advance, which could not be recorded.
    pub fn undo(&mut self) {
        if let Some(before) = self.undo.take() {
            self.phase = *before;
        }
    }

    /// Notes that the last advance is recorded in a batch.
    pub fn recorded_in(&mut self, batch: u32) {
        self.undo = None;
        if let Some(log) = self.phase.log_mut() {
            log.applied = batch;
        }
        self.overtaken.wrote_last = true;
    }

    /// Why an older state is shown, or one that lacks files.
    pub fn why_behind(&self) -> Option<&str> {
        match self.behind.as_ref()? {
            Behind::Late => Some(LATE),
            Behind::MissingFiles(reason) | Behind::Unusable(_, reason) => Some(reason),
        }
    }

    /// Why nothing can be shown from the observed tip.
    pub(super) fn why_unusable(&self) -> Option<&str> {
        let is_unusable = matches!(self.behind, Some(Behind::Unusable(..)));
        self.why_behind().filter(|_| is_unusable)
    }

    /// Takes the state for a step, and leaves a placeholder without what only the step needs.
    pub fn take_for(&mut self, step: StepId) -> Self {
        let projected_id_bytes = self.id_bytes();
        let source = std::mem::replace(&mut self.source, Source::Unknown);
        let phase = std::mem::replace(&mut self.phase, Phase::Unrestorable);
        let (undo, overtaken) = (self.undo.take(), std::mem::take(&mut self.overtaken));
        let placeholder = Self {
            step: Some(step),
            projected_id_bytes,
            ..self.clone()
        };
        Self {
            source,
            phase,
            undo,
            overtaken,
            ..std::mem::replace(self, placeholder)
        }
    }

    /// Replaces the placeholder by the state that the step returns. Returns whether it is one of this step.
    pub fn put_back(&mut self, step: StepId, mut state: Self) -> bool {
        if !self.is_in_step_of(step) {
            return false;
        }
        state.served = std::mem::replace(&mut self.served, Served::Nothing);
        state.moved_at = self.moved_at;
        *self = state;
        true
    }

    /// Whether a step has the state.
    pub fn is_in_step(&self) -> bool {
        self.step.is_some()
    }

    /// Whether this step has the state.
    pub fn is_in_step_of(&self, step: StepId) -> bool {
        self.step == Some(step)
    }

    /// Notes that the step of a placeholder takes long.
    pub fn mark_late(&mut self) {
        self.behind = Some(Behind::Late);
    }

    /// An empty history.
    pub fn new_history(&self) -> History {
        let mut history = History::new(Arc::new(self.config.clone()), &self.source_language);
        history.set_max_id_bytes(self.max_id_bytes);
        history
    }

    /// An observation without a poll.
    pub fn last_observation(&self, component: ComponentIndex) -> Option<Observation> {
        let Source::Closed(repository) = &self.source else {
            return None;
        };
        let state = BranchState {
            repository: repository.open().ok()?,
            branch: self.config.branch.clone(),
            tip: self.phase.tip()?,
        };
        Some(Observation::old(component, Ok(state)))
    }
}

/// The address that readers get: of a repository on this machine that of its remote `origin`, if this is elsewhere.
pub(super) fn shown_address(repo: &RepoAddress) -> String {
    let origin = || {
        let path = repo.local_path()?;
        let origin = Repository::open(&path).ok()?.origin()?;
        let origin = RepoAddress::parse(&origin, &path).ok()?;
        origin.local_path().is_none().then(|| origin.public())
    };
    origin().unwrap_or_else(|| repo.public())
}

/// Hash of the settings that a component's change log depends on.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
fn fingerprint(component: &Component, source_language: &str) -> String {
    let previous = component.previous_filemasks.iter();
    let previous: Vec<&str> = previous.map(|mask| mask.as_str()).collect();
    let mut parts = vec![
        json!(component.filemask.as_str()),
        json!(component.template),
        json!(component.file_format.name()),
        json!(source_language),
        json!(previous),
        json!(component.platforms),
    ];
    // Logs of older versions have no such settings.
    if !component.renames {
        parts.push("renames = false".into());
    }
    if !component.changelogs {
        parts.push("changelogs = false".into());
    }
    if component.columns != TableColumns::default() {
        let TableColumns {
            key,
            notes,
            languages,
        } = &component.columns;
        parts.push(json!({ "columns": [key, notes, languages] }));
    }
    for (name, list) in [
        ("review_marks", &component.review_marks),
        ("source_commits", &component.source_commits),
        ("ignored_commits", &component.ignored_commits),
        ("bots", &component.bots),
        ("machines", &component.machines),
        ("humans", &component.humans),
    ] {
        if !list.is_empty() {
            parts.push(json!({ name: list }));
        }
    }
    let parts = Value::Array(parts);
    blake3::hash(parts.to_string().as_bytes()).to_hex()[..32].to_owned()
}
