//! Rebuilds a component's change log from the moves in the ledger. Source: `docs/spec/ids-and-ledger.md#replay`.

use std::ops::Range;

use super::state::ComponentState;
use crate::observation::ComponentError;
use gitglot_git::Repository;
use gitglot_history::{History, StepProgress};
use gitglot_ledger::{Batch, Ledger, Move, RULES};
use gitglot_model::{ChangeId, CommitId, Timestamp};

/// After so many moves of another replica from the same tip to the same other one, this replica gives up.
const MAX_OVERTAKEN: u32 = 3;

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
            let (batch, _) = ledger.batches.get(at)?;
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
        batch.batch > self.since.max(self.shown_batch)
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

    /// Notes that another replica has moved the component to a commit.
    pub(super) fn note_other_move(&mut self, to: CommitId) {
        if let Some(own) = self.tip.filter(|_| self.wrote_last) {
            let times = match self.overtaken {
                Some((before, other, times)) if (before, other) == (own, to) => times + 1,
                _ => 1,
            };
            self.overtaken = Some((own, to, times));
        }
        self.wrote_last = false;
    }

    /// Checks that this replica and another one do not move the component between two commits again and again.
    ///
    /// # Errors
    /// When they do. Source: `docs/spec/ids-and-ledger.md#mixed-fleets`.
    pub(super) fn check_alternation(&self, tip: CommitId) -> Result<(), ComponentError> {
        match self.overtaken {
            Some((own, other, MAX_OVERTAKEN..)) if own == tip && self.tip == Some(other) => {
                Err(ComponentError::Repository(format!(
                    "another replica moves it to the commit {other} each time that this one moves it to {tip}: use the \
                     same repository and branch on all replicas"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Whether the ledger has moves that the history lacks.
    pub fn is_behind(&self, ledger: &Ledger) -> bool {
        ledger.shared().is_some()
            && self
                .last_move(ledger)
                .is_some_and(|last| last.batch.batch > self.applied)
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
        let moves = self.current_moves(ledger).into_iter().flatten();
        let new = moves.filter(|it| self.history.is_none() || it.batch.batch > self.applied);
        new.filter_map(|it| Some((it.batch.batch, it.to().parse().ok()?)))
            .collect()
    }

    /// Replays the component's moves, or only those after its checkpoint; `None` when the log must be rebuilt.
    ///
    /// # Errors
    /// When the mirror is corrupt and was not cloned again yet.
    pub fn replay(
        &mut self,
        repository: &Repository,
        ledger: &Ledger,
        progress: &(dyn Fn(StepProgress) + Sync),
    ) -> Result<Option<History>, ComponentError> {
        if let Some(restored) = self.restored.take() {
            self.applied = restored.batch;
        }
        let known = self.history.take();
        let Some(moves) = self
            .last_move(ledger)
            .and_then(|_| self.current_moves(ledger))
        else {
            return Ok(None);
        };
        let moves: Vec<RecordedMove<'_>> = moves.collect();
        let begin = moves.first().map_or(0, |first| first.batch.batch);
        let (covered, mut history) = match known {
            // Another replica may have rebuilt the log.
            Some(history) if self.applied >= begin => (self.applied, history),
            _ => (0, self.new_history()),
        };
        for recorded in moves.into_iter().filter(|it| it.batch.batch > covered) {
            match replay_move(&mut history, recorded, repository, progress) {
                Ok(()) => {
                    self.count_move();
                    if let Some(to) = history.tip() {
                        self.note_other_move(to);
                    }
                    self.applied = recorded.batch.batch;
                }
                Err(ReplayError::Damaged(error)) if ledger.shared().is_some() => {
                    // The store may have the objects.
                    (self.tip, self.history) = (history.tip(), Some(history));
                    return Err(error);
                }
                Err(ReplayError::Damaged(error)) => {
                    (self.restore_tried, self.saved) = (false, None);
                    return Err(error);
                }
                Err(ReplayError::Impossible(reason)) => {
                    tracing::warn!(
                        component = self.name,
                        "rebuilding the change log of {}: cannot replay batch {} of the ledger: {reason}",
                        self.name,
                        recorded.batch.batch
                    );
                    return Ok(None);
                }
            }
        }
        self.tip = history.tip();
        Ok(Some(history))
    }
}

fn replay_move(
    history: &mut History,
    recorded: RecordedMove<'_>,
    repository: &Repository,
    progress: &(dyn Fn(StepProgress) + Sync),
) -> Result<(), ReplayError> {
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
    Ok(())
}
