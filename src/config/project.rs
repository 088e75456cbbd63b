//! The loaded configuration: settings, projects and components.

use std::path::PathBuf;
use std::sync::Arc;

use super::{CheckConfig, Overrides, People, Settings};
use gitglot_follow::{ProjectConfig, RepoAccess, RepoAddress};

/// The configuration of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The settings.
    pub settings: Settings,
    /// The directory for mirrors, ledger, checkpoint and lock, given or default. Absolute; it may not exist yet.
    pub state_dir: PathBuf,
    /// The source of the data.
    pub target: Target,
    /// Whether the projects are those of a local repository that describes itself.
    pub is_checkout: bool,
}

/// The source of the data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// The projects of a configuration file, in its order. Each has at least one component.
    Projects(Arc<[ProjectConfig]>),
    /// A single repository, whose components are detected.
    Repository(Box<RepositoryTarget>),
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

/// The part of a configuration file that `gitglot check` and `gitglot digest` read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFile {
    /// The table `[check]`.
    pub check: CheckConfig,
    /// The table `[people]`.
    pub people: People,
    /// The projects; may be empty.
    pub projects: Vec<ProjectConfig>,
}
