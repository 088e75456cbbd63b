//! Mirrors of local repositories.
//!
//! The mirror contains only references and reads objects from the repository itself, which it names as an alternate, as
//! `git clone --shared` does. gitglot never writes to the repository, runs nothing in it and ignores its owner. Before
//! a rewritten branch moves, the commits that only its old tip reaches are [copied](super::copy_objects) or
//! [linked](super::link_objects) to the mirror.

use std::path::Path;

use gix::bstr::ByteSlice;
use gix::refs::transaction::PreviousValue;
use parking_lot::Mutex;

use super::copy_objects::copy_objects;
use super::link_objects::link_all;
use crate::error::GitError;
use crate::fs_util::{remove_file, write_atomic};
use crate::named::{commit_of, mirror_name, prune};
use crate::objects::ancestors::{AncestorWalk, ancestors};
use crate::objects::checkout::{Completeness, branch_names};
use crate::objects::repository::Repository;
use crate::refs::branch::{Branch, Tip, short_name};
use crate::refs::fingerprint::RefsFingerprint;
use crate::transport::ask::Asking;
use crate::transport::error::FetchProblem;
use crate::transport::fetch::Received;
use gitglot_model::{CommitId, RefPattern};

/// The number of commits that are copied object by object, unless the repository is large.
const FEW_COMMITS: usize = 100;

/// The references that requests may name.
pub(crate) struct NamedRefs<'a> {
    /// What selects them.
    pub(crate) patterns: &'a [RefPattern],
    /// The fingerprint of the repository when its references were read and copied last.
    pub(crate) copied: &'a Mutex<Option<RefsFingerprint>>,
}

/// Opens the repository at a path, and points the mirror to its objects.
pub(crate) fn link_source(mirror: &Path, path: &Path) -> Result<Repository, FetchProblem> {
    let source = open(path)?;
    if source.completeness() == Completeness::Partial {
        return Err(GitError::Partial(path.to_owned()).into());
    }
    let storage = |error: std::io::Error| FetchProblem::storage(mirror, error);
    let objects = std::path::absolute(source.objects_dir()).map_err(storage)?;
    let alternate = alternate_line(&objects)?;
    write_atomic(&mirror.join(super::fsck::ALTERNATES), &alternate).map_err(storage)?;
    copy_shallow_boundary(mirror, source.common_dir()).map_err(storage)?;
    Ok(source)
}

/// Reads the branches of a repository. Copies the named references to the mirror, unless no reference has changed since:
/// there can be many, and polls are frequent.
pub(crate) fn read_branches(
    source: &Repository,
    mirror: &Repository,
    branches: &[Branch],
    NamedRefs { patterns, copied }: NamedRefs<'_>,
) -> Result<Received, FetchProblem> {
    let repository = source.gix();
    // Before the references are read, which may change meanwhile.
    let fingerprint = RefsFingerprint::read(source.git_dir(), source.common_dir(), branches);
    let read = || -> gix::Result<Received> {
        let tips = tips_of(&repository, branches)?;
        let mut copied = copied.lock();
        if !copied.as_ref().is_some_and(RefsFingerprint::is_current) {
            *copied = None;
            copy_named(&mirror.gix(), &repository, patterns)?;
            *copied = fingerprint;
        }
        let is_missing = tips.iter().any(Option::is_none);
        let existing = is_missing.then(|| branch_names(&repository)).transpose()?;
        Ok(Received {
            tips,
            existing: existing.unwrap_or_default(),
            asking: Asking::Never,
        })
    };
    read().map_err(|error| GitError::unreadable(source.git_dir(), &error).into())
}

/// The commits at the tips of some branches.
pub(crate) fn tip_commits(
    source: &Repository,
    branches: &[Branch],
) -> Result<Vec<CommitId>, FetchProblem> {
    let tips = tips_of(&source.gix(), branches)
        .map_err(|error| GitError::unreadable(source.git_dir(), &error))?;
    Ok(tips.into_iter().flatten().map(|tip| tip.commit).collect())
}

fn tips_of(repository: &gix::Repository, branches: &[Branch]) -> gix::Result<Vec<Option<Tip>>> {
    branches
        .iter()
        .map(|branch| tip_of(repository, branch))
        .collect()
}

/// A shallow repository has a shallow mirror.
fn copy_shallow_boundary(mirror: &Path, git_dir: &Path) -> std::io::Result<()> {
    match std::fs::read(git_dir.join("shallow")) {
        Ok(boundary) => write_atomic(&mirror.join("shallow"), &boundary),
        Err(_) => remove_file(&mirror.join("shallow")),
    }
}

fn tip_of(repository: &gix::Repository, branch: &Branch) -> gix::Result<Option<Tip>> {
    let name = branch.remote_ref();
    let reference = repository.try_find_reference(name.as_str())?;
    let name = match (branch, &reference) {
        (Branch::Named(name), _) => name.clone(),
        (Branch::Default, Some(head)) => match head.target() {
            gix::refs::TargetRef::Symbolic(target) => short_name(&target.as_bstr().to_str_lossy()),
            gix::refs::TargetRef::Object(_) => "HEAD".to_owned(),
        },
        (Branch::Default, None) => String::new(),
    };
    // HEAD of an empty repository names a branch that does not exist.
    let object =
        reference.and_then(|mut reference| Some(reference.follow_to_object().ok()?.detach()));
    let commit = object.and_then(|object| commit_of(repository, object));
    Ok(commit.map(|commit| Tip { name, commit }))
}

/// Gives the mirror the references of some patterns.
fn copy_named(
    mirror: &gix::Repository,
    source: &gix::Repository,
    patterns: &[RefPattern],
) -> gix::Result<()> {
    let mut present = Vec::new();
    for pattern in patterns {
        let prefix = pattern.full().split('*').next().unwrap_or_default();
        let references = source.references()?;
        for reference in references.prefixed(prefix)?.filter_map(Result::ok) {
            let Ok(full) = reference.name().as_bstr().to_str() else {
                continue;
            };
            let name = mirror_name(full).filter(|_| pattern.matches(full));
            present.extend(name.zip(reference.target().try_id().map(ToOwned::to_owned)));
        }
    }
    present.sort_unstable();
    let names: Vec<String> = present.iter().map(|(name, _)| name.clone()).collect();
    prune(mirror, &names)?;
    for (name, id) in present {
        let known = mirror.try_find_reference(name.as_str())?;
        if known.is_none_or(|known| known.target().try_id() != Some(&id)) {
            mirror.reference(name.as_str(), id, PreviousValue::Any, "gitglot")?;
        }
    }
    Ok(())
}

/// Opens the repository, and distinguishes a missing one from a corrupt one.
fn open(path: &Path) -> Result<Repository, FetchProblem> {
    let is_git = |path: &Path| gix::discover::is_git(path).is_ok();
    Repository::open(path).map_err(|error| {
        if !path.exists() {
            FetchProblem::NoFolder
        } else if is_git(path) || is_git(&path.join(".git")) {
            FetchProblem::Unreadable(error)
        } else {
            FetchProblem::NoRepository
        }
    })
}

/// Copies a commit and its ancestors to the mirror, without those that the tips contain. If these are many commits,
/// links all packs and loose objects of the repository instead, which takes much less time.
pub(crate) fn copy_to_mirror(
    mirror: &Repository,
    commit: CommitId,
    tips: &[CommitId],
) -> Result<(), FetchProblem> {
    let mut reader = mirror.reader();
    let present = ancestors(&mut reader, tips.to_vec());
    let few = FEW_COMMITS.max(present.len() / 16);
    let mut new = AncestorWalk::new(&mut reader, vec![commit]).hiding(&present);
    if new.nth(few).is_some() {
        let folders = mirror.object_folders();
        let (target, others) = folders.split_at(1);
        return link_all(others, &target[0])
            .map_err(|error| FetchProblem::storage(mirror.git_dir(), error));
    }
    match copy_objects(mirror, mirror, &[commit], present)?.pop() {
        Some((_, error)) => Err(error.into()),
        None => Ok(()),
    }
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
