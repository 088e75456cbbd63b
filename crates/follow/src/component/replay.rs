//! Rebuilds a component's change log from the moves in the ledger. Source: `docs/spec/ids-and-ledger.md#replay`.

use super::phase::{FollowedLog, Phase};
use super::recorded::{RecordedLog, RecordedMove};
use super::state::{ComponentState, Served};
use crate::observation::ComponentError;
use gitglot_git::Repository;
use gitglot_history::{History, Projection, StepProgress};
use gitglot_ledger::{Batch, Ledger, Move, RULES};
use gitglot_model::{CommitId, Timestamp};

/// Why a replay stops.
enum ReplayError {
    /// The mirror must be cloned again first: rebuilding the log would change its ids.
    Damaged(ComponentError),
    /// The recorded log cannot be reproduced.
    Impossible(String),
}

/// Whether the shown state lacks a move that another replica has recorded with the same settings.
pub(crate) fn hides(component: &ComponentState, batch: &Batch, recorded: &Move) -> bool {
    let shown = match component.served {
        Served::Restored(_, batch) | Served::Current(_, batch) => batch,
        Served::Nothing | Served::Previous(_) => 0,
    };
    batch.batch > component.since.max(shown)
        && batch.rules == RULES
        && component.has_settings_of(recorded)
}

/// Checks that no replica that started later records the component with different settings.
///
/// # Errors
/// When one does. Source: `docs/spec/ids-and-ledger.md#mixed-fleets`.
pub(super) fn check_superseded(
    component: &ComponentState,
    recorded: &RecordedLog,
) -> Result<(), ComponentError> {
    let newest = recorded.newest.as_ref();
    match newest.filter(|newest| recorded.is_shared && newest.batch > component.since) {
        Some(it) if it.rules == RULES && !component.has_settings_of(&it.recorded) => {
            Err(ComponentError::Repository(format!(
                "a replica that started later records it with different settings since batch {}: serving the \
                 state before; use the same configuration on all replicas",
                it.batch
            )))
        }
        _ => Ok(()),
    }
}

/// The batches and tips of the moves that the history lacks.
pub(crate) fn unapplied_moves(component: &ComponentState, ledger: &Ledger) -> Vec<(u32, CommitId)> {
    let applied = component.phase.log().map_or(0, |log| log.applied);
    let moves = component.current_moves(ledger).into_iter().flatten();
    let new = moves.filter(|recorded| recorded.batch > applied);
    new.filter_map(|recorded| Some((recorded.batch, recorded.to().parse().ok()?)))
        .collect()
}

/// Replays the component's moves, or only those after its checkpoint. The component is then followed, or unread if
/// its log must be rebuilt. Returns the state of the checkpoint if no move is after it.
///
/// # Errors
/// When the mirror is corrupt and was not cloned again yet.
pub(super) fn replay(
    component: &mut ComponentState,
    repository: &Repository,
    recorded: &RecordedLog,
    progress: &(dyn Fn(StepProgress) + Sync),
) -> Result<Option<Projection>, ComponentError> {
    let before = component.phase.tip();
    let (known, mut state) = match std::mem::take(&mut component.phase) {
        Phase::Restored(restored) => (Some(restored.0), Some(restored.1)),
        Phase::Followed(log) => (Some(*log), None),
        Phase::Unread | Phase::Unrestorable | Phase::Tip(_) => (None, None),
    };
    let Some(begin) = recorded.current.first().map(|first| first.batch) else {
        return Ok(None);
    };
    // Another replica may have rebuilt the log.
    let known = known.filter(|log| log.applied >= begin);
    let mut log = known.unwrap_or_else(|| FollowedLog::new(component.new_history()));
    for it in &recorded.current {
        let batch = it.batch;
        if batch <= log.applied {
            continue;
        }
        state = None;
        match replay_move(&mut log.history, it, repository, progress) {
            Ok(to) => {
                log.count_move();
                log.applied = batch;
                component.overtaken.moved(before, to);
            }
            Err(ReplayError::Damaged(error)) => {
                if recorded.is_shared {
                    // The store may have the objects.
                    component.phase = Phase::Followed(Box::new(log));
                }
                return Err(error);
            }
            Err(ReplayError::Impossible(reason)) => {
                tracing::warn!(
                    component = component.name,
                    "rebuilding the change log of {}: cannot replay batch {batch} of the ledger: {reason}",
                    component.name
                );
                component.phase = Phase::Unrestorable;
                return Ok(None);
            }
        }
    }
    component.phase = Phase::Followed(Box::new(log));
    Ok(state)
}

fn replay_move(
    history: &mut History,
    recorded: &RecordedMove<'_>,
    repository: &Repository,
    progress: &(dyn Fn(StepProgress) + Sync),
) -> Result<CommitId, ReplayError> {
    let tip: Result<CommitId, _> = recorded.to().parse();
    let tip = tip.map_err(|error| ReplayError::Impossible(format!("{error}")))?;
    let step = history
        .step(repository, tip, Timestamp(recorded.seen), progress)
        .map_err(|error| {
            if repository.is_recloned() {
                ReplayError::Impossible(error.to_string())
            } else {
                ReplayError::Damaged(error.into())
            }
        })?;
    let ids = recorded.change_ids();
    if ids.len() != step.entries.1 - step.entries.0 {
        let reason = "the number of log entries differs";
        return Err(ReplayError::Impossible(reason.to_owned()));
    }
    history.set_change_ids(step.entries.0, ids);
    Ok(tip)
}
