//! How far a component was read.

use gitglot_history::{History, Projection};
use gitglot_model::CommitId;

/// What is in memory of a component.
#[derive(Clone, Default, Debug)]
pub(crate) enum Phase {
    /// Nothing: before the first advance, and after a failure that may have left it inconsistent.
    #[default]
    Unread,
    /// Nothing, and restoring from the checkpoint was tried, or the checkpoint is of no use.
    Unrestorable,
    /// The change log of a checkpoint, and the state at its tip. Later moves are not replayed yet.
    Restored(Box<(FollowedLog, Projection)>),
    /// The change log, with `history = full`.
    Followed(Box<FollowedLog>),
    /// A tip without a change log, with `history = none`.
    Tip(CommitId),
}

/// A change log in memory.
#[derive(Clone, Debug)]
pub(crate) struct FollowedLog {
    pub history: History,
    /// The batch of the last recorded move that `history` contains; 0 before the first.
    pub applied: u32,
    /// `None` when the component has no valid checkpoint.
    pub saved: Option<SavedState>,
}

/// The difference between a component and its checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SavedState {
    /// Moves since the checkpoint.
    pub moves: usize,
    /// Log entries in the checkpoint.
    pub entries: usize,
}

impl Phase {
    /// The change log.
    pub fn log(&self) -> Option<&FollowedLog> {
        match self {
            Self::Unread | Self::Unrestorable | Self::Tip(_) => None,
            Self::Restored(restored) => Some(&restored.0),
            Self::Followed(log) => Some(log),
        }
    }

    /// As [`Self::log`].
    pub fn log_mut(&mut self) -> Option<&mut FollowedLog> {
        match self {
            Self::Unread | Self::Unrestorable | Self::Tip(_) => None,
            Self::Restored(restored) => Some(&mut restored.0),
            Self::Followed(log) => Some(log),
        }
    }

    /// The history of the change log.
    pub fn history(&self) -> Option<&History> {
        self.log().map(|log| &log.history)
    }

    /// As [`Self::history`].
    pub fn history_mut(&mut self) -> Option<&mut History> {
        self.log_mut().map(|log| &mut log.history)
    }

    /// The tip that is published or about to be.
    pub fn tip(&self) -> Option<CommitId> {
        match self {
            Self::Tip(tip) => Some(*tip),
            _ => self.history()?.tip(),
        }
    }
}

impl FollowedLog {
    /// A log that no checkpoint contains.
    pub fn new(history: History) -> Self {
        Self {
            history,
            applied: 0,
            saved: None,
        }
    }

    /// A log as the checkpoint of a batch contains it.
    pub fn restored(history: History, batch: u32) -> Self {
        let mut log = Self {
            applied: batch,
            ..Self::new(history)
        };
        log.mark_saved();
        log
    }

    /// Notes that a checkpoint contains the log.
    pub fn mark_saved(&mut self) {
        self.saved = Some(SavedState {
            moves: 0,
            entries: self.history.log().len(),
        });
    }

    /// Notes that the log is one more move ahead of its checkpoint.
    pub fn count_move(&mut self) {
        if let Some(saved) = &mut self.saved {
            saved.moves += 1;
        }
    }
}
