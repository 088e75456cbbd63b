//! References that requests may name: tags, and the selection of the setting `branches` (docs/spec/revisions.md#names).
//!
//! The mirror stores the reference `refs/X` as `refs/gitglot/named/X`, apart from the branches that it follows.

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::{Kind, TagRefIter};

use crate::error::GitError;
use crate::objects::checkout::RevisionError;
use crate::objects::reader::OBJECT_LIMIT;
use crate::objects::repository::{Repository, commit_id};
use gitglot_model::{CommitId, RefPattern, is_ref_name};

/// The directory of the references.
pub(crate) const NAMED: &str = "refs/gitglot/named/";

/// The maximum length of a chain of tags.
const MAX_TAGS: usize = 16;

/// The shortest abbreviated commit id.
const MIN_ID: usize = 4;

/// The reference of the mirror for a reference of the followed repository.
pub(crate) fn mirror_name(full: &str) -> Option<String> {
    Some([NAMED, full.strip_prefix("refs/")?].concat())
}

/// The refspec that fetches the references of a pattern.
pub(crate) fn refspec(pattern: &RefPattern) -> Option<String> {
    let full = pattern.full();
    Some(format!("+{full}:{}", mirror_name(full)?))
}

/// Deletes the references that are not in a sorted list of names.
pub(crate) fn prune(repository: &gix::Repository, present: &[String]) -> gix::Result<()> {
    let references = repository.references()?;
    for reference in references.prefixed(NAMED)?.filter_map(Result::ok) {
        let name = reference.name().as_bstr().to_str_lossy().into_owned();
        if present.binary_search(&name).is_err() {
            reference.delete()?;
        }
    }
    Ok(())
}

/// Finds a tag, a branch of one of the patterns, or a commit by its id, which may be abbreviated. Reads the
/// references as they are now.
///
/// # Errors
/// If there is no such commit, or several.
pub fn find_named(
    repository: &Repository,
    name: &str,
    patterns: &[RefPattern],
) -> Result<CommitId, RevisionError> {
    let opened = repository.gix();
    let unknown = || RevisionError::NotNamed(name.to_owned());
    let not_a_commit = || RevisionError::NotACommit(name.to_owned());
    if let Ok(commit) = name.parse::<CommitId>() {
        let object = opened.find_header(ObjectId::Sha1(commit.0));
        return match object.ok().map(|header| header.kind()) {
            Some(Kind::Commit) => Ok(commit),
            Some(_) => Err(not_a_commit()),
            None => Err(unknown()),
        };
    }
    if !is_ref_name(name) || name.starts_with('-') {
        return Err(unknown());
    }
    let mut found: Vec<CommitId> = Vec::new();
    for full in full_names(name) {
        let reference = mirror_name(&full).filter(|_| is_allowed(&full, patterns));
        let reference = reference.and_then(|name| opened.try_find_reference(&*name).ok()?);
        let object = reference.and_then(|reference| Some(reference.target().try_id()?.to_owned()));
        if let Some(object) = object {
            found.push(commit_of(&opened, object).ok_or_else(not_a_commit)?);
        }
    }
    found.dedup();
    match found[..] {
        [commit] => Ok(commit),
        [] if is_short_id(name) => repository.select(name).map_err(|error| match error {
            RevisionError::Unknown(..) => unknown(),
            other => other,
        }),
        [] => Err(unknown()),
        _ => Err(RevisionError::Ambiguous(name.to_owned())),
    }
}

/// The commits of all references that requests may name.
///
/// # Errors
/// If the references cannot be read.
pub fn named_commits(
    repository: &Repository,
    patterns: &[RefPattern],
) -> Result<Vec<CommitId>, GitError> {
    let opened = repository.gix();
    let list = || -> gix::Result<Vec<ObjectId>> {
        let references = opened.references()?;
        let references = references.prefixed(NAMED)?.filter_map(Result::ok);
        let allowed = references.filter(|reference| {
            let name = reference.name().as_bstr().to_str_lossy().into_owned();
            is_allowed(&name.replacen(NAMED, "refs/", 1), patterns)
        });
        let ids = allowed.filter_map(|reference| Some(reference.target().try_id()?.to_owned()));
        Ok(ids.collect())
    };
    let found = list().map_err(|error| GitError::unreadable(repository.git_dir(), &error))?;
    let commits = found.into_iter().filter_map(|id| commit_of(&opened, id));
    Ok(commits.collect())
}

/// Peels tags down to a commit. gix's own peeling panics on a corrupt tag and loops forever on a tag of itself.
pub(crate) fn commit_of(repository: &gix::Repository, mut id: ObjectId) -> Option<CommitId> {
    for _ in 0..MAX_TAGS {
        match repository.find_header(id).ok()? {
            header if header.kind() == Kind::Commit => return commit_id(&id),
            header if header.kind() == Kind::Tag && header.size() <= OBJECT_LIMIT => {
                let tag = repository.find_object(id).ok()?;
                let target = TagRefIter::from_bytes(&tag.data, gix::hash::Kind::Sha1).target_id();
                id = target.ok()?;
            }
            _ => return None,
        }
    }
    None
}

/// The references that a name may mean.
fn full_names(name: &str) -> Vec<String> {
    if name.starts_with("refs/") {
        return vec![name.to_owned()];
    }
    vec![format!("refs/tags/{name}"), format!("refs/heads/{name}")]
}

/// Whether requests may name a reference.
fn is_allowed(full: &str, patterns: &[RefPattern]) -> bool {
    full.starts_with("refs/tags/") || patterns.iter().any(|pattern| pattern.matches(full))
}

/// Whether a name may be an abbreviated commit id.
pub fn is_short_id(name: &str) -> bool {
    (MIN_ID..40).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
