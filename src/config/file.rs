//! The configuration file: TOML to checked values, every error with file, line and key.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use super::{
    BaseUrl, ByteSize, ComponentConfig, ConfigError, HistoryMode, HostName, ListenAddress, LogFormat, LogLevel, Origin,
    Period, ProjectConfig, ProxyAddress, Rate, RepoAccess, RepoAddress, Secret, names,
};
use crate::model::{FileFormat, FileMask, Slug};

/// What a configuration file says; paths in it start at its folder.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct FileConfig {
    pub listen: Option<ListenAddress>,
    pub state_dir: Option<PathBuf>,
    pub history: Option<HistoryMode>,
    pub poll_interval: Option<Period>,
    pub base_url: Option<BaseUrl>,
    pub site_url: Option<BaseUrl>,
    pub allowed_hosts: Option<Vec<HostName>>,
    pub trusted_proxies: Option<Vec<ProxyAddress>>,
    pub cors_origins: Option<Vec<Origin>>,
    pub tokens: Option<PathBuf>,
    pub rate_limit: Option<Rate>,
    pub max_connections: Option<NonZeroU32>,
    pub header_timeout: Option<Period>,
    pub idle_timeout: Option<Period>,
    pub same_words: Option<PathBuf>,
    pub cache_size: Option<ByteSize>,
    pub log_format: Option<LogFormat>,
    pub log_level: Option<LogLevel>,
    pub projects: Vec<ProjectConfig>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTable {
    listen: Option<Spanned<String>>,
    state_dir: Option<PathBuf>,
    history: Option<HistoryMode>,
    poll_interval: Option<Spanned<String>>,
    base_url: Option<Spanned<String>>,
    site_url: Option<Spanned<String>>,
    allowed_hosts: Option<Vec<Spanned<String>>>,
    trusted_proxies: Option<Vec<Spanned<String>>>,
    cors_origins: Option<Vec<Spanned<String>>>,
    tokens: Option<PathBuf>,
    rate_limit: Option<Spanned<String>>,
    max_connections: Option<NonZeroU32>,
    header_timeout: Option<Spanned<String>>,
    idle_timeout: Option<Spanned<String>>,
    same_words: Option<PathBuf>,
    cache_size: Option<Spanned<String>>,
    log_format: Option<LogFormat>,
    log_level: Option<LogLevel>,
    #[serde(default)]
    project: Vec<Spanned<ProjectTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectTable {
    slug: Option<Spanned<String>>,
    name: Option<String>,
    #[serde(default)]
    web: String,
    source_language: Option<Spanned<String>>,
    #[serde(default)]
    component: Vec<Spanned<ComponentTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentTable {
    slug: Option<Spanned<String>>,
    name: Option<String>,
    repo: Option<Spanned<String>>,
    branch: Option<Spanned<String>>,
    filemask: Option<Spanned<String>>,
    template: Option<Spanned<String>>,
    file_format: Option<Spanned<String>>,
    #[serde(default)]
    license: String,
    #[serde(default)]
    license_url: String,
    #[serde(default)]
    new_base: String,
    #[serde(default)]
    git_export: String,
    priority: Option<u32>,
    #[serde(default)]
    previous_filemasks: Vec<Spanned<String>>,
    #[serde(default)]
    platforms: Vec<String>,
    hook_secret: Option<Spanned<String>>,
    token_file: Option<PathBuf>,
    token_env: Option<String>,
    username: Option<String>,
    credential_helper: Option<String>,
    ssh_key: Option<PathBuf>,
    known_hosts: Option<PathBuf>,
    ca_file: Option<PathBuf>,
}

/// Reads the text of the file at `path`, which is absolute.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub(super) fn parse(path: &Path, text: &str) -> Result<FileConfig, ConfigError> {
    let place = Place { path, text };
    let table: FileTable = toml::from_str(text).map_err(|error| place.syntax(&error))?;
    let folder = path.parent().unwrap_or(path);
    let url =
        |key, value: Option<Spanned<String>>| value.map(|value| place.check(key, &value, BaseUrl::parse)).transpose();
    let period =
        |key, value: Option<Spanned<String>>| value.map(|value| place.check(key, &value, Period::parse)).transpose();
    let mut projects: Vec<ProjectConfig> = Vec::new();
    let mut slugs = HashSet::new();
    for project in &table.project {
        let at = project.get_ref().slug.as_ref().map_or(project.span(), Spanned::span);
        let project = place.project(project, folder)?;
        if !slugs.insert(project.slug.clone()) {
            return Err(place.error(at, "slug", format!("two projects have the slug '{}': change one", project.slug)));
        }
        projects.push(project);
    }
    place.agree_on_access(&table.project, &mut projects)?;
    if projects.is_empty() {
        let what = "no project is listed: add [[project]] and [[project.component]], or see gitglot discover REPO";
        return Err(place.error(0..0, "project", what.to_owned()));
    }
    Ok(FileConfig {
        listen: table.listen.map(|value| place.check("listen", &value, ListenAddress::parse)).transpose()?,
        state_dir: table.state_dir.map(|it| folder.join(it)),
        history: table.history,
        poll_interval: period("poll_interval", table.poll_interval)?,
        base_url: url("base_url", table.base_url)?,
        site_url: url("site_url", table.site_url)?,
        allowed_hosts: place.each("allowed_hosts", table.allowed_hosts.as_deref(), HostName::parse)?,
        trusted_proxies: place.each("trusted_proxies", table.trusted_proxies.as_deref(), ProxyAddress::parse)?,
        cors_origins: place.each("cors_origins", table.cors_origins.as_deref(), Origin::parse)?,
        tokens: table.tokens.map(|it| folder.join(it)),
        rate_limit: table.rate_limit.map(|value| place.check("rate_limit", &value, Rate::parse)).transpose()?,
        max_connections: table.max_connections,
        header_timeout: period("header_timeout", table.header_timeout)?,
        idle_timeout: period("idle_timeout", table.idle_timeout)?,
        same_words: table.same_words.map(|it| folder.join(it)),
        cache_size: table.cache_size.map(|value| place.check("cache_size", &value, ByteSize::parse)).transpose()?,
        log_format: table.log_format,
        log_level: table.log_level,
        projects,
    })
}

/// The file that errors speak of.
struct Place<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Place<'_> {
    fn project(&self, table: &Spanned<ProjectTable>, folder: &Path) -> Result<ProjectConfig, ConfigError> {
        let project = table.get_ref();
        let Some(first) = project.component.first() else {
            let what = "the project has no component: add [[project.component]] with repo, filemask and template";
            return Err(self.error(table.span(), "component", what.to_owned()));
        };
        let slug = match &project.slug {
            Some(slug) => self.check("slug", slug, Slug::new)?,
            None => names::project_slug(&self.repo(first, folder)?)
                .ok_or_else(|| self.error(table.span(), "slug", "the project has no slug: write one".to_owned()))?,
        };
        let mut components: Vec<ComponentConfig> = Vec::new();
        for component in &project.component {
            let at = component.get_ref().slug.as_ref().map_or(component.span(), Spanned::span);
            let component = self.component(component, &slug, folder)?;
            if components.iter().any(|other| other.slug == component.slug) {
                let what = format!("two components of '{slug}' have the slug '{}': change one", component.slug);
                return Err(self.error(at, "slug", what));
            }
            components.push(component);
        }
        let found_language = || components.first().map(|it| names::source_language(&it.filemask, &it.template));
        let source_language = match &project.source_language {
            Some(code) => self.check("source_language", code, given)?,
            None => found_language().unwrap_or_default(),
        };
        let name = project.name.clone().unwrap_or_else(|| slug.to_string());
        Ok(ProjectConfig { slug, name, web: project.web.clone(), source_language, components })
    }

    fn component(
        &self,
        table: &Spanned<ComponentTable>,
        project: &Slug,
        folder: &Path,
    ) -> Result<ComponentConfig, ConfigError> {
        let component = table.get_ref();
        let needed = |key, value: &Option<_>, why: &str| match value {
            Some(value) => Ok(Spanned::clone(value)),
            None => Err(self.error(table.span(), key, format!("the component has no {key}: {why}"))),
        };
        let repo = self.repo(table, folder)?;
        let filemask = needed("filemask", &component.filemask, "name its files, as in locales/*.json")?;
        let filemask = self.check("filemask", &filemask, FileMask::new)?;
        let template = needed("template", &component.template, "name the file with the source texts")?;
        let template = self.check("template", &template, given)?;
        let format = needed("file_format", &component.file_format, "write json or webextension")?;
        let file_format = self.check("file_format", &format, |name| {
            FileFormat::from_name(name).ok_or_else(|| format!("'{name}' is no format: write json or webextension"))
        })?;
        let slug = match &component.slug {
            Some(slug) => self.check("slug", slug, Slug::new)?,
            None => names::component_slug(&filemask, project),
        };
        let masks = component.previous_filemasks.iter();
        Ok(ComponentConfig {
            name: component.name.clone().unwrap_or_else(|| slug.to_string()),
            slug,
            repo,
            access: self.access(table, folder)?,
            branch: component.branch.as_ref().map(|name| self.check("branch", name, given)).transpose()?,
            template,
            file_format,
            license: component.license.clone(),
            license_url: component.license_url.clone(),
            new_base: component.new_base.clone(),
            git_export: component.git_export.clone(),
            priority: component.priority.unwrap_or(ComponentConfig::MEDIUM_PRIORITY),
            previous_filemasks: masks
                .map(|mask| self.check("previous_filemasks", mask, FileMask::new))
                .collect::<Result<_, _>>()?,
            platforms: component.platforms.clone(),
            hook_secret: component
                .hook_secret
                .as_ref()
                .map(|secret| self.check("hook_secret", secret, Secret::new))
                .transpose()?,
            filemask,
        })
    }

    fn access(&self, table: &Spanned<ComponentTable>, folder: &Path) -> Result<RepoAccess, ConfigError> {
        let component = table.get_ref();
        let access = RepoAccess {
            token_file: component.token_file.clone(),
            token_env: component.token_env.clone(),
            username: component.username.clone(),
            credential_helper: component.credential_helper.clone(),
            ssh_key: component.ssh_key.clone(),
            known_hosts: component.known_hosts.clone(),
            ca_file: component.ca_file.clone(),
        };
        match access.contradiction() {
            Some((key, what)) => Err(self.error(table.span(), key, what.to_owned())),
            None => Ok(access.in_folder(folder)),
        }
    }

    /// Gives all components of a repository the access that one of them names: a repository is fetched once for all.
    fn agree_on_access(
        &self,
        tables: &[Spanned<ProjectTable>],
        projects: &mut [ProjectConfig],
    ) -> Result<(), ConfigError> {
        let mut known: HashMap<String, RepoAccess> = HashMap::new();
        let tables = tables.iter().flat_map(|project| &project.get_ref().component);
        for (component, table) in projects.iter().flat_map(|project| &project.components).zip(tables) {
            if component.access == RepoAccess::default() {
                continue;
            }
            let other = known.insert(component.repo.public(), component.access.clone());
            if other.is_some_and(|other| other != component.access) {
                let what = "another component of the same repository has other credentials: write the same in both";
                return Err(self.error(table.span(), "repo", what.to_owned()));
            }
        }
        for component in projects.iter_mut().flat_map(|project| &mut project.components) {
            if let Some(access) = known.get(&component.repo.public()) {
                component.access.clone_from(access);
            }
        }
        Ok(())
    }

    fn repo(&self, component: &Spanned<ComponentTable>, folder: &Path) -> Result<RepoAddress, ConfigError> {
        match &component.get_ref().repo {
            Some(repo) => self.check("repo", repo, |text| RepoAddress::parse(text, folder)),
            None => {
                let what = "the component has no repo: write the URL or path of its repository".to_owned();
                Err(self.error(component.span(), "repo", what))
            }
        }
    }

    fn check<T, E: ToString>(
        &self,
        key: &str,
        value: &Spanned<String>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, ConfigError> {
        parse(value.get_ref()).map_err(|error| self.error(value.span(), key, error.to_string()))
    }

    fn each<T, E: ToString>(
        &self,
        key: &str,
        values: Option<&[Spanned<String>]>,
        parse: impl Fn(&str) -> Result<T, E>,
    ) -> Result<Option<Vec<T>>, ConfigError> {
        values.map(|values| values.iter().map(|value| self.check(key, value, &parse)).collect()).transpose()
    }

    fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let at = error.span().unwrap_or_default();
        // The parser's message spans lines when it lists what it expected.
        let what = error.message().replace('\n', ", ");
        let key = self.key_at(at.start);
        self.error(at, &key, what)
    }

    fn error(&self, at: Range<usize>, key: &str, what: String) -> ConfigError {
        let line = self.before(at.start).matches('\n').count() + 1;
        ConfigError::InFile { path: self.path.to_owned(), line, key: key.to_owned(), what }
    }

    /// The key of the line at a byte of the text; `""` where the line sets none.
    fn key_at(&self, offset: usize) -> String {
        let start = self.before(offset).rfind('\n').map_or(0, |at| at + 1);
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let key = line.split_once('=').map_or("", |(key, _)| key.trim());
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        if key.chars().all(fits) { key.to_owned() } else { String::new() }
    }

    fn before(&self, offset: usize) -> &str {
        self.text.get(..offset).unwrap_or(self.text)
    }
}

fn given(text: &str) -> Result<String, &'static str> {
    if text.is_empty() { Err("the text is empty: write a value or leave the key out") } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests;
