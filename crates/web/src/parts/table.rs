//! The table of projects, components or languages with their progress and newest change.

use askama::Template;
use askama::filters::HtmlSafe;
use chrono::{DateTime, Timelike, Utc};

use super::{LocalizedText, Pager};
use crate::request::PageRequest;
use gitglot_catalog::Statistics;
use gitglot_model::Timestamp;

/// Rows of a page.
pub(crate) const PAGE_SIZE: usize = 50;

/// A table of things with their progress.
#[derive(Template)]
#[template(path = "parts/table.html")]
pub(crate) struct ProgressTable {
    /// Describes the table to screen readers.
    caption: &'static str,
    /// The heading of the first column.
    heading: &'static str,
    /// What the strings of all rows are, in the singular.
    noun: &'static str,
    rows: Vec<TableRow>,
    pager: Pager,
}

impl HtmlSafe for ProgressTable {}

impl ProgressTable {
    /// Builds the requested page of a table with one row per item.
    pub(crate) fn new<T>(
        request: &PageRequest<'_>,
        page_size: usize,
        caption: &'static str,
        heading: &'static str,
        mut items: Vec<T>,
        row: impl FnMut(T) -> TableRow,
    ) -> Self {
        let pager = Pager::new(request, items.len(), page_size);
        let rows = items.drain(pager.entries.clone()).map(row).collect();
        Self {
            caption,
            heading,
            noun: "string",
            rows,
            pager,
        }
    }

    /// The table of strings that are called so.
    pub(crate) fn of(self, noun: &'static str) -> Self {
        Self { noun, ..self }
    }

    /// Number of rows on all pages.
    pub(crate) fn len(&self) -> usize {
        self.pager.count
    }

    /// Whether the table has no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.pager.count == 0
    }
}

/// A row of a [`ProgressTable`].
pub(crate) struct TableRow {
    pub(crate) name: LocalizedText,
    /// Small print after the name; may be empty.
    pub(crate) more: String,
    pub(crate) href: String,
    /// Whether the row counts an older version of its file, because the file does not parse.
    pub(crate) is_broken: bool,
    /// The URL of the string list, on rows of a single translation.
    pub(crate) strings: Option<String>,
    pub(crate) progress: Statistics,
    pub(crate) last: Option<LastChange>,
}

/// The newest change of a row.
pub(crate) struct LastChange {
    pub(crate) time: Time,
    pub(crate) author: Option<LocalizedText>,
}

/// A time in UTC. Pages show the day; the tooltip has the time of day.
#[derive(Template, Clone, Debug)]
#[template(
    source = "<time datetime=\"{{ day }}T{{ clock }}Z\" title=\"{{ day }} {{ clock }} UTC\">{{ day }}</time>",
    ext = "html"
)]
pub(crate) struct Time {
    day: String,
    clock: String,
}

impl HtmlSafe for Time {}

impl Time {
    pub(crate) fn day(&self) -> &str {
        &self.day
    }

    /// The time in the form of ISO 8601, to the second.
    pub(crate) fn iso(&self) -> String {
        format!("{}T{}Z", self.day, self.clock)
    }

    /// Formats a timestamp.
    pub(crate) fn new(timestamp: Timestamp) -> Self {
        let time: DateTime<Utc> = DateTime::from_timestamp_micros(timestamp.0).unwrap_or_default();
        // Formats of chrono are parsed each time.
        let day = time.date_naive().to_string();
        let [hour, minute, second] = [time.hour(), time.minute(), time.second()];
        let clock = format!("{hour:02}:{minute:02}:{second:02}");
        Self { day, clock }
    }
}
