//! What the ledger records of a component: its moves, borrowed from the ledger or, for a step on another thread, owned.

use std::borrow::Cow;
use std::ops::Range;

use super::phase::{FollowedLog, Phase};
use super::state::ComponentState;
use crate::project::HistoryMode;
use gitglot_ledger::{Ledger, Move, RULES};
use gitglot_model::ChangeId;

/// A move of a component in the ledger.
#[derive(Clone, Debug)]
pub(crate) struct RecordedMove<'a> {
    /// The number of its batch, when that was observed, and its rules version.
    pub batch: u32,
    pub seen: i64,
    pub rules: u32,
    pub recorded: Cow<'a, Move>,
    /// The runs of ids of the log entries that the move added.
    pub changes: Cow<'a, [Range<u32>]>,
}

impl RecordedMove<'_> {
    /// The commit that the component moved to.
    pub fn to(&self) -> &str {
        &self.recorded.to
    }

    /// The ids of the log entries that the move added.
    pub(super) fn change_ids(&self) -> Vec<ChangeId> {
        let ids = self.changes.iter().cloned().flatten();
        ids.map(ChangeId).collect()
    }

    fn into_owned(self) -> RecordedMove<'static> {
        RecordedMove {
            recorded: Cow::Owned(self.recorded.into_owned()),
            changes: Cow::Owned(self.changes.into_owned()),
            ..self
        }
    }
}

/// What an advance of a component needs to know of the ledger.
#[derive(Debug)]
pub(crate) struct RecordedLog {
    pub is_shared: bool,
    /// Why nothing can be recorded.
    pub read_only: Option<String>,
    /// The newest move, with any settings.
    pub(super) newest: Option<RecordedMove<'static>>,
    /// The moves that make up the current log, oldest first. None if the component has read them.
    pub current: Vec<RecordedMove<'static>>,
}

impl RecordedLog {
    /// The batch of the newest move; 0 without one.
    pub fn newest_batch(&self) -> u32 {
        self.newest.as_ref().map_or(0, |newest| newest.batch)
    }
}

impl ComponentState {
    /// What an advance of the component needs to know of the ledger.
    pub fn recorded_log(&self, ledger: &Ledger) -> RecordedLog {
        let mut recorded = RecordedLog {
            is_shared: ledger.shared().is_some(),
            read_only: ledger.read_only().map(str::to_owned),
            newest: self.newest_move(ledger).map(RecordedMove::into_owned),
            current: Vec::new(),
        };
        if self.mode == HistoryMode::Full
            && !self.has_read(&recorded)
            && self.last_recorded(&recorded).is_some()
        {
            let moves = self.current_moves(ledger).into_iter().flatten();
            recorded.current = moves.map(RecordedMove::into_owned).collect();
        }
        recorded
    }

    /// All moves of the component, oldest first.
    fn moves<'a>(
        &self,
        ledger: &'a Ledger,
    ) -> impl DoubleEndedIterator<Item = RecordedMove<'a>> + use<'a> {
        ledger.moves_of(&self.name).filter_map(|(at, nth)| {
            let batch = ledger.batches.get(at)?;
            Some(RecordedMove {
                batch: batch.batch,
                seen: batch.seen,
                rules: batch.rules,
                recorded: Cow::Borrowed(batch.moves.get(nth)?),
                changes: Cow::Borrowed(ledger.changes_of(at, nth)),
            })
        })
    }

    /// The newest move, with any settings.
    pub fn newest_move<'a>(&self, ledger: &'a Ledger) -> Option<RecordedMove<'a>> {
        self.moves(ledger).next_back()
    }

    /// The newest move, if the log can continue from it: same configuration, rules version and mode.
    pub fn last_move<'a>(&self, ledger: &'a Ledger) -> Option<RecordedMove<'a>> {
        self.newest_move(ledger).filter(|last| self.continues(last))
    }

    /// As [`Self::last_move`].
    pub(super) fn last_recorded<'a>(
        &self,
        recorded: &'a RecordedLog,
    ) -> Option<&'a RecordedMove<'static>> {
        let newest = recorded.newest.as_ref();
        newest.filter(|newest| self.continues(newest))
    }

    fn continues(&self, last: &RecordedMove<'_>) -> bool {
        last.rules == RULES && self.has_settings_of(&last.recorded)
    }

    pub(super) fn has_settings_of(&self, recorded: &Move) -> bool {
        recorded.fingerprint == self.fingerprint && recorded.history == self.mode_name()
    }

    /// Whether the log in memory has all moves of the ledger.
    pub(super) fn has_read(&self, recorded: &RecordedLog) -> bool {
        let lacks = |log: &FollowedLog| {
            let last = self.last_recorded(recorded);
            recorded.is_shared && last.is_some_and(|last| last.batch > log.applied)
        };
        matches!(&self.phase, Phase::Followed(log) if !lacks(log))
    }

    /// The moves that make up the current log.
    pub fn current_moves<'a>(
        &self,
        ledger: &'a Ledger,
    ) -> Option<impl Iterator<Item = RecordedMove<'a>> + use<'a>> {
        let moves: Vec<RecordedMove<'a>> = self.moves(ledger).collect();
        let is_first = |recorded: &RecordedMove<'_>| recorded.recorded.from.is_none();
        let begin = moves.iter().rposition(is_first)?;
        Some(moves.into_iter().skip(begin))
    }
}
