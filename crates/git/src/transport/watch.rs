//! The observer of a clone or fetch, which also sets its limits.

use crate::transport::limits::FetchLimits;
use crate::transport::progress::FetchProgress;

/// Observes and bounds a clone or fetch. `()` observes nothing.
pub trait Watch {
    /// Receives the progress about ten times a second, and at the end.
    fn progress(&mut self, progress: &FetchProgress) {
        let _ = progress;
    }

    /// Whether to abort; polled as often.
    fn stop(&self) -> bool {
        false
    }

    /// The limits of each fetch.
    fn limits(&self) -> FetchLimits {
        FetchLimits::default()
    }
}

impl Watch for () {}
