//! Saves and restores the log and the rows of a component, so that a start need not read its history.
//! Source: `docs/spec/ids-and-ledger.md#checkpoints`.

use std::sync::Arc;

use super::checks::FollowedChecks;
use super::phase::{FollowedLog, Phase, SavedState};
use super::state::ComponentState;
use crate::observation::BranchState;
use gitglot_catalog::{ComponentSnapshot, PreviousResults};
use gitglot_checks::Words;
use gitglot_history::{History, Projection, SavedHistory};
use gitglot_ledger::{Checkpoint, CheckpointError, Checkpoints, Ledger, RULES};
use gitglot_model::{Crash, Project, catch_crash};

/// A checkpoint is due after this many moves of its component…
const MOVES: usize = 32;
/// … or this many new entries.
const ENTRIES: usize = 2_000;

/// The version of the content, which changes with the types that are saved, and with values that were wrong.
const CONTENT: u32 = 15;

/// The id of a translation, which later batches can give a different path, and its rows that fail a check.
type SavedTranslation = (u32, Vec<u32>);

/// Why a checkpoint is ignored.
#[derive(Debug, thiserror::Error)]
enum RestoreError {
    #[error(transparent)]
    File(#[from] CheckpointError),
    #[error("its content is invalid")]
    Invalid,
    #[error("it belongs to a different ledger, configuration or version")]
    Different,
    #[error("the ledger has no id for its project")]
    NoProjectId,
    #[error("the ledger has no id for the component")]
    NoComponentId,
    #[error("the ledger lacks an id that it needs")]
    NoId,
    #[error("the mirror lacks its commit")]
    NoCommit,
    #[error(transparent)]
    Crash(#[from] Crash),
}

/// The checkpoints of the followed components.
#[derive(Debug)]
pub(crate) struct CheckpointStore {
    files: Checkpoints,
    /// Fingerprint of the checks, whose results are part of a checkpoint.
    checks: String,
}

impl CheckpointStore {
    pub fn new(files: Checkpoints, words: &Words) -> Self {
        Self {
            files,
            checks: words.fingerprint(),
        }
    }

    /// Hash of everything that a checkpoint after a batch depends on: program, rules version, configuration, checks,
    /// and the recorded moves of the current log. `None` when the current log begins later.
    fn key(&self, component: &ComponentState, ledger: &Ledger, batch: u32) -> Option<String> {
        let covered: Vec<_> = component
            .current_moves(ledger)?
            .take_while(|recorded| recorded.batch <= batch)
            .collect();
        covered.last().filter(|last| last.batch == batch)?;
        let mut hasher = blake3::Hasher::new();
        let (checks, fingerprint) = (self.checks_of(component), &component.fingerprint);
        let head = (
            env!("CARGO_PKG_VERSION"),
            (RULES, CONTENT),
            &component.name,
            fingerprint,
            checks,
        );
        hasher.update(serde_json::to_string(&head).ok()?.as_bytes());
        for it in covered {
            let line = (it.batch, it.seen, &*it.recorded, &*it.changes);
            hasher.update(serde_json::to_string(&line).ok()?.as_bytes());
        }
        Some(hasher.finalize().to_string())
    }

    /// Fingerprint of all checks of a component.
    fn checks_of(&self, component: &ComponentState) -> String {
        [&*self.checks, &component.checks.fingerprint()].concat()
    }

    /// Hash of the program and the settings that a checkpoint depends on.
    fn class(&self, component: &ComponentState) -> String {
        let parts = (
            env!("CARGO_PKG_VERSION"),
            RULES,
            &component.fingerprint,
            self.checks_of(component),
        );
        let text = serde_json::to_string(&parts).unwrap_or_default();
        let hash = blake3::hash(text.as_bytes()).to_hex();
        hash.get(..16).unwrap_or_default().to_owned()
    }

    /// Restores a component that [wants](ComponentState::wants_checkpoint) its checkpoint, if it has a valid one.
    pub fn restore(
        &self,
        component: &mut ComponentState,
        ledger: &Ledger,
        checks: &FollowedChecks,
        project: Option<Arc<Project>>,
        observed: &BranchState,
    ) {
        component.phase = Phase::Unrestorable;
        let name = &component.name;
        if let Err(error) = self.files.download(name, &self.class(component)) {
            tracing::warn!(
                component = name,
                "cannot get the checkpoint of {name}: {error}"
            );
        }
        let restore = || {
            let Some(checkpoint) = self.files.read(&component.name)? else {
                return Ok(None);
            };
            let project = project.ok_or(RestoreError::NoProjectId)?;
            let restored = self.decode(component, ledger, checks, project, observed, checkpoint);
            restored.map(Some)
        };
        // A panic is a fault of the program, and of this component only.
        let restored = catch_crash(restore).unwrap_or_else(|crash| Err(crash.into()));
        match restored {
            Ok(Some((log, state, shown))) => component.continue_from(log, state, shown),
            Ok(None) => {}
            Err(error) => {
                let name = &component.name;
                tracing::warn!(
                    component = name,
                    "ignoring the checkpoint of {name}: {error}; reading its history"
                );
            }
        }
    }

    fn decode(
        &self,
        component: &ComponentState,
        ledger: &Ledger,
        checks: &FollowedChecks,
        project: Arc<Project>,
        observed: &BranchState,
        mut checkpoint: Checkpoint,
    ) -> Result<(FollowedLog, Projection, ComponentSnapshot), RestoreError> {
        let (batch, key): (u32, String) = checkpoint.decode_next().ok_or(RestoreError::Invalid)?;
        if self.key(component, ledger, batch) != Some(key) {
            return Err(RestoreError::Different);
        }
        let mut config = component.config.clone();
        config.branch.clone_from(&observed.branch);
        config.id = ledger
            .ids
            .component_id(&component.name)
            .ok_or(RestoreError::NoComponentId)?;
        config.project = project.id;
        let config = Arc::new(config);
        let (saved, translations): (SavedHistory<'static>, Vec<SavedTranslation>) =
            checkpoint.decode_next().ok_or(RestoreError::Invalid)?;
        drop(checkpoint);
        let (translations, failing): (Vec<_>, Vec<_>) = translations.into_iter().unzip();
        let mut history = History::restore(config.clone(), &component.source_language, saved)
            .ok_or(RestoreError::Invalid)?;
        let projection = history
            .project(&observed.repository)
            .map_err(|_| RestoreError::NoCommit)?;
        let ids = ledger
            .ids
            .lookup(&component.name, &projection, &translations)
            .ok_or(RestoreError::NoId)?;
        let checks = checks.of(component, &observed.repository, projection.tip.id);
        let snapshot = ComponentSnapshot::new(
            project,
            config,
            projection.clone(),
            ids,
            &checks,
            PreviousResults::Failing(&failing),
        );
        Ok((FollowedLog::restored(history, batch), projection, snapshot))
    }

    /// The checkpoint of a component that has advanced far enough since the last one, if one is due.
    pub fn due(&self, component: &ComponentState, ledger: &Ledger) -> Option<DueCheckpoint> {
        self.due_if(component, ledger, |saved, entries| {
            saved.moves >= MOVES || entries >= saved.entries + ENTRIES
        })
    }

    /// Writes the checkpoint of a component that has advanced since the last one.
    pub fn save_if_behind(&self, component: &mut ComponentState, ledger: &Ledger) {
        let due = self.due_if(component, ledger, |saved, _| saved.moves > 0);
        if let Some(due) = due {
            due.write(component);
        }
    }

    /// The checkpoint of a component without one, and if it is due given the number of entries. Not if the component has
    /// failed or its newest state is not shown.
    fn due_if(
        &self,
        component: &ComponentState,
        ledger: &Ledger,
        is_due: impl Fn(SavedState, usize) -> bool,
    ) -> Option<DueCheckpoint> {
        let (log, tip) = (component.phase.log()?, component.phase.tip()?);
        let entries = log.history.log().len();
        let is_due = log.saved.is_none_or(|saved| is_due(saved, entries))
            && component.failure.is_none()
            && component.shows(tip);
        component.snapshot().filter(|_| is_due)?;
        let batch = component.last_move(ledger).map(|last| last.batch);
        let key = batch.and_then(|batch| Some((batch, self.key(component, ledger, batch)?)));
        Some(DueCheckpoint {
            files: self.files.clone(),
            class: self.class(component),
            key,
        })
    }
}

/// A checkpoint that is due, without the state that it is written from.
#[derive(Debug)]
pub(crate) struct DueCheckpoint {
    files: Checkpoints,
    class: String,
    /// The batch, and the hash of what it depends on.
    key: Option<(u32, String)>,
}

impl DueCheckpoint {
    /// Writes the checkpoint, and notes that.
    pub fn write(self, component: &mut ComponentState) {
        self.write_file(component);
        if let Some(log) = component.phase.log_mut() {
            log.mark_saved();
        }
    }

    fn write_file(&self, component: &ComponentState) {
        let history = component.phase.history();
        let (Some(key), Some(history), Some(shown)) = (&self.key, history, component.snapshot())
        else {
            return;
        };
        let translations = shown.translations.iter();
        let translations: Vec<SavedTranslation> = translations
            .map(|translation| (translation.id.0, translation.failing_rows().collect()))
            .collect();
        let name = &component.name;
        let written = (self.files).write(name, &(key, (history.saved(), translations)));
        match written {
            Ok(()) if component.overtaken.wrote_last => self.files.upload(name, &self.class),
            Ok(()) => {}
            Err(error) => tracing::warn!(
                component = name,
                "cannot write the checkpoint of {name}: {error}"
            ),
        }
    }
}

/// Writes the checkpoint of a component if it is due, and prepares its history for the next step.
pub(crate) fn write_and_index(component: &mut ComponentState, due: Option<DueCheckpoint>) {
    if let Some(due) = due
        && let Err(crash) = catch_crash(|| due.write(component))
    {
        tracing::error!("cannot write the checkpoint of {}: {crash}", component.name);
        // It would crash after each batch.
        if let Some(log) = component.phase.log_mut() {
            log.mark_saved();
        }
    }
    let index = || component.phase.history_mut().map(History::index_texts);
    if let Err(crash) = catch_crash(index) {
        tracing::error!("cannot index the texts of {}: {crash}", component.name);
        if let Some(tip) = component.phase.tip() {
            component.crashed(tip, crash);
        }
    }
}
