//! What `serve`, `demo` and `check` share: repositories are opened, components found, everything is read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use chrono::Utc;

use super::discover::project_at;
use super::progress::Bars;
use crate::catalog::Published;
use crate::checks::{Checker, Words};
use crate::config::{Config, ProjectConfig, RepositoryTarget, Target};
use crate::follow::{Events, Follower, Found};
use crate::git::{Access, Branch, BranchChange, FetchError, Mirror, Source};
use crate::ledger::Ledger;
use crate::model::Moment;

/// Reads everything that a configuration names, once, and publishes it.
pub(super) struct Service<'a> {
    pub config: &'a Config,
    pub published: Arc<Published>,
    /// Set when the program is told to stop.
    pub stop: Arc<AtomicBool>,
}

/// A mirror and what its last fetch said, by address.
type Mirrors = HashMap<String, Result<Mirror, String>>;

impl Service<'_> {
    /// Opens the state directory. Fails at once when it cannot be used.
    pub fn ledger(&self) -> anyhow::Result<Ledger> {
        Ok(Ledger::open(&self.config.state_dir)?)
    }

    /// The checks, with the words of the configuration.
    pub fn checker(&self) -> anyhow::Result<Checker> {
        let Some(path) = &self.config.same_words else { return Ok(Checker::default()) };
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
        Follower::new(ledger, projects, self.config.history, checker, self.published.clone())
    }

    /// Looks at all repositories, and publishes what is new as one batch.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn look(&self, follower: &mut Follower, events: &dyn Events) -> anyhow::Result<()> {
        let mirrors = self.open_mirrors(follower.projects());
        let seen = Moment(Utc::now().timestamp_micros());
        let components = follower.projects().iter().flat_map(|project| &project.components);
        let found = components.map(|component| {
            let mirror = mirrors.get(component.repo.for_git()).ok_or("its repository was not opened")?;
            let mirror = mirror.as_ref().map_err(Clone::clone)?;
            let branch = Branch::parse(component.branch.as_deref()).map_err(|error| error.to_string())?;
            find(mirror, &branch)
        });
        let found = found.collect();
        Ok(follower.observe(found, seen, events)?)
    }

    /// Opens one repository and finds out what it holds.
    pub fn discover(&self, target: &RepositoryTarget) -> anyhow::Result<(ProjectConfig, Mirror)> {
        let branch = Branch::parse(target.overrides.branch.as_deref())?;
        let mirror = self.mirror(target.repo.for_git(), vec![branch.clone()])?;
        let found = find(&mirror, &branch).map_err(anyhow::Error::msg)?;
        let mut reader = found.repository.reader();
        let tree = reader.outline(found.tip)?.tree;
        Ok((project_at(&mut reader, tree, target)?, mirror))
    }

    /// Opens the mirrors of all components, several at once.
    fn open_mirrors(&self, projects: &[ProjectConfig]) -> Mirrors {
        let mut mirrors = Mirrors::new();
        let mut wanted: Vec<(String, Vec<Branch>)> = Vec::new();
        for component in projects.iter().flat_map(|project| &project.components) {
            let address = component.repo.for_git();
            let Ok(branch) = Branch::parse(component.branch.as_deref()) else { continue };
            match wanted.iter_mut().find(|(known, _)| known == address) {
                Some((_, branches)) if branches.contains(&branch) => {}
                Some((_, branches)) => branches.push(branch),
                None => wanted.push((address.to_owned(), vec![branch])),
            }
        }
        const AT_ONCE: usize = 4;
        for some in wanted.chunks(AT_ONCE) {
            let opened: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = some
                    .iter()
                    .map(|(address, branches)| scope.spawn(|| self.mirror(address, branches.clone())))
                    .collect();
                threads.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
            });
            for ((address, _), mirror) in some.iter().zip(opened) {
                let mirror = match mirror {
                    Ok(mirror) => mirror.map_err(|error| format!("{error:#}")),
                    Err(_) => Err("opening its repository failed unexpectedly".to_owned()),
                };
                mirrors.insert(address.clone(), mirror);
            }
        }
        mirrors
    }

    /// Opens or clones one mirror and fetches it. A mirror that cannot be fetched is served as it is.
    fn mirror(&self, address: &str, branches: Vec<Branch>) -> anyhow::Result<Mirror> {
        let source = Source::parse(address)?;
        let folder = self.config.state_dir.join("mirrors").join(source.folder_name());
        create_folder(&self.config.state_dir.join("mirrors"))?;
        let mut bars = Bars::fetch(&source.to_string(), self.stop.clone());
        let fresh = !folder.exists();
        let mut mirror = Mirror::open_or_clone(source, folder, branches, Access::default(), &mut bars)?;
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

fn find(mirror: &Mirror, branch: &Branch) -> Result<Found, String> {
    let tips = mirror.tips().map_err(|error| error.to_string())?;
    let tip = tips.into_iter().find(|(known, _)| known == branch).and_then(|(_, tip)| tip);
    let tip = tip.ok_or_else(|| format!("{} has no such branch, or no commits yet", mirror.source()))?;
    let repository = mirror.repository().map_err(|error| error.to_string())?;
    Ok(Found { repository, branch: tip.name, tip: tip.commit })
}

fn create_folder(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("the folder {} cannot be made: choose another with --state-dir", folder.display()))
}

impl Service<'_> {
    /// Whether the program is told to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
