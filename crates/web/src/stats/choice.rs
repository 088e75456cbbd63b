//! The form that selects months and languages, for pages of a server.

use askama::Template;
use askama::filters::HtmlSafe;

use super::selection::Selection;
use crate::parts::LocalizedText;
use crate::request::PageRequest;

/// The form, and links to usual periods.
#[derive(Template)]
#[template(path = "stats/choice.html")]
pub(super) struct Choice {
    /// The value of `show`.
    show: String,
    /// The first and the last month of the history.
    ends: (String, String),
    /// The months shown.
    from: String,
    to: String,
    /// Code, name and whether it is chosen; empty on the page of a language.
    languages: Vec<(String, LocalizedText, bool)>,
    /// Label and URL of each period.
    periods: Vec<(&'static str, String)>,
    chosen: usize,
}

impl HtmlSafe for Choice {}

impl Choice {
    /// The form of a page; `None` where no server answers it.
    pub(super) fn of(
        request: &PageRequest<'_>,
        selection: &Selection<'_>,
        code: Option<&str>,
    ) -> Option<Self> {
        let history = selection.history;
        let end = history.months() - 1;
        if !request.layout.has_server() || end == 0 {
            return None;
        }
        let is_chosen =
            |at: &usize| !selection.has_all && selection.languages.binary_search(at).is_ok();
        let languages = (0..).zip(&history.languages).filter(|_| code.is_none());
        let languages: Vec<_> = languages
            .map(|(at, of)| {
                let name = LocalizedText::name(&of.name);
                (of.code.clone(), name, is_chosen(&at))
            })
            .collect();
        let period = |(months, label): (usize, &'static str)| {
            let from = (months <= end).then(|| history.month(end + 1 - months))?;
            Some((label, request.with_all(&[("from", &from), ("to", "")])))
        };
        let periods = [(12, "1 year"), (24, "2 years"), (60, "5 years")];
        let periods = periods.into_iter().filter_map(period);
        let whole = ("everything", request.with_all(&[("from", ""), ("to", "")]));
        Some(Self {
            show: request.value("show").unwrap_or_default().to_owned(),
            ends: (history.month(0), history.month(end)),
            from: history.month(selection.months.start),
            to: history.month(selection.last()),
            chosen: languages.iter().filter(|(.., chosen)| *chosen).count(),
            languages,
            periods: periods.chain([whole]).collect(),
        })
    }
}
