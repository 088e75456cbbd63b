//! The projects to follow: plain descriptions without any way to read them from flags or files.
//!
//! The configuration of the program makes them. Must not depend on command-line or file parsers.

mod address;
mod secret;

use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use gitglot_checks::CheckSettings;
use gitglot_model::{ComponentSettings, MaskPattern, Slug};

pub use address::{RepoAddress, RepoAddressError};
pub use gitglot_git::RepoAccess;
pub use secret::Secret;

/// How much of the history is read. Rules: `docs/spec/change-log.md#history-none`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum HistoryMode {
    /// Every commit.
    #[default]
    Full,
    /// Only the tip.
    None,
}

/// The part of a configuration that the poll loop uses.
#[derive(Clone, Debug)]
pub struct FollowConfig {
    /// The projects, in configuration order.
    pub projects: Arc<[ProjectConfig]>,
    /// The poll interval of each repository.
    pub interval: Duration,
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
    /// Instructions for translators, or `""`.
    pub instructions: String,
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
            instructions: self.instructions.clone(),
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
    /// Why the component cannot have one component per name, as a sentence.
    pub problem: Option<String>,
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
