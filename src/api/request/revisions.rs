//! Revisions and comparisons in paths: reads them outside the async threads; errors become responses.

use std::sync::Arc;

use crate::api::request::context::RequestContext;
use crate::api::request::pagination::{ListPage, RequestUrl};
use crate::api::response::error::ApiError;
use crate::catalog::ComponentSnapshot;
use crate::lint::Finding;
use crate::revisions::{Comparison, FindingFilter, Revision, RevisionProblem, find};
use crate::web::RevisionState;

/// A component at a revision.
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

/// The state of the component in the path at the revision in the path.
pub(crate) async fn state(ctx: &RequestContext) -> Result<StateAt, ApiError> {
    let tip = ctx.component()?.clone();
    let (revisions, name) = (ctx.state.revisions.clone(), decoded(ctx.param("revision")));
    let read = ctx.run_long(move || {
        let revision = find(&revisions, &tip, &name)?;
        let state = revisions.state(&tip, revision.commit)?;
        Ok(StateAt { revision, state })
    });
    read.await
}

/// The comparison that the path names, as `BASE...HEAD`. `page` selects findings, given their number.
pub(crate) async fn compare(
    ctx: &RequestContext,
    filter: FindingFilter,
    page: impl FnOnce(usize) -> Result<ListPage, ApiError> + Send + 'static,
) -> Result<Compared, ApiError> {
    let tip = ctx.component()?.clone();
    let (base, head) = ends(ctx.param("range")).ok_or_else(|| {
        ApiError::NoRevision(
            "The path must contain two revisions as BASE...HEAD. Encode a slash as %2F.".to_owned(),
        )
    })?;
    let revisions = ctx.state.revisions.clone();
    let read = ctx.run_long(move || {
        let [base, head] = [
            find(&revisions, &tip, &base)?,
            find(&revisions, &tip, &head)?,
        ];
        let comparison = revisions.compare(&tip, &base, &head)?;
        let page = page(comparison.count(&filter))?;
        let findings = revisions.findings(&tip, &comparison, &filter, page.entries.clone())?;
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
    let read = ctx.run_long(move || {
        let state = |tip: Arc<ComponentSnapshot>| {
            let found = find(&revisions, &tip, &name).and_then(|revision| {
                let state = revisions.state(&tip, revision.commit)?;
                Ok((revision, state))
            });
            (tip, found.map_err(|problem| problem.to_string()))
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
        None | Some("" | "false") => false,
        Some("true") => true,
        Some(other) => {
            return Err(ApiError::BadFilter(format!(
                "new_only: '{other}' is neither true nor false"
            )));
        }
    };
    let language = url.value("language").filter(|code| !code.is_empty());
    Ok(FindingFilter { language, only_new })
}

impl From<RevisionProblem> for ApiError {
    fn from(problem: RevisionProblem) -> Self {
        match problem {
            RevisionProblem::NotFound(reason) => Self::NoRevision(reason),
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
