//! The pages of past states that the chart and the table of activity link to (docs/spec/pages.md#revisions).

use crate::pages::revision::state_path;
use crate::project_history::ProjectHistory;
use crate::request::PageRequest;

/// The page of the state at the end of each month of a history, except for the current month.
pub(super) struct MonthStates(Vec<Option<String>>);

impl MonthStates {
    /// A month has a page if a component of the project had a template at its end. Only a server has these pages.
    pub(super) fn of(request: &PageRequest<'_>, slug: &str, history: &ProjectHistory) -> Self {
        if !request.layout.has_server() {
            return Self(Vec::new());
        }
        let ends: Vec<i64> = (1..history.months())
            .map(|next| history.start_of(next))
            .collect();
        let (mut is_known, mut has_state) = (false, vec![false; ends.len()]);
        for component in request.snapshot.components_of(slug) {
            let log = &component.log;
            is_known |= !log.mainline.is_empty();
            request.budget.spend(log.mainline.len() as u64);
            for (has_state, row) in has_state.iter_mut().zip(log.mainline_at(&ends)) {
                *has_state |= row.is_some_and(|row| row.has_template);
            }
        }
        if !is_known {
            return Self(Vec::new());
        }
        let months = (1..).zip(has_state);
        let hrefs = months.map(|(next, has_state)| {
            let path = || state_path(slug, &history.month(next));
            has_state.then(|| request.layout.url(&path()))
        });
        Self(hrefs.collect())
    }

    /// The page of a month.
    pub(super) fn href(&self, at: usize) -> Option<String> {
        self.0.get(at).cloned().flatten()
    }

    /// Whether a month has no page.
    pub(super) fn has_gaps(&self) -> bool {
        self.0.iter().any(Option::is_none)
    }
}
