//! Masks with `**`.

use super::*;

fn mask(text: &str) -> GroupMask {
    GroupMask::new(text).unwrap()
}

#[test]
fn a_file_has_a_language_and_a_path_without_it() {
    let place = |text: &str, path: &str| {
        let found = mask(text)
            .place(path)
            .map(|(code, key)| (code.to_owned(), key.to_string()));
        if let Some((code, key)) = &found {
            assert_eq!(file_of_group(&mask(text).group(code), key).unwrap(), path);
        }
        found
    };
    let pair = |code: &str, key: &str| Some((code.to_owned(), key.to_owned()));
    assert_eq!(
        place("docs/*/**", "docs/pt-BR/a/b.md"),
        pair("pt-BR", "a/b.md")
    );
    assert_eq!(place("docs/*/**", "docs/guides/b.md"), None, "no language");
    assert_eq!(place("docs/*/**", "docs/de/.hidden/b.md"), None);
    assert_eq!(place("docs/*/**", "other/de/b.md"), None);
    let nested = "i18n/*/docusaurus-plugin-content-docs/current/**";
    let path = "i18n/de/docusaurus-plugin-content-docs/current/a.md";
    assert_eq!(place(nested, path), pair("de", "a.md"));
    assert_eq!(
        place("content/**.*.md", "content/a/x.de.md"),
        pair("de", "a/x.md")
    );
    assert_eq!(place("content/**.*.md", "content/a/v1.0.md"), None);
    assert_eq!(
        place("**/README_*.md", "a/b/README_zh.md"),
        pair("zh", "a/b/README.md")
    );
}

#[test]
fn a_mask_separates_language_and_rest() {
    for bad in [
        "docs/*/a",
        "docs/***",
        "a/*/b/*/**",
        "a/**/b/**",
        "a/?/*/**",
    ] {
        assert!(GroupMask::new(bad).is_none(), "{bad}");
    }
}

#[test]
fn a_source_is_a_language_or_what_no_language_has() {
    let docs = mask("docs/*/**");
    assert_eq!(docs.source("docs/en"), docs.group("en"));
    assert_eq!(docs.source("docs/en/**"), docs.group("en"));
    let root = docs.source("docs");
    assert_eq!(shown_group(&root).as_deref(), Some("docs"));
    let name = root.split('/').nth(1).unwrap();
    let folder = GroupFolder::of_name(name).unwrap();
    assert_eq!(folder.place("a/b.md"), Some(("", "a/b.md".into())));
    assert_eq!(folder.place("de/a/b.md"), None);
    assert_eq!(
        file_of_group(&root, "a/b.md").as_deref(),
        Some("docs/a/b.md")
    );
    let hugo = mask("content/**.*.md").source("content/**.md");
    let folder = GroupFolder::of_name(hugo.split('/').nth(1).unwrap()).unwrap();
    assert_eq!(folder.place("a/x.md"), Some(("", "a/x.md".into())));
    assert_eq!(folder.place("a/x.de.md"), None);
    assert_eq!(shown_group(&hugo).as_deref(), Some("content/**.md"));
    let other = mask("i18n/*/current/**").source("docs");
    assert_eq!(file_of_group(&other, "x.md").as_deref(), Some("docs/x.md"));
}

#[test]
fn people_see_the_directory_of_a_language() {
    let shown = |text: &str| shown_group(&mask(text).group("de")).unwrap();
    assert_eq!(
        shown("fastlane/metadata/android/*/**"),
        "fastlane/metadata/android/de"
    );
    assert_eq!(shown("content/**.*.md"), "content/**.de.md");
    assert_eq!(shown("*/**"), "de");
}
