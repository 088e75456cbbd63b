//! Writes projects as a configuration file.

use serde::Serialize;

use super::{ComponentConfig, ProjectConfig, RepoAccess};

#[derive(Serialize)]
struct FileTable<'a> {
    project: Vec<ProjectTable<'a>>,
}

#[derive(Serialize)]
struct ProjectTable<'a> {
    slug: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    web: &'a str,
    source_language: &'a str,
    component: Vec<ComponentTable<'a>>,
}

#[derive(Serialize)]
struct ComponentTable<'a> {
    slug: &'a str,
    name: &'a str,
    repo: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    branch: Option<&'a str>,
    #[serde(flatten)]
    access: &'a RepoAccess,
    filemask: &'a str,
    template: &'a str,
    file_format: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    license: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    license_url: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    new_base: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    git_export: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    priority: Option<u32>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    previous_filemasks: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    platforms: &'a [String],
}

/// Writes the configuration file of `projects`, without passwords in addresses and without hook secrets.
///
/// # Errors
/// If TOML cannot represent a value.
pub fn to_toml(projects: &[ProjectConfig]) -> Result<String, toml::ser::Error> {
    let project = projects.iter().map(ProjectTable::from).collect();
    toml::to_string(&FileTable { project })
}

impl<'a> From<&'a ProjectConfig> for ProjectTable<'a> {
    fn from(project: &'a ProjectConfig) -> Self {
        Self {
            slug: project.slug.as_str(),
            name: &project.name,
            web: &project.web,
            source_language: &project.source_language,
            component: project.components.iter().map(ComponentTable::from).collect(),
        }
    }
}

impl<'a> From<&'a ComponentConfig> for ComponentTable<'a> {
    fn from(component: &'a ComponentConfig) -> Self {
        Self {
            slug: component.slug.as_str(),
            name: &component.name,
            repo: component.repo.public(),
            branch: component.branch.as_deref(),
            access: &component.access,
            filemask: component.filemask.as_str(),
            template: &component.template,
            file_format: component.file_format.name(),
            license: &component.license,
            license_url: &component.license_url,
            new_base: &component.new_base,
            git_export: &component.git_export,
            priority: (component.priority != ComponentConfig::MEDIUM_PRIORITY).then_some(component.priority),
            previous_filemasks: component.previous_filemasks.iter().map(|mask| mask.as_str()).collect(),
            platforms: &component.platforms,
        }
    }
}
