//! Writes the configuration file of projects.

use std::path::Path;

use serde::Serialize;
use toml::Spanned;

use super::Percentage;
use super::tables::{ChecksSetting, ComponentTable, ProjectTable};
use super::values::{NonEmpty, SeparatorText, SeparatorValue};
use gitglot_checks::CheckProfile;
use gitglot_follow::{ComponentConfig, ProjectConfig, RepoAccess, RepoAddress, each_component};
use gitglot_model::{ComponentSettings, RepoPath};

/// Writes the configuration file of `projects`, without passwords in addresses and without hook secrets.
///
/// # Errors
/// If TOML cannot represent a value.
pub fn to_toml(projects: &[ProjectConfig]) -> Result<String, toml::ser::Error> {
    toml::to_string(&FileTable::from(projects))
}

/// As [`to_toml`], for a file in `folder`: the path of a repository that contains it is relative, so that the file can be
/// committed to this repository.
///
/// # Errors
/// If TOML cannot represent a value.
pub fn to_portable_toml(
    projects: &[ProjectConfig],
    folder: &Path,
) -> Result<String, toml::ser::Error> {
    let mut file = FileTable::from(projects);
    let tables = file
        .project
        .iter_mut()
        .flat_map(|project| &mut project.component);
    for (table, (_, component)) in tables.zip(each_component(projects)) {
        if let Some(path) = path_from_inside(&component.repo, folder) {
            table.get_mut().repo = Some(unspanned(path));
        }
    }
    toml::to_string(&file)
}

/// The path of a local repository from a folder in it.
fn path_from_inside(repo: &RepoAddress, folder: &Path) -> Option<String> {
    // Addresses of local repositories have no links.
    let folder = folder.canonicalize().ok()?;
    let inner = folder.strip_prefix(repo.local_path()?).ok()?;
    match inner.components().count() {
        0 => Some(".".to_owned()),
        depth => Some(vec![".."; depth].join("/")),
    }
}

#[derive(Serialize)]
struct FileTable {
    project: Vec<ProjectTable>,
}

impl From<&[ProjectConfig]> for FileTable {
    fn from(projects: &[ProjectConfig]) -> Self {
        Self {
            project: projects.iter().map(ProjectTable::from).collect(),
        }
    }
}

impl From<&ProjectConfig> for ProjectTable {
    fn from(project: &ProjectConfig) -> Self {
        Self {
            slug: Some(unspanned(project.slug.clone())),
            name: Some(project.name.clone()),
            web: given(&project.web),
            instructions: given(&project.instructions),
            source_language: Some(NonEmpty(project.source_language.clone())),
            component: project
                .components
                .iter()
                .map(|component| unspanned(component.into()))
                .collect(),
        }
    }
}

fn texts(of: &[String]) -> Vec<NonEmpty> {
    of.iter().cloned().map(NonEmpty).collect()
}

impl From<&ComponentConfig> for ComponentTable {
    fn from(component: &ComponentConfig) -> Self {
        let RepoAccess {
            token_file,
            token_env,
            username,
            credential_helper,
            ssh_key,
            known_hosts,
            ca_file,
            timeouts: _,
        } = component.access.clone();
        let (slug, name, filemask) = match &component.names {
            Some(names) => (
                names.slug.clone(),
                names.name.clone(),
                names.filemask.clone(),
            ),
            None => (
                Some(component.slug.clone()),
                Some(component.name.clone()),
                component.filemask.clone().into(),
            ),
        };
        Self {
            slug: slug.map(unspanned),
            name,
            repo: Some(unspanned(component.repo.public())),
            branch: component.branch.clone().map(NonEmpty),
            branches: component.branches.clone(),
            token_file,
            token_env,
            username,
            credential_helper,
            ssh_key,
            known_hosts,
            ca_file,
            filemask: Some(unspanned(filemask)),
            template: RepoPath::new(&component.template)
                .ok()
                .filter(|_| !component.file_format.has_parts()),
            file_format: Some(component.file_format),
            license: given(&component.license),
            license_url: given(&component.license_url),
            new_base: given(&component.new_base),
            git_export: given(&component.git_export),
            repoweb: given(&component.repoweb),
            priority: Some(component.priority)
                .filter(|priority| *priority != ComponentSettings::MEDIUM_PRIORITY),
            previous_filemasks: {
                let masks = component.previous_filemasks.iter().cloned();
                masks.map(unspanned).collect()
            },
            platforms: component.platforms.clone(),
            bots: texts(&component.bots),
            machines: texts(&component.machines),
            humans: texts(&component.humans),
            review_marks: texts(&component.review_marks),
            renames: (!component.renames).then_some(false),
            changelogs: (!component.changelogs).then_some(false),
            key_column: component.columns.key.clone().map(NonEmpty),
            note_columns: texts(&component.columns.notes),
            language_columns: {
                let columns = component.columns.languages.iter();
                columns
                    .map(|(name, code)| (name.clone(), NonEmpty(code.clone())))
                    .collect()
            },
            source_commits: texts(&component.source_commits),
            ignored_commits: texts(&component.ignored_commits),
            earlier_sources: component.earlier_sources.then_some(true),
            release_languages: component.release_languages.map(Percentage::from_tenths),
            checks: match component.checks.profile {
                CheckProfile::Current => Some(unspanned(ChecksSetting::Current)),
                CheckProfile::Weblate34 => None,
            },
            check_flags: component.checks.flags.clone().map(unspanned),
            placeholders: component.checks.placeholders.pattern.clone().map(unspanned),
            interpolation: {
                let marks = component.checks.placeholders.interpolation.clone();
                marks.map(|marks| marks.map(NonEmpty))
            },
            use_escaping: component.checks.placeholders.use_escaping.then_some(true),
            message_syntax: component.checks.syntax,
            key_separator: component.checks.separators.key.clone().map(SeparatorValue),
            ns_separator: (component.checks.separators.namespace.clone()).map(SeparatorValue),
            plural_separator: component
                .checks
                .separators
                .plural
                .clone()
                .map(SeparatorText),
            hook_secret: None,
        }
    }
}

fn unspanned<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
