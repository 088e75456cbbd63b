//! The table that most pages have: what there is, how far it is, and when it last changed.

use askama::Template;
use askama::filters::HtmlSafe;

use super::{Figures, Text, Time};

/// A table of things with their figures.
#[derive(Template)]
#[template(path = "web/parts/table.html")]
pub(in crate::web) struct Table {
    /// What the table shows, for who hears it.
    pub(in crate::web) caption: String,
    /// The head of the first column.
    pub(in crate::web) first: &'static str,
    pub(in crate::web) rows: Vec<Row>,
}

impl HtmlSafe for Table {}

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
