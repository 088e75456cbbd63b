//! Finds the repositories and components to check.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::CheckArgs;
use crate::cli::detect::{blobs, file, files_at};
use crate::cli::progress::Measured;
use crate::cli::service::{fetched, temporary_folder};
use crate::config::{
    CheckConfig, CheckFile, ComponentConfig, ProjectConfig, RepoAccess, RepoAddress,
    RepositoryTarget, each_component,
};
use crate::discover;
use crate::follow::{BranchState, PollTarget};
use crate::git::{Branch, BranchChange, Repository};
use crate::ledger::Ledger;
use crate::model::CommitId;

/// The name of the configuration file that is found at the root of a repository.
const CONFIG_FILE: &str = "gitglot.toml";

/// Everything to check.
pub struct CheckSources {
    /// The table `[check]`.
    pub check: CheckConfig,
    /// The repositories; at least one.
    pub list: Vec<CheckSource>,
}

/// A repository to check.
pub struct CheckSource {
    pub repository: Repository,
    /// The path or URL.
    pub name: String,
    /// The branch that the configuration or the command line names, with its tip.
    pub branch: Option<(String, CommitId)>,
    /// Whether the repository is the user's own, with an index and a working tree.
    pub is_local: bool,
    pub components: CheckedComponents,
    /// Mirrors and locks that the repository needs.
    _guards: Vec<Box<dyn std::any::Any>>,
}

/// The components of a repository.
pub enum CheckedComponents {
    Configured(Vec<(ProjectConfig, ComponentConfig)>),
    /// To be detected in the state that is checked.
    Detect(Box<RepositoryTarget>),
}

impl CheckSources {
    /// Finds the sources that the command line names.
    pub fn find(args: &CheckArgs) -> anyhow::Result<Self> {
        let here = std::env::current_dir().context("cannot determine the current directory")?;
        match (&args.target.repo, &args.target.config) {
            (Some(_), Some(path)) => bail!(crate::config::ConfigError::RepoAndFile(path.clone())),
            (None, Some(path)) => {
                let file = CheckFile::load(path, &args.target)?;
                if file.projects.is_empty() {
                    return Ok(Self {
                        check: file.check,
                        list: vec![CheckSource::local(&here, ".", args)?],
                    });
                }
                Ok(Self {
                    list: configured(&file, args, &here)?,
                    check: file.check,
                })
            }
            (repo, None) => {
                let repo = repo.as_deref().unwrap_or(".");
                let target = RepositoryTarget::new(repo, &args.target, &here)?;
                match target.repo.local_path() {
                    Some(path) => Self::local(&path, repo, args),
                    None => {
                        let branch = target.overrides.branch.as_deref();
                        let components = CheckedComponents::Detect(Box::new(target.clone()));
                        let (repo, access) = (&target.repo, &target.access);
                        Ok(Self {
                            check: CheckConfig::default(),
                            list: vec![CheckSource::remote(
                                repo, access, branch, args, components,
                            )?],
                        })
                    }
                }
            }
        }
    }

    /// A local repository, with the configuration file at its root.
    fn local(path: &Path, repo: &str, args: &CheckArgs) -> anyhow::Result<Self> {
        let mut source = CheckSource::local(path, repo, args)?;
        let file = source
            .repository
            .work_dir()
            .map(|root| root.join(CONFIG_FILE))
            .filter(|file| file.is_file());
        let overridden = args.target.overrides != crate::config::Overrides::default();
        let Some(file) = file.filter(|_| !overridden) else {
            return Ok(Self {
                check: CheckConfig::default(),
                list: vec![source],
            });
        };
        let CheckFile { check, projects } = CheckFile::load(&file, &args.target)?;
        let all = all_components(&projects);
        let is_here = |component: &ComponentConfig| {
            let path = component.repo.local_path();
            path.and_then(|path| Repository::discover(&path).ok())
                .is_some_and(|it| it.git_dir() == source.repository.git_dir())
        };
        let addresses: Vec<String> = all
            .iter()
            .map(|(_, component)| component.repo.public())
            .collect();
        // A file with a single repository describes this one, at any address.
        let single = addresses.windows(2).all(|pair| pair.first() == pair.last());
        let components: Vec<_> = all
            .into_iter()
            .filter(|(_, component)| single || is_here(component))
            .collect();
        if !components.is_empty() {
            source.components = CheckedComponents::Configured(components);
        }
        Ok(Self {
            check,
            list: vec![source],
        })
    }
}

fn all_components(projects: &[ProjectConfig]) -> Vec<(ProjectConfig, ComponentConfig)> {
    let components = each_component(projects);
    components
        .map(|(project, component)| (project.with_components(Vec::new()), component.clone()))
        .collect()
}

/// The repositories of a configuration file, each with its components.
fn configured(file: &CheckFile, args: &CheckArgs, here: &Path) -> anyhow::Result<Vec<CheckSource>> {
    let here = Repository::discover(here).ok();
    let mut list: Vec<((String, Option<String>), CheckSource)> = Vec::new();
    for (project, component) in all_components(&file.projects) {
        let id = (component.repo.public(), component.branch.clone());
        let at = match list.iter().position(|(known, _)| *known == id) {
            Some(at) => at,
            None => {
                let source = CheckSource::configured(&component, args, here.as_ref())?;
                list.push((id, source));
                list.len() - 1
            }
        };
        if let Some((
            _,
            CheckSource {
                components: CheckedComponents::Configured(components),
                ..
            },
        )) = list.get_mut(at)
        {
            components.push((project, component));
        }
    }
    Ok(list.into_iter().map(|(_, source)| source).collect())
}

impl CheckSource {
    /// Whether the user works in the repository: it has an index and files on disk.
    pub fn has_work_tree(&self) -> bool {
        self.is_local && self.repository.work_dir().is_some()
    }

    fn local(path: &Path, name: &str, args: &CheckArgs) -> anyhow::Result<Self> {
        let repository = Repository::discover(path)?;
        let here = std::env::current_dir().context("cannot determine the current directory")?;
        let root = repository
            .work_dir()
            .unwrap_or_else(|| repository.git_dir().to_owned());
        let address = if name == "." {
            root.to_string_lossy().into_owned()
        } else {
            name.to_owned()
        };
        let mut target = RepositoryTarget::new(&address, &args.target, &here)?;
        if target.overrides.project.is_none() && path != root && repository.work_dir().is_some() {
            target.repo =
                RepoAddress::parse(&root.to_string_lossy(), &here).map_err(anyhow::Error::msg)?;
        }
        let branch = target.overrides.branch.clone();
        let components = CheckedComponents::Detect(Box::new(target));
        Self::in_place(repository, &root, branch.as_deref(), components)
    }

    /// A local repository that is read in place.
    fn in_place(
        repository: Repository,
        path: &Path,
        branch: Option<&str>,
        components: CheckedComponents,
    ) -> anyhow::Result<Self> {
        let branch = match branch {
            Some(branch) => Some((branch.to_owned(), branch_tip(&repository, branch)?)),
            None => None,
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self {
            repository,
            name: path.to_string_lossy().into_owned(),
            branch,
            is_local: true,
            components,
            _guards: Vec::new(),
        })
    }

    /// The repository of a component of a configuration file.
    fn configured(
        component: &ComponentConfig,
        args: &CheckArgs,
        here: Option<&Repository>,
    ) -> anyhow::Result<Self> {
        let components = CheckedComponents::Configured(Vec::new());
        let Some(path) = component.repo.local_path() else {
            let (repo, branch) = (&component.repo, component.branch.as_deref());
            return Self::remote(repo, &component.access, branch, args, components);
        };
        let repository = Repository::discover(&path)?;
        // In the repository itself, its own state counts, not the branch that a server follows.
        let is_here = here.is_some_and(|here| here.git_dir() == repository.git_dir());
        let branch = component.branch.as_deref().filter(|_| !is_here);
        Self::in_place(repository, &path, branch, components)
    }

    /// A copy of a remote repository, in the state directory if one is given, else in a temporary one.
    fn remote(
        repo: &RepoAddress,
        access: &RepoAccess,
        branch: Option<&str>,
        args: &CheckArgs,
        components: CheckedComponents,
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
        let BranchState {
            repository,
            branch,
            tip,
        } = fetch(repo, access, branch, &folder.join("mirrors"))?;
        let (name, branch) = (repo.public(), Some((branch, tip)));
        Ok(Self {
            repository,
            name,
            branch,
            is_local: false,
            components,
            _guards: guards,
        })
    }

    /// The components of the repository in a commit, or in the index.
    pub fn components(
        &self,
        commit: Option<CommitId>,
    ) -> anyhow::Result<Vec<(ProjectConfig, ComponentConfig)>> {
        let mut reader = self.repository.reader();
        let files = match commit {
            Some(commit) => files_at(&mut reader, commit)?,
            None => {
                let entries = self.repository.index_files()?;
                entries.into_iter().filter_map(file).collect()
            }
        };
        match &self.components {
            CheckedComponents::Configured(components) => Ok(expanded(components, &files)),
            CheckedComponents::Detect(target) => {
                let project = discover::describe(target, &files, &mut blobs(&mut reader))?;
                Ok(all_components(&[project]))
            }
        }
    }
}

/// The components with one for each name of the files.
fn expanded(
    components: &[(ProjectConfig, ComponentConfig)],
    files: &[discover::TreeFile],
) -> Vec<(ProjectConfig, ComponentConfig)> {
    let projects: Vec<ProjectConfig> = components
        .iter()
        .map(|(project, component)| project.with_components(vec![component.clone()]))
        .collect();
    let paths = || files.iter().map(|file| file.path.clone()).collect();
    all_components(&discover::expand(&projects, &mut |_| Some(paths())))
}

/// The tip of a branch, local or of `origin`.
fn branch_tip(repository: &Repository, branch: &str) -> anyhow::Result<CommitId> {
    let names = [
        format!("refs/heads/{branch}"),
        format!("refs/remotes/origin/{branch}"),
    ];
    let found = names.iter().find_map(|name| repository.resolve(name).ok());
    found.with_context(|| {
        format!("there is no branch '{branch}': set an existing one with --branch")
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
