//! Writes the checkpoints of large components on a thread of its own, so that pushes of others do not wait for them. Meanwhile
//! the thread has the state of the component: pushes to its repository wait, as for a late step.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::Instant;

use super::component::{ComponentState, DueCheckpoint, StepId, write_and_index};
use super::handle::Message;
use super::steps::run_on_thread;

/// A component whose snapshot has more bytes has its checkpoint written on the thread.
const AT_ONCE: usize = 4 << 20;

/// The thread that writes. There is at most one.
#[derive(Debug)]
pub(super) struct BackgroundCheckpoints {
    /// Most bytes of a snapshot whose checkpoint is written in place.
    pub at_once: usize,
    /// Receives the component when the thread has written its checkpoint.
    running: Option<Receiver<TakenComponent>>,
}

/// A component whose state the thread has until its checkpoint is written.
#[derive(Debug)]
pub(super) struct TakenComponent {
    pub id: StepId,
    pub state: ComponentState,
    /// The newest recorded batch of the component.
    pub newest_batch: u32,
}

impl Default for BackgroundCheckpoints {
    fn default() -> Self {
        Self {
            at_once: AT_ONCE,
            running: None,
        }
    }
}

impl BackgroundCheckpoints {
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Writes a checkpoint if one is due, prepares the history for its next step, and wakes the loop when that is done.
    pub fn start(
        &mut self,
        mut component: TakenComponent,
        due: Option<DueCheckpoint>,
        wake: Option<Sender<Message>>,
    ) {
        let (sender, results) = mpsc::channel();
        self.running = Some(results);
        run_on_thread("checkpoint", move || {
            write_and_index(&mut component.state, due);
            let _ = sender.send(component);
            wake.map(|wake| wake.send(Message::StepFinished));
        });
    }

    /// The component whose checkpoint is written, if the thread has ended.
    pub fn take(&mut self) -> Option<TakenComponent> {
        let written = self.running.as_ref()?.try_recv();
        if matches!(written, Err(TryRecvError::Empty)) {
            return None;
        }
        self.running = None;
        let written = written.inspect_err(|_| {
            tracing::error!("the thread that writes a checkpoint ended without its component");
        });
        written.ok()
    }

    /// Waits for the thread until a deadline. What it has not written by then is lost.
    pub fn wait(&mut self, deadline: Instant) -> Option<TakenComponent> {
        let rest = deadline.saturating_duration_since(Instant::now());
        let written = self.running.as_ref()?.recv_timeout(rest).ok()?;
        self.running = None;
        Some(written)
    }
}
