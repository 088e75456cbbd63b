//! Finds the repositories and components to check.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::CheckArgs;
use super::config::RepositoryConfig;
use super::revisions::Revisions;
use crate::cli::checkout::{CONFIG_FILE, ProjectComponent, all_components};
use crate::cli::follow_setup::{fetched, temporary_folder};
use crate::cli::progress::Measured;
use crate::config::{CheckConfig, CheckFile, Overrides, People, RepositoryTarget};
use gitglot_follow::{BranchState, ComponentConfig, PollTarget, RepoAccess, RepoAddress};
use gitglot_git::{Branch, BranchChange, Completeness, MissingBranch, Repository, WorkTree};
use gitglot_ledger::Ledger;
use gitglot_lint::{Finding, ReadState, StaleStrings};
use gitglot_model::CommitId;
use gitglot_model::address::line_pages;

/// Everything to check.
pub struct CheckSources {
    /// The table `[check]`.
    pub check: CheckConfig,
    /// The table `[people]`.
    pub people: People,
    /// The repositories; at least one.
    pub list: Vec<CheckSource>,
    /// Findings that belong to no component.
    pub findings: Vec<Finding>,
    /// Facts that affect the result, as sentences.
    pub notes: Vec<String>,
}

/// A repository to check.
pub struct CheckSource {
    pub repository: Repository,
    /// The path or URL.
    pub name: String,
    /// Whether a branch is named, on the command line or in the configuration.
    pub has_branch: bool,
    /// The commits to read.
    pub revisions: Revisions,
    /// Whether the repository is the user's own, with an index and a working tree.
    pub is_local: bool,
    pub components: ComponentSource,
    /// The stale strings of a commit, if its history was read before.
    pub known_stale: Option<(CommitId, StaleStrings)>,
    /// Mirrors and locks that the repository needs.
    _guards: Vec<Box<dyn std::any::Any>>,
}

/// Where the components of a repository come from.
pub enum ComponentSource {
    /// A configuration file.
    Configured {
        /// The components of the base; none without a base.
        base: Vec<ProjectComponent>,
        /// Those of the checked state.
        head: Vec<ProjectComponent>,
    },
    /// Detection in the states to read, and the components that a change adds to the configuration.
    Detect(Box<RepositoryTarget>, Vec<ProjectComponent>),
}

impl CheckSources {
    /// Finds the sources that the command line names.
    pub fn find(args: &CheckArgs) -> anyhow::Result<Self> {
        let here = std::env::current_dir().context("cannot determine the current directory")?;
        match (&args.target.repo, &args.target.source.config) {
            (Some(_), Some(path)) => bail!(crate::config::ConfigError::RepoAndFile(path.clone())),
            (None, Some(path)) => {
                let tree = WorkTree::containing(path).filter(|_| !args.read.trust_config);
                if let Some((tree, file)) = tree {
                    args.target.source.refuse_overrides()?;
                    let source = CheckSource::local(tree.root(), ".", args)?;
                    return Self::with_config(source, &file, true, args);
                }
                let file = CheckFile::load(path, &args.target.source)?;
                if file.projects.is_empty() {
                    let source = CheckSource::local(&here, ".", args)?;
                    return Ok(Self::new(file.check, file.people, vec![source]));
                }
                Self::configured(file, args, &here)
            }
            (repo, None) => {
                let repo = repo.as_deref().unwrap_or(".");
                let target = RepositoryTarget::new(repo, &args.target.source, &here)?;
                let Some(path) = target.repo.local_path() else {
                    let branch = target.overrides.branch.as_deref();
                    let components = ComponentSource::Detect(Box::new(target.clone()), Vec::new());
                    let (repo, access) = (&target.repo, &target.access);
                    let source = CheckSource::remote(repo, access, branch, args, components)?;
                    return Ok(Self::without_config(source));
                };
                let source = CheckSource::local(&path, repo, args)?;
                if args.target.source.overrides == Overrides::default() {
                    Self::with_config(source, CONFIG_FILE, false, args)
                } else {
                    Ok(Self::without_config(source))
                }
            }
        }
    }

    /// As [`Self::find`]. Takes `--exclude` from the arguments: unlike the other flags of its group, it does not replace the
    /// configuration file. It leaves out more files, also in detection.
    pub fn find_and_exclude(args: &mut CheckArgs) -> anyhow::Result<Self> {
        let patterns = args.target.source.overrides.exclude.take();
        let mut sources = Self::find(args)?;
        sources.check.exclude.extend(patterns.unwrap_or_default());
        for source in &mut sources.list {
            if let ComponentSource::Detect(target, _) = &mut source.components {
                target.overrides.exclude = Some(sources.check.exclude.clone());
            }
        }
        Ok(sources)
    }

    /// The address of a line in the repository that a report has read, if the host has a page for it. Other states than
    /// commits have other lines.
    pub fn file_url(&self, read: &ReadState) -> Option<String> {
        let [source] = &self.list[..] else {
            return None;
        };
        let commit = source.revisions.head.filter(|_| read.state == "commit")?;
        line_pages(&source.address()?, commit)
    }

    fn without_config(source: CheckSource) -> Self {
        Self::new(CheckConfig::default(), People::default(), vec![source])
    }

    fn new(check: CheckConfig, people: People, list: Vec<CheckSource>) -> Self {
        Self {
            check,
            people,
            list,
            findings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A repository with its own configuration file.
    fn with_config(
        mut source: CheckSource,
        path: &str,
        is_named: bool,
        args: &CheckArgs,
    ) -> anyhow::Result<Self> {
        let config =
            RepositoryConfig::read(&source.repository, &source.revisions, path, is_named, args)?;
        match &mut source.components {
            ComponentSource::Detect(_, added)
                if source.revisions.base.is_some() && config.base.is_empty() =>
            {
                *added = config.head;
            }
            components if config.base.len() + config.head.len() > 0 => {
                let (base, head) = (config.base, config.head);
                *components = ComponentSource::Configured { base, head };
            }
            _ => {}
        }
        Ok(Self {
            findings: config.finding.into_iter().collect(),
            notes: config.notes,
            ..Self::new(config.check, config.people, vec![source])
        })
    }

    /// The repositories of a configuration file, each with its components. Remote ones must be allowed.
    fn configured(file: CheckFile, args: &CheckArgs, here: &Path) -> anyhow::Result<Self> {
        let here = Repository::discover(here).ok();
        let mut sources = Self::new(file.check, file.people, Vec::new());
        let mut branches: Vec<(String, Option<String>)> = Vec::new();
        for (project, component) in all_components(&file.projects) {
            if component.repo.local_path().is_none() && !args.read.trust_config {
                sources.notes.push(format!(
                    "{} is not checked: remote repositories of a configuration need --trust-config",
                    project.name_of(&component)
                ));
                continue;
            }
            let id = (component.repo.public(), component.branch.clone());
            let at = branches.iter().position(|branch| *branch == id);
            if at.is_none() {
                let source = CheckSource::configured(&component, args, here.as_ref())?;
                sources.list.push(source);
                branches.push(id);
            }
            let source = match at {
                Some(at) => sources.list.get_mut(at),
                None => sources.list.last_mut(),
            };
            if let Some(ComponentSource::Configured { head, .. }) =
                source.map(|source| &mut source.components)
            {
                head.push((project, component));
            }
        }
        if sources.list.is_empty() {
            bail!(
                "the configuration has only remote repositories: give --trust-config if you trust it and its \
                 credential helpers"
            );
        }
        Ok(sources)
    }
}

impl CheckSource {
    /// The address that the repository comes from.
    pub fn address(&self) -> Option<String> {
        if self.is_local {
            self.repository.origin()
        } else {
            Some(self.name.clone())
        }
    }

    /// Whether the user works in the repository: it has an index and files on disk.
    pub fn has_work_tree(&self) -> bool {
        self.is_local && self.repository.work_dir().is_some()
    }

    /// Adds the next step to an error of a clone that lacks objects.
    pub fn of_incomplete(&self, error: anyhow::Error) -> anyhow::Error {
        match self.repository.completeness() {
            Completeness::Complete => error,
            Completeness::Shallow => error.context(
                "the clone is shallow and lacks an object: fetch the full history (fetch-depth: 0 in GitHub Actions, \
                 GIT_DEPTH: 0 in GitLab CI, git fetch --unshallow)",
            ),
            Completeness::Partial => error.context(
                "the clone is partial and lacks an object: clone without --filter, or run git fetch --refetch --no-filter",
            ),
        }
    }

    fn local(path: &Path, name: &str, args: &CheckArgs) -> anyhow::Result<Self> {
        let repository = Repository::discover(path)?;
        let here = std::env::current_dir().context("cannot determine the current directory")?;
        let root = repository.work_dir();
        let root = root.unwrap_or_else(|| repository.git_dir().to_owned());
        let address = match name {
            "." => root.to_string_lossy(),
            name => name.into(),
        };
        let mut target = RepositoryTarget::new(&address, &args.target.source, &here)?;
        if target.overrides.project.is_none() && path != root && repository.work_dir().is_some() {
            target.repo = RepoAddress::parse(&root.to_string_lossy(), &here)?;
        }
        let branch = target.overrides.branch.clone();
        let components = ComponentSource::Detect(Box::new(target), Vec::new());
        Self::in_place(repository, &root, branch.as_deref(), components, args)
    }

    /// A local repository that is read in place.
    fn in_place(
        repository: Repository,
        path: &Path,
        branch: Option<&str>,
        components: ComponentSource,
        args: &CheckArgs,
    ) -> anyhow::Result<Self> {
        let branch = match branch {
            Some(branch) => Some((branch.to_owned(), branch_tip(&repository, branch)?)),
            None => None,
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self {
            name: path.to_string_lossy().into_owned(),
            has_branch: branch.is_some(),
            revisions: Revisions::find(&repository, true, branch, args)?,
            repository,
            is_local: true,
            components,
            known_stale: None,
            _guards: Vec::new(),
        })
    }

    /// The repository of a component of a configuration file.
    fn configured(
        component: &ComponentConfig,
        args: &CheckArgs,
        here: Option<&Repository>,
    ) -> anyhow::Result<Self> {
        let components = ComponentSource::Configured {
            base: Vec::new(),
            head: Vec::new(),
        };
        let Some(path) = component.repo.local_path() else {
            let (repo, branch) = (&component.repo, component.branch.as_deref());
            return Self::remote(repo, &component.access, branch, args, components);
        };
        let repository = Repository::discover(&path)?;
        // In the repository itself, its own state counts, not the branch that a server follows.
        let is_here = here.is_some_and(|here| here.git_dir() == repository.git_dir());
        let branch = component.branch.as_deref().filter(|_| !is_here);
        Self::in_place(repository, &path, branch, components, args)
    }

    /// A copy of a remote repository, in the state directory if one is given, else in a temporary one.
    fn remote(
        repo: &RepoAddress,
        access: &RepoAccess,
        branch: Option<&str>,
        args: &CheckArgs,
        components: ComponentSource,
    ) -> anyhow::Result<Self> {
        let mut guards: Vec<Box<dyn std::any::Any>> = Vec::new();
        let folder = match &args.data.state_dir {
            Some(folder) => {
                guards.push(Box::new(Ledger::open(folder)?));
                folder.clone()
            }
            None => {
                let temporary = temporary_folder()?;
                let folder = temporary.path().to_owned();
                guards.push(Box::new(temporary));
                folder
            }
        };
        let fetched = fetch(repo, access, branch, &folder.join("mirrors"))?;
        let branch = Some((fetched.branch, fetched.tip));
        Ok(Self {
            name: repo.public(),
            has_branch: true,
            revisions: Revisions::find(&fetched.repository, false, branch, args)?,
            repository: fetched.repository,
            is_local: false,
            components,
            known_stale: None,
            _guards: guards,
        })
    }
}

/// The tip of a branch, local or of `origin`.
fn branch_tip(repository: &Repository, branch: &str) -> anyhow::Result<CommitId> {
    let names = [
        format!("refs/heads/{branch}"),
        format!("refs/remotes/origin/{branch}"),
    ];
    let found = names.iter().find_map(|name| repository.resolve(name).ok());
    found.with_context(|| {
        let missing = MissingBranch {
            branch: Branch::Named(branch.to_owned()),
            existing: repository.branches(),
        };
        format!("{missing}: set an existing one with --branch")
    })
}

/// Copies a remote repository, or updates the copy.
fn fetch(
    repo: &RepoAddress,
    access: &RepoAccess,
    branch: Option<&str>,
    mirrors: &PathBuf,
) -> anyhow::Result<BranchState> {
    std::fs::create_dir_all(mirrors)
        .with_context(|| format!("cannot create the directory {}", mirrors.display()))?;
    let branch = Branch::parse(branch)?;
    let poll = PollTarget::new(repo, access, mirrors, vec![branch.clone()])?;
    let mut watch = Measured::new(&poll.source.to_string(), <_>::default(), <_>::default());
    let mirror = poll.open(&mut watch)?;
    for followed in mirror.fetch(&mut watch)? {
        if let BranchChange::Missing(missing) = followed.change {
            bail!("{}: {missing}", mirror.source());
        }
    }
    fetched(&mirror, &branch)
}
