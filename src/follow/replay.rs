//! The log again, from the moves that the ledger names.

use std::sync::Arc;

use super::ComponentError;
use super::component::Followed;
use crate::config::HistoryMode;
use crate::git::Repository;
use crate::history::{History, Progress};
use crate::ledger::{Assignments, Batch, Ledger, Move, RULES};
use crate::model::{ChangeId, CommitId, Timestamp};

/// A batch of the ledger, and which of its moves is meant.
type MoveOf<'a> = (&'a Batch, &'a Assignments, usize);

impl Followed {
    /// The newest move of the component, if the log may go on from it: same configuration, rules and mode.
    pub fn last_move<'a>(&self, ledger: &'a Ledger) -> Option<(&'a Batch, &'a Move)> {
        let mut moves = ledger.batches.iter().rev().filter_map(|(batch, _)| {
            let found = batch.moves.iter().find(|it| it.component == self.name)?;
            Some((batch, found))
        });
        let mode = match self.mode {
            HistoryMode::Full => "full",
            HistoryMode::None => "none",
        };
        moves.next().filter(|(batch, found)| {
            batch.rules == RULES && found.fingerprint == self.fingerprint && found.history == mode
        })
    }

    /// All moves of the component, each with the place it has in its batch, and where the present log begins.
    pub fn moves<'a>(&self, ledger: &'a Ledger) -> Option<(Vec<MoveOf<'a>>, usize)> {
        let moves: Vec<MoveOf<'_>> = ledger
            .batches
            .iter()
            .filter_map(|(batch, ids)| {
                let nth = batch.moves.iter().position(|it| it.component == self.name)?;
                Some((batch, ids, nth))
            })
            .collect();
        let begin = moves.iter().rposition(|(batch, _, nth)| batch.moves[*nth].from.is_none())?;
        Some((moves, begin))
    }

    /// Replays the component's moves, those behind the checkpoint if there is one; `None` when its log must be made anew.
    ///
    /// # Errors
    /// When the repository is damaged and was not cloned anew yet: that comes first, since another log has other ids.
    pub fn replay(
        &mut self,
        repository: &Repository,
        ledger: &Ledger,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Option<History>, ComponentError> {
        let restored = self.restored.take().zip(self.history.take());
        let Some((mut moves, begin)) = self.last_move(ledger).and_then(|_| self.moves(ledger)) else {
            return Ok(None);
        };
        let (mut history, mut tip) = match restored {
            Some((restored, history)) => {
                moves.retain(|(batch, _, _)| batch.batch > restored.batch);
                (history, self.tip)
            }
            None => {
                moves.drain(..begin);
                (History::new(Arc::new(self.config.clone()), &self.source_language), None)
            }
        };
        for (batch, ids, nth) in moves {
            let gone = |why: String| {
                tracing::warn!(
                    component = self.name,
                    "the log of {} is made anew: batch {} of the ledger cannot be replayed: {why}",
                    self.name,
                    batch.batch
                );
            };
            let to: CommitId = match batch.moves[nth].to.parse() {
                Ok(to) => to,
                Err(error) => {
                    gone(error.to_string());
                    return Ok(None);
                }
            };
            let stepped = match history.step(repository, to, Timestamp(batch.seen), progress) {
                Ok(stepped) => stepped,
                Err(error) if !repository.is_cloned_anew() => {
                    // The checkpoint is wanted once more.
                    (self.looked_back, self.saved) = (false, None);
                    return Err(error.into());
                }
                Err(error) => {
                    gone(error.to_string());
                    return Ok(None);
                }
            };
            let numbers = change_ids(ids, nth as u32);
            if numbers.len() != stepped.entries.1 - stepped.entries.0 {
                gone("it gives another number of entries".into());
                return Ok(None);
            }
            history.set_change_ids(stepped.entries.0, numbers);
            tip = Some(to);
            if let Some((moves, _)) = &mut self.saved {
                *moves += 1;
            }
        }
        self.tip = tip;
        Ok(Some(history))
    }
}

/// The change ids that a batch gave to the entries of one of its moves.
fn change_ids(ids: &Assignments, of: u32) -> Vec<ChangeId> {
    let mut next = ids.first_change;
    let mut numbers = Vec::new();
    for &(nth, count) in &ids.changes {
        if nth == of {
            numbers.extend((next..next.saturating_add(count)).map(ChangeId));
        }
        next = next.saturating_add(count);
    }
    numbers
}
