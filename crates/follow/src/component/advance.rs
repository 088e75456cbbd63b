//! The advance of a component from tip to tip. Source: `docs/spec/ids-and-ledger.md#batches`.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::checks::FollowedChecks;
use super::phase::{FollowedLog, Phase};
use super::recorded::RecordedLog;
use super::replay::{check_superseded, replay};
use super::state::{Behind, ComponentState, Source};
use crate::observation::{BranchState, ComponentError, Freshness};
use crate::project::HistoryMode;
use gitglot_catalog::{PreparedRows, PreviousResults};
use gitglot_git::{EntryKind, GitError, Repository};
use gitglot_history::{History, HistoryError, Projection, StepProgress, StepSummary, group_view};
use gitglot_model::{CommitId, ComponentIndex, Crash, Timestamp, catch_crash};

/// The advance of a component to a tip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Advance {
    pub component: ComponentIndex,
    /// The previous tip; `None` where the log begins.
    pub from: Option<CommitId>,
    pub to: CommitId,
    /// The position of the first new entry in the component's log.
    pub first_entry: usize,
    /// Whether the ledger already records it.
    pub replayed: bool,
}

/// The tip that a component advances to, and what its advance needs.
pub(crate) struct AdvanceInput<'a> {
    pub component: ComponentIndex,
    pub observed: BranchState,
    pub freshness: Freshness,
    pub recorded: &'a RecordedLog,
    pub observed_at: Timestamp,
    pub progress: &'a (dyn Fn(StepProgress) + Sync),
}

/// An advance and the state that it leads to; `None` if there is nothing new.
type AdvanceResult = Result<Option<(Advance, Projection)>, ComponentError>;

/// The result of advancing components.
#[derive(Default)]
pub(crate) struct Advanced {
    pub observed: Vec<ComponentIndex>,
    /// The advances that are not committed yet, with the states that they lead to.
    pub states: BTreeMap<ComponentIndex, (Advance, Projection)>,
    /// The advances of the batch, in configuration order. Empty until it is committed.
    pub advances: Vec<Advance>,
    /// The rows that steps have prepared.
    pub rows: HashMap<ComponentIndex, PreparedRows>,
    /// The repositories of which a step has found the strings that moved.
    pub with_moves: HashSet<String>,
    /// The components whose mirrors are corrupt.
    pub damaged: Vec<ComponentIndex>,
    /// The components whose steps go on.
    pub late: Vec<ComponentIndex>,
}

impl ComponentState {
    /// As [`Self::try_advance`]. A panic, which is a fault of the program, is an error of this component only: others
    /// are still followed. The component is read again when its tip changes, beginning with the recorded moves.
    pub fn advance(&mut self, input: &AdvanceInput<'_>) -> AdvanceResult {
        let advanced = catch_crash(|| self.try_advance(input));
        advanced.unwrap_or_else(|crash| Err(self.crashed(input.observed.tip, crash)))
    }

    /// The rows of a new state, which share those of the shown one, with the results of the checks.
    pub fn prepare_rows(&self, projection: &Projection, checks: &FollowedChecks) -> PreparedRows {
        let shown = self
            .snapshot()
            .map(|shown| PreviousResults::Snapshot(shown));
        PreparedRows::new(
            &self.config,
            &self.source_language,
            projection,
            &checks.at(self, projection.tip.id),
            shown.unwrap_or(PreviousResults::Nothing),
            &|_| true,
        )
    }

    /// As [`Self::prepare_rows`], in a step: not on the thread that all repositories share. A panic is an error as in
    /// [`Self::advance`].
    pub fn try_prepare_rows(
        &mut self,
        projection: &Projection,
        checks: &FollowedChecks,
    ) -> Result<PreparedRows, ComponentError> {
        let rows = catch_crash(|| self.prepare_rows(projection, checks));
        rows.map_err(|crash| self.crashed(projection.tip.id, crash))
    }

    /// Discards the state that a panic may leave inconsistent.
    pub fn crashed(&mut self, tip: CommitId, Crash(text): Crash) -> ComponentError {
        let error = ComponentError::Crash(tip, text);
        self.discard();
        self.behind = Some(Behind::Unusable(tip, error.to_string()));
        error
    }

    /// Advances to an observed tip, or to the recorded one if the observation is not current, and projects the state
    /// there; `None` when the component is already there. An advance that cannot be projected is discarded, so that the
    /// ledger never records ids that are not shown.
    fn try_advance(&mut self, input: &AdvanceInput<'_>) -> AdvanceResult {
        self.undo = None;
        if let Some(reason) = &self.refused {
            return Err(ComponentError::Repository(reason.clone()));
        }
        let (observed, recorded) = (&input.observed, input.recorded);
        check_superseded(self, recorded)?;
        self.config.branch.clone_from(&observed.branch);
        let repository = &observed.repository;
        let may_move = recorded.read_only.is_none();
        let tip = match self.recorded_tip(recorded) {
            Some(known) if input.freshness != Freshness::Current || !may_move => known,
            None if !may_move => return Err(read_only(recorded)),
            _ => observed.tip,
        };
        self.behind.take_if(|behind| {
            matches!(behind, Behind::Unusable(known, _) if *known != tip || repository.is_recloned())
        });
        if self.phase.tip().is_none() && recorded.newest.is_none() {
            gitglot_history::check_mask(&self.config, &self.source_language, repository, tip)?;
        }
        let advanced = match self.mode {
            HistoryMode::None => self.advance_tip(input, tip)?,
            HistoryMode::Full => self.advance_history(input, tip)?,
        };
        self.source = Source::Open(repository.clone());
        self.failure = None;
        Ok(advanced)
    }

    /// The tip of the last recorded move, if the ledger is shared or read-only: there, observations may be older.
    fn recorded_tip(&self, recorded: &RecordedLog) -> Option<CommitId> {
        let last = self.last_recorded(recorded);
        last.filter(|_| recorded.is_shared)?.to().parse().ok()
    }

    /// Keeps the state before an advance that a shared ledger may not record.
    fn prepare_undo(&mut self, recorded: &RecordedLog) {
        if recorded.is_shared {
            self.undo = Some(Box::new(self.phase.clone()));
        }
    }

    /// With `history = none`: moves to a tip, or stays at the last one that has a usable template.
    fn advance_tip(&mut self, input: &AdvanceInput<'_>, tip: CommitId) -> AdvanceResult {
        let (repository, recorded) = (&input.observed.repository, input.recorded);
        let last = self.last_recorded(recorded);
        let last: Option<CommitId> = last.and_then(|last| last.to().parse().ok());
        let target = match self.why_unusable() {
            Some(reason) => last.ok_or_else(|| ComponentError::Repository(reason.to_owned()))?,
            None => tip,
        };
        if self.phase.tip() == Some(target) && self.shows(target) {
            return Ok(None);
        }
        let projection = match self.project(repository, target, None) {
            Err(error)
                if error.is_about_files() && self.why_unusable().is_none() && last != Some(tip) =>
            {
                self.behind = Some(Behind::Unusable(tip, error.to_string()));
                return self.advance_tip(input, tip);
            }
            projected => projected?,
        };
        let replayed = last == Some(target);
        if replayed {
            self.overtaken.moved(self.phase.tip(), target);
        } else {
            self.overtaken.check(self.phase.tip(), target)?;
            self.prepare_undo(recorded);
        }
        self.phase = Phase::Tip(target);
        let advance = Advance {
            component: input.component,
            from: None,
            to: target,
            first_entry: 0,
            replayed,
        };
        Ok(Some((advance, projection)))
    }

    fn advance_history(&mut self, input: &AdvanceInput<'_>, tip: CommitId) -> AdvanceResult {
        let (repository, recorded) = (&input.observed.repository, input.recorded);
        if let Some(reason) = self.why_unusable() {
            return Err(ComponentError::Repository(reason.to_owned()));
        }
        let mut known = None;
        let is_read = self.has_read(recorded);
        if !is_read {
            known = replay(self, repository, recorded, input.progress)?;
            // Earlier packs contain them.
            repository.forget_recorded();
        }
        if self.phase.tip() == Some(tip) {
            // A state that could not be shown is tried again.
            if is_read && self.shows(tip) {
                return Ok(None);
            }
            let projection = self.project(repository, tip, known)?;
            return Ok(Some((self.unmoved(input.component, tip), projection)));
        }
        if recorded.read_only.is_some() {
            return Err(read_only(recorded));
        }
        self.overtaken.check(self.phase.tip(), tip)?;
        self.prepare_undo(recorded);
        let (step, from) = self.step(input, tip)?;
        let projection = self.project(repository, tip, None).inspect_err(|error| {
            if error.is_about_files() {
                self.behind = Some(Behind::Unusable(tip, error.to_string()));
            }
            self.discard();
        })?;
        if step.rewritten {
            tracing::warn!(
                component = self.name,
                "the history of {} was rewritten; the tip is now {tip}",
                self.name
            );
        }
        let advance = Advance {
            component: input.component,
            from,
            to: tip,
            first_entry: step.entries.0,
            replayed: false,
        };
        Ok(Some((advance, projection)))
    }

    /// Projects the shown state again; `None` unless the batch in progress observes the component.
    pub fn project_again(&mut self, component: ComponentIndex) -> AdvanceResult {
        let (Some(tip), Source::Open(repository)) = (self.phase.tip(), &self.source) else {
            return Ok(None);
        };
        let repository = repository.clone();
        let projection = self.project(&repository, tip, None)?;
        Ok(Some((self.unmoved(component, tip), projection)))
    }

    /// An advance to the tip that was reached before.
    fn unmoved(&self, component: ComponentIndex, tip: CommitId) -> Advance {
        let history = self.phase.history();
        Advance {
            component,
            from: Some(tip),
            to: tip,
            first_entry: history.map_or(0, |history| history.log().len()),
            replayed: true,
        }
    }

    /// Discards an advance that failed. The next one begins with the recorded moves.
    fn discard(&mut self) {
        (self.phase, self.undo) = (Phase::default(), None);
    }

    /// Moves the history to a tip. Rebuilds it if a new clone lacks commits that it needs. Returns also the previous tip;
    /// `None` if the change log begins with this step.
    fn step(
        &mut self,
        input: &AdvanceInput<'_>,
        tip: CommitId,
    ) -> Result<(StepSummary, Option<CommitId>), HistoryError> {
        let (repository, from) = (&input.observed.repository, self.phase.tip());
        let step = |history: &mut History| {
            history.step(repository, tip, input.observed_at, input.progress)
        };
        if let Phase::Followed(log) = &mut self.phase {
            log.history.set_max_id_bytes(self.max_id_bytes);
            match step(&mut log.history) {
                Err(error) if error.is_damage() && repository.is_recloned() => {
                    tracing::warn!(
                        component = self.name,
                        "rebuilding the change log of {}: it cannot continue from the previous tip: {error}",
                        self.name
                    );
                    self.phase = Phase::Unrestorable;
                }
                stepped => {
                    let summary = stepped?;
                    log.count_move();
                    return Ok((summary, from));
                }
            }
        }
        let mut history = self.new_history();
        let summary = step(&mut history)?;
        self.phase = Phase::Followed(Box::new(FollowedLog::new(history)));
        Ok((summary, None))
    }

    /// Projects the state at a tip, which the history has reached, unless it is `known`.
    fn project(
        &mut self,
        repository: &Repository,
        tip: CommitId,
        known: Option<Projection>,
    ) -> Result<Projection, ComponentError> {
        let projection = match (known, self.phase.history_mut()) {
            (Some(projection), _) => projection,
            (None, Some(history)) => history.project(repository)?,
            (None, None) => gitglot_history::read_tip(
                &self.config,
                &self.source_language,
                repository,
                tip,
                self.max_id_bytes,
            )?,
        };
        self.projected_id_bytes = projection.id_bytes;
        let missing = match self.find_missing_template(repository, &projection)? {
            None => self.find_missing_languages(&projection),
            missing => missing,
        };
        if self.why_unusable().is_none() {
            if let Some(missing) = missing.as_deref()
                && self.why_behind() != Some(missing)
            {
                tracing::warn!(component = self.name, "{}: {missing}", self.name);
            }
            self.behind = missing.map(Behind::MissingFiles);
        }
        Ok(projection)
    }

    /// The message if the tip has no usable template (any more), or no file of a language if none is a template: the
    /// projection is the last state that had one.
    fn find_missing_template(
        &self,
        repository: &Repository,
        shown: &Projection,
    ) -> Result<Option<String>, GitError> {
        let mut translations = shown.translations.iter();
        let Some(template) = translations.find(|translation| translation.is_template) else {
            return self.find_missing_files(repository, shown);
        };
        let path = &template.path;
        let is_whole = self.config.file_format.has_parts();
        let (repository, wanted) = if self.config.filemask.has_groups() {
            (&group_view(repository, &self.config), &template.own_path)
        } else {
            (repository, path)
        };
        let problem = match repository.reader().entry_at(shown.tip.tree, &**wanted)? {
            Some(EntryKind::File(blob)) => {
                // A version that does not parse is a problem of the file if an older one replaces it.
                let is_reported = shown.problems.iter().any(|problem| *problem.path == **path);
                if blob == shown.template_blob || is_reported || is_whole {
                    return Ok(None);
                }
                "cannot be read at the tip of"
            }
            _ => "is gone from",
        };
        Ok(Some(format!(
            "the template {path} {problem} the branch {} (commit {}); serving the last state with a template: \
             restore the file, or set the template to its new path",
            self.config.branch, shown.tip.id
        )))
    }

    /// As [`Self::find_missing_template`], of a component without a template.
    fn find_missing_files(
        &self,
        repository: &Repository,
        shown: &Projection,
    ) -> Result<Option<String>, GitError> {
        let mut reader = repository.reader();
        for translation in &shown.translations {
            let entry = reader.entry_at(shown.tip.tree, &*translation.path)?;
            if matches!(entry, Some(EntryKind::File(_))) {
                return Ok(None);
            }
        }
        let (branch, tip) = (&self.config.branch, shown.tip.id);
        let message = format!(
            "the branch {branch} (commit {tip}) has no readable file of a language any more; serving the last state that \
             had one: repair or restore the files, or set the file mask {} to their new paths",
            self.config.filemask.as_str()
        );
        Ok((!shown.translations.is_empty()).then_some(message))
    }

    /// The message if the tip lacks the files of all languages, or more than half of them are gone since the state that
    /// this process knew. The tip is shown all the same.
    fn find_missing_languages(&mut self, shown: &Projection) -> Option<String> {
        let files = shown.translations.iter();
        let (tip, branch) = (shown.tip.id, &self.config.branch);
        // The log has a translation of each file that there ever was.
        let templates = files.clone().filter(|file| file.is_template).count();
        let had_any = shown.log.lineages.len().max(self.languages) > templates;
        if had_any && files.clone().all(|file| !file.is_in_place(&self.config)) {
            let mask = self.config.filemask.as_str();
            return Some(format!(
                "the file mask {mask} matches no file of a language at the tip of the branch {branch} (commit {tip}): \
                 find the files with `gitglot discover` and correct the mask, or restore them"
            ));
        }
        let before = self.languages;
        let count = files.filter(|file| !file.is_template).count();
        if count * 2 < before {
            return Some(format!(
                "{} of {before} languages are gone from the branch {branch} (commit {tip}): restore their files, or \
                 correct the file mask; a restart accepts the state as it is",
                before - count
            ));
        }
        self.languages = count;
        None
    }
}

fn read_only(recorded: &RecordedLog) -> ComponentError {
    let reason = recorded.read_only.as_deref();
    let reason = reason.unwrap_or("the ledger is read-only");
    ComponentError::Repository(format!("it cannot be recorded: {reason}"))
}
