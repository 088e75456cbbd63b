//! Writes the checkpoints of large components on a thread of its own, so that pushes of others do not wait for them. Meanwhile
//! the thread has the state of the component: pushes to its repository wait, as for a late step.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Instant;

use parking_lot::Mutex;

use super::component::{ComponentState, DueCheckpoint, StepId};
use super::handle::Message;
use gitglot_model::catch_crash;

/// A component whose snapshot has more bytes has its checkpoint written on the thread.
const AT_ONCE: usize = 4 << 20;

/// The thread that writes. There is at most one.
pub(super) struct BackgroundCheckpoints {
    /// Most bytes of a snapshot whose checkpoint is written in place.
    pub at_once: usize,
    sender: Sender<Written>,
    results: Receiver<Written>,
    is_running: bool,
}

/// A component whose checkpoint is to be written.
pub(super) struct Unwritten {
    pub id: StepId,
    pub state: ComponentState,
    /// `None` if only its history is prepared for its next step.
    pub due: Option<DueCheckpoint>,
    /// The newest recorded batch of the component.
    pub newest_batch: u32,
}

/// A component whose checkpoint is written.
pub(super) struct Written {
    pub id: StepId,
    pub state: ComponentState,
    pub newest_batch: u32,
}

impl Default for BackgroundCheckpoints {
    fn default() -> Self {
        let (sender, results) = mpsc::channel();
        Self {
            at_once: AT_ONCE,
            sender,
            results,
            is_running: false,
        }
    }
}

impl fmt::Debug for BackgroundCheckpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = &mut f.debug_struct("BackgroundCheckpoints");
        let fields = fields.field("is_running", &self.is_running);
        fields.finish_non_exhaustive()
    }
}

impl Unwritten {
    fn write(self) -> Written {
        let Self {
            id,
            mut state,
            due,
            newest_batch,
        } = self;
        if let Some(due) = due
            && let Err(crash) = catch_crash(|| due.write(&mut state))
        {
            tracing::error!("cannot write the checkpoint of {}: {crash}", state.name);
            // It would crash after each batch.
            if let Some(log) = state.phase.log_mut() {
                log.mark_saved();
            }
        }
        let index = || {
            if let Some(history) = state.phase.history_mut() {
                history.index_texts();
            }
        };
        if let Err(crash) = catch_crash(index) {
            tracing::error!("cannot index the texts of {}: {crash}", state.name);
            // A crash may leave it inconsistent, so that it is read again.
            state.forget_history();
        }
        Written {
            id,
            state,
            newest_batch,
        }
    }
}

impl BackgroundCheckpoints {
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Writes a checkpoint, and wakes the loop when it is done.
    pub fn start(&mut self, unwritten: Unwritten, wake: Option<Sender<Message>>) {
        self.is_running = true;
        let shared = Arc::new(Mutex::new(Some(unwritten)));
        let (own, sender) = (shared.clone(), self.sender.clone());
        let write = move || {
            // A statement of its own, so that the lock is released.
            let unwritten = own.lock().take();
            if let Some(unwritten) = unwritten {
                let _ = sender.send(unwritten.write());
                wake.map(|wake| wake.send(Message::StepFinished));
            }
        };
        let thread = std::thread::Builder::new().name("checkpoint".to_owned());
        if thread.spawn(write).is_err() {
            let unwritten = shared.lock().take();
            if let Some(unwritten) = unwritten {
                let _ = self.sender.send(unwritten.write());
            }
        }
    }

    /// The component whose checkpoint is written, if the thread has ended.
    pub fn take(&mut self) -> Option<Written> {
        let written = self.results.try_recv().ok();
        self.is_running &= written.is_none();
        written
    }

    /// Waits for the thread until a deadline. What it has not written by then is lost.
    pub fn wait(&mut self, deadline: Instant) -> Option<Written> {
        if !self.is_running {
            return None;
        }
        let rest = deadline.saturating_duration_since(Instant::now());
        let written = self.results.recv_timeout(rest).ok();
        self.is_running &= written.is_none();
        written
    }
}
