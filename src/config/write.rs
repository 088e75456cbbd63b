//! Projects as the text of a configuration file.

use std::path::Path;

use serde::Serialize;

use super::{ComponentConfig, ProjectConfig};

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
    #[serde(skip_serializing_if = "Option::is_none")]
    token_file: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_env: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    credential_helper: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ssh_key: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known_hosts: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ca_file: Option<&'a Path>,
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

/// The configuration file that says the same as `projects`, but for passwords in addresses, which are left out.
///
/// # Errors
/// When the values cannot be written as TOML, which no value of these types should bring about.
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
            token_file: component.access.token_file.as_deref(),
            token_env: component.access.token_env.as_deref(),
            username: component.access.username.as_deref(),
            credential_helper: component.access.credential_helper.as_deref(),
            ssh_key: component.access.ssh_key.as_deref(),
            known_hosts: component.access.known_hosts.as_deref(),
            ca_file: component.access.ca_file.as_deref(),
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
