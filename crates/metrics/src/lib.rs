//! Metrics for Prometheus.
//!
//! Other crates count into handles, which costs less than a microsecond per request; [`Exposition`] writes their values
//! in the text format. Must not depend on git, formats or HTTP.
//!
//! ```
//! let mut page = gitglot_metrics::Exposition::without_labels(&[]);
//! page.gauge("gitglot_components", "Components.").add(&[], 2.0);
//! assert!(page.text().contains("gitglot_components 2"));
//! ```

mod counters;
mod exposition;
mod follow_metrics;
mod http_metrics;
mod process;

pub use counters::Counters;
pub use exposition::{Exposition, MEDIA_TYPE};
pub use follow_metrics::FollowMetrics;
pub use http_metrics::HttpMetrics;
pub use process::Process;
