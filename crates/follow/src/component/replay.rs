//! Rebuilds a component's change log from the moves in the ledger. Source: `docs/spec/ids-and-ledger.md#replay`.

use std::ops::Range;

use super::phase::{FollowedLog, Phase};
use super::state::{ComponentState, Served};
use crate::observation::ComponentError;
use gitglot_git::Repository;
use gitglot_history::{History, Projection, StepProgress};
use gitglot_ledger::{Batch, Ledger, Move, RULES};
use gitglot_model::{ChangeId, CommitId, Timestamp};

/// A move of a component in the ledger.
#[derive(Clone, Copy)]
pub(crate) struct RecordedMove<'a> {
    pub batch: &'a Batch,
    /// The runs of ids of the log entries that the move added.
    pub changes: &'a [Range<u32>],
    /// The index of the move in its batch.
    pub nth: usize,
}

impl<'a> RecordedMove<'a> {
    /// The move.
    pub fn recorded(self) -> &'a Move {
        &self.batch.moves[self.nth]
    }

    /// The commit that the component moved to.
    pub fn to(self) -> &'a str {
        &self.recorded().to
    }

    /// The ids of the log entries that the move added.
    fn change_ids(self) -> Vec<ChangeId> {
        let ids = self.changes.iter().cloned().flatten();
        ids.map(ChangeId).collect()
    }
}

/// Why a replay stops.
enum ReplayError {
    /// The mirror must be cloned again first: rebuilding the log would change its ids.
    Damaged(ComponentError),
    /// The recorded log cannot be reproduced.
    Impossible(String),
}

impl ComponentState {
    /// All moves of the component, oldest first.
    fn moves<'a>(
        &self,
        ledger: &'a Ledger,
    ) -> impl DoubleEndedIterator<Item = RecordedMove<'a>> + use<'a> {
        ledger.moves_of(&self.name).filter_map(|(at, nth)| {
            let batch = ledger.batches.get(at)?;
            Some(RecordedMove {
                batch,
                changes: ledger.changes_of(at, nth),
                nth,
            })
        })
    }

    /// The newest move, if the log can continue from it: same configuration, rules version and mode.
    pub fn last_move<'a>(&self, ledger: &'a Ledger) -> Option<RecordedMove<'a>> {
        let last = self.moves(ledger).next_back()?;
        (last.batch.rules == RULES && self.has_settings_of(last.recorded())).then_some(last)
    }

    fn has_settings_of(&self, recorded: &Move) -> bool {
        recorded.fingerprint == self.fingerprint && recorded.history == self.mode_name()
    }

    /// Whether the shown state lacks a move that another replica has recorded with the same settings.
    pub fn hides(&self, batch: &Batch, recorded: &Move) -> bool {
        let shown = match self.served {
            Served::Restored(_, batch) | Served::Current(_, batch) => batch,
            Served::Nothing | Served::Previous(_) => 0,
        };
        batch.batch > self.since.max(shown)
            && batch.rules == RULES
            && self.has_settings_of(recorded)
    }

    /// Checks that no replica that started later records the component with different settings.
    ///
    /// # Errors
    /// When one does. Source: `docs/spec/ids-and-ledger.md#mixed-fleets`.
    pub fn check_superseded(&self, ledger: &Ledger) -> Result<(), ComponentError> {
        let last = self.moves(ledger).next_back();
        match last.filter(|last| ledger.shared().is_some() && last.batch.batch > self.since) {
            Some(last) if last.batch.rules == RULES && !self.has_settings_of(last.recorded()) => {
                Err(ComponentError::Repository(format!(
                    "a replica that started later records it with different settings since batch {}: serving the \
                     state before; use the same configuration on all replicas",
                    last.batch.batch
                )))
            }
            _ => Ok(()),
        }
    }

    /// Whether the ledger has moves that a log lacks.
    pub(super) fn is_behind(&self, log: &FollowedLog, ledger: &Ledger) -> bool {
        ledger.shared().is_some()
            && self
                .last_move(ledger)
                .is_some_and(|last| last.batch.batch > log.applied)
    }

    /// The moves that make up the current log.
    pub fn current_moves<'a>(
        &self,
        ledger: &'a Ledger,
    ) -> Option<impl Iterator<Item = RecordedMove<'a>> + use<'a>> {
        let moves: Vec<RecordedMove<'a>> = self.moves(ledger).collect();
        let begin = moves.iter().rposition(|it| it.recorded().from.is_none())?;
        Some(moves.into_iter().skip(begin))
    }

    /// The batches and tips of the moves that the history lacks.
    pub fn unapplied_moves(&self, ledger: &Ledger) -> Vec<(u32, CommitId)> {
        let applied = self.phase.log().map_or(0, |log| log.applied);
        let moves = self.current_moves(ledger).into_iter().flatten();
        let new = moves.filter(|it| it.batch.batch > applied);
        new.filter_map(|it| Some((it.batch.batch, it.to().parse().ok()?)))
            .collect()
    }

    /// Replays the component's moves, or only those after its checkpoint. The component is then followed, or unread if
    /// its log must be rebuilt. Returns the state of the checkpoint if no move is after it.
    ///
    /// # Errors
    /// When the mirror is corrupt and was not cloned again yet.
    pub(super) fn replay(
        &mut self,
        repository: &Repository,
        ledger: &Ledger,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<Option<Projection>, ComponentError> {
        let own = self.phase.tip();
        let (known, mut state) = match std::mem::take(&mut self.phase) {
            Phase::Restored(restored) => (Some(restored.0), Some(restored.1)),
            Phase::Followed(log) => (Some(*log), None),
            Phase::Unread { .. } | Phase::Tip(_) => (None, None),
        };
        let Some(moves) = self
            .last_move(ledger)
            .and_then(|_| self.current_moves(ledger))
        else {
            return Ok(None);
        };
        let moves: Vec<RecordedMove<'_>> = moves.collect();
        let begin = moves.first().map_or(0, |first| first.batch.batch);
        // Another replica may have rebuilt the log.
        let known = known.filter(|log| log.applied >= begin);
        let mut log = known.unwrap_or_else(|| FollowedLog::new(self.new_history()));
        for recorded in moves {
            let batch = recorded.batch.batch;
            if batch <= log.applied {
                continue;
            }
            state = None;
            match replay_move(&mut log.history, recorded, repository, progress) {
                Ok(to) => {
                    log.count_move();
                    log.applied = batch;
                    self.overtaken.moved(own, to);
                }
                Err(ReplayError::Damaged(error)) => {
                    if ledger.shared().is_some() {
                        // The store may have the objects.
                        self.phase = Phase::Followed(Box::new(log));
                    }
                    return Err(error);
                }
                Err(ReplayError::Impossible(reason)) => {
                    tracing::warn!(
                        component = self.name,
                        "rebuilding the change log of {}: cannot replay batch {batch} of the ledger: {reason}",
                        self.name
                    );
                    self.phase = Phase::Unread {
                        checkpoint_tried: true,
                    };
                    return Ok(None);
                }
            }
        }
        self.phase = Phase::Followed(Box::new(log));
        Ok(state)
    }
}

fn replay_move(
    history: &mut History,
    recorded: RecordedMove<'_>,
    repository: &Repository,
    progress: &(dyn Fn(StepProgress) + Sync),
) -> Result<CommitId, ReplayError> {
    let tip: CommitId = recorded
        .to()
        .parse()
        .map_err(|error| ReplayError::Impossible(format!("{error}")))?;
    let step = history
        .step(repository, tip, Timestamp(recorded.batch.seen), progress)
        .map_err(|error| {
            if repository.is_recloned() {
                ReplayError::Impossible(error.to_string())
            } else {
                ReplayError::Damaged(error.into())
            }
        })?;
    let ids = recorded.change_ids();
    if ids.len() != step.entries.1 - step.entries.0 {
        return Err(ReplayError::Impossible(
            "the number of log entries differs".to_owned(),
        ));
    }
    history.set_change_ids(step.entries.0, ids);
    Ok(tip)
}
