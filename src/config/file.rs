//! Reads configuration files. Rules: `docs/spec/settings.md#configuration-file`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;

use super::directory::{self, ConfigText};
use super::repo_access::{self, access_of};
use super::settings::FileSettings;
use super::tables::{ChecksSetting, ComponentTable, ProjectTable};
use super::values::NonEmpty;
use super::{ConfigError, Percentage, columns, names, unknown_key};
use gitglot_checks::{CheckProfile, CheckSettings, PlaceholderSettings};
use gitglot_follow::{
    ComponentConfig, ComponentNames, ProjectConfig, RepoAccess, RepoAddress, each_component,
};
use gitglot_model::{
    ComponentSettings, FileFormat, FileMask, MaskPattern, RepoPath, RepoPathError,
    SeparatorSettings, Slug,
};

/// The position of a value, or of its table if it is missing.
fn span_in<T, V>(table: &Spanned<T>, value: &Option<Spanned<V>>) -> Range<usize> {
    value.as_ref().map_or(table.span(), Spanned::span)
}

/// Reads the texts of the files of a configuration, whose paths are absolute. `in_directory`: they are those of a
/// directory. The settings contain paths as written.
///
/// # Errors
/// The first problem, with its line. A configuration without projects is one.
pub(super) fn parse(
    files: &[ConfigText],
    in_directory: bool,
) -> Result<(FileSettings, Vec<ProjectConfig>), ConfigError> {
    let (settings, projects) = parse_any(files, in_directory)?;
    match (projects.is_empty(), files.first()) {
        (true, Some((path, text))) => {
            let problem = "the file has no project: add [[project]] and [[project.component]], or run gitglot discover";
            Err(FileText { path, text }.error(0..0, "project", problem))
        }
        (true, None) => Err(ConfigError::EmptyDirectory),
        _ => Ok((settings, projects)),
    }
}

/// As [`parse`], for files that may have no projects.
///
/// # Errors
/// The first problem, with its line.
pub(super) fn parse_any(
    files: &[ConfigText],
    in_directory: bool,
) -> Result<(FileSettings, Vec<ProjectConfig>), ConfigError> {
    let mut settings = FileSettings::default();
    let mut projects: Vec<ProjectConfig> = Vec::new();
    let (mut slugs, mut access) = (HashSet::new(), HashMap::new());
    for (path, text) in files {
        let file = FileText { path, text };
        let mut own: FileSettings =
            toml::from_str(text).map_err(|error| file.toml_error(&error))?;
        let tables = std::mem::take(&mut own.project);
        if !in_directory || directory::may_have_settings(path) {
            settings = own;
        } else if let Some(key) = own.given().next() {
            let problem = "the file of a project cannot contain settings of the server: move them to gitglot.toml";
            return Err(file.error(0..0, key, problem));
        }
        let folder = path.parent().unwrap_or(path);
        let first = projects.len();
        for table in &tables {
            let project = file.project(table, folder)?;
            if !slugs.insert(project.slug.clone()) {
                let span = span_in(table, &table.get_ref().slug);
                let problem = format!("two projects have the slug '{}': rename one", project.slug);
                return Err(file.error(span, "slug", problem));
            }
            projects.push(project);
        }
        file.note_access(
            &tables,
            projects.get(first..).unwrap_or_default(),
            &mut access,
        )?;
    }
    let configured = projects.iter_mut();
    for component in configured.flat_map(|project| &mut project.components) {
        // The components of a repository share one mirror, so they share the credentials that one of them names.
        if let Some(access) = access.get(&component.repo.public()) {
            component.access.clone_from(access);
        }
        let languages = &mut component.settings.release_languages;
        *languages = languages.or(settings.release.needed());
    }
    Ok((settings, projects))
}

/// The file, for error messages.
struct FileText<'a> {
    path: &'a Path,
    text: &'a str,
}

fn texts(of: &[NonEmpty]) -> Vec<String> {
    of.iter().map(|NonEmpty(text)| text.clone()).collect()
}

impl FileText<'_> {
    fn project(
        &self,
        table: &Spanned<ProjectTable>,
        folder: &Path,
    ) -> Result<ProjectConfig, ConfigError> {
        let project = table.get_ref();
        let Some(first) = project.component.first() else {
            let problem = "the project has no component: add [[project.component]] with repo, filemask and template";
            return Err(self.error(table.span(), "component", problem));
        };
        let slug = match &project.slug {
            Some(slug) => slug.get_ref().clone(),
            None => names::project_slug(&self.repo(first, folder)?).ok_or_else(|| {
                self.error(table.span(), "slug", "the project has no slug: add one")
            })?,
        };
        let mut components: Vec<ComponentConfig> = Vec::with_capacity(project.component.len());
        for table in &project.component {
            let component = self.component(table, &slug, folder)?;
            if components.iter().any(|other| other.slug == component.slug) {
                let span = span_in(table, &table.get_ref().slug);
                let problem = format!(
                    "two components of '{slug}' have the slug '{}': rename one",
                    component.slug
                );
                return Err(self.error(span, "slug", problem));
            }
            components.push(component);
        }
        let source_language = match (&project.source_language, components.first()) {
            (Some(NonEmpty(code)), _) => code.clone(),
            (None, Some(first)) => names::source_language(&first.filemask, &first.template),
            (None, None) => String::new(),
        };
        let name = project.name.clone().unwrap_or_else(|| slug.to_string());
        Ok(ProjectConfig {
            slug,
            name,
            web: project.web.clone().unwrap_or_default(),
            instructions: project.instructions.clone().unwrap_or_default(),
            source_language,
            components,
        })
    }

    /// Long because it reads every key of a component.
    fn component(
        &self,
        table: &Spanned<ComponentTable>,
        project: &Slug,
        folder: &Path,
    ) -> Result<ComponentConfig, ConfigError> {
        let component = table.get_ref();
        let missing = |key, step: &str| {
            let problem = format!("the component has no {key}: {step}");
            self.error(table.span(), key, problem)
        };
        let repo = self.repo(table, folder)?;
        let Some(pattern) = &component.filemask else {
            let step = "set the path pattern of its files, such as locales/*.json";
            return Err(missing("filemask", step));
        };
        let file_format = component.file_format;
        let is_bilingual = file_format.is_some_and(|format| !format.shape().has_template());
        let template: &str = match &component.template {
            Some(_) if is_bilingual => {
                let problem =
                    "each file of this format has its own source texts: remove the template";
                return Err(self.error(table.span(), "template", problem));
            }
            Some(template) => template,
            None if is_bilingual => "",
            None if file_format.is_some_and(FileFormat::has_parts) => pattern.get_ref().as_str(),
            None => {
                let step = "set the path of the file with the source strings";
                return Err(missing("template", step));
            }
        };
        let formats = || format!("set one of {}", FileFormat::names());
        let file_format = file_format.ok_or_else(|| missing("file_format", &formats()))?;
        let mask = pattern.get_ref().mask().of_format(file_format);
        let fits = mask.check_format(file_format);
        fits.map_err(|error| self.error(pattern.span(), "filemask", error.to_string()))?;
        let given = component.slug.as_ref().map(|slug| slug.get_ref().clone());
        let (filemask, names) = if pattern.get_ref().has_name() {
            let names = self.names(component, pattern, template)?;
            (pattern.get_ref().without_names(), Some(Box::new(names)))
        } else {
            (mask, None)
        };
        let slug = given.unwrap_or_else(|| names::component_slug(&filemask, project));
        let new = ComponentSettings::new(slug, filemask, template, file_format);
        let settings = ComponentSettings {
            name: component.name.clone().unwrap_or(new.name),
            branches: component.branches.clone(),
            license: component.license.clone().unwrap_or_default(),
            license_url: component.license_url.clone().unwrap_or_default(),
            new_base: self.new_base(table)?,
            git_export: component.git_export.clone().unwrap_or_default(),
            repoweb: component.repoweb.clone().unwrap_or_default(),
            priority: component.priority.unwrap_or(new.priority),
            previous_filemasks: self.masks(component, file_format)?,
            platforms: component.platforms.clone(),
            bots: texts(&component.bots),
            machines: texts(&component.machines),
            humans: texts(&component.humans),
            review_marks: texts(&component.review_marks),
            renames: component.renames.unwrap_or(new.renames),
            changelogs: component.changelogs.unwrap_or(new.changelogs),
            columns: columns::read(component, file_format)
                .map_err(|(key, problem)| self.error(table.span(), key, problem))?,
            source_commits: texts(&component.source_commits),
            ignored_commits: texts(&component.ignored_commits),
            earlier_sources: component.earlier_sources.unwrap_or_default(),
            release_languages: component.release_languages.map(Percentage::tenths),
            ..new
        };
        Ok(ComponentConfig {
            repo,
            access: self.access(table, folder)?,
            branch: component.branch.as_ref().map(|NonEmpty(name)| name.clone()),
            settings,
            names,
            checks: self.checks(table, file_format)?,
            hook_secret: component.hook_secret.clone(),
        })
    }

    /// The earlier masks.
    fn masks(
        &self,
        component: &ComponentTable,
        format: FileFormat,
    ) -> Result<Vec<FileMask>, ConfigError> {
        let mask = |mask: &Spanned<FileMask>| {
            let own = mask.get_ref().of_format(format);
            let fits = own.check_format(format);
            fits.map_err(|error| self.error(mask.span(), "previous_filemasks", error.to_string()))?;
            Ok(own)
        };
        component.previous_filemasks.iter().map(mask).collect()
    }

    fn new_base(&self, table: &Spanned<ComponentTable>) -> Result<String, ConfigError> {
        let path = table.get_ref().new_base.clone().unwrap_or_default();
        match RepoPath::new(&path) {
            Err(error) if error != RepoPathError::Empty => {
                Err(self.error(table.span(), "new_base", error.to_string()))
            }
            _ => Ok(path),
        }
    }

    /// The names of a file mask with `{name}`.
    fn names(
        &self,
        component: &ComponentTable,
        pattern: &Spanned<MaskPattern>,
        template: &str,
    ) -> Result<ComponentNames, ConfigError> {
        if !template.is_empty() && !template.contains("{name}") {
            let problem = "the file mask has {name}: add it to the template, too";
            return Err(self.error(pattern.span(), "template", problem));
        }
        if !component.previous_filemasks.is_empty() {
            let problem = "{name} cannot be combined with earlier file masks: configure one component per name";
            return Err(self.error(pattern.span(), "previous_filemasks", problem));
        }
        Ok(ComponentNames {
            filemask: pattern.get_ref().clone(),
            slug: component.slug.as_ref().map(|slug| slug.get_ref().clone()),
            name: component.name.clone(),
            problem: None,
        })
    }

    fn checks(
        &self,
        table: &Spanned<ComponentTable>,
        file_format: FileFormat,
    ) -> Result<CheckSettings, ConfigError> {
        let component = table.get_ref();
        let set = component.checks.as_ref().map(Spanned::get_ref);
        let flags = &component.check_flags;
        let checks = CheckSettings {
            profile: match set {
                Some(ChecksSetting::Current) => CheckProfile::Current,
                _ => CheckProfile::Weblate34,
            },
            flags: flags.as_ref().map(|flags| flags.get_ref().clone()),
            ..CheckSettings::default()
        };
        let validated = checks.validate(file_format.name());
        validated
            .map_err(|error| self.error(span_in(table, flags), "check_flags", error.to_string()))?;
        let pattern = &component.placeholders;
        let interpolation = component.interpolation.as_ref();
        let checks = CheckSettings {
            placeholders: PlaceholderSettings {
                pattern: pattern.as_ref().map(|pattern| pattern.get_ref().clone()),
                interpolation: interpolation
                    .map(|marks| marks.each_ref().map(|mark| mark.0.clone())),
                use_escaping: component.use_escaping == Some(true),
            },
            syntax: component.message_syntax,
            separators: SeparatorSettings {
                key: component.key_separator.clone().map(|separator| separator.0),
                namespace: component.ns_separator.clone().map(|separator| separator.0),
                plural: (component.plural_separator.clone()).map(|separator| separator.0),
            },
            ..checks
        };
        let validated = checks.validate(file_format.name());
        validated.map_err(|error| {
            self.error(span_in(table, pattern), "placeholders", error.to_string())
        })?;
        Ok(checks)
    }

    fn access(
        &self,
        table: &Spanned<ComponentTable>,
        folder: &Path,
    ) -> Result<RepoAccess, ConfigError> {
        let access = access_of!(table.get_ref());
        match repo_access::problem(&access) {
            Some((key, problem)) => Err(self.error(table.span(), key, problem)),
            None => Ok(repo_access::in_folder(access, folder)),
        }
    }

    /// Notes the credentials that components name, by repository.
    fn note_access(
        &self,
        tables: &[Spanned<ProjectTable>],
        projects: &[ProjectConfig],
        known: &mut HashMap<String, RepoAccess>,
    ) -> Result<(), ConfigError> {
        let projects_of = tables.iter().map(Spanned::get_ref);
        let tables = projects_of.flat_map(|project| &project.component);
        for ((_, component), table) in each_component(projects).zip(tables) {
            if component.access == RepoAccess::default() {
                continue;
            }
            let other = known.insert(component.repo.public(), component.access.clone());
            if other.is_some_and(|other| other != component.access) {
                let problem = "a component of the same repository has different credentials: use the same for both";
                return Err(self.error(table.span(), "repo", problem));
            }
        }
        Ok(())
    }

    fn repo(
        &self,
        component: &Spanned<ComponentTable>,
        folder: &Path,
    ) -> Result<RepoAddress, ConfigError> {
        let Some(repo) = &component.get_ref().repo else {
            let problem = "the component has no repo: set the URL or path of its repository";
            return Err(self.error(component.span(), "repo", problem));
        };
        RepoAddress::parse(repo.get_ref(), folder)
            .map_err(|error| self.error(repo.span(), "repo", error.to_string()))
    }

    fn toml_error(&self, error: &toml::de::Error) -> ConfigError {
        let span = error.span().unwrap_or_default();
        // The parser lists expectations on separate lines.
        let problem = error.message().replace('\n', ", ");
        let header = self.line_at(span.start);
        // What is in [people] are lists of texts.
        let is_table = problem.starts_with("invalid type: map, expected a sequence")
            && !header.starts_with("[people");
        if let Some(name) = header.strip_prefix('[').filter(|_| is_table) {
            let name = name.trim_start_matches('[').trim_end_matches(']');
            let problem = format!("there can be several: write [[{name}]] instead of {header}");
            return self.error(span, "", problem);
        }
        let key = self.key_at(span.start).to_owned();
        let problem = unknown_key::suggestion(&problem).unwrap_or(problem);
        self.error(span, &key, problem)
    }

    fn error(&self, span: Range<usize>, key: &str, problem: impl Into<String>) -> ConfigError {
        let line = self.before(span.start).matches('\n').count() + 1;
        ConfigError::InFile {
            path: self.path.to_owned(),
            line,
            key: key.to_owned(),
            problem: problem.into(),
        }
    }

    /// The key that starts at an offset or whose value contains it; `""` if there is none.
    fn key_at(&self, offset: usize) -> &str {
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let after = self.text.get(offset..).unwrap_or_default();
        let length = after.find(|c| !is_key(c)).unwrap_or(after.len());
        let (key, rest) = after.split_at(length);
        if !key.is_empty() && rest.trim_start_matches([' ', '\t']).starts_with('=') {
            return key;
        }
        let before = self.before(offset);
        // Table headers belong to no key.
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text.get(line..).unwrap_or_default();
        if is_header(line.lines().next().unwrap_or_default()) {
            return "";
        }
        let (before, _) = before.rsplit_once('=').unwrap_or_default();
        let mut words = before.trim_end().rsplit(|c| !is_key(c));
        words.next().unwrap_or_default()
    }

    /// The line at an offset, without white space around it.
    fn line_at(&self, offset: usize) -> &str {
        let start = self.before(offset).rfind('\n').map_or(0, |at| at + 1);
        let rest = self.text.get(start..).unwrap_or_default();
        rest.lines().next().unwrap_or_default().trim()
    }

    fn before(&self, offset: usize) -> &str {
        self.text.get(..offset).unwrap_or(self.text)
    }
}

/// Whether a line is the header of a table, and no line of a list: `[check]`, `[[project]] # comment`.
fn is_header<'l>(line: &'l str) -> bool {
    let line = line.split('#').next().unwrap_or_default().trim();
    let in_brackets = |text: &'l str| text.strip_prefix('[')?.strip_suffix(']');
    let inside = in_brackets(line).unwrap_or_default();
    let key = in_brackets(inside).unwrap_or(inside).trim();
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    !key.is_empty() && key.chars().all(is_key)
}

#[cfg(test)]
mod tests;
