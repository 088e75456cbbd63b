//! Mirrors of local repositories.
//!
//! The mirror contains only references and reads objects from the repository itself, which it names as an alternate, as
//! `git clone --shared` does. gitglot never writes to the repository, runs nothing in it and ignores its owner. Before a
//! rewritten branch moves, the commits that only its old tip reaches are [copied](super::copy_objects) or
//! [linked](super::link_objects) to the mirror.

use std::path::Path;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::{Kind, TagRefIter};

use super::fs_util::{remove_file, write_atomic};
use super::{copy_objects, link_objects};
use crate::git::objects::repository::commit_id;
use crate::git::transport::error::FetchProblem;
use crate::git::transport::fetch::{Received, RemoteBranch, short_name};
use crate::git::{Branch, GitError, OBJECT_LIMIT, Repository};
use crate::model::CommitId;

/// The maximum length of a chain of tags.
const MAX_TAGS: usize = 16;
/// The number of commits that are copied object by object, unless the repository is large.
const FEW_COMMITS: usize = 100;

/// Points the mirror to the repository's objects and reads its branches.
pub(crate) fn read_branches(
    mirror: &Path,
    path: &Path,
    branches: &[Branch],
) -> Result<Received, FetchProblem> {
    let source = open(path)?;
    let storage = |error: std::io::Error| FetchProblem::Storage {
        path: mirror.to_owned(),
        reason: error.to_string(),
    };
    let objects = source.common_dir().join("objects");
    let objects = std::path::absolute(&objects).map_err(storage)?;
    write_atomic(
        &mirror.join(super::fsck::ALTERNATES),
        &alternate_line(&objects)?,
    )
    .map_err(storage)?;
    // A shallow repository has a shallow mirror.
    match std::fs::read(source.common_dir().join("shallow")) {
        Ok(boundary) => write_atomic(&mirror.join("shallow"), &boundary).map_err(storage)?,
        Err(_) => remove_file(&mirror.join("shallow")).map_err(storage)?,
    }
    let repository = source.gix();
    let unreadable = |error: &gix::Error| {
        let reason = crate::git::error::one_line(error);
        FetchProblem::Unreadable(GitError::Open {
            path: path.to_owned(),
            reason,
        })
    };
    let mut found = Vec::new();
    for branch in branches {
        let name = branch.remote_ref();
        let reference = repository
            .try_find_reference(name.as_str())
            .map_err(|error| unreadable(&error))?;
        let name = match (branch, &reference) {
            (Branch::Named(name), _) => name.clone(),
            (Branch::Default, Some(head)) => match head.target() {
                gix::refs::TargetRef::Symbolic(target) => {
                    short_name(&target.as_bstr().to_str_lossy())
                }
                gix::refs::TargetRef::Object(_) => "HEAD".to_owned(),
            },
            (Branch::Default, None) => String::new(),
        };
        // HEAD of an empty repository names a branch that does not exist.
        let object =
            reference.and_then(|mut reference| Some(reference.follow_to_object().ok()?.detach()));
        let tip = object.and_then(|object| commit_of(&repository, object));
        found.push(RemoteBranch {
            branch: branch.clone(),
            found: tip.map(|tip| (name, tip)),
        });
    }
    let missing = found.iter().any(|branch| branch.found.is_none());
    let existing = if missing {
        existing(&repository).map_err(|error| unreadable(&error))?
    } else {
        Vec::new()
    };
    Ok(Received {
        branches: found,
        existing,
    })
}

/// Peels tags down to a commit. gix's own peeling panics on a corrupt tag and loops forever on a tag of itself.
fn commit_of(repository: &gix::Repository, mut id: ObjectId) -> Option<CommitId> {
    for _ in 0..MAX_TAGS {
        match repository.find_header(id).ok()? {
            header if header.kind() == Kind::Commit => return commit_id(&id),
            header if header.kind() == Kind::Tag && header.size() <= OBJECT_LIMIT => {
                let tag = repository.find_object(id).ok()?;
                id = TagRefIter::from_bytes(&tag.data, gix::hash::Kind::Sha1)
                    .target_id()
                    .ok()?;
            }
            _ => return None,
        }
    }
    None
}

/// Opens the repository, and distinguishes a missing one from a corrupt one.
fn open(path: &Path) -> Result<Repository, FetchProblem> {
    Repository::open(path).map_err(|error| {
        if !path.exists() {
            FetchProblem::NoFolder
        } else if [path, &path.join(".git")]
            .into_iter()
            .any(|path| gix::discover::is_git(path).is_ok())
        {
            FetchProblem::Unreadable(error)
        } else {
            FetchProblem::NoRepository
        }
    })
}

/// Copies a commit and its ancestors to the mirror, without those that the tips contain. If these are many commits, links
/// all packs and loose objects of the repository instead, which takes much less time.
pub(crate) fn copy_to_mirror(
    mirror: &Path,
    commit: CommitId,
    tips: &[CommitId],
) -> Result<(), FetchProblem> {
    let storage = |reason: String| FetchProblem::Storage {
        path: mirror.to_owned(),
        reason,
    };
    let repository = Repository::open(mirror).map_err(FetchProblem::Unreadable)?;
    let mut reader = repository.reader();
    let present = copy_objects::ancestors(&mut reader, tips);
    let few = FEW_COMMITS.max(present.len() / 16);
    if copy_objects::exceeds(&mut reader, commit, &present, few) {
        let folders = repository.object_folders();
        let linked = folders
            .split_first()
            .map_or(Ok(()), |(own, others)| link_objects::link_all(others, own));
        return linked.map_err(|error| storage(error.to_string()));
    }
    let own = gix::odb::loose::Store::at(mirror.join("objects"), gix::hash::Kind::Sha1);
    copy_objects::copy_objects(&repository, &own, commit, &present, None).map_err(|error| {
        match error {
            copy_objects::CopyError::Read(error) => FetchProblem::Unreadable(error),
            copy_objects::CopyError::Write(reason) => storage(reason),
        }
    })
}

fn existing(repository: &gix::Repository) -> gix::Result<Vec<String>> {
    let references = repository.references()?;
    let branches = references.local_branches()?;
    Ok(branches
        .filter_map(|branch| Some(branch.ok()?.name().shorten().to_str_lossy().into_owned()))
        .collect())
}

/// The line for an object directory in `objects/info/alternates`.
fn alternate_line(objects: &Path) -> Result<Vec<u8>, FetchProblem> {
    let refused = || {
        FetchProblem::Unsupported(format!(
            "the path '{}' contains characters that an alternates file cannot represent",
            objects.display()
        ))
    };
    let path = gix::path::into_bstr(objects).map_err(|_| refused())?;
    if path.contains(&b'\n') || path.starts_with(b"#") || path.starts_with(b"\"") {
        return Err(refused());
    }
    Ok([path.as_bytes(), b"\n"].concat())
}
