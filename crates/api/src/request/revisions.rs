//! Revisions and comparisons in paths: reads them outside the async threads; errors become responses.

use std::sync::Arc;

use crate::request::context::RequestContext;
use crate::request::pagination::{ListPage, RequestUrl};
use crate::response::error::ApiError;
use gitglot_catalog::ComponentSnapshot;
use gitglot_catalog::scan::LongBudget;
use gitglot_lint::Finding;
use gitglot_model::{WorkLimit, WorkMeter};
use gitglot_revisions::{
    Comparison, FindingFilter, Revision, RevisionProblem, Revisions, find, find_in_memory,
};
use gitglot_web::RevisionState;

pub(crate) struct StateAt {
    pub(crate) revision: Revision,
    pub(crate) state: Arc<ComponentSnapshot>,
}

/// A comparison and one page of its findings.
pub(crate) struct Compared {
    /// The component today.
    pub(crate) component: Arc<ComponentSnapshot>,
    pub(crate) base: Revision,
    pub(crate) head: Revision,
    pub(crate) comparison: Arc<Comparison>,
    pub(crate) filter: FindingFilter,
    pub(crate) page: ListPage,
    pub(crate) findings: Vec<Finding>,
}

/// The name in a path segment, where `%2F` is a slash.
fn decoded(segment: &str) -> String {
    segment.replace("%2F", "/").replace("%2f", "/")
}

/// The budget of work that reads a repository.
pub(crate) struct Limit<'a>(pub(crate) &'a LongBudget);

impl WorkLimit for Limit<'_> {
    fn meter(&self) -> WorkMeter<'_> {
        let meter = self.0.meter();
        Box::new(move |bytes| meter.spend(bytes))
    }
}

/// The state of a component at a revision, if it is known without a look at the repository. Cached states need no turn.
fn cached(revisions: &Revisions, tip: &Arc<ComponentSnapshot>, name: &str) -> Option<StateAt> {
    let revision = find_in_memory(tip, name)?;
    let state = revisions.cached_state(tip, revision.commit)?;
    Some(StateAt { revision, state })
}

/// The state of the component in the path at the revision in the path.
pub(crate) async fn state(ctx: &RequestContext) -> Result<StateAt, ApiError> {
    let tip = ctx.component()?.clone();
    let (revisions, name) = (ctx.state.revisions.clone(), decoded(ctx.param("revision")));
    if let Some(known) = cached(&revisions, &tip, &name) {
        return Ok(known);
    }
    let read = ctx.run_long(move |budget| {
        let revision = find(&revisions, &tip, &name)?;
        let state = revisions.state(&tip, revision.commit, &Limit(budget))?;
        Ok(StateAt { revision, state })
    });
    read.await
}

/// The comparison that the path names, as `BASE...HEAD`. `page` selects findings, given their number.
pub(crate) async fn compare(
    ctx: &RequestContext,
    filter: FindingFilter,
    page: impl Fn(usize) -> Result<ListPage, ApiError> + Send + 'static,
) -> Result<Compared, ApiError> {
    let tip = ctx.component()?.clone();
    let (base, head) = ends(ctx.param("range")).ok_or_else(|| {
        let reason = "The path must contain two revisions as BASE...HEAD. Encode a slash as %2F.";
        ApiError::NoRevision(reason.to_owned())
    })?;
    let revisions = ctx.state.revisions.clone();
    if let (Some(base), Some(head)) = (find_in_memory(&tip, &base), find_in_memory(&tip, &head))
        && let Some(comparison) = revisions.cached_comparison(&tip, &base, &head)
    {
        let page = page(comparison.count(&filter))?;
        if let Some(findings) = comparison.known_findings(&filter, page.entries.clone()) {
            return Ok(Compared {
                component: tip,
                base,
                head,
                comparison,
                filter,
                page,
                findings,
            });
        }
    }
    let siblings = ctx.snapshot.components_of(tip.project.slug.as_str());
    let siblings: Vec<_> = siblings.cloned().collect();
    let read = ctx.run_long(move |budget| {
        let limit = Limit(budget);
        let (base, head) = (
            find(&revisions, &tip, &base)?,
            find(&revisions, &tip, &head)?,
        );
        let comparison = revisions.compare(&tip, &siblings, &base, &head, &limit)?;
        let page = page(comparison.count(&filter))?;
        let positions = page.entries.clone();
        let findings =
            revisions.findings(&tip, &siblings, &comparison, &filter, positions, &limit)?;
        Ok(Compared {
            component: tip,
            base,
            head,
            comparison,
            filter,
            page,
            findings,
        })
    });
    read.await
}

/// The states of the components of the project in the path at the revision in the path, with the name of the revision.
pub(crate) async fn states(ctx: &RequestContext) -> Result<(String, Vec<RevisionState>), ApiError> {
    let components = ctx.snapshot.components_of(ctx.param("project"));
    let components: Vec<_> = components.cloned().collect();
    if components.is_empty() {
        return Err(ApiError::NotFound);
    }
    let (revisions, name) = (ctx.state.revisions.clone(), decoded(ctx.param("revision")));
    let known = components.iter().map(|tip| {
        let StateAt { revision, state } = cached(&revisions, tip, &name)?;
        Some((tip.clone(), Ok((revision, state))))
    });
    if let Some(states) = known.collect() {
        return Ok((name, states));
    }
    let read = ctx.run_long(move |budget| {
        let state = |tip: Arc<ComponentSnapshot>| {
            let found = find(&revisions, &tip, &name).and_then(|revision| {
                let state = revisions.state(&tip, revision.commit, &Limit(budget))?;
                Ok((revision, state))
            });
            (tip, found)
        };
        let states = components.into_iter().map(state).collect();
        Ok((name.clone(), states))
    });
    read.await
}

/// The names of the two ends of `BASE...HEAD`.
fn ends(segment: &str) -> Option<(String, String)> {
    let (base, head) = segment.split_once("...")?;
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.');
    (is_name(base) && is_name(head)).then(|| (decoded(base), decoded(head)))
}

/// Which findings a request asks for.
///
/// # Errors
/// [`ApiError::BadFilter`] for an unknown value.
pub(crate) fn finding_filter(url: &RequestUrl) -> Result<FindingFilter, ApiError> {
    let only_new = match url.value("new_only").as_deref() {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => {
            let reason = format!("new_only: '{other}' is neither true nor false");
            return Err(ApiError::BadFilter(reason));
        }
    };
    let language = url.value("language");
    Ok(FindingFilter { language, only_new })
}

impl From<RevisionProblem> for ApiError {
    fn from(problem: RevisionProblem) -> Self {
        match problem {
            RevisionProblem::NotFound(reason) => Self::NoRevision(reason),
            // The budget has the reason, and this is not sent.
            RevisionProblem::Stopped => Self::Unreadable,
            RevisionProblem::Unreadable(reason) => {
                tracing::warn!(%reason, "cannot read a revision");
                Self::Unreadable
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_a_comparison_are_separated_by_three_dots() {
        let names = |segment| ends(segment).map(|(base, head)| format!("{base} {head}"));
        for (segment, wanted) in [
            ("v1.0...main", Some("v1.0 main")),
            (
                "release%2F1.x...refs%2fpull%2F1%2Fhead",
                Some("release/1.x refs/pull/1/head"),
            ),
            ("a..b", None),
            ("a...", None),
            ("...b", None),
            ("a....b", None),
            ("a", None),
        ] {
            assert_eq!(names(segment).as_deref(), wanted, "{segment}");
        }
    }
}
