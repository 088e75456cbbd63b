//! A repository on this machine, read in place: the mirror borrows its objects and holds only branches.
//!
//! The mirror names the repository's folder of objects as an alternate, as `git clone --shared` does. Nothing is
//! copied, nothing of the repository is ever written or run, and who owns it does not matter. What a rewritten
//! branch leaves behind is copied into the mirror before the branch moves ([`carry`](crate::git::mirror::copy_objects)).

use std::path::Path;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::objs::{Kind, TagRefIter};

use crate::git::mirror::fsck::{remove_if_there, write_whole};
use crate::git::objects::repository::commit_id;
use crate::git::transport::error::Problem;
use crate::git::transport::fetch::{Received, RemoteBranch, short_name};
use crate::git::{Branch, GitError, OBJECT_LIMIT, Repository};
use crate::model::CommitId;

/// Tags that may lead to each other.
const MOST_TAGS: usize = 16;

/// Lets the mirror read the repository's objects, and looks where its branches are.
pub(crate) fn look(mirror: &Path, path: &Path, branches: &[Branch]) -> Result<Received, Problem> {
    let source = open(path)?;
    let storage = |error: std::io::Error| Problem::Storage { path: mirror.to_owned(), reason: error.to_string() };
    let objects = source.common_dir().join("objects");
    let objects = std::path::absolute(&objects).map_err(storage)?;
    write_whole(&mirror.join("objects/info/alternates"), &alternate_line(&objects)?).map_err(storage)?;
    // Where its history ends, ours does.
    match std::fs::read(source.common_dir().join("shallow")) {
        Ok(boundary) => write_whole(&mirror.join("shallow"), &boundary).map_err(storage)?,
        Err(_) => remove_if_there(&mirror.join("shallow")).map_err(storage)?,
    }
    let repository = source.gix();
    let unreadable = |error: &gix::Error| {
        let reason = crate::git::error::one_line(error);
        Problem::Unreadable(GitError::Open { path: path.to_owned(), reason })
    };
    let mut found = Vec::new();
    for branch in branches {
        let name = branch.remote_ref();
        let reference = repository.try_find_reference(name.as_str()).map_err(|error| unreadable(&error))?;
        let name = match (branch, &reference) {
            (Branch::Named(name), _) => name.clone(),
            (Branch::Default, Some(head)) => match head.target() {
                gix::refs::TargetRef::Symbolic(target) => short_name(&target.as_bstr().to_str_lossy()),
                gix::refs::TargetRef::Object(_) => "HEAD".to_owned(),
            },
            (Branch::Default, None) => String::new(),
        };
        // A HEAD without commits names a branch that is not there.
        let object = reference.and_then(|mut reference| Some(reference.follow_to_object().ok()?.detach()));
        let tip = object.and_then(|object| commit_of(&repository, object));
        found.push(RemoteBranch { branch: branch.clone(), found: tip.map(|tip| (name, tip)) });
    }
    let missing = found.iter().any(|branch| branch.found.is_none());
    let existing = if missing { existing(&repository).map_err(|error| unreadable(&error))? } else { Vec::new() };
    Ok(Received { branches: found, existing, pack: None })
}

/// The commit that an object is or that a tag leads to. gix's own way there ends the program at a tag that is damaged,
/// and goes round for ever where one leads to itself.
fn commit_of(repository: &gix::Repository, mut id: ObjectId) -> Option<CommitId> {
    for _ in 0..MOST_TAGS {
        match repository.find_header(id).ok()? {
            header if header.kind() == Kind::Commit => return commit_id(&id),
            header if header.kind() == Kind::Tag && header.size() <= OBJECT_LIMIT => {
                let tag = repository.find_object(id).ok()?;
                id = TagRefIter::from_bytes(&tag.data, gix::hash::Kind::Sha1).target_id().ok()?;
            }
            _ => return None,
        }
    }
    None
}

/// Opens the repository, or says that there is none.
fn open(path: &Path) -> Result<Repository, Problem> {
    Repository::open(path).map_err(|error| {
        if !path.exists() {
            Problem::NoFolder
        } else if [path, &path.join(".git")].into_iter().any(|path| gix::discover::is_git(path).is_ok()) {
            Problem::Unreadable(error)
        } else {
            Problem::NoRepository
        }
    })
}

/// Copies what only these commits lead to from the repository into the mirror.
pub(crate) fn keep_objects(mirror: &Path, commit: CommitId, tips: &[CommitId]) -> Result<(), Problem> {
    let storage = |reason: String| Problem::Storage { path: mirror.to_owned(), reason };
    let repository = Repository::open(mirror).map_err(Problem::Unreadable)?;
    let own = gix::odb::loose::Store::at(mirror.join("objects"), gix::hash::Kind::Sha1);
    let there = crate::git::mirror::copy_objects::ancestors(&mut repository.reader(), tips);
    crate::git::mirror::copy_objects::copy_objects(&repository, &own, commit, &there, None).map_err(|error| match error
    {
        crate::git::mirror::copy_objects::CopyError::Read(error) => Problem::Unreadable(error),
        crate::git::mirror::copy_objects::CopyError::Write(reason) => storage(reason),
    })
}

fn existing(repository: &gix::Repository) -> gix::Result<Vec<String>> {
    let references = repository.references()?;
    let branches = references.local_branches()?;
    Ok(branches.filter_map(|branch| Some(branch.ok()?.name().shorten().to_str_lossy().into_owned())).collect())
}

/// The line that names a folder of objects in `objects/info/alternates`.
fn alternate_line(objects: &Path) -> Result<Vec<u8>, Problem> {
    let refused = || Problem::Unsupported(format!("its path '{}' cannot be written down", objects.display()));
    let path = gix::path::into_bstr(objects).map_err(|_| refused())?;
    if path.contains(&b'\n') || path.starts_with(b"#") || path.starts_with(b"\"") {
        return Err(refused());
    }
    Ok([path.as_bytes(), b"\n"].concat())
}
