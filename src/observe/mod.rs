//! Log lines on standard error, and metrics for Prometheus.
//!
//! Other modules count into handles, which costs less than a microsecond per request; `exposition` writes their values
//! in the text format. Must not depend on other modules, except on the log settings in `config`.

mod counters;
mod exposition;
mod follow_metrics;
mod http_metrics;
mod line_limit;
mod logs;
mod process;

pub use counters::Counters;
pub use exposition::{Exposition, MEDIA_TYPE};
pub use follow_metrics::FollowMetrics;
pub use http_metrics::HttpMetrics;
pub use logs::{log_fatal, start_logging};
pub use process::Process;
