//! The table that most pages have: what there is, how far it is, and when it last changed.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{Figures, Pager, Stretch, Text, Time};
use crate::web::visit::Visit;

/// Rows on a page.
const SIZE: usize = 50;

/// A table of things with their figures.
#[derive(Template)]
#[template(path = "web/parts/table.html")]
pub(in crate::web) struct Table {
    /// What the table shows, for who hears it.
    caption: &'static str,
    /// The head of the first column.
    first: &'static str,
    rows: Vec<Row>,
    /// How many rows there are on all pages.
    count: usize,
    pager: Option<Pager>,
}

impl HtmlSafe for Table {}

impl Table {
    /// A table of all rows; `first` is the head of the first column.
    pub(in crate::web) fn new(caption: &'static str, first: &'static str, rows: impl Iterator<Item = Row>) -> Self {
        let rows: Vec<Row> = rows.collect();
        Self { caption, first, count: rows.len(), rows, pager: None }
    }

    /// The page that is asked for of a table with a row for each of these.
    pub(in crate::web) fn page<T>(
        visit: &Visit<'_>,
        (caption, first): (&'static str, &'static str),
        all: Vec<T>,
        row: impl FnMut(T) -> Row,
    ) -> Self {
        let stretch = Stretch::new(visit, all.len(), SIZE);
        let (skipped, count) = (stretch.entries.start, stretch.entries.len());
        let pager = Pager::new(visit, &stretch);
        let all_rows = all.len();
        let rows = all.into_iter().skip(skipped).take(count).map(row);
        Self { pager: Some(pager), count: all_rows, ..Self::new(caption, first, rows) }
    }

    /// How many rows there are on all pages.
    pub(in crate::web) fn len(&self) -> usize {
        self.count
    }

    /// Whether there is nothing in it.
    pub(in crate::web) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// A row of it.
pub(in crate::web) struct Row {
    pub(in crate::web) name: Text,
    /// What stands behind the name, or `""`.
    pub(in crate::web) more: String,
    pub(in crate::web) href: String,
    /// The page with the strings, where the row is of one translation.
    pub(in crate::web) strings: Option<String>,
    pub(in crate::web) figures: Figures,
    pub(in crate::web) last: Option<Last>,
}

/// The newest change of a row.
pub(in crate::web) struct Last {
    pub(in crate::web) time: Time,
    pub(in crate::web) who: Option<Text>,
}
