//! One component and its advance from tip to tip.

use std::sync::Arc;
use std::time::Instant;

use crate::catalog::ComponentSnapshot;
use crate::checks::{CheckSettings, Checker};
use crate::config::{ComponentConfig, HistoryMode, ProjectConfig};
use crate::follow::observation::{BranchState, ComponentError, Freshness, Observation};
use crate::git::{EntryKind, GitError, Repository};
use crate::history::{self, History, HistoryError, Person, Projection, StepProgress, StepSummary};
use crate::ledger::Ledger;
use crate::model::{CommitId, Component, ComponentIndex, Timestamp};

/// The state of a followed component.
#[derive(Debug)]
pub(in crate::follow) struct ComponentState {
    /// `project/component`.
    pub name: String,
    pub project_slug: String,
    pub source_language: String,
    /// The configuration. Ids and branch are set when they are known.
    pub config: Component,
    /// Which checks run.
    pub checks: CheckSettings,
    pub mode: HistoryMode,
    /// Hash of the settings that the change log depends on.
    pub fingerprint: String,
    pub repository: Option<Repository>,
    /// The change log and its state, with `history = full`.
    pub history: Option<History>,
    /// The tip that is published or about to be.
    pub tip: Option<CommitId>,
    pub people: Arc<[Person]>,
    pub snapshot: Option<Arc<ComponentSnapshot>>,
    /// Served until there is a snapshot: the state under the previous configuration.
    pub previous: Option<Arc<ComponentSnapshot>>,
    /// The tip of `snapshot`.
    pub shown: Option<CommitId>,
    /// Why the component cannot be served or updated.
    pub failure: Option<String>,
    /// The mirror was corrupt at the last poll, and is cloned again at the next one.
    pub recovering: bool,
    /// Why an older state is shown: the tip has no template.
    pub missing_template: Option<String>,
    /// Whether restoring from a checkpoint was tried.
    pub restore_tried: bool,
    /// The last batch of the checkpoint that `history` comes from, until the moves after it are replayed.
    pub restored: Option<u32>,
    /// `None` when the component has no valid checkpoint.
    pub saved: Option<SavedState>,
    /// The batch of the last recorded move that `history` contains.
    pub applied: u32,
    /// The newest batch when the component got its settings. Later moves of other replicas with different settings
    /// win.
    pub since: u32,
    /// Whether this replica wrote the last recorded move.
    pub wrote_last: bool,
    /// When another replica last moved it.
    pub moved_at: Option<Instant>,
    /// The state before an advance that is not recorded yet. Only of a shared ledger.
    undo: Option<Box<Undo>>,
}

/// The state before an advance.
#[derive(Debug)]
struct Undo {
    history: Option<History>,
    tip: Option<CommitId>,
    saved: Option<SavedState>,
}

/// The difference between a component and its checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::follow) struct SavedState {
    /// Moves since the checkpoint.
    pub moves: usize,
    /// Log entries in the checkpoint.
    pub entries: usize,
}

/// The advance of a component to a tip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::follow) struct Advance {
    pub component: ComponentIndex,
    /// The previous tip; `None` where the log begins.
    pub from: Option<CommitId>,
    pub to: CommitId,
    /// The position of the first new entry in the component's log.
    pub first_entry: usize,
    /// Whether the ledger already records it.
    pub replayed: bool,
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
            config: component,
            checks: config.checks.clone(),
            mode,
            repository: None,
            history: None,
            tip: None,
            people: Arc::new([]),
            snapshot: None,
            previous: None,
            shown: None,
            failure: None,
            recovering: false,
            missing_template: None,
            restore_tried: false,
            restored: None,
            saved: None,
            applied: 0,
            wrote_last: false,
            since: 0,
            moved_at: None,
            undo: None,
        }
    }

    /// Serves the state under the previous configuration until the component is read under the new one.
    pub fn serve_previous(&mut self, before: Self) {
        self.previous = before.snapshot.or(before.previous);
        (self.repository, self.people) = (before.repository, before.people);
    }

    /// The history mode as the ledger records it.
    pub fn mode_name(&self) -> &'static str {
        match self.mode {
            HistoryMode::Full => "full",
            HistoryMode::None => "none",
        }
    }

    /// The checks of the component.
    pub fn checker(&self, checker: &Checker) -> Checker {
        checker.for_component(&self.checks, self.config.file_format.name())
    }

    /// The served state.
    pub fn served(&self) -> Option<&Arc<ComponentSnapshot>> {
        self.snapshot.as_ref().or(self.previous.as_ref())
    }

    /// Notes and logs why the component cannot be served or updated. Its published state stays.
    pub fn fail(&mut self, reason: String) {
        if self.failure.as_ref() != Some(&reason) {
            tracing::warn!(component = self.name, "cannot read {}: {reason}", self.name);
        }
        self.failure = Some(reason);
    }

    /// Logs the files that are excluded or do not parse, unless the previous snapshot had the same problems.
    pub fn log_problems(&self, projection: &Projection) {
        let known = self
            .snapshot
            .as_ref()
            .map_or(&[][..], |snapshot| &snapshot.problems);
        for problem in projection
            .problems
            .iter()
            .filter(|problem| !known.contains(problem))
        {
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

    /// Advances to an observed tip, or to the recorded one if the observation is not current; `None` when the
    /// component is already there.
    pub fn advance(
        &mut self,
        index: ComponentIndex,
        observed: BranchState,
        freshness: Freshness,
        ledger: &Ledger,
        observed_at: Timestamp,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<Option<Advance>, ComponentError> {
        self.undo = None;
        self.check_superseded(ledger)?;
        self.config.branch = observed.branch;
        let repository = observed.repository;
        let may_move = ledger.read_only().is_none();
        let tip = match self.recorded_tip(ledger) {
            Some(recorded) if freshness != Freshness::Current || !may_move => recorded,
            None if !may_move => return Err(read_only(ledger)),
            _ => observed.tip,
        };
        let advance = match self.mode {
            HistoryMode::None => self.advance_tip(index, tip, ledger),
            HistoryMode::Full => {
                self.advance_history(index, &repository, tip, ledger, observed_at, progress)?
            }
        };
        self.repository = Some(repository);
        self.failure = None;
        Ok(advance)
    }

    fn advance_tip(
        &mut self,
        component: ComponentIndex,
        tip: CommitId,
        ledger: &Ledger,
    ) -> Option<Advance> {
        if self.tip == Some(tip) && self.shown == Some(tip) {
            return None;
        }
        let replayed = self
            .last_move(ledger)
            .is_some_and(|last| last.to() == tip.to_string());
        if !replayed {
            self.prepare_undo(ledger);
        }
        self.tip = Some(tip);
        Some(Advance {
            component,
            from: None,
            to: tip,
            first_entry: 0,
            replayed,
        })
    }

    /// The tip of the last recorded move, if the ledger is shared or read-only: there, observations may be older.
    fn recorded_tip(&self, ledger: &Ledger) -> Option<CommitId> {
        ledger.shared()?;
        self.last_move(ledger)?.to().parse().ok()
    }

    /// Continues from the content of a checkpoint, which covers the batches up to `batch`.
    pub fn continue_from(&mut self, batch: u32, history: History, snapshot: ComponentSnapshot) {
        (self.restored, self.saved) = (
            Some(batch),
            Some(SavedState {
                moves: 0,
                entries: history.log().len(),
            }),
        );
        (self.tip, self.history) = (history.tip(), Some(history));
        self.config = (*snapshot.component).clone();
        self.snapshot = Some(Arc::new(snapshot));
        self.shown = self.tip;
    }

    /// Keeps the state before an advance that a shared ledger may not record.
    fn prepare_undo(&mut self, ledger: &Ledger) {
        if ledger.shared().is_some() {
            self.undo = Some(Box::new(Undo {
                history: self.history.clone(),
                tip: self.tip,
                saved: self.saved,
            }));
        }
    }

    /// Undoes the last advance, which could not be recorded.
    pub fn undo(&mut self) {
        if let Some(undo) = self.undo.take() {
            (self.history, self.tip, self.saved) = (undo.history, undo.tip, undo.saved);
        }
    }

    /// Notes that the last advance is recorded in a batch.
    pub fn recorded_in(&mut self, batch: u32) {
        (self.undo, self.applied, self.wrote_last) = (None, batch, true);
    }

    fn advance_history(
        &mut self,
        component: ComponentIndex,
        repository: &Repository,
        tip: CommitId,
        ledger: &Ledger,
        observed_at: Timestamp,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<Option<Advance>, ComponentError> {
        let mut replayed = false;
        if self.history.is_none() || self.restored.is_some() || self.is_behind(ledger) {
            self.history = self.replay(repository, ledger, progress)?;
            // Earlier packs contain them.
            repository.forget_recorded();
            replayed = self.history.is_some();
        }
        if let Some(history) = &self.history
            && self.tip == Some(tip)
        {
            let first_entry = history.log().len();
            let unmoved = Advance {
                component,
                from: Some(tip),
                to: tip,
                first_entry,
                replayed: true,
            };
            // A state that could not be shown is tried again.
            return Ok((replayed || self.shown != Some(tip)).then_some(unmoved));
        }
        if ledger.read_only().is_some() {
            return Err(read_only(ledger));
        }
        self.prepare_undo(ledger);
        let (step, begins) = self.step(repository, tip, observed_at, progress)?;
        self.count_move();
        let from = self.tip.filter(|_| !begins);
        if step.rewritten {
            tracing::warn!(
                component = self.name,
                "the history of {} was rewritten; the tip is now {tip}",
                self.name
            );
        }
        self.tip = Some(tip);
        Ok(Some(Advance {
            component,
            from,
            to: tip,
            first_entry: step.entries.0,
            replayed: false,
        }))
    }

    /// Moves the history to a tip. Rebuilds it if a new clone lacks commits that it needs. Returns also whether the
    /// change log begins with this step.
    fn step(
        &mut self,
        repository: &Repository,
        tip: CommitId,
        observed_at: Timestamp,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<(StepSummary, bool), HistoryError> {
        let mut begins = self.history.is_none();
        let mut history = self.history.take().unwrap_or_else(|| self.new_history());
        let mut step = history.step(repository, tip, observed_at, progress);
        if let Err(error) = &step
            && error.is_damage()
            && repository.is_recloned()
            && !begins
        {
            tracing::warn!(
                component = self.name,
                "rebuilding the change log of {}: it cannot continue from the previous tip: {error}",
                self.name
            );
            (begins, history) = (true, self.new_history());
            step = history.step(repository, tip, observed_at, progress);
        }
        self.history = (step.is_ok() || !begins).then_some(history);
        Ok((step?, begins))
    }

    /// An empty history.
    pub fn new_history(&self) -> History {
        History::new(Arc::new(self.config.clone()), &self.source_language)
    }

    /// Notes that the history is one more move ahead of its checkpoint.
    pub fn count_move(&mut self) {
        if let Some(saved) = &mut self.saved {
            saved.moves += 1;
        }
    }

    /// Projects the state at the tip.
    pub fn project(&mut self) -> Result<Projection, ComponentError> {
        let (Some(repository), Some(tip)) = (&self.repository, self.tip) else {
            return Err(ComponentError::Repository(
                "the repository has not been read yet".into(),
            ));
        };
        let projection = match &mut self.history {
            Some(history) => history.project(repository)?,
            None => history::present(&self.config, &self.source_language, repository, tip)?,
        };
        let missing = self.find_missing_template(repository, &projection)?;
        if let Some(missing) = missing
            .as_ref()
            .filter(|_| missing != self.missing_template)
        {
            tracing::warn!(component = self.name, "{}: {missing}", self.name);
        }
        self.missing_template = missing;
        Ok(projection)
    }

    /// The message if the tip has no template (any more): the projection is the last state that had one.
    fn find_missing_template(
        &self,
        repository: &Repository,
        shown: &Projection,
    ) -> Result<Option<String>, GitError> {
        let Some(template) = shown
            .translations
            .iter()
            .find(|translation| translation.is_template)
        else {
            return Ok(None);
        };
        let path = &template.path;
        if let Some(EntryKind::File(_)) = repository.reader().entry_at(shown.tip.tree, &**path)? {
            return Ok(None);
        }
        Ok(Some(format!(
            "the template {path} is gone from the branch {} (commit {}); serving the last state with a template: \
             restore the file, or set the template to its new path",
            self.config.branch, shown.tip.id
        )))
    }

    /// An observation without a poll.
    pub fn last_observation(&self, component: ComponentIndex) -> Option<Observation> {
        let repository = self.repository.as_ref()?;
        let repository = repository.reopen().unwrap_or_else(|_| repository.clone());
        let state = BranchState {
            repository,
            branch: self.config.branch.clone(),
            tip: self.tip?,
        };
        Some(Observation {
            component,
            state: Ok(state),
            freshness: Freshness::Old,
        })
    }
}

fn read_only(ledger: &Ledger) -> ComponentError {
    let reason = ledger.read_only().unwrap_or("the ledger is read-only");
    ComponentError::Repository(format!("it cannot be recorded: {reason}"))
}

/// Hash of the settings that a component's change log depends on.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
fn fingerprint(component: &Component, source_language: &str) -> String {
    let previous: Vec<&str> = component
        .previous_filemasks
        .iter()
        .map(|mask| mask.as_str())
        .collect();
    let parts = serde_json::json!([
        component.filemask.as_str(),
        component.template,
        component.file_format.name(),
        source_language,
        previous,
        component.platforms,
    ]);
    blake3::hash(parts.to_string().as_bytes()).to_hex()[..32].to_owned()
}
