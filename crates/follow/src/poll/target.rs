//! One poll of one repository: opens or clones its mirror, fetches it, and clones a corrupt mirror again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::events::PollOutcome;
use crate::observation::{BranchError, BranchState};
use crate::project::RepoAddress;
use gitglot_git::{
    Branch, BranchChange, FetchError, FetchProblem, FollowedBranch, GitError, Mirror,
    ParseSourceError, RepoAccess, RepositorySource, Watch,
};
use gitglot_model::{CommitId, RefPattern, catch_crash};

/// A repository to poll, and its mirror.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PollTarget {
    /// The address.
    pub source: RepositorySource,
    /// The directory of the mirror.
    pub folder: PathBuf,
    /// The branches that components read.
    pub branches: Vec<Branch>,
    /// The references that requests may name.
    pub named: Vec<RefPattern>,
    /// The credentials.
    pub access: RepoAccess,
}

#[derive(Default, Debug)]
pub(crate) struct PollResult {
    /// The mirror, if there is one.
    pub mirror: Option<Mirror>,
    /// Why the fetch failed. The mirror keeps its previous state.
    pub error: Option<FetchError>,
    /// The branches that do not exist (any more), each with a message.
    pub missing: Vec<(Branch, String)>,
    /// Whether the mirror is corrupt.
    pub damaged: bool,
}

impl PollTarget {
    /// The repository at an address; its mirror is a subdirectory of `mirrors`.
    ///
    /// # Errors
    /// When the address is invalid.
    pub fn new(
        address: &RepoAddress,
        access: &RepoAccess,
        mirrors: &Path,
        branches: Vec<Branch>,
    ) -> Result<Self, ParseSourceError> {
        let source = RepositorySource::parse(address.for_git())?;
        let folder = mirrors.join(source.folder_name());
        Ok(Self {
            source,
            folder,
            branches,
            named: Vec::new(),
            access: access.clone(),
        })
    }

    /// Whether the repository is on this machine, where a poll costs next to nothing.
    pub(crate) fn is_local(&self) -> bool {
        self.source.path().is_some()
    }

    /// Prefers an address with a user name over one without: each repository is fetched once for all components.
    pub(super) fn prefer(&mut self, other: RepositorySource) {
        if !self.source.names_account() && other.names_account() {
            self.source = other;
        }
    }

    /// Opens the mirror, or clones the repository.
    ///
    /// # Errors
    /// When the repository cannot be reached or the directory cannot be written.
    pub fn open(&self, watch: &mut dyn Watch) -> Result<Mirror, FetchError> {
        let (source, folder) = (self.source.clone(), self.folder.clone());
        Mirror::open_or_clone(
            source,
            folder,
            self.branches.clone(),
            self.access.clone(),
            watch,
        )
        .map(|mirror| mirror.with_named(self.named.clone()))
    }

    /// Clones a corrupt mirror again, and copies these commits from the old one.
    ///
    /// # Errors
    /// When the repository cannot be cloned; the old mirror remains.
    pub fn reclone(
        &self,
        needed: &[CommitId],
        watch: &mut dyn Watch,
    ) -> Result<Mirror, FetchError> {
        let mut mirror = self.unopened();
        self.replace(&mut mirror, needed, watch)?;
        Ok(mirror)
    }

    fn replace(
        &self,
        mirror: &mut Mirror,
        needed: &[CommitId],
        watch: &mut dyn Watch,
    ) -> Result<(), FetchError> {
        let lost = mirror.reclone(needed, watch)?;
        if !lost.is_empty() {
            tracing::warn!(
                "{}: the new mirror lacks {} old commits",
                self.source,
                lost.len()
            );
        }
        Ok(())
    }

    /// The state of a branch at the last fetch.
    pub fn last_fetched(&self, branch: &Branch) -> Option<BranchState> {
        branch_state(&self.unopened(), branch).ok().flatten()
    }

    fn unopened(&self) -> Mirror {
        Mirror::unopened(
            self.source.clone(),
            self.folder.clone(),
            self.branches.clone(),
            self.access.clone(),
        )
        .with_named(self.named.clone())
    }

    /// The lock of the mirror, which polls and maintenance hold. A poll of a previous process may still hold it.
    pub(crate) fn lock(&self) -> Arc<Mutex<()>> {
        static LOCKS: Mutex<BTreeMap<PathBuf, Weak<Mutex<()>>>> = Mutex::new(BTreeMap::new());
        let mut locks = LOCKS.lock();
        locks.retain(|_, lock| lock.strong_count() > 0);
        let known = locks.get(&self.folder).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let lock = Arc::default();
            locks.insert(self.folder.clone(), Arc::downgrade(&lock));
            lock
        })
    }

    /// Repacks the mirror if that is due.
    pub(crate) fn maintain(&self) {
        let lock = self.lock();
        let _guard = lock.lock();
        self.unopened().maintain();
    }

    /// As [`Self::poll`]. A panic, which is a fault of the program, is a failed poll of this repository only.
    pub(super) fn poll_safely(
        &self,
        mirror: Option<Mirror>,
        needed: Option<&[CommitId]>,
        suspect: bool,
        watch: &mut dyn Watch,
    ) -> PollResult {
        self.safely(|| self.poll(mirror, needed, suspect, watch))
    }

    fn safely(&self, poll: impl FnOnce() -> PollResult) -> PollResult {
        catch_crash(poll).unwrap_or_else(|crash| PollResult {
            error: Some(FetchError {
                address: self.source.to_string(),
                problem: crash.into(),
            }),
            ..PollResult::default()
        })
    }

    /// Polls the repository.
    ///
    /// `needed` is set for a corrupt mirror: it is cloned again, and these commits are copied from the old one.
    /// With `suspect`, a mirror that cannot be fetched is checked for corruption.
    fn poll(
        &self,
        mirror: Option<Mirror>,
        needed: Option<&[CommitId]>,
        suspect: bool,
        watch: &mut dyn Watch,
    ) -> PollResult {
        let lock = self.lock();
        let _guard = lock.lock();
        let mut result = PollResult::default();
        let mut mirror = match mirror.map_or_else(|| self.open(watch), Ok) {
            Ok(mirror) => mirror,
            Err(_) if needed.is_some() => self.unopened(),
            Err(error) => {
                let damaged = matches!(error.problem, FetchProblem::Unreadable(_));
                return PollResult {
                    error: Some(error),
                    damaged,
                    ..result
                };
            }
        };
        mirror.begin_poll();
        let fetched = match needed {
            None => mirror.fetch(watch),
            Some(needed) => self
                .replace(&mut mirror, needed, watch)
                .and_then(|()| mirror.fetch(watch)),
        };
        match fetched {
            Ok(branches) => {
                let missing = |branch: FollowedBranch| match branch.change {
                    BranchChange::Missing(missing) => Some((branch.branch, missing.to_string())),
                    BranchChange::Present { .. } => None,
                };
                result.missing = branches.into_iter().filter_map(missing).collect();
            }
            Err(error) => {
                result.damaged = self.is_damage(&error.problem, &mirror, suspect);
                result.error = Some(error);
            }
        }
        PollResult {
            mirror: Some(mirror),
            ..result
        }
    }

    /// Whether a failed fetch means that the mirror is corrupt.
    fn is_damage(&self, problem: &FetchProblem, mirror: &Mirror, suspect: bool) -> bool {
        match problem {
            FetchProblem::Unreadable(error) => error.is_damage() || !self.is_local(),
            // The server is not always the cause.
            FetchProblem::Unreachable(_) => suspect && !mirror.is_busy() && mirror.is_damaged(),
            _ => false,
        }
    }
}

impl PollResult {
    /// The outcome, unless a component finds the mirror corrupt.
    pub fn outcome(&self) -> PollOutcome {
        match &self.error {
            Some(error) if error.problem.is_transient() => PollOutcome::Transient,
            None if self.missing.is_empty() => PollOutcome::Success,
            _ => PollOutcome::Permanent,
        }
    }

    /// The mirror for the next poll, unless that must open it again to clean up after an interrupted writer.
    pub fn into_mirror(self) -> Option<Mirror> {
        let problem = self.error.map(|error| error.problem);
        let mut mirror = self.mirror;
        mirror.iter_mut().for_each(Mirror::close);
        // An interrupted writer leaves files behind.
        let is_unusable = matches!(
            problem,
            Some(
                FetchProblem::Storage { .. }
                    | FetchProblem::DiskFull { .. }
                    | FetchProblem::Excessive(_)
                    | FetchProblem::Unreadable(_)
            )
        );
        mirror.filter(|_| !is_unusable)
    }

    /// Why the known state of a branch may be out of date.
    pub fn failure(&self, branch: &Branch) -> Option<String> {
        let error = self.error.as_ref().map(ToString::to_string);
        error.or_else(|| {
            let mut missing = self.missing.iter();
            let (_, reason) = missing.find(|(missing, _)| missing == branch)?;
            Some(reason.clone())
        })
    }

    /// The newest known state of a branch.
    ///
    /// # Errors
    /// When there is none, with the reason.
    pub fn branch_state(&self, branch: &Branch) -> Result<BranchState, BranchError> {
        let none = || {
            self.failure(branch)
                .map_or(BranchError::Missing, BranchError::Poll)
        };
        branch_state(self.mirror.as_ref().ok_or_else(none)?, branch)?.ok_or_else(none)
    }
}

/// The state of a branch of a mirror; `None` when it was never fetched.
///
/// # Errors
/// When the mirror cannot be read.
pub fn branch_state(mirror: &Mirror, branch: &Branch) -> Result<Option<BranchState>, GitError> {
    let mut tips = mirror.tips()?.into_iter();
    let of_branch = tips.find(|(known, _)| known == branch);
    let Some(tip) = of_branch.and_then(|(_, tip)| tip) else {
        return Ok(None);
    };
    Ok(Some(BranchState {
        repository: mirror.repository()?,
        branch: tip.name,
        tip: tip.commit,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failed_poll_that_is_tried_again() {
        let folder = Path::new("mirrors");
        let address = RepoAddress::parse("https://example.org/app.git", folder).unwrap();
        let target = PollTarget::new(&address, &RepoAccess::default(), folder, Vec::new()).unwrap();
        let result = target.safely(|| panic!("injected"));
        assert_eq!(
            result.error.as_ref().unwrap().to_string(),
            "https://example.org/app.git: an internal error occurred: injected. Please report it; gitglot tries again"
        );
        assert_eq!(result.outcome(), PollOutcome::Transient);
    }
}
