//! Progress bars on standard error, shown only on a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::log::BARS;
use gitglot_git::{FetchLimits, FetchPhase, Watch};
use gitglot_history::StepProgress;
use gitglot_metrics::FollowMetrics;

/// Shows and measures a poll of a repository: the duration and the received bytes.
pub(super) struct Measured {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    repository: String,
    metrics: Arc<FollowMetrics>,
    started: Instant,
    /// Bytes of completed fetches, and of the current one.
    bytes: (u64, u64),
    limits: FetchLimits,
}

impl Measured {
    /// Starts to measure a poll; setting `stop` cancels it.
    pub fn new(repository: &str, stop: Arc<AtomicBool>, metrics: Arc<FollowMetrics>) -> Self {
        let bar = bar();
        bar.set_prefix(repository.to_owned());
        Self {
            bar,
            stop,
            repository: repository.to_owned(),
            metrics,
            started: Instant::now(),
            bytes: (0, 0),
            limits: FetchLimits::default(),
        }
    }

    /// With other limits than the default.
    pub fn limited(mut self, limits: FetchLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl Watch for Measured {
    fn progress(&mut self, progress: &gitglot_git::FetchProgress) {
        // A poll may fetch twice, and each fetch counts from 0.
        if progress.bytes < self.bytes.1 {
            self.bytes.0 += self.bytes.1;
        }
        self.bytes.1 = progress.bytes;
        self.bar.set_message(match progress.phase {
            FetchPhase::Asking => "negotiating".to_owned(),
            FetchPhase::Receiving => format!("receiving {:.1} MB", progress.bytes as f64 / 1e6),
            FetchPhase::Resolving => "resolving".to_owned(),
        });
        if let Some(total) = progress.total {
            self.bar.set_length(total);
        }
        self.bar.set_position(progress.objects);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn limits(&self) -> FetchLimits {
        self.limits
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        remove(&self.bar);
        let (elapsed, bytes) = (self.started.elapsed(), self.bytes.0 + self.bytes.1);
        self.metrics.fetched(&self.repository, elapsed, bytes);
    }
}

/// The progress bar of reading a history.
pub(super) struct HistoryBar(ProgressBar);

impl HistoryBar {
    pub fn new() -> Self {
        Self(bar())
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        remove(&self.0);
    }

    pub fn show(&self, component: &str, progress: StepProgress) {
        let (message, done, total) = match progress {
            StepProgress::Commits(done) => ("commits", done, None),
            StepProgress::Versions(done, total) => ("file versions", done, Some(total)),
            StepProgress::Mainline(done, total) => ("commits processed", done, Some(total)),
        };
        if done % 64 != 0 && total != Some(done) {
            return;
        }
        self.0.set_prefix(component.to_owned());
        self.0.set_message(message);
        // At once, so that no frame has the number of one phase and the total of another.
        self.0.update(|state| {
            state.set_pos(done as u64);
            if let Some(total) = total {
                state.set_len(total as u64);
            }
        });
    }
}

impl Drop for HistoryBar {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

fn remove(bar: &ProgressBar) {
    bar.finish_and_clear();
    BARS.remove(bar);
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {msg} {bar:30} {pos}/{len} {eta}");
    let bar = BARS.add(ProgressBar::new_spinner());
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
