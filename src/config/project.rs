//! The loaded configuration: settings, projects and components.

use std::path::PathBuf;

use super::{CheckConfig, Overrides, RepoAccess, RepoAddress, Secret, Settings};
use crate::checks::CheckSettings;
use crate::model::{Component, FileFormat, FileMask, MaskPattern, RefPattern, Slug};

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

/// A component, configured or detected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComponentConfig {
    /// The name in URLs.
    pub slug: Slug,
    /// The display name; the slug by default.
    pub name: String,
    /// The repository.
    pub repo: RepoAddress,
    /// The credentials for the repository.
    pub access: RepoAccess,
    /// The branch; `None` for the remote's HEAD.
    pub branch: Option<String>,
    /// The other branches and references that requests may name.
    pub branches: Vec<RefPattern>,
    /// The pattern of the translation files.
    pub filemask: FileMask,
    /// Set if the component expands to one component per name, until they are known.
    pub names: Option<Box<ComponentNames>>,
    /// The path of the template in the repository.
    pub template: String,
    /// The format of the files.
    pub file_format: FileFormat,
    /// The licence of the translations, or `""`.
    pub license: String,
    /// The URL of the licence, or `""`.
    pub license_url: String,
    /// The path of the file that new languages start from, or `""`.
    pub new_base: String,
    /// The public address of the repository for export, or `""`.
    pub git_export: String,
    /// The position in the project: lower values come first.
    pub priority: u32,
    /// Masks that matched the files in the past.
    pub previous_filemasks: Vec<FileMask>,
    /// Additional author names of translation platforms.
    pub platforms: Vec<String>,
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
    /// The default priority, as in Weblate 3.4.
    pub const MEDIUM_PRIORITY: u32 = Component::MEDIUM_PRIORITY;

    /// A component with the required values; everything else has its default.
    pub fn new(
        slug: Slug,
        repo: RepoAddress,
        filemask: FileMask,
        template: &str,
        file_format: FileFormat,
    ) -> Self {
        Self {
            name: slug.to_string(),
            slug,
            repo,
            access: RepoAccess::default(),
            branch: None,
            branches: Vec::new(),
            filemask,
            names: None,
            template: template.to_owned(),
            file_format,
            license: String::new(),
            license_url: String::new(),
            new_base: String::new(),
            git_export: String::new(),
            priority: Self::MEDIUM_PRIORITY,
            previous_filemasks: Vec::new(),
            platforms: Vec::new(),
            checks: CheckSettings::default(),
            hook_secret: None,
        }
    }
}
