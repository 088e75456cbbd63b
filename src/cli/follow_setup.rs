//! The parts that `serve`, `demo`, `check` and `discover` share: from a configuration to a follow loop.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};

use super::detect::project_at;
use super::expanded_config::ExpandedConfig;
use super::progress::{HistoryBar, Measured};
use crate::config::{Config, RepositoryTarget, Settings, Target};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_follow::{
    BranchState, FollowConfig, FollowedComponents, PollLoop, PollTarget, ProjectConfig,
    PublishedRepositories, RepoAccess, RepoAddress, WatchFactory, branch_state, each_component,
};
use gitglot_git::{Branch, BranchChange, FetchError, FetchLimits, FetchProblem, Mirror};
use gitglot_ledger::{Ledger, SharedLedger};
use gitglot_metrics::FollowMetrics;
use gitglot_model::CommitId;
use gitglot_store::{MeteredStore, StoreCounters, StoreError};

/// Builds the parts that follow repositories.
pub(super) struct FollowSetup {
    pub config: Config,
    pub published: Arc<Published>,
    /// The files of the published components.
    pub sources: Arc<PublishedRepositories>,
    /// Set when the program shuts down.
    pub stop: Arc<AtomicBool>,
    pub metrics: Arc<FollowMetrics>,
    /// The ledger that replicas share, if one is configured.
    pub shared: Option<SharedLedger>,
    pub store_counters: Arc<StoreCounters>,
}

impl FollowSetup {
    /// A setup that publishes to a new snapshot.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            published: Arc::new(Published::new()),
            sources: Arc::default(),
            stop: Arc::default(),
            metrics: Arc::default(),
            shared: None,
            store_counters: Arc::default(),
        }
    }

    /// Opens the store of the shared ledger, without a request.
    pub fn open_store(&mut self) -> Result<(), StoreError> {
        if let Some(address) = &self.config.settings.ledger {
            let store = gitglot_store::open(address.as_str())?;
            let store = MeteredStore::new(store, self.store_counters.clone());
            self.shared = Some(SharedLedger::new(Arc::new(store), address.as_str()));
        }
        Ok(())
    }

    /// Opens and locks the state directory.
    pub fn ledger(&self) -> anyhow::Result<Ledger> {
        Ok(Ledger::open(&self.config.state_dir)?)
    }

    /// The configured words that checks ignore.
    pub fn words(&self) -> anyhow::Result<Words> {
        words(self.config.settings.same_words.as_deref())
    }

    /// The projects to serve, configured or detected. `needed` are the commits that a new clone of a corrupt mirror
    /// must keep.
    ///
    /// # Errors
    /// When a single repository cannot be opened or contains nothing to serve; see [`is_transient`].
    pub fn projects(&self, needed: &[CommitId]) -> anyhow::Result<Arc<[ProjectConfig]>> {
        match &self.config.target {
            Target::Projects(projects) => self.with_names(projects, needed),
            Target::Repository(target) => {
                Ok([project_at(&self.fetch_target(target, needed)?, target)?].into())
            }
        }
    }

    /// The projects with one component for each name of a file mask. Where a repository cannot be fetched, the names of
    /// the last fetch count.
    fn with_names(
        &self,
        projects: &Arc<[ProjectConfig]>,
        needed: &[CommitId],
    ) -> anyhow::Result<Arc<[ProjectConfig]>> {
        for (_, component) in each_component(projects) {
            if component.names.is_none() {
                continue;
            }
            let (repo, access) = (&component.repo, &component.access);
            let branch = Branch::parse(component.branch.as_deref())?;
            if let Err(error) = self.mirror(repo, access, &branch, needed) {
                let slug = &component.slug;
                tracing::warn!("cannot look up the names of {slug} yet: {error:#}");
            }
        }
        let config = self.follow_config(projects.clone());
        Ok(self.names()?.reload(config).projects)
    }

    /// The configuration of the poll loop for these projects.
    pub fn follow_config(&self, projects: Arc<[ProjectConfig]>) -> FollowConfig {
        let interval = self.interval();
        FollowConfig { projects, interval }
    }

    /// The interval between polls.
    pub fn interval(&self) -> Duration {
        self.config.settings.poll_interval.duration()
    }

    /// The names of the configured file masks.
    pub fn names(&self) -> anyhow::Result<ExpandedConfig> {
        let target = self.config.target.clone();
        Ok(ExpandedConfig::new(self.mirrors()?, target))
    }

    /// Followed components of projects that continue from the ledger.
    pub fn followed(
        &self,
        ledger: Ledger,
        words: Words,
        projects: Arc<[ProjectConfig]>,
        bar: &Arc<HistoryBar>,
    ) -> FollowedComponents {
        let (bar, published) = (bar.clone(), self.published.clone());
        let mode = self.config.settings.history.into();
        FollowedComponents::new(ledger, projects, mode, words, published)
            .with_sources(self.sources.clone())
            .with_progress(move |component, progress| bar.show(component, progress))
    }

    /// The loop that polls the repositories of these components.
    pub fn poll_loop(&self, followed: FollowedComponents) -> anyhow::Result<PollLoop> {
        let (stop, metrics) = (self.stop.clone(), self.metrics.clone());
        let settings = &self.config.settings;
        let limits = fetch_limits(settings);
        let watches: WatchFactory = Arc::new(move |repository| {
            let measured = Measured::new(repository, stop.clone(), metrics.clone());
            Box::new(measured.limited(limits))
        });
        let follow = PollLoop::new(followed, &self.mirrors()?, self.interval(), watches);
        let follow = if settings.follow {
            follow
        } else {
            follow.without_polls()
        };
        follow.watch_ledger(settings.ledger_poll_interval.duration());
        Ok(follow)
    }

    /// The directory of the mirrors; created if missing.
    fn mirrors(&self) -> anyhow::Result<PathBuf> {
        let folder = self.config.state_dir.join("mirrors");
        let created = std::fs::create_dir_all(&folder);
        created.with_context(|| {
            let folder = folder.display();
            format!("cannot create the directory {folder}: choose a different one with --state-dir")
        })?;
        Ok(folder)
    }

    /// Opens a repository and fetches its branch. `needed` as in [`Self::projects`].
    pub fn fetch_target(
        &self,
        target: &RepositoryTarget,
        needed: &[CommitId],
    ) -> anyhow::Result<BranchState> {
        let branch = Branch::parse(target.overrides.branch.as_deref())?;
        let mirror = self.mirror(&target.repo, &target.access, &branch, needed)?;
        fetched(&mirror, &branch)
    }

    /// Opens or clones the mirror of a repository and fetches it. If the fetch fails, the existing mirror is used. A
    /// mirror that cannot be opened is cloned again.
    pub(super) fn mirror(
        &self,
        repo: &RepoAddress,
        access: &RepoAccess,
        branch: &Branch,
        needed: &[CommitId],
    ) -> anyhow::Result<Mirror> {
        let poll = PollTarget::new(repo, access, &self.mirrors()?, vec![branch.clone()])?;
        let (stop, metrics) = (self.stop.clone(), self.metrics.clone());
        let watch = Measured::new(&poll.source.to_string(), stop, metrics);
        let mut watch = watch.limited(fetch_limits(&self.config.settings));
        let fresh = !poll.folder.exists();
        let mirror = match poll.open(&mut watch) {
            Err(FetchError {
                problem: FetchProblem::Unreadable(error),
                ..
            }) if !fresh => {
                tracing::warn!("cloning the mirror of {} again: {error}", poll.source);
                poll.reclone(needed, &mut watch)?
            }
            opened => opened?,
        };
        let branches = match mirror.fetch(&mut watch) {
            Ok(branches) => branches,
            Err(error) if fresh => return Err(error.into()),
            Err(error) => {
                tracing::warn!("serving the previous state: {error}");
                return Ok(mirror);
            }
        };
        for branch in branches {
            // The state of a branch that was fetched before is still there.
            if let BranchChange::Missing(missing) = branch.change
                && branch_state(&mirror, &branch.branch)?.is_none()
            {
                bail!("{}: {missing}", mirror.source());
            }
        }
        Ok(mirror)
    }

    /// Whether the program shuts down.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The state of a branch that was fetched.
pub(super) fn fetched(mirror: &Mirror, branch: &Branch) -> anyhow::Result<BranchState> {
    branch_state(mirror, branch)?.with_context(|| {
        let source = mirror.source();
        format!("{source} has no such branch, or the branch has no commits")
    })
}

fn fetch_limits(settings: &Settings) -> FetchLimits {
    FetchLimits {
        mirror_bytes: settings.max_mirror_size.bytes() as u64,
        time: settings.max_fetch_time.duration(),
        disk_reserve: settings.disk_reserve.bytes() as u64,
    }
}

/// Whether a retry may succeed without anyone's help.
pub(super) fn is_transient(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<FetchError>();
    error.is_some_and(|error| error.problem.is_transient())
}

/// Gives a command that reads a local repository once its own state directory, unless one is set: it needs no mirror,
/// and a running server may have locked the default one. The directory exists as long as the result.
pub(super) fn temporary_state(config: &mut Config) -> anyhow::Result<Option<tempfile::TempDir>> {
    let local =
        matches!(&config.target, Target::Repository(target) if target.repo.local_path().is_some());
    if !(local || config.is_checkout) || config.settings.state_dir.is_some() {
        return Ok(None);
    }
    let folder = temporary_folder()?;
    config.state_dir = folder.path().join("state");
    Ok(Some(folder))
}

/// The runtime of the calling thread.
pub(super) fn async_runtime() -> anyhow::Result<tokio::runtime::Runtime> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    runtime.context("cannot start the async runtime")
}

pub(super) fn temporary_folder() -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::Builder::new().prefix("gitglot-").tempdir();
    folder.context("cannot create a temporary directory")
}

/// Returns the word list of a file, or the built-in one.
pub fn words(path: Option<&Path>) -> anyhow::Result<Words> {
    let Some(path) = path else {
        return Ok(Words::default());
    };
    Words::from_file(path).with_context(|| format!("cannot use the word list {}", path.display()))
}
