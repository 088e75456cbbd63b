//! Progress bars on standard error, when somebody looks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::git::{self, Phase, Watch};
use crate::history::Progress;
use crate::observe::FollowMetrics;

/// The bar of a clone or a fetch. Shows nothing when standard error is no terminal.
pub(super) struct Bars {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Bars {
    /// A bar for a repository; `stop` ends what it watches.
    pub fn fetch(repository: &str, stop: Arc<AtomicBool>) -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_prefix(repository.to_owned());
        bar.set_style(style("{prefix} {msg} {bar:30} {pos}/{len} {per_sec} {eta}"));
        Self { bar, stop }
    }
}

impl Watch for Bars {
    fn progress(&mut self, progress: &git::Progress) {
        let what = match progress.phase {
            Phase::Asking => "asking".to_owned(),
            Phase::Receiving => format!("receiving {:.1} MB", progress.bytes as f64 / 1e6),
            Phase::Resolving => "resolving".to_owned(),
        };
        self.bar.set_message(what);
        if let Some(total) = progress.total {
            self.bar.set_length(total);
        }
        self.bar.set_position(progress.objects);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Measures a look at a repository beside its bar.
pub(super) struct Measured {
    bars: Bars,
    repository: String,
    metrics: Arc<FollowMetrics>,
    begun: Instant,
    /// Bytes of fetches that have ended, and of the present one.
    bytes: (u64, u64),
}

impl Measured {
    /// A bar for a look that begins now.
    pub fn new(repository: &str, stop: Arc<AtomicBool>, metrics: Arc<FollowMetrics>) -> Self {
        let (bars, repository) = (Bars::fetch(repository, stop), repository.to_owned());
        Self { bars, repository, metrics, begun: Instant::now(), bytes: (0, 0) }
    }
}

impl Watch for Measured {
    fn progress(&mut self, progress: &git::Progress) {
        // A look may fetch twice; each counts from 0.
        if progress.bytes < self.bytes.1 {
            self.bytes.0 += self.bytes.1;
        }
        self.bytes.1 = progress.bytes;
        self.bars.progress(progress);
    }

    fn stop(&self) -> bool {
        self.bars.stop()
    }
}

impl Drop for Measured {
    fn drop(&mut self) {
        self.metrics.fetched(&self.repository, self.begun.elapsed(), self.bytes.0 + self.bytes.1);
    }
}

/// The bar of a history that is read.
pub(super) struct HistoryBar(ProgressBar);

impl HistoryBar {
    pub fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.set_style(style("{prefix} {msg} {bar:30} {pos}/{len} {per_sec} {eta}"));
        Self(bar)
    }

    pub fn show(&self, component: &str, progress: Progress) {
        let (what, done, total) = match progress {
            Progress::Commits(done) => ("commits", done, None),
            Progress::Versions(done, total) => ("versions of files", done, Some(total)),
            Progress::Mainline(done, total) => ("commits written", done, Some(total)),
        };
        if done % 64 != 0 && total != Some(done) {
            return;
        }
        self.0.set_prefix(component.to_owned());
        self.0.set_message(what);
        if let Some(total) = total {
            self.0.set_length(total as u64);
        }
        self.0.set_position(done as u64);
    }
}

impl Drop for HistoryBar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    // The template is ours and right; should it ever not be, the default style does.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
