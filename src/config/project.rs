//! The loaded configuration: settings, projects and components.

use std::ops::Deref;
use std::path::PathBuf;

use super::{CheckConfig, Overrides, RepoAccess, RepoAddress, Secret, Settings};
use crate::checks::CheckSettings;
use crate::model::{ComponentSettings, MaskPattern, Slug};

/// The configuration of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The directory for mirrors, ledger, checkpoint and lock, given or default. Absolute; it may not exist yet.
    pub state_dir: PathBuf,
    /// The source of the data.
    pub target: Target,
}

/// The source of the data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The projects of a configuration file, in its order. Each has at least one component.
    Projects(Vec<ProjectConfig>),
    /// A single repository, whose components are detected.
    Repository(RepositoryTarget),
}

/// A single repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RepositoryTarget {
    /// Its address.
    pub repo: RepoAddress,
    /// Replaces detection.
    pub overrides: Overrides,
    /// Its credentials.
    pub access: Box<RepoAccess>,
}

/// The part of a configuration file that `gitglot check` reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFile {
    /// The table `[check]`.
    pub check: CheckConfig,
    /// The projects; may be empty.
    pub projects: Vec<ProjectConfig>,
}

/// A project, configured or detected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProjectConfig {
    /// The name in URLs.
    pub slug: Slug,
    /// The display name; the slug by default.
    pub name: String,
    /// The web site, or `""`.
    pub web: String,
    /// The language code of the templates.
    pub source_language: String,
    /// The components, in the order of the configuration.
    pub components: Vec<ComponentConfig>,
}

impl ProjectConfig {
    /// The name of one of its components, `project/component`.
    pub fn name_of(&self, component: &ComponentConfig) -> String {
        format!("{}/{}", self.slug, component.slug)
    }

    /// The project with these components instead of its own.
    pub fn with_components(&self, components: Vec<ComponentConfig>) -> Self {
        Self {
            slug: self.slug.clone(),
            name: self.name.clone(),
            web: self.web.clone(),
            source_language: self.source_language.clone(),
            components,
        }
    }
}

/// All components, each with its project, in configuration order.
pub fn each_component(
    projects: &[ProjectConfig],
) -> impl Iterator<Item = (&ProjectConfig, &ComponentConfig)> {
    projects.iter().flat_map(|project| {
        let components = project.components.iter();
        components.map(move |component| (project, component))
    })
}

/// A component, configured or detected. It dereferences to its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentConfig {
    /// The repository.
    pub repo: RepoAddress,
    /// The credentials for the repository.
    pub access: RepoAccess,
    /// The branch; `None` for the remote's HEAD.
    pub branch: Option<String>,
    /// Its names and files.
    pub settings: ComponentSettings,
    /// Set if the component expands to one component per name, until they are known.
    pub names: Option<Box<ComponentNames>>,
    /// Which checks run.
    pub checks: CheckSettings,
    /// The secret that signs hooks for the component.
    pub hook_secret: Option<Secret>,
}

/// A component whose file mask has `{name}`: `docs/spec/settings.md#masks-with-placeholders`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentNames {
    /// The file mask.
    pub filemask: MaskPattern,
    /// The first part of the slugs, if it is given.
    pub slug: Option<Slug>,
    /// The first part of the display names, if it is given.
    pub name: Option<String>,
}

impl ComponentConfig {
    /// A component of a repository; everything else has its default.
    pub fn new(repo: RepoAddress, settings: ComponentSettings) -> Self {
        Self {
            repo,
            access: RepoAccess::default(),
            branch: None,
            settings,
            names: None,
            checks: CheckSettings::default(),
            hook_secret: None,
        }
    }
}

impl Deref for ComponentConfig {
    type Target = ComponentSettings;

    fn deref(&self) -> &ComponentSettings {
        &self.settings
    }
}
