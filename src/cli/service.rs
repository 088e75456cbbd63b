//! What `serve`, `demo` and `check` share: repositories are opened, components found, everything is read.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};

use super::discover::project_at;
use super::progress::Measured;
use crate::catalog::Published;
use crate::checks::{Checker, Words};
use crate::config::{Config, ProjectConfig, RepositoryTarget, Target};
use crate::follow::{FollowLoop, Follower, PollTarget, WatchFactory, branch_state};
use crate::git::{Branch, BranchChange, FetchError, Mirror};
use crate::ledger::Ledger;
use crate::observe::FollowMetrics;

/// Reads everything that a configuration names, once, and publishes it.
pub(super) struct Service<'a> {
    pub config: &'a Config,
    pub published: Arc<Published>,
    /// Set when the program is told to stop.
    pub stop: Arc<AtomicBool>,
    /// Where polls are counted.
    pub following: Arc<FollowMetrics>,
}

impl Service<'_> {
    /// Opens the state directory. Fails at once when it cannot be used.
    pub fn ledger(&self) -> anyhow::Result<Ledger> {
        Ok(Ledger::open(&self.config.state_dir)?)
    }

    /// The checks, with the words of the configuration.
    pub fn checker(&self) -> anyhow::Result<Checker> {
        let Some(path) = &self.config.settings.same_words else { return Ok(Checker::default()) };
        let words = Words::from_file(path).with_context(|| format!("the file of same-words, {}", path.display()))?;
        Ok(Checker::new(words))
    }

    /// What is to be served: as configured, or as found in the one repository.
    ///
    /// # Errors
    /// When the one repository cannot be opened or holds nothing to serve; see [`is_transient`].
    pub fn projects(&self) -> anyhow::Result<Vec<ProjectConfig>> {
        match &self.config.target {
            Target::Projects(projects) => Ok(projects.clone()),
            Target::Repository(target) => Ok(vec![self.discover(target)?.0]),
        }
    }

    /// Follows projects, going on from what the ledger says.
    pub fn follower(&self, ledger: Ledger, checker: Checker, projects: Vec<ProjectConfig>) -> Follower {
        Follower::new(ledger, projects, self.config.settings.history, checker, self.published.clone())
    }

    /// The loop that follows the repositories of a follower.
    pub fn follow_loop(&self, follower: Follower) -> anyhow::Result<FollowLoop> {
        let (stop, following) = (self.stop.clone(), self.following.clone());
        let watches: WatchFactory =
            Arc::new(move |repository| Box::new(Measured::new(repository, stop.clone(), following.clone())));
        Ok(FollowLoop::new(follower, &self.mirrors()?, self.config.settings.poll_interval.duration(), watches))
    }

    /// The folder of the mirrors, made if there is none.
    fn mirrors(&self) -> anyhow::Result<PathBuf> {
        let folder = self.config.state_dir.join("mirrors");
        std::fs::create_dir_all(&folder).with_context(|| {
            format!("the folder {} cannot be made: choose another with --state-dir", folder.display())
        })?;
        Ok(folder)
    }

    /// Opens one repository and finds out what it holds.
    pub fn discover(&self, target: &RepositoryTarget) -> anyhow::Result<(ProjectConfig, Mirror)> {
        let branch = Branch::parse(target.overrides.branch.as_deref())?;
        let mirror = self.mirror(target, &branch)?;
        let none = || format!("{} has no such branch, or no commits yet", mirror.source());
        let found = branch_state(&mirror, &branch).map_err(anyhow::Error::msg)?.with_context(none)?;
        let mut reader = found.repository.reader();
        let tree = reader.commit_header(found.tip)?.tree;
        Ok((project_at(&mut reader, tree, target)?, mirror))
    }

    /// Opens or clones the mirror of the one repository and fetches it. What cannot be fetched is served as it is.
    fn mirror(&self, target: &RepositoryTarget, branch: &Branch) -> anyhow::Result<Mirror> {
        let poll_target = PollTarget::new(&target.repo, &target.access, &self.mirrors()?, vec![branch.clone()])?;
        let mut bars = Measured::new(&poll_target.source.to_string(), self.stop.clone(), self.following.clone());
        let fresh = !poll_target.folder.exists();
        let mirror = poll_target.open(&mut bars)?;
        let branches = match mirror.fetch(&mut bars) {
            Ok(branches) => branches,
            Err(error) if fresh => return Err(error.into()),
            Err(error) => {
                tracing::warn!("serving what was fetched before: {error}");
                return Ok(mirror);
            }
        };
        for branch in branches {
            if let BranchChange::Missing(missing) = branch.change
                && fresh
            {
                bail!("{}: {missing}", mirror.source());
            }
        }
        Ok(mirror)
    }
}

/// Whether the same may work later without anybody's help.
pub(super) fn is_transient(error: &anyhow::Error) -> bool {
    error.downcast_ref::<FetchError>().is_some_and(|error| error.problem.is_transient())
}

impl Service<'_> {
    /// Whether the program is told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
