//! What strings add up to, at the head of a page: a bar and the numbers in large.

use askama::Template;
use askama::filters::HtmlSafe;

use super::Figures;
use super::figures::grouped;

/// A bar with the numbers below it.
#[derive(Template)]
#[template(path = "web/parts/tiles.html")]
pub(in crate::web) struct Tiles {
    figures: Figures,
    /// The page with the strings, where they are of one translation.
    strings: Option<String>,
}

impl HtmlSafe for Tiles {}

impl Tiles {
    /// The sums of several translations.
    pub(in crate::web) fn of(figures: Figures) -> Self {
        Self { figures, strings: None }
    }

    /// Those of one, with its page of strings.
    pub(in crate::web) fn of_one(figures: Figures, strings: String) -> Self {
        Self { figures, strings: Some(strings) }
    }

    /// What is not in order: count, the same as people read it, `type` of the list, class of the mark, and name.
    fn others(&self) -> [(u64, String, &'static str, &'static str, &'static str); 3] {
        let said = [("k-stale", "stale"), ("k-bad", "failing a check"), ("k-none", "missing")];
        let mut said = said.into_iter();
        self.figures.marks().map(|(count, kind)| {
            let (class, name) = said.next().unwrap_or_default();
            (count, grouped(count), kind, class, name)
        })
    }

    fn all(&self) -> String {
        grouped(self.figures.all)
    }

    fn words(&self) -> String {
        grouped(self.figures.words)
    }
}
