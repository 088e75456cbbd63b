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

/// The component with the mask and the template that it has at a commit; `None` if the commit has no template.
pub(super) fn component_at(
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
