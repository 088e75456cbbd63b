//! The summary at the top of a page: a progress bar with large numbers below it.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{UnitCounts, group_thousands};

/// A progress bar with the numbers behind it.
#[derive(Template)]
#[template(path = "web/parts/tiles.html")]
pub(crate) struct Tiles {
    pub(crate) progress: UnitCounts,
    /// The URL of the string list, for a single translation.
    pub(crate) strings: Option<String>,
}

impl HtmlSafe for Tiles {}

impl Tiles {
    /// Strings that need work: count, `type` of their list, CSS class and label.
    fn states(&self) -> impl Iterator<Item = (u64, &'static str, &'static str, &'static str)> {
        let labels = [
            ("k-stale", "stale"),
            ("k-bad", "failing a check"),
            ("k-none", "missing"),
        ];
        self.progress
            .marks()
            .into_iter()
            .zip(labels)
            .map(|((count, kind), (class, label))| (count, kind, class, label))
    }
}
