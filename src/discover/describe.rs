//! Describes one repository as a project: the detected components, adjusted by the settings.

use std::collections::{HashMap, HashSet};

use super::candidates::{Member, extension, stem, unnamed_template};
use super::component::DetectedComponent;
use super::content::{ContentCache, UnreadableFiles};
use super::error::DiscoverError;
use super::expand::TakenSlugs;
use super::mask_index::MaskIndex;
use super::other_files::{OtherFiles, unused};
use super::tree_file::{FileLookup, ReadBlob, TreeFile};
use super::{detect, expand, groups, new_base, parts, template};
use crate::config;
use crate::config::{Overrides, RepositoryTarget};
use gitglot_checks::CheckSettings;
use gitglot_follow::{ComponentConfig, ProjectConfig};
use gitglot_model::{
    ComponentSettings, FileFormat, FileMask, MaskPattern, Slug, TableColumns, TooManyNames,
};

/// A repository as a project.
#[derive(Debug)]
pub struct Description {
    /// Its configuration.
    pub project: ProjectConfig,
    /// What detection found besides its components; nothing if the settings have the mask.
    pub rest: OtherFiles,
    /// What belongs to no component although it looks like translations, with the reason.
    pub left_out: UnreadableFiles,
}

/// What happens to components that are only known by the names of their files, because the texts do not parse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BrokenComponents {
    /// They are left out. Their format is a guess.
    LeaveOut,
    /// They are part of the project.
    Include,
}

/// Configures a project for a repository. Settings that are not given are detected from the files of a commit.
///
/// # Errors
/// If the files do not fit the settings, or nothing is found.
pub fn describe(
    target: &RepositoryTarget,
    files: &[TreeFile],
    broken: BrokenComponents,
    read: ReadBlob<'_>,
) -> Result<Description, DiscoverError> {
    let Overrides {
        project,
        component,
        filemask,
        source_language,
        ..
    } = &target.overrides;
    let slug = project
        .clone()
        .or_else(|| config::names::project_slug(&target.repo));
    let slug = slug.ok_or(DiscoverError::NamelessProject)?;
    let is_included = |file: &&TreeFile| !target.overrides.excludes(&file.path);
    let files: Vec<TreeFile> = files.iter().filter(is_included).cloned().collect();
    let files = &files[..];
    let (found, slugs, rest, left_out) = match filemask {
        Some(pattern) => {
            let found = of_pattern(pattern, &target.overrides, files, read);
            let (names, found) = found.map_err(|error| with_detected(error, files, read))?;
            let slugs = if pattern.has_name() {
                expand::slugs(pattern, &names, &found, &slug)
            } else {
                slugs(&found, &slug)
            };
            (found, slugs, OtherFiles::default(), UnreadableFiles::new())
        }
        None => {
            let (mut found, rest) = detect::detect_components(files, read);
            if broken == BrokenComponents::Include {
                found.extend(rest.broken.iter().cloned());
                found.sort_by(|a, b| a.filemask.as_str().cmp(b.filemask.as_str()));
            }
            let masks = found
                .iter()
                .map(|found| (&found.filemask, &*found.template));
            let left_out = unused(&rest.unreadable, masks);
            let found = adjusted(found, &target.overrides, files)?;
            let slugs = slugs(&found, &slug);
            (found, slugs, rest, left_out)
        }
    };
    let named_language = found
        .iter()
        .find_map(|component| component.source_language.clone());
    let found = found.into_iter().zip(slugs);
    let mut components: Vec<ComponentConfig> = found
        .map(|(found, slug)| configured(found, slug, target))
        .collect();
    if let Some(wanted) = component
        && !components.is_empty()
    {
        components = match filemask {
            Some(_) => choose(components, wanted)?,
            None => select(components, wanted)?,
        };
    }
    // Stores have codes such as en-US, which the program does not.
    let of_program = components
        .iter()
        .find(|component| !component.file_format.has_groups());
    let Some(first) = of_program.or(components.first()) else {
        return Err(DiscoverError::NothingFound(rest));
    };
    let found_language = || {
        named_language
            .unwrap_or_else(|| config::names::source_language(&first.filemask, &first.template))
    };
    let source_language = source_language.clone().unwrap_or_else(found_language);
    let project = ProjectConfig {
        name: slug.to_string(),
        slug,
        web: String::new(),
        instructions: String::new(),
        source_language,
        components,
    };
    Ok(Description {
        project,
        rest,
        left_out,
    })
}

/// Adds the masks that detection finds to an error of a mask that matches nothing.
fn with_detected(error: DiscoverError, files: &[TreeFile], read: ReadBlob<'_>) -> DiscoverError {
    const SHOWN: usize = 3;
    if !matches!(
        error,
        DiscoverError::NoFile(_) | DiscoverError::NoTemplate(_)
    ) {
        return error;
    }
    let (found, _) = detect::detect_components(files, read);
    let shown = found.iter().take(SHOWN);
    let shown = shown.map(|component| format!("'{}'", component.filemask.as_str()));
    let masks = shown.collect::<Vec<_>>().join(", ");
    let masks = match found.len().checked_sub(SHOWN) {
        Some(more @ 1..) => format!("{masks} and {more} more"),
        _ => masks,
    };
    if masks.is_empty() {
        error
    } else {
        DiscoverError::OtherMasks {
            problem: error.into(),
            masks,
        }
    }
}

/// The detected components with the given template and format.
fn adjusted(
    mut found: Vec<DetectedComponent>,
    given: &Overrides,
    files: &[TreeFile],
) -> Result<Vec<DetectedComponent>, DiscoverError> {
    if let Some(template) = &given.template {
        found = with_template(found, template, files)?;
    }
    if let Some(format) = given.file_format {
        // Documents and texts of stores have no other format.
        let fits = |own: FileFormat| own == format || !(own.has_groups() || format.has_groups());
        found.retain(|component| fits(component.file_format));
        for component in &mut found {
            component.file_format = format;
        }
    }
    Ok(found)
}

/// The component of each name of a pattern, with the names.
fn of_pattern(
    pattern: &MaskPattern,
    given: &Overrides,
    files: &[TreeFile],
    read: ReadBlob<'_>,
) -> Result<(Vec<String>, Vec<DetectedComponent>), DiscoverError> {
    let template = given.template.as_deref();
    let masks = masks(pattern, template, files)?;
    if masks.is_empty() {
        return Err(DiscoverError::NoFile(pattern.as_str().to_owned()));
    }
    let lookup = FileLookup::new(files);
    let index = MaskIndex::new(masks.iter().map(|(_, mask)| mask));
    let mut files_of_masks = vec![Vec::new(); masks.len()];
    for file in files {
        for at in index.matching(&file.path) {
            files_of_masks[at].push(file);
        }
    }
    let (mut names, mut found) = (Vec::new(), Vec::new());
    for ((name, mask), files) in masks.iter().zip(files_of_masks) {
        let template = template.map(|path| path.replace("{name}", name));
        let (template, format) = (template.as_deref(), given.file_format);
        found.push(of_mask(mask, template, format, files, &lookup, read)?);
        names.push(name.clone());
    }
    Ok((names, found))
}

/// The masks of a pattern with their names. A given template with a name selects the names that have one.
fn masks(
    pattern: &MaskPattern,
    template: Option<&str>,
    files: &[TreeFile],
) -> Result<Vec<(String, FileMask)>, TooManyNames> {
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    match template {
        Some(path) if pattern.has_name() && path.contains("{name}") => {
            expand::names_with_template(pattern, path, &paths)
        }
        _ => pattern.expand(paths.iter().map(String::as_str)),
    }
}

fn of_mask<'f>(
    mask: &FileMask,
    template: Option<&str>,
    format: Option<FileFormat>,
    files_of_mask: Vec<&'f TreeFile>,
    files: &FileLookup<'f>,
    read: ReadBlob<'_>,
) -> Result<DetectedComponent, DiscoverError> {
    let mut contents = ContentCache::new(read);
    let is_store = format == Some(FileFormat::AppStore);
    if mask.has_groups() || is_store {
        return groups::of_mask(mask, template, format, files.all());
    }
    if mask.has_parts() {
        return of_file(mask, format, files, &mut contents);
    }
    let code = |file: &'f TreeFile| {
        let captures = mask.captures(&file.path)?.into_iter();
        Some((file, captures.max_by_key(|code| code.len())?))
    };
    let members: Vec<Member<'_>> = files_of_mask.into_iter().filter_map(code).collect();
    refuse_ambiguous(mask, &members)?;
    let bilingual = match format {
        Some(format) => Some(format).filter(|format| !format.shape().has_template()),
        None => detect::bilingual_format(&members, &mut contents),
    };
    if let Some(file_format) = bilingual {
        if members.is_empty() {
            return Err(DiscoverError::NoFile(mask.as_str().to_owned()));
        }
        if let Some(template) = template {
            return Err(DiscoverError::Bilingual(template.to_owned()));
        }
        return Ok(DetectedComponent {
            new_base: new_base::of(mask, file_format, files),
            ..DetectedComponent::new(mask.clone(), String::new(), file_format)
        });
    }
    let mut is_named = template.is_some();
    let template = match template {
        Some(path) => {
            let found = files.get(path);
            found.ok_or_else(|| DiscoverError::NoTemplate(path.to_owned()))?
        }
        None if members.is_empty() => return Err(DiscoverError::NoFile(mask.as_str().to_owned())),
        None => {
            let unnamed = unnamed_template(mask.as_str(), files);
            let unnamed = unnamed.or_else(|| {
                template::elsewhere(mask.as_str(), &members, files, &|_| true, &mut contents)
            });
            let named = template::of_settings(mask.as_str(), &members, files, &mut contents);
            is_named = named.is_some();
            let found = named.or_else(|| template::choose(&members, unnamed, true, &mut contents));
            found.ok_or_else(|| DiscoverError::TemplateUnknown(mask.as_str().to_owned()))?
        }
    };
    let file_format = format.or_else(|| {
        let mut shown = std::iter::once(template).chain(members.iter().map(|(file, _)| *file));
        let shown = shown.find(|file| contents.of(file).is_some())?;
        detect::format_of(shown, &members, mask.as_str(), files, &mut contents)
    });
    let file_format = file_format.ok_or_else(|| {
        let reason = contents.unreadable.get(&template.path);
        DiscoverError::FormatUnknown {
            path: template.path.clone(),
            reason: reason
                .map_or("it cannot be read", String::as_str)
                .to_owned(),
        }
    })?;
    Ok(DetectedComponent {
        is_template_guessed: !is_named && template::is_guess(mask, &template.path),
        ..DetectedComponent::new(mask.clone(), template.path.clone(), file_format)
    })
}

/// The component of a file with all languages.
fn of_file(
    mask: &FileMask,
    format: Option<FileFormat>,
    files: &FileLookup<'_>,
    contents: &mut ContentCache<'_>,
) -> Result<DetectedComponent, DiscoverError> {
    let path = mask.as_str();
    let found = files.get(path);
    let file = found.ok_or_else(|| DiscoverError::NoFile(path.to_owned()))?;
    let format = format.or_else(|| parts::format_of(path));
    let format = format.or_else(|| FileFormat::with_extension(extension(path)?));
    let file_format = format.ok_or_else(|| DiscoverError::FormatUnknown {
        path: path.to_owned(),
        reason: "set the format".to_owned(),
    })?;
    mask.check_format(file_format)?;
    let bytes = contents.bytes(file, usize::MAX).unwrap_or_default();
    let split = gitglot_formats::split(file_format, &TableColumns::default(), &bytes).ok();
    Ok(DetectedComponent {
        source_language: split.and_then(|split| split.source_language),
        ..DetectedComponent::new(mask.clone(), path.to_owned(), file_format)
    })
}

/// Refuses a mask with several `*` if two files have the same language: one of them would not be served.
fn refuse_ambiguous(mask: &FileMask, members: &[Member<'_>]) -> Result<(), DiscoverError> {
    let paths = members.iter().map(|(file, _)| &*file.path);
    let Some((first, second, code)) = mask.clash(paths) else {
        return Ok(());
    };
    let example = mask.as_str().replacen('*', "{name}", 1);
    let example = example.replacen('*', "{language}", 1);
    Err(DiscoverError::Ambiguous {
        mask: mask.as_str().to_owned(),
        first,
        second,
        code,
        example,
    })
}

fn with_template(
    found: Vec<DetectedComponent>,
    template: &str,
    files: &[TreeFile],
) -> Result<Vec<DetectedComponent>, DiscoverError> {
    if !files.iter().any(|file| file.path == template) {
        return Err(DiscoverError::NoTemplate(template.to_owned()));
    }
    let names_it = |found: &DetectedComponent| {
        found.template == template || found.filemask.captures(template).is_some()
    };
    let mut found: Vec<DetectedComponent> = found.into_iter().filter(names_it).collect();
    for component in &mut found {
        template.clone_into(&mut component.template);
    }
    if found.is_empty() {
        Err(DiscoverError::MaskUnknown(template.to_owned()))
    } else {
        Ok(found)
    }
}

/// A slug per component: after its directories (docs/spec/settings.md#slugs); where several have the same, also after
/// its file.
fn slugs(found: &[DetectedComponent], project: &Slug) -> Vec<Slug> {
    let slug = |found: &DetectedComponent| config::names::component_slug(&found.filemask, project);
    let mut slugs: Vec<Slug> = found.iter().map(slug).collect();
    let mut counts: HashMap<Slug, usize> = HashMap::new();
    for slug in &slugs {
        *counts.entry(slug.clone()).or_default() += 1;
    }
    for (slug, found) in slugs.iter_mut().zip(found) {
        if counts.get(slug).is_some_and(|count| *count > 1) {
            let name = found.filemask.as_str().rsplit('/').next().unwrap_or("");
            let parts = stem(name).unwrap_or(name).split(['*', '.']);
            let parts = parts.map(|part| part.trim_matches(['-', '_']));
            let fixed: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
            if !fixed.is_empty()
                && let Some(longer) = Slug::derive(&format!("{slug}-{}", fixed.join("-")))
            {
                *slug = longer;
            }
        }
    }
    let mut taken = TakenSlugs::of(slugs.iter().cloned());
    let mut seen = HashSet::new();
    for slug in &mut slugs {
        if !seen.insert(slug.clone()) {
            *slug = taken.take(slug.clone());
        }
    }
    slugs
}

/// Names the component of a given mask; selects one of several by slug.
fn choose(
    mut components: Vec<ComponentConfig>,
    wanted: &Slug,
) -> Result<Vec<ComponentConfig>, DiscoverError> {
    if let [only] = &mut components[..] {
        only.settings.slug = wanted.clone();
        only.settings.name = wanted.to_string();
        return Ok(components);
    }
    select(components, wanted)
}

/// Selects components by slug.
fn select(
    mut components: Vec<ComponentConfig>,
    wanted: &Slug,
) -> Result<Vec<ComponentConfig>, DiscoverError> {
    let slugs = components.iter().map(|component| component.slug.as_str());
    let found = slugs.collect::<Vec<_>>().join(", ");
    components.retain(|component| component.slug == *wanted);
    if components.is_empty() {
        Err(DiscoverError::NoSuchComponent {
            wanted: wanted.to_string(),
            found,
        })
    } else {
        Ok(components)
    }
}

fn configured(found: DetectedComponent, slug: Slug, target: &RepositoryTarget) -> ComponentConfig {
    let new = ComponentSettings::new(slug, found.filemask, &found.template, found.file_format);
    let settings = ComponentSettings {
        is_template_guessed: found.is_template_guessed && target.overrides.template.is_none(),
        branches: target.overrides.branches.clone().unwrap_or_default(),
        new_base: found.new_base,
        ..new
    };
    ComponentConfig {
        access: (*target.access).clone(),
        branch: target.overrides.branch.clone(),
        checks: CheckSettings {
            syntax: target.overrides.message_syntax,
            ..CheckSettings::default()
        },
        ..ComponentConfig::new(target.repo.clone(), settings)
    }
}
