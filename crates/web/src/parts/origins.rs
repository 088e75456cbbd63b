//! How many texts have which origin (docs/spec/pages.md#origins).

use askama::Template;
use askama::filters::HtmlSafe;

use crate::request::PageRequest;
use gitglot_catalog::{Count, OriginCounts, TranslationView, origin_counts};
use gitglot_model::Origin;

/// The texts of some translations by origin.
#[derive(Template)]
#[template(path = "parts/origins.html")]
pub(crate) struct Origins {
    all: Count,
    untouched: Count,
    /// The origin, its strings and their list, if there is one.
    rows: Vec<(&'static str, Count, Option<String>)>,
}

impl HtmlSafe for Origins {}

impl Origins {
    /// Those of some translations; `None` if commits show nothing. `strings` is the address of a list of strings up to the
    /// query.
    pub(crate) fn of<'a>(
        request: &PageRequest<'_>,
        views: impl IntoIterator<Item = TranslationView<'a>>,
        strings: Option<&str>,
    ) -> Option<Self> {
        let views = views.into_iter();
        let counts = views.map(|view| origin_counts(view, request.budget));
        let counts: OriginCounts = counts.sum();
        let all = counts.all();
        if all == counts.of(Origin::Unknown) {
            return None;
        }
        // A site has no lists of queries.
        let strings = strings.filter(|_| request.layout.has_server());
        let row = |origin: Origin| {
            let count = counts.of(origin);
            let list = strings.filter(|_| count.units > 0);
            let list = list.map(|list| [list, "q=origin:", origin.name()].concat());
            (origin_label(origin), count, list)
        };
        Some(Self {
            all,
            untouched: counts.untouched(),
            rows: Origin::ALL.map(row).into(),
        })
    }
}

/// The origin as pages name it.
pub(crate) fn origin_label(origin: Origin) -> &'static str {
    match origin {
        Origin::Human => "People",
        Origin::Platform => "Translation platforms",
        Origin::Machine => "Machines",
        Origin::Unknown => "Unknown",
    }
}
