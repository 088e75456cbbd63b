//! The other components of a project in a comparison: strings can move between them (docs/spec/renames.md#checks).

use std::sync::Arc;

use super::component_at::{components_at, name_of};
use super::reader::Revisions;
use super::revision::RevisionReadError;
use gitglot_catalog::ComponentSnapshot;
use gitglot_git::Repository;
use gitglot_lint::{
    ComponentChange, ComponentFiles, ComponentMoves, RepositoryState, RepositoryTree,
    changes_strings, find_moves,
};
use gitglot_model::{CommitId, Component, WorkLimit};

/// A component that adds or removes strings between two commits.
pub struct ChangedSibling {
    name: Arc<str>,
    component: Component,
    sides: [ComponentFiles; 2],
}

/// The other components that add or remove strings between two commits, if the component of `sides` does.
pub(super) fn changed_siblings(
    revisions: &Revisions,
    tip: &ComponentSnapshot,
    siblings: &[Arc<ComponentSnapshot>],
    repository: &Repository,
    commits: [CommitId; 2],
    sides: &[ComponentFiles; 2],
    limit: &dyn WorkLimit,
) -> Result<Vec<ChangedSibling>, RevisionReadError> {
    let [before, after] = sides;
    let (mut found, component) = (Vec::new(), &tip.component);
    if !component.renames || !changes_strings(before, after) {
        return Ok(found);
    }
    // Two clones of a repository show the same address.
    let is_here = |other: &ComponentSnapshot| {
        let opened = revisions.repository(other);
        opened.is_ok_and(|opened| opened.git_dir() == repository.git_dir())
    };
    let is_other = |it: &&Arc<ComponentSnapshot>| {
        let other = &it.component;
        let is_candidate = other.id != component.id && other.renames;
        let is_near = other.repo == component.repo && other.branch == component.branch;
        is_candidate && is_near && is_here(it)
    };
    for sibling in siblings.iter().filter(is_other) {
        let changed = changed_sibling(revisions, sibling, repository, commits, limit)?;
        found.extend(changed);
    }
    Ok(found)
}

/// A component, if it adds or removes strings between two commits. Most have no file that differs.
fn changed_sibling(
    revisions: &Revisions,
    tip: &ComponentSnapshot,
    repository: &Repository,
    [base, head]: [CommitId; 2],
    limit: &dyn WorkLimit,
) -> Result<Option<ChangedSibling>, RevisionReadError> {
    let Some([at_base, at_head]) = components_at(tip, repository, [base, head])? else {
        return Ok(None);
    };
    if at_base.filemask == at_head.filemask && at_base.template == at_head.template {
        let tree = |commit| RepositoryTree::open(repository, RepositoryState::Commit(commit));
        if !tree(base)?.differs(&tree(head)?, &at_head)? {
            return Ok(None);
        }
    }
    let sides = revisions.sides(tip, repository, [(base, &at_base), (head, &at_head)], limit)?;
    let sibling = ChangedSibling {
        name: name_of(tip),
        component: at_head,
        sides,
    };
    let [before, after] = &sibling.sides;
    Ok(changes_strings(before, after).then_some(sibling))
}

/// The strings that move between a component and others.
pub fn moves<'a>(
    name: &'a Arc<str>,
    component: &'a Component,
    [base, head]: &'a [ComponentFiles; 2],
    siblings: &'a [ChangedSibling],
    limit: &dyn WorkLimit,
) -> ComponentMoves<'a> {
    if siblings.is_empty() {
        return ComponentMoves::default();
    }
    let changed = ComponentChange {
        name,
        component,
        base,
        head,
    };
    let others = siblings.iter().map(|sibling| ComponentChange {
        name: &sibling.name,
        component: &sibling.component,
        base: &sibling.sides[0],
        head: &sibling.sides[1],
    });
    let changes: Vec<ComponentChange<'a>> = std::iter::once(changed).chain(others).collect();
    let moves = find_moves(&changes, &*limit.meter());
    moves.into_iter().next().unwrap_or_default()
}
