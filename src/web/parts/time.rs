//! Times for people.

use askama::Template;
use askama::filters::HtmlSafe;
use chrono::{DateTime, Utc};

use crate::model::Timestamp;

/// A moment: the day is shown, the second is told to who asks. In UTC.
#[derive(Template, Clone, Debug)]
#[template(source = "<time datetime=\"{{ exact }}\" title=\"{{ said }}\">{{ day }}</time>", ext = "html")]
pub(in crate::web) struct Time {
    exact: String,
    said: String,
    day: String,
}

impl HtmlSafe for Time {}

impl Time {
    /// A moment of the log.
    pub(in crate::web) fn new(moment: Timestamp) -> Self {
        let time: DateTime<Utc> = DateTime::from_timestamp_micros(moment.0).unwrap_or_default();
        let shown = |format: &str| time.format(format).to_string();
        Self { exact: shown("%Y-%m-%dT%H:%M:%SZ"), said: shown("%Y-%m-%d %H:%M:%S UTC"), day: shown("%Y-%m-%d") }
    }
}
