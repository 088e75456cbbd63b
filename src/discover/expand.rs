//! Replaces components whose file masks have `{name}` by one component per name
//! (`docs/spec/settings.md#masks-with-placeholders`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::component::DetectedComponent;
use crate::config::names;
use gitglot_follow::{ComponentConfig, ComponentNames, ProjectConfig};
use gitglot_model::{ComponentSettings, FileMask, MaskPattern, Slug, TooManyNames};

/// Replaces each component with names. `list` returns the paths of its branch, or `None` if they are not known; then
/// the component remains. A component also remains if no name has a template, and, with the problem, if there are too many
/// names.
pub fn expand(
    projects: &[ProjectConfig],
    list: &mut dyn FnMut(&ComponentConfig) -> Option<Arc<[String]>>,
) -> Vec<ProjectConfig> {
    let expanded = |project: &ProjectConfig| project.with_components(expand_project(project, list));
    projects.iter().map(expanded).collect()
}

fn expand_project(
    project: &ProjectConfig,
    list: &mut dyn FnMut(&ComponentConfig) -> Option<Arc<[String]>>,
) -> Vec<ComponentConfig> {
    let components = project.components.iter();
    let fixed = components.filter(|component| component.names.is_none());
    let mut taken = TakenSlugs::of(fixed.map(|component| component.slug.clone()));
    let mut all = Vec::new();
    for component in &project.components {
        let mut expanded = Vec::new();
        let mut unexpanded = component.clone();
        if let Some(names) = &component.names
            && let Some(paths) = list(component)
        {
            let found = names_with_template(&names.filemask, &component.template, &paths);
            if let (Err(error), Some(names)) = (&found, &mut unexpanded.names) {
                names.problem = Some(error.to_string());
            }
            for (name, mask) in found.unwrap_or_default() {
                let slug = names.slug.as_ref();
                let slug = name_slug(&names.filemask, slug, &name, &mask, &project.slug);
                let slug = taken.take(slug);
                expanded.push(of_name(component, names, &name, mask, slug));
            }
        }
        if expanded.is_empty() {
            all.push(unexpanded)
        } else {
            all.append(&mut expanded)
        }
    }
    all
}

/// The names and masks of a pattern, without names that have no template.
pub(super) fn names_with_template(
    pattern: &MaskPattern,
    template: &str,
    paths: &[String],
) -> Result<Vec<(String, FileMask)>, TooManyNames> {
    let known: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let mut names = pattern.expand(paths.iter().map(String::as_str))?;
    // Files that have their own source texts have no template.
    if template.is_empty() {
        return Ok(names);
    }
    names.retain(|(name, mask)| {
        let path = template.replace("{name}", name);
        let has_template = known.contains(&*path);
        if !has_template {
            tracing::warn!(
                "the files of {} are not served: their template {path} does not exist",
                mask.as_str()
            );
        }
        has_template
    });
    Ok(names)
}

/// The slugs of all names of a pattern.
pub(super) fn slugs(
    pattern: &MaskPattern,
    names: &[String],
    found: &[DetectedComponent],
    project: &Slug,
) -> Vec<Slug> {
    let mut taken = TakenSlugs::default();
    let slugs = names.iter().zip(found);
    let slugs =
        slugs.map(|(name, component)| name_slug(pattern, None, name, &component.filemask, project));
    slugs.map(|slug| taken.take(slug)).collect()
}

fn of_name(
    component: &ComponentConfig,
    names: &ComponentNames,
    name: &str,
    mask: FileMask,
    slug: Slug,
) -> ComponentConfig {
    let settings = ComponentSettings {
        name: match &names.name {
            Some(first) => format!("{first} {name}"),
            None => slug.to_string(),
        },
        slug,
        filemask: mask,
        template: component.template.replace("{name}", name),
        ..component.settings.clone()
    };
    ComponentConfig {
        settings,
        names: None,
        ..component.clone()
    }
}

/// The slug of a name: the given slug and the name, or else the directories of the mask, and the name unless it is one
/// of them.
fn name_slug(
    pattern: &MaskPattern,
    given: Option<&Slug>,
    name: &str,
    mask: &FileMask,
    project: &Slug,
) -> Slug {
    let (folders, _) = pattern.as_str().rsplit_once('/').unwrap_or_default();
    let first = match given {
        Some(given) => given.clone(),
        None => names::component_slug(mask, project),
    };
    if given.is_none() && folders.contains("{name}") {
        return first;
    }
    Slug::derive(&format!("{first}-{name}")).unwrap_or(first)
}

/// The slugs that components have.
#[derive(Default)]
pub(super) struct TakenSlugs {
    taken: HashSet<Slug>,
    /// The last number of each slug that was taken more than once.
    numbers: HashMap<Slug, u32>,
}

impl TakenSlugs {
    pub(super) fn of(slugs: impl Iterator<Item = Slug>) -> Self {
        Self {
            taken: slugs.collect(),
            ..Self::default()
        }
    }

    /// Takes a slug, with a number if it is taken.
    pub(super) fn take(&mut self, slug: Slug) -> Slug {
        if self.taken.insert(slug.clone()) {
            return slug;
        }
        let number = self.numbers.entry(slug.clone()).or_insert(1);
        loop {
            *number += 1;
            if let Some(free) = Slug::derive(&format!("{slug}-{number}"))
                && self.taken.insert(free.clone())
            {
                return free;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_follow::RepoAddress;
    use gitglot_model::FileFormat;

    const PATHS: [&str; 6] = [
        "locales/en/common.json",
        "locales/cs/common.json",
        "locales/en/Error pages.json",
        "locales/cs/orphan.json",
        "packages/admin/locales/en.json",
        "packages/ui/locales/en.json",
    ];

    fn component(filemask: &str, template: &str, slug: Option<&str>) -> ComponentConfig {
        let pattern: MaskPattern = filemask.parse().unwrap();
        let slug = slug.map(|slug| Slug::new(slug).unwrap());
        let repo = RepoAddress::parse("/r", std::path::Path::new("/")).unwrap();
        let first = slug.clone().unwrap_or(Slug::new("first").unwrap());
        let names = ComponentNames {
            filemask: pattern.clone(),
            slug,
            name: None,
            problem: None,
        };
        let mask = pattern.without_names();
        let settings = ComponentSettings::new(first, mask, template, FileFormat::Json);
        ComponentConfig {
            names: Some(Box::new(names)),
            ..ComponentConfig::new(repo, settings)
        }
    }

    fn project(components: Vec<ComponentConfig>) -> ProjectConfig {
        ProjectConfig {
            slug: Slug::new("app").unwrap(),
            name: "app".to_owned(),
            web: String::new(),
            instructions: String::new(),
            source_language: "en".to_owned(),
            components,
        }
    }

    fn expanded(components: Vec<ComponentConfig>) -> Vec<(String, String, String)> {
        let paths = PATHS.map(str::to_owned).to_vec();
        let projects = expand(&[project(components)], &mut |_| Some(paths.clone().into()));
        projects[0]
            .components
            .iter()
            .map(|component| {
                (
                    component.slug.to_string(),
                    component.filemask.as_str().to_owned(),
                    component.template.clone(),
                )
            })
            .collect()
    }

    fn rows<const N: usize>(rows: [(&str, &str, &str); N]) -> Vec<(String, String, String)> {
        rows.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned()))
            .to_vec()
    }

    #[test]
    fn a_component_with_names_becomes_one_per_template() {
        let files = component(
            "locales/{language}/{name}.json",
            "locales/en/{name}.json",
            None,
        );
        let packages = component(
            "packages/{name}/locales/{language}.json",
            "packages/{name}/locales/en.json",
            None,
        );
        assert_eq!(
            expanded(vec![files, packages]),
            rows([
                (
                    "locales-error-pages",
                    "locales/*/Error pages.json",
                    "locales/en/Error pages.json"
                ),
                (
                    "locales-common",
                    "locales/*/common.json",
                    "locales/en/common.json"
                ),
                (
                    "packages-admin-locales",
                    "packages/admin/locales/*.json",
                    "packages/admin/locales/en.json"
                ),
                (
                    "packages-ui-locales",
                    "packages/ui/locales/*.json",
                    "packages/ui/locales/en.json"
                ),
            ])
        );
    }

    #[test]
    fn a_given_slug_begins_the_slugs_and_taken_ones_get_a_number() {
        let mut fixed = component("x/{language}/{name}.json", "x", Some("web-ui"));
        fixed.names = None;
        let packages = component(
            "packages/{name}/locales/{language}.json",
            "packages/{name}/locales/en.json",
            Some("web"),
        );
        let slugs: Vec<String> = expanded(vec![packages, fixed])
            .into_iter()
            .map(|row| row.0)
            .collect();
        assert_eq!(slugs, ["web-admin", "web-ui-2", "web-ui"]);
    }

    #[test]
    fn numbers_of_taken_slugs_ascend_and_skip_other_slugs() {
        let slug = |text: &str| Slug::new(text).unwrap();
        let mut taken = TakenSlugs::of([slug("a"), slug("a-3")].into_iter());
        let taken = ["a", "b", "a", "a", "b", "a-3"].map(|text| taken.take(slug(text)).to_string());
        assert_eq!(taken, ["a-2", "b", "a-4", "a-5", "b-2", "a-3-2"]);
    }

    #[test]
    fn a_component_with_too_many_names_remains_with_the_problem() {
        let component = component("a/{language}/{name}.json", "a/en/{name}.json", None);
        let paths: Vec<String> = (0..=1_000).map(|n| format!("a/en/{n}.json")).collect();
        let found = expand(&[project(vec![component])], &mut |_| {
            Some(paths.clone().into())
        });
        let [component] = &found[0].components[..] else {
            panic!("{found:?}")
        };
        let problem = component
            .names
            .as_ref()
            .unwrap()
            .problem
            .as_deref()
            .unwrap();
        assert!(problem.contains("more than 1000 names"), "{problem}");
    }

    #[test]
    fn a_component_without_known_names_remains_and_matches_no_file() {
        let component = component("a/{language}/{name}.json", "a/en/{name}.json", None);
        let same = vec![project(vec![component.clone()])];
        assert_eq!(expand(&same, &mut |_| None), same);
        assert_eq!(expand(&same, &mut |_| Some(Arc::default())), same);
        assert_eq!(component.filemask.matches("a/en/b.json"), None);
    }
}
