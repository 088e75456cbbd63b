//! Names that are not given: slugs and the source language (design 5).

use super::RepoAddress;
use crate::language;
use crate::model::{FileMask, Slug};

/// The slug of a project that has none: the last part of its repository's path. `None` for an address without path.
pub fn project_slug(repo: &RepoAddress) -> Option<Slug> {
    Slug::derive(&repo.last_part())
}

/// The slug of a component that has none: the fixed folders of its mask, joined, without the underscores and dots
/// at their start; or the project's slug when there are none.
pub fn component_slug(mask: &FileMask, project: &Slug) -> Slug {
    let folders = mask.as_str().rsplit_once('/').map_or("", |(folders, _)| folders);
    let fixed: Vec<&str> = folders
        .split('/')
        .filter(|folder| !folder.contains(['*', '?', '[']))
        .map(|folder| folder.trim_start_matches(['_', '.']))
        .filter(|folder| !folder.is_empty())
        .collect();
    Slug::derive(&fixed.join("-")).unwrap_or_else(|| project.clone())
}

/// The source language that is not given: `en`, unless the template's name says another base language.
pub fn source_language(mask: &FileMask, template: &str) -> String {
    const DEFAULT: &str = "en";
    let Some(code) = mask.matches(template) else { return DEFAULT.to_owned() };
    let found = language::resolve(code);
    let base = |code: &str| code.split(['_', '-', '@']).next().unwrap_or("").to_ascii_lowercase();
    let known = found.rank.is_some() || language::resolve(&base(code)).rank.is_some();
    if known && base(&found.code) != DEFAULT { found.code.to_string() } else { DEFAULT.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_named_after_the_fixed_folders_of_its_mask() {
        let project = Slug::new("project").unwrap();
        for (mask, slug) in [
            ("src/_locales/*/messages.json", "src-locales"),
            ("platform/mv3/extension/_locales/*/messages.json", "platform-mv3-extension-locales"),
            ("data/web/lang/lang.*.json", "data-web-lang"),
            ("locales/*.json", "locales"),
            ("public/*/locales/*.json", "public-locales"),
            (".i18n/My Strings/*.json", "i18n-my-strings"),
            ("*.json", "project"),
            ("*/messages.json", "project"),
            ("_/*.json", "project"),
        ] {
            assert_eq!(component_slug(&FileMask::new(mask).unwrap(), &project).as_str(), slug, "{mask}");
        }
    }

    #[test]
    fn a_project_is_named_after_its_repository() {
        let slug = |text| project_slug(&RepoAddress::parse(text, std::path::Path::new("/")).unwrap());
        assert_eq!(slug("https://github.com/gorhill/uBlock.git").unwrap().as_str(), "ublock");
        assert_eq!(slug("https://host.example/a/my project").unwrap().as_str(), "my-project");
        assert_eq!(slug("https://host.example"), None);
    }
}
