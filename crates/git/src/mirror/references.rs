//! The references of a mirror.

use gix::refs::transaction::PreviousValue;

use crate::objects::repository::commit_id;
use gitglot_model::CommitId;

/// References that retain commits which no branch contains any more.
const RETAINED: &str = "refs/gitglot/kept/";

/// Retains a commit and its ancestors.
pub(super) fn retain(repository: &gix::Repository, commit: CommitId) -> gix::Result<()> {
    set_ref(repository, &format!("{RETAINED}{commit}"), commit)
}

pub(super) fn read_ref(repository: &gix::Repository, name: &str) -> Option<CommitId> {
    let reference = repository.try_find_reference(name).ok()??;
    commit_id(reference.target().try_id()?)
}

pub(super) fn set_ref(repository: &gix::Repository, name: &str, to: CommitId) -> gix::Result<()> {
    if read_ref(repository, name) == Some(to) {
        return Ok(());
    }
    let id = gix::ObjectId::Sha1(to.0);
    repository.reference(name, id, PreviousValue::Any, "gitglot")?;
    Ok(())
}

/// The branch that the mirror's `HEAD` names.
pub(super) fn default_name(repository: &gix::Repository) -> String {
    match repository.head_name() {
        Ok(Some(name)) => crate::refs::branch::short_name(&name.as_bstr().to_string()),
        _ => "HEAD".to_owned(),
    }
}

pub(super) fn refs_are_valid(repository: &gix::Repository) -> bool {
    let references = repository.references();
    references.is_ok_and(|references| {
        references
            .all()
            .is_ok_and(|mut all| all.all(|reference| reference.is_ok()))
    })
}

pub(crate) fn retained(repository: &gix::Repository) -> gix::Result<Vec<CommitId>> {
    let references = repository.references()?;
    let retained = references.prefixed(RETAINED)?;
    let ids = retained.filter_map(|reference| commit_id(reference.ok()?.target().try_id()?));
    Ok(ids.collect())
}
