//! Branches of a repository on this disk.

use super::error::one_line;
use super::repository::commit_id;
use super::{GitError, Repository};
use crate::model::CommitId;

impl Repository {
    /// The tip of a branch, or of the branch that HEAD names; `None` when there is no such branch.
    ///
    /// # Errors
    /// When the references cannot be read.
    pub fn branch(&self, name: Option<&str>) -> Result<Option<(String, CommitId)>, GitError> {
        let repository = self.local();
        let error = |error: gix::Error| GitError::Open { path: self.git_dir().to_owned(), reason: one_line(&error) };
        let name = match name {
            Some(name) => name.to_owned(),
            None => match repository.head_name().map_err(|it| error(it.into()))? {
                Some(name) => name.shorten().to_string(),
                None => "HEAD".to_owned(),
            },
        };
        let full = if name == "HEAD" { name.clone() } else { format!("refs/heads/{name}") };
        let Some(mut reference) = repository.try_find_reference(&*full).map_err(|it| error(it.into()))? else {
            return Ok(None);
        };
        let id = reference.peel_to_id().map_err(|it| error(it.into()))?;
        Ok(commit_id(&id).map(|id| (name, id)))
    }
}
