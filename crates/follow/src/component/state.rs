//! One component and its advance from tip to tip.

use std::sync::Arc;
use std::time::Instant;

use crate::observation::{BranchState, Freshness, Observation};
use crate::{ComponentConfig, HistoryMode, ProjectConfig};
use gitglot_catalog::ComponentSnapshot;
use gitglot_checks::{CheckSettings, ComponentChecks, Words};
use gitglot_git::{ClosedRepository, Repository};
use gitglot_history::{History, Person, Projection};
use gitglot_ledger::Ledger;
use gitglot_model::{CommitId, Component, ComponentIndex};

/// The state of a followed component.
#[derive(Debug)]
pub(crate) struct ComponentState {
    /// `project/component`.
    pub name: String,
    pub project_slug: String,
    pub source_language: String,
    /// The configuration. Ids and branch are set when they are known.
    pub config: Component,
    /// Why the configuration cannot be used with the files of the repository.
    pub(super) refused: Option<String>,
    /// Which checks run.
    pub checks: CheckSettings,
    pub mode: HistoryMode,
    /// Hash of the settings that the change log depends on.
    pub fingerprint: String,
    /// Set during the batch that observes it.
    pub repository: Option<Repository>,
    /// The repository of the last batch that observed it.
    pub closed: Option<ClosedRepository>,
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
    /// Whether it failed because the shared ledger lacks git objects, which is the only source.
    pub lacks_objects: bool,
    /// The mirror was corrupt at the last poll, and is cloned again at the next one.
    pub recovering: bool,
    /// Why an older state is shown: the tip has no usable template.
    pub missing_template: Option<String>,
    /// The observed tip if nothing can be shown from it, with the reason. It is not read again.
    pub(super) unusable: Option<(CommitId, String)>,
    /// Whether restoring from a checkpoint was tried.
    pub restore_tried: bool,
    /// The checkpoint that `history` comes from, until the moves after it are replayed.
    pub restored: Option<Restored>,
    /// `None` when the component has no valid checkpoint.
    pub saved: Option<SavedState>,
    /// The batch of the last recorded move that `history` contains.
    pub applied: u32,
    /// The same of `snapshot`.
    pub shown_batch: u32,
    /// The newest batch when the component got its settings. Later moves of other replicas with different settings
    /// win.
    pub since: u32,
    /// Whether this replica wrote the last recorded move.
    pub wrote_last: bool,
    /// A tip that this replica recorded, the tip to which another one then moved it, and how many times in a row.
    pub(super) overtaken: Option<(CommitId, CommitId, u32)>,
    /// When another replica last moved it.
    pub moved_at: Option<Instant>,
    /// Most bytes of ids that it may have.
    pub max_id_bytes: usize,
    /// The bytes of ids of the last projection.
    pub(super) projected_id_bytes: usize,
    /// The state before an advance that is not recorded yet. Only of a shared ledger.
    pub(super) undo: Option<Box<Undo>>,
}

/// The state before an advance.
#[derive(Debug)]
pub(super) struct Undo {
    history: Option<History>,
    tip: Option<CommitId>,
    saved: Option<SavedState>,
}

/// The content of a checkpoint.
#[derive(Debug)]
pub(crate) struct Restored {
    /// The last batch that it covers.
    pub batch: u32,
    /// The state at its tip.
    pub projection: Projection,
}

/// The difference between a component and its checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SavedState {
    /// Moves since the checkpoint.
    pub moves: usize,
    /// Log entries in the checkpoint.
    pub entries: usize,
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
            refused: config.names.as_ref().and_then(|it| it.problem.clone()),
            checks: config.checks.clone(),
            mode,
            repository: None,
            closed: None,
            history: None,
            tip: None,
            people: Arc::new([]),
            snapshot: None,
            previous: None,
            shown: None,
            failure: None,
            lacks_objects: false,
            recovering: false,
            missing_template: None,
            unusable: None,
            restore_tried: false,
            restored: None,
            saved: None,
            applied: 0,
            shown_batch: 0,
            wrote_last: false,
            overtaken: None,
            since: 0,
            moved_at: None,
            max_id_bytes: gitglot_history::MAX_ID_BYTES,
            projected_id_bytes: 0,
            undo: None,
        }
    }

    /// The bytes of the ids of its strings.
    pub fn id_bytes(&self) -> usize {
        let history = self.history.as_ref();
        history.map_or(self.projected_id_bytes, History::id_bytes)
    }

    /// Serves the state under the previous configuration until the component is read under the new one.
    pub fn serve_previous(&mut self, before: Self) {
        self.previous = before.snapshot.or(before.previous);
        (self.closed, self.people) = (before.closed, before.people);
    }

    /// The history mode as the ledger records it.
    pub fn mode_name(&self) -> &'static str {
        match self.mode {
            HistoryMode::Full => "full",
            HistoryMode::None => "none",
        }
    }

    /// The checks of the component, which ignore these words.
    pub fn checks(&self, words: &Words) -> ComponentChecks {
        ComponentChecks::new(&self.checks, self.config.file_format.name(), words)
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

    /// The tip of the last recorded move, if the ledger is shared or read-only: there, observations may be older.
    pub(super) fn recorded_tip(&self, ledger: &Ledger) -> Option<CommitId> {
        ledger.shared()?;
        self.last_move(ledger)?.to().parse().ok()
    }

    /// Whether it has a log in the ledger but none in memory, and was not restored from a checkpoint yet.
    pub fn wants_checkpoint(&self, ledger: &Ledger) -> bool {
        self.mode == HistoryMode::Full
            && self.history.is_none()
            && !self.restore_tried
            && self.last_move(ledger).is_some()
    }

    /// Continues from a checkpoint.
    pub fn continue_from(
        &mut self,
        restored: Restored,
        history: History,
        snapshot: ComponentSnapshot,
    ) {
        let batch = restored.batch;
        (self.restored, self.saved) = (
            Some(restored),
            Some(SavedState {
                moves: 0,
                entries: history.log().len(),
            }),
        );
        (self.tip, self.history) = (history.tip(), Some(history));
        // A newer state is shown if the history had to be read again.
        if self.snapshot.is_none() {
            self.config = (*snapshot.component).clone();
            self.snapshot = Some(Arc::new(snapshot));
            (self.shown, self.shown_batch) = (self.tip, batch);
        }
    }

    /// Keeps the state before an advance that a shared ledger may not record.
    pub(super) fn prepare_undo(&mut self, ledger: &Ledger) {
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

    /// Why an older state is shown.
    pub fn why_behind(&self) -> Option<&str> {
        let unusable = self.unusable.as_ref().map(|(_, reason)| reason.as_str());
        self.missing_template.as_deref().or(unusable)
    }

    /// An empty history.
    pub fn new_history(&self) -> History {
        let mut history = History::new(Arc::new(self.config.clone()), &self.source_language);
        history.set_max_id_bytes(self.max_id_bytes);
        history
    }

    /// Notes that the history is one more move ahead of its checkpoint.
    pub fn count_move(&mut self) {
        if let Some(saved) = &mut self.saved {
            saved.moves += 1;
        }
    }

    /// An observation without a poll.
    pub fn last_observation(&self, component: ComponentIndex) -> Option<Observation> {
        let state = BranchState {
            repository: self.closed.as_ref()?.open().ok()?,
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

/// Hash of the settings that a component's change log depends on.
/// Source: `docs/spec/ids-and-ledger.md#rebuilding-a-log`.
fn fingerprint(component: &Component, source_language: &str) -> String {
    let previous: Vec<&str> = component
        .previous_filemasks
        .iter()
        .map(|mask| mask.as_str())
        .collect();
    let mut parts = serde_json::json!([
        component.filemask.as_str(),
        component.template,
        component.file_format.name(),
        source_language,
        previous,
        component.platforms,
    ]);
    // Logs of older versions have no such setting.
    if let (false, Some(parts)) = (component.renames, parts.as_array_mut()) {
        parts.push("renames = false".into());
    }
    blake3::hash(parts.to_string().as_bytes()).to_hex()[..32].to_owned()
}
