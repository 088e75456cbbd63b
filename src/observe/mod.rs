//! What the program says of itself: log lines on standard error, and metrics for Prometheus.
//!
//! Others count into plain handles (`counts`, `requests`, `following`), which cost a request less than a microsecond and
//! know nothing of Prometheus; `exposition` writes what they hold when somebody asks for it.
//!
//! Knows no other room but the settings.

mod counts;
mod exposition;
mod following;
mod logs;
mod process;
mod requests;

pub use counts::Counts;
pub use exposition::{Exposition, MEDIA_TYPE};
pub use following::{Following, Look, Step};
pub use logs::{last_words, start_logging};
pub use process::Process;
pub use requests::{Counted, Requests};
