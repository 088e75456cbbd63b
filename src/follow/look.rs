//! One look at one repository: its mirror is opened or cloned, fetched, and mended where it is damaged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::Found;
use super::schedule::Outcome;
use crate::config::{RepoAccess, RepoAddress};
use crate::git::{
    Access, Branch, BranchChange, FetchError, Mirror, ParseSourceError, Phase, Problem, Progress, Source, Token, Watch,
};
use crate::model::CommitId;

/// A repository to be looked at, and where its mirror is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where it is.
    pub source: Source,
    /// The folder of its mirror.
    pub folder: PathBuf,
    /// The branches that are followed.
    pub branches: Vec<Branch>,
    /// What it may want to know of who asks.
    pub access: Access,
}

fn as_configured(access: RepoAccess) -> Access {
    let RepoAccess { token_file, token_env, username, credential_helper, ssh_key, known_hosts, ca_file } = access;
    let token = token_file.map(Token::File).or(token_env.map(Token::Variable));
    Access { token, username, helper: credential_helper, ssh_key, known_hosts, ca_file, ..Access::default() }
}

/// Watches a look that may become needless, and whether it is more than waiting.
pub(super) struct Watched {
    pub inner: Box<dyn Watch>,
    /// Ends it.
    pub gone: Arc<AtomicBool>,
    /// Set while anything comes.
    pub receiving: Arc<AtomicBool>,
}

impl Watch for Watched {
    fn progress(&mut self, progress: &Progress) {
        self.receiving.store(progress.phase != Phase::Asking, Ordering::Relaxed);
        self.inner.progress(progress);
    }

    fn stop(&self) -> bool {
        self.gone.load(Ordering::Relaxed) || self.inner.stop()
    }
}

/// What came of a look.
#[derive(Debug)]
pub(super) struct Look {
    /// The mirror, unless there is none yet.
    pub mirror: Option<Mirror>,
    /// Why the repository could not be fetched. What the mirror held before is still there.
    pub error: Option<FetchError>,
    /// What to say of the branches that are not there (any more).
    pub missing: Vec<(Branch, String)>,
    /// Whether the mirror turned out to be damaged.
    pub damaged: bool,
}

/// What keeps two looks from writing one mirror: a thread may still be at it when following begins anew.
fn lock_of(folder: &Path) -> Arc<Mutex<()>> {
    static LOCKS: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner).entry(folder.to_owned()).or_default().clone()
}

impl Place {
    /// The repository at an address, with its mirror among others in a folder.
    ///
    /// # Errors
    /// When the text is no address.
    pub fn new(
        address: &RepoAddress,
        access: &RepoAccess,
        mirrors: &Path,
        branches: Vec<Branch>,
    ) -> Result<Self, ParseSourceError> {
        let source = Source::parse(address.for_git())?;
        let folder = mirrors.join(source.folder_name());
        Ok(Self { source, folder, branches, access: as_configured(access.clone()) })
    }

    /// Takes the same address with a user name in it, where its own has none: a repository is fetched once for all.
    pub(super) fn prefer(&mut self, other: Source) {
        if !self.source.names_account() && other.names_account() {
            self.source = other;
        }
    }

    /// Opens the mirror, or clones the repository.
    ///
    /// # Errors
    /// When the repository cannot be reached or the folder cannot be written.
    pub fn open(&self, watch: &mut dyn Watch) -> Result<Mirror, FetchError> {
        let (source, folder) = (self.source.clone(), self.folder.clone());
        Mirror::open_or_clone(source, folder, self.branches.clone(), self.access.clone(), watch)
    }

    /// What is already there of a branch, without asking its server.
    pub(super) fn held(&self, branch: &Branch) -> Option<Found> {
        find(&self.unopened(), branch).ok().flatten()
    }

    fn unopened(&self) -> Mirror {
        Mirror::unopened(self.source.clone(), self.folder.clone(), self.branches.clone(), self.access.clone())
    }

    /// Looks. With `damaged` the mirror is cloned anew, and these commits are carried over from the old one. With
    /// `doubtful` a mirror that cannot be fetched is read as a whole to see whether the fault is in itself.
    pub(super) fn look(
        &self,
        mirror: Option<Mirror>,
        damaged: Option<&[CommitId]>,
        doubtful: bool,
        watch: &mut dyn Watch,
    ) -> Look {
        let lock = lock_of(&self.folder);
        // It guards a folder, which is in order whatever became of the thread before.
        let _guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
        let mut look = Look { mirror: None, error: None, missing: Vec::new(), damaged: false };
        let mut mirror = match mirror.map_or_else(|| self.open(watch), Ok) {
            Ok(mirror) => mirror,
            Err(_) if damaged.is_some() => self.unopened(),
            Err(error) => {
                let damaged = matches!(error.problem, Problem::Unreadable(_));
                return Look { error: Some(error), damaged, ..look };
            }
        };
        mirror.begin_look();
        let fetched = match damaged {
            None => mirror.fetch(watch),
            Some(needed) => mirror.clone_anew(needed, watch).and_then(|lost| {
                if !lost.is_empty() {
                    let count = lost.len();
                    tracing::warn!("{}: {count} commits of its history could not be carried over", self.source);
                }
                mirror.fetch(watch)
            }),
        };
        match fetched {
            Ok(branches) => {
                look.missing = branches
                    .into_iter()
                    .filter_map(|branch| match branch.change {
                        BranchChange::Missing(missing) => Some((branch.branch, missing.to_string())),
                        BranchChange::Present { .. } => None,
                    })
                    .collect();
            }
            Err(error) => {
                look.damaged = match &error.problem {
                    Problem::Unreadable(error) => error.is_damage() || self.source.path().is_none(),
                    // Servers and connections are not to blame for everything.
                    Problem::Unreachable(_) => doubtful && !mirror.is_busy() && mirror.is_damaged(),
                    _ => false,
                };
                look.error = Some(error);
            }
        }
        Look { mirror: Some(mirror), ..look }
    }
}

impl Look {
    /// Whether and when it may go better next time.
    pub fn outcome(&self) -> Outcome {
        match &self.error {
            Some(error) if error.problem.is_transient() => Outcome::Passing,
            Some(_) => Outcome::Lasting,
            None if self.missing.is_empty() => Outcome::Good,
            None => Outcome::Lasting,
        }
    }

    /// Whether the mirror is to be opened anew, which clears away what an interrupted writer left.
    fn is_to_be_reopened(&self) -> bool {
        let problem = self.error.as_ref().map(|error| &error.problem);
        matches!(problem, Some(Problem::Storage { .. } | Problem::Unreadable(_)))
    }

    /// The mirror for the next look, if that need not open it.
    pub fn into_mirror(self) -> Option<Mirror> {
        let reopen = self.is_to_be_reopened();
        self.mirror.filter(|_| !reopen)
    }

    /// Why what is there of a branch may not be its newest state.
    pub fn trouble(&self, branch: &Branch) -> Option<String> {
        let missing = self.missing.iter().find(|(missing, _)| missing == branch);
        self.error.as_ref().map(ToString::to_string).or_else(|| Some(missing?.1.clone()))
    }

    /// The newest known tip of a branch.
    ///
    /// # Errors
    /// When there is none, with the reason.
    pub fn found(&self, branch: &Branch) -> Result<Found, String> {
        let trouble = || self.trouble(branch).unwrap_or_else(|| "it has no such branch, or no commits yet".to_owned());
        let mirror = self.mirror.as_ref().ok_or_else(trouble)?;
        find(mirror, branch)?.ok_or_else(trouble)
    }
}

/// Where a branch of a mirror stands; `None` when it was never seen.
///
/// # Errors
/// When the mirror cannot be read.
pub fn find(mirror: &Mirror, branch: &Branch) -> Result<Option<Found>, String> {
    let tips = mirror.tips().map_err(|error| error.to_string())?;
    let Some(tip) = tips.into_iter().find(|(known, _)| known == branch).and_then(|(_, tip)| tip) else {
        return Ok(None);
    };
    let repository = mirror.repository().map_err(|error| error.to_string())?;
    Ok(Some(Found { repository, branch: tip.name, tip: tip.commit }))
}
