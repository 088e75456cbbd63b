//! Default slugs and the default source language.

use gitglot_follow::RepoAddress;
use gitglot_model::{FileMask, Slug, language};

/// The default slug of a project, from the last path segment of its repository; `None` for an address without a path.
/// Rules: `docs/spec/settings.md#slugs`.
pub fn project_slug(repo: &RepoAddress) -> Option<Slug> {
    Slug::derive(&repo.last_part())
}

/// The default slug of a component, from the directories of its mask without wildcards, or else from its project.
/// Rules: `docs/spec/settings.md#slugs`.
pub fn component_slug(mask: &FileMask, project: &Slug) -> Slug {
    let (folders, _) = mask.as_str().rsplit_once('/').unwrap_or_default();
    let fixed: Vec<&str> = folders
        .split('/')
        .filter(|folder| !folder.contains(['*', '?', '[', '{']))
        .map(|folder| folder.trim_start_matches(['_', '.']))
        .filter(|folder| !folder.is_empty())
        .collect();
    Slug::derive(&fixed.join("-")).unwrap_or_else(|| project.clone())
}

/// The default source language: `en`, unless the template is named after a different language.
/// Rules: `docs/spec/settings.md#source-language`.
pub fn source_language(mask: &FileMask, template: &str) -> String {
    const DEFAULT: &str = "en";
    let path = mask.source_path(template);
    let Some(code) = mask.matches(&path) else {
        return DEFAULT.to_owned();
    };
    let found = language::resolve(code);
    let base = |code: &str| {
        let base = code.split(['_', '-', '@']).next();
        base.unwrap_or("").to_ascii_lowercase()
    };
    let is_known = found.rank.is_some() || language::resolve(&base(code)).rank.is_some();
    if is_known && base(&found.code) != DEFAULT {
        found.code.to_string()
    } else {
        DEFAULT.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_is_named_after_the_directories_of_its_mask() {
        let project = Slug::new("project").unwrap();
        for (mask, slug) in [
            ("src/_locales/*/messages.json", "src-locales"),
            (
                "platform/mv3/extension/_locales/*/messages.json",
                "platform-mv3-extension-locales",
            ),
            ("data/web/lang/lang.*.json", "data-web-lang"),
            ("locales/*.json", "locales"),
            ("public/*/locales/*.json", "public-locales"),
            (".i18n/My Strings/*.json", "i18n-my-strings"),
            ("*.json", "project"),
            ("*/messages.json", "project"),
            ("_/*.json", "project"),
        ] {
            assert_eq!(
                component_slug(&FileMask::new(mask).unwrap(), &project).as_str(),
                slug,
                "{mask}"
            );
        }
    }

    #[test]
    fn a_project_is_named_after_its_repository() {
        let slug =
            |text| project_slug(&RepoAddress::parse(text, std::path::Path::new("/")).unwrap());
        assert_eq!(
            slug("https://github.com/gorhill/uBlock.git")
                .unwrap()
                .as_str(),
            "ublock"
        );
        assert_eq!(
            slug("https://host.example/a/my project").unwrap().as_str(),
            "my-project"
        );
        assert_eq!(slug("https://host.example"), None);
    }
}
