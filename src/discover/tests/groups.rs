//! Directories of languages whose files are one string each.

use super::*;

#[test]
fn texts_of_app_stores_are_found_in_each_flavour() {
    let tree = Tree::new(&[
        ("fastlane/metadata/android/en-US/title.txt", "App"),
        ("fastlane/metadata/android/en-US/changelogs/1.txt", "First"),
        (
            "fastlane/metadata/android/de-DE/full_description.txt",
            "Text",
        ),
        ("fastlane/metadata/en-US/description.txt", "Text"),
        ("fastlane/metadata/fr-FR/description.txt", "Texte"),
        ("fastlane/metadata/review_information/notes.txt", "x"),
        ("app/src/free/metadata/de/title.txt", "App"),
        ("other/metadata/en-US/title.txt", "App"),
        ("docs/en/notes.txt", "x"),
        ("docs/de/notes.txt", "x"),
    ]);
    let (found, other) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    let found: Vec<_> = found
        .iter()
        .map(|component| {
            (
                component.filemask.as_str(),
                &*component.template,
                component.file_format.name(),
            )
        })
        .collect();
    let (android, ios) = ("fastlane/metadata/android", "fastlane/metadata");
    assert_eq!(
        found,
        [
            (
                &*format!("{ios}/*/**"),
                &*format!("{ios}/en-US"),
                "appstore"
            ),
            (
                &*format!("{android}/*/**"),
                &*format!("{android}/en-US"),
                "appstore"
            ),
        ]
    );
    assert_eq!(
        other.problems(),
        [
            "app/src/free/metadata/*/**: left out: it has no directory with English texts, such as en-US; set the template",
            "other/metadata/*/**: left out: it has only the source language",
        ]
    );
}

/// The masks and templates of documents at these paths, and why others are left out.
fn documents(paths: &[&str]) -> (Vec<String>, Vec<String>) {
    let files: Vec<_> = paths.iter().map(|path| (*path, "# Text")).collect();
    let tree = Tree::new(&files);
    let (found, other) = detect_components(&tree.files, &mut |id| {
        tree.bytes.get(&id).map(|text| text.clone().into_bytes())
    });
    assert!(
        found
            .iter()
            .all(|component| component.file_format == FileFormat::Document)
    );
    let found = found.iter();
    let found = found
        .map(|component| [component.filemask.as_str(), " from ", &component.template].concat());
    (found.collect(), other.problems())
}

#[test]
fn directories_of_documents_have_their_source() {
    let (found, problems) = documents(&[
        "docs/en/a.md",
        "docs/en/b.mdx",
        "docs/en/no/c.md",
        "docs/de/a.md",
        "docs/de/b.mdx",
        "docs/de/no/c.md",
        "src/content/docs/index.mdx",
        "src/content/docs/guides/it/x.md",
        "src/content/docs/pt-br/index.mdx",
        "src/content/docs/pt-br/guides/it/x.md",
        "site/docs/a.md",
        "site/docs/b/c.md",
        "site/i18n/de/docusaurus-plugin-content-docs/current/a.md",
        "site/i18n/fr/docusaurus-plugin-content-docs/current/b/c.md",
        "guides/is/a.md",
        "guides/is/b.md",
        "guides/to/a.md",
    ]);
    assert_eq!(
        found,
        [
            "docs/*/** from docs/en",
            "site/i18n/*/docusaurus-plugin-content-docs/current/** from site/docs",
            "src/content/docs/*/** from src/content/docs",
        ]
    );
    assert_eq!(problems, [""; 0]);
    let (found, problems) = documents(&["d/fr/a.md", "d/fr/b.md", "d/de/a.md", "d/de/b.md"]);
    assert_eq!(found, [""; 0]);
    let reason = "d/*/**: left out: no language of these documents is English; set the template and the source language";
    assert_eq!(problems, [reason]);
}

#[test]
fn many_documents_with_a_source_are_translations_next_to_generated_ones() {
    let paths = |known: usize| {
        let source = (0..known).map(|at| format!("docs/{at}.md"));
        let translated = (0..known).map(|at| format!("docs/zh/{at}.md"));
        let moved = (0..2 * known).map(|at| format!("docs/zh/api/{at}.md"));
        let all = source.chain(translated).chain(moved);
        all.collect::<Vec<_>>()
    };
    let found = |known| {
        let paths = paths(known);
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        documents(&paths).0
    };
    assert_eq!(found(10), ["docs/*/** from docs"]);
    assert!(found(9).is_empty());
}

#[test]
fn documents_with_a_language_in_their_names_have_a_source() {
    let (found, problems) = documents(&[
        "README.md",
        "README.zh-CN.md",
        "docs/README_pt_BR.md",
        "docs/how.md",
        "docs/how-to.md",
        "lib/README.md",
        "lib/README.en.md",
        "lib/README.zh.md",
    ]);
    assert_eq!(
        found,
        [
            "README.*.md from README.md",
            "docs/README_*.md from README.md"
        ]
    );
    let reason = "lib/README.*.md: left out: its English text is lib/README.en.md, so the language of lib/README.md is unknown; set the template and the source language";
    assert_eq!(problems, [reason]);
    let (found, problems) = documents(&[
        "README.md",
        "README.zh.md",
        "README.docker.md",
        "samples/README.md",
        "samples/rs/README.md",
        "samples/ts/README.md",
    ]);
    assert_eq!(found, [""; 0]);
    let reason = "README.*.md: left out: README.docker.md has no language in its name; exclude it, or set the file mask and the template";
    assert_eq!(problems, [reason]);
    let posts: Vec<_> = (0..6)
        .flat_map(|n| [format!("content/{n}/x.md"), format!("content/{n}/x.de.md")])
        .collect();
    let posts: Vec<_> = posts.iter().map(|path| &**path).collect();
    let (found, _) = documents(&posts);
    assert_eq!(found, ["content/**.*.md from content/**.md"]);
}

/// The paths of documents in these directories.
fn in_folders(folders: &[&str], names: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in folders {
        paths.extend(names.iter().map(|name| format!("{folder}/{name}")));
    }
    paths
}

#[test]
fn directories_with_a_language_in_their_names_have_their_source() {
    let found = |folders: &[&str], names: &[&str]| {
        let paths = in_folders(folders, names);
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        documents(&paths)
    };
    let names = ["common/a.md", "common/a.sh.md", "b.md"];
    let (masks, problems) = found(&["pages", "pages.pt_BR", "pages.zh"], &names);
    assert_eq!(masks, ["pages.*/** from pages"]);
    assert_eq!(problems, [""; 0]);
    let (masks, _) = found(&["x/docs", "x/docs-zh-CN"], &names);
    assert_eq!(masks, ["x/docs-*/** from x/docs"]);
    let (masks, _) = found(&["docs_en", "docs_de"], &["a.md", "b.md"]);
    assert_eq!(masks, ["docs_*/** from docs_en"]);
    // These are no languages, or have no source.
    for folders in [
        &["app", "app-ts"][..],
        &["docs", "docs-old"],
        &["docs-de", "docs-fr"],
    ] {
        assert_eq!(found(folders, &["a.md", "b.md"]).0, [""; 0], "{folders:?}");
    }
    let (masks, _) = found(&["a", "a-de"], &["README.md", "LICENSE.md"]);
    assert_eq!(masks, [""; 0]);
    // So do the directories outside.
    let (masks, _) = found(
        &[
            "docs",
            "docs-de",
            "docs/x",
            "docs/x-fr",
            "docs-de/x",
            "docs-de/x-fr",
        ],
        &["a.md", "b.md"],
    );
    assert_eq!(masks, ["docs-*/** from docs", "docs/x-*/** from docs/x"]);
    let (masks, _) = found(
        &["docs", "docs-de", "docs-v2/guide", "docs-v2/guide-de"],
        &["a.md", "b.md"],
    );
    assert_eq!(
        masks,
        [
            "docs-*/** from docs",
            "docs-v2/guide-*/** from docs-v2/guide"
        ]
    );
    // Directories of languages come first.
    let (masks, _) = found(
        &["docs/en/a", "docs/de/a", "docs/en/a-fr"],
        &["a.md", "b.md"],
    );
    assert_eq!(masks, ["docs/*/** from docs/en"]);
}

#[test]
fn the_ending_of_a_file_is_no_language_of_a_document() {
    let (found, problems) = documents(&["a/todo.md", "a/todo.sh.md", "a/how.md", "a/how.de.md"]);
    assert_eq!(found, ["a/how.*.md from a/how.md"]);
    let reason = "a/todo.*.md: left out: sh can be the ending of a file; if it is a language, set the file mask and the template";
    assert_eq!(problems, [reason]);
    let (found, _) = documents(&["a/todo.md", "a/todo.sh.md", "a/todo.de.md"]);
    assert_eq!(found, ["a/todo.*.md from a/todo.md"]);
    let (found, problems) = documents(&["a/todo.md", "a/todo.sh.md", "a/todo.rs.md"]);
    assert_eq!(found, [""; 0]);
    let reason = "a/todo.*.md: left out: sh, rs can be endings of files; if they are languages, set the file mask and the template";
    assert_eq!(problems, [reason]);
}
