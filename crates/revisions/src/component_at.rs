//! The component of a snapshot at another commit.

use std::sync::Arc;

use super::revision::RevisionReadError;
use gitglot_catalog::ComponentSnapshot;
use gitglot_git::Repository;
use gitglot_history::{layout_at, view};
use gitglot_model::{CommitId, Component, file_of_part};

/// `project/component`.
pub(super) fn name_of(tip: &ComponentSnapshot) -> Arc<str> {
    tip.path().into()
}

/// The component with the masks and the templates that it has at two commits; `None` if neither has a template. A file that
/// appears or disappears is a finding, unless both commits lack it.
pub(super) fn components_at(
    tip: &ComponentSnapshot,
    repository: &Repository,
    [base, head]: [CommitId; 2],
) -> Result<Option<[Component; 2]>, RevisionReadError> {
    let at = |commit| component_at(tip, repository, commit);
    Ok(match (at(base)?, at(head)?) {
        (Some(at_base), Some(at_head)) => Some([at_base, at_head]),
        (Some(known), None) | (None, Some(known)) => Some([known.clone(), known]),
        (None, None) => None,
    })
}

/// The component with the mask and the template that it has at a commit; `None` if the commit has no template.
fn component_at(
    tip: &ComponentSnapshot,
    repository: &Repository,
    commit: CommitId,
) -> Result<Option<Component>, RevisionReadError> {
    let mut reader = view(repository, &tip.component).reader();
    let tree = reader.commit_header(commit)?.tree;
    let layout = layout_at(&tip.layouts, &mut reader, tree)?;
    Ok(layout.map(|(mask, template)| {
        let mut component = (*tip.component).clone();
        component.settings.filemask = mask;
        component.settings.template = file_of_part(&template).into_owned();
        component
    }))
}
