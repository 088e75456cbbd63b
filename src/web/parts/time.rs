//! Times on pages.

use askama::Template;
use askama::filters::HtmlSafe;
use chrono::{DateTime, Utc};

use crate::model::Timestamp;

/// A time in UTC. Pages show the day; the tooltip has the time of day.
#[derive(Template, Clone, Debug)]
#[template(
    source = "<time datetime=\"{{ exact }}\" title=\"{{ tooltip }}\">{{ day }}</time>",
    ext = "html"
)]
pub(crate) struct Time {
    exact: String,
    tooltip: String,
    day: String,
}

impl HtmlSafe for Time {}

impl Time {
    /// Formats a timestamp.
    pub(crate) fn new(timestamp: Timestamp) -> Self {
        let time: DateTime<Utc> = DateTime::from_timestamp_micros(timestamp.0).unwrap_or_default();
        let format = |format: &str| time.format(format).to_string();
        Self {
            exact: format("%Y-%m-%dT%H:%M:%SZ"),
            tooltip: format("%Y-%m-%d %H:%M:%S UTC"),
            day: format("%Y-%m-%d"),
        }
    }
}
