//! The configuration file at the root of a checkout, which describes the checkout itself
//! (`docs/spec/settings.md#checkout`).
//!
//! Everyone who can change the repository can change the file, so it selects and names files of the repository, and
//! nothing else: neither other repositories, nor credentials, nor settings of the server.

use std::path::Path;

use anyhow::Context;

use crate::config::{CheckFile, Config, Overrides, Target, read_text};
use gitglot_follow::{ComponentConfig, ProjectConfig, RepoAccess, RepoAddress, each_component};
use gitglot_git::{Repository, WorkTreeFile};
use gitglot_model::{RefPattern, counted};

/// The name of the configuration file at the root of a repository.
pub(super) const CONFIG_FILE: &str = "gitglot.toml";

/// A component with its project.
pub(super) type ProjectComponent = (ProjectConfig, ComponentConfig);

/// Replaces a local repository by the projects that its own configuration file describes, if it has one with components
/// of this repository, and no flag describes it.
///
/// # Errors
/// If the file cannot be read or is invalid.
pub(super) fn describe(config: &mut Config) -> anyhow::Result<()> {
    let Target::Repository(target) = &config.target else {
        return Ok(());
    };
    if target.overrides != Overrides::default() || *target.access != RepoAccess::default() {
        return Ok(());
    }
    // A repository that cannot be read is reported when it is followed.
    let opened = target.repo.local_path().map(Repository::open);
    let Some(Ok(repository)) = opened else {
        return Ok(());
    };
    let Some(tree) = repository.work_tree() else {
        return Ok(());
    };
    let Ok(WorkTreeFile::File(file)) = tree.open(CONFIG_FILE) else {
        return Ok(());
    };
    let path = std::path::absolute(tree.root())
        .context("cannot determine the current directory")?
        .join(CONFIG_FILE);
    let text = read_text(file)
        .with_context(|| format!("cannot read the configuration file {}", path.display()))?;
    let file = CheckFile::parse(&path, &text)?;
    let all = each_component(&file.projects).count();
    let projects = own_projects(&repository, file.projects, &target.repo);
    let own = each_component(&projects).count();
    if own == 0 {
        return Ok(());
    }
    tracing::info!(
        "using {}: {}; --config {CONFIG_FILE} also applies its settings, and its changes without a restart",
        path.display(),
        counted(own, "component")
    );
    if own < all {
        tracing::warn!(
            "{} of other repositories in {} are left out: --config {CONFIG_FILE} includes them",
            counted(all - own, "component"),
            path.display()
        );
    }
    config.target = Target::Projects(projects.into());
    config.is_checkout = true;
    Ok(())
}

/// The projects with their components of this repository, which are read in place, without credentials.
fn own_projects(
    repository: &Repository,
    projects: Vec<ProjectConfig>,
    address: &RepoAddress,
) -> Vec<ProjectConfig> {
    let root = address.local_path().unwrap_or_default();
    let is_own = ownership(repository, &root, &projects);
    let branch = repository.head().ok().and_then(|head| head.branch);
    let in_place = |component: ComponentConfig| {
        let mut component = ComponentConfig {
            repo: address.clone(),
            access: RepoAccess::default(),
            branch: component.branch.or_else(|| branch.clone()),
            ..component
        };
        if component.settings.branches.is_empty() {
            component.settings.branches = vec![RefPattern::branches()];
        }
        component
    };
    let projects = projects.into_iter().map(|project| {
        let components = project.components.iter();
        let components = components.filter(|component| is_own(component));
        project.with_components(components.cloned().map(in_place).collect())
    });
    projects
        .filter(|project| !project.components.is_empty())
        .collect()
}

/// Whether a component is one of this repository. A file with a single repository describes this one, at any address.
pub(super) fn ownership<'r>(
    repository: &'r Repository,
    root: &Path,
    projects: &[ProjectConfig],
) -> impl Fn(&ComponentConfig) -> bool + use<'r> {
    let mut addresses = each_component(projects).map(|(_, component)| component.repo.public());
    let first = addresses.next();
    let is_single = addresses.all(|address| Some(address) == first);
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    move |component| {
        // Nothing outside of the repository is opened.
        let path = component.repo.local_path();
        let inner = path.filter(|path| path.starts_with(&root));
        let other = || inner.and_then(|path| Repository::discover(&path).ok());
        is_single || other().is_some_and(|other| other.git_dir() == repository.git_dir())
    }
}

/// All components, each with a project that has no others.
pub(super) fn all_components(projects: &[ProjectConfig]) -> Vec<ProjectComponent> {
    let components = each_component(projects);
    components
        .map(|(project, component)| (project.with_components(Vec::new()), component.clone()))
        .collect()
}
