//! The log and the rows of components whose translations are groups of files.

use crate::testing::{ReadHistory, read_as};
use gitglot_model::{ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::{History as Commits, commit};

const ANDROID: &str = "fastlane/metadata/android";

fn settings(mask: &str, template: &str, format: FileFormat) -> ComponentSettings {
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new(mask).unwrap());
    ComponentSettings::new(slug, mask, template, format)
}

fn store(commits: &Commits) -> ReadHistory {
    let (mask, template) = (format!("{ANDROID}/*/**"), format!("{ANDROID}/en-US"));
    read_as(
        settings(&mask, &template, FileFormat::AppStore),
        commits,
        &[],
    )
}

fn docs(mask: &str, template: &str, commits: &Commits) -> ReadHistory {
    read_as(settings(mask, template, FileFormat::Document), commits, &[])
}

fn file(path: &str) -> String {
    format!("{ANDROID}/{path}")
}

fn start() -> Commits {
    commit("one")
        .write(&file("en-US/title.txt"), "App\n")
        .write(&file("en-US/changelogs/1.txt"), "First.\n")
        .write(&file("de-DE/title.txt"), "Programm\n")
        .write(&file("de-DE/images/icon.png"), "binary")
}

#[test]
fn a_file_of_a_language_is_a_string() {
    let history = store(
        &start()
            .commit("two")
            .write(&file("de-DE/changelogs/1.txt"), "Erstes.\n"),
    );
    let entries = history.entries_of("two");
    assert_eq!(
        entries,
        [
            "New translation de changelogs/1.txt=Erstes.",
            "Translation completed de",
            "Resource update de"
        ]
    );
    let files = history.state.translations.iter();
    let files: Vec<_> = files
        .map(|it| (&*it.file_code, &*it.path, it.is_template))
        .collect();
    let (en, de) = (file("en-US"), file("de-DE"));
    assert_eq!(files, [("de-DE", &*de, false), ("en-US", &*en, true)]);
}

#[test]
fn images_and_line_breaks_at_the_end_are_no_text() {
    let history = store(
        &start()
            .commit("two")
            .write(&file("de-DE/images/icon.png"), "changed")
            .commit("three")
            .write(&file("de-DE/title.txt"), "Programm"),
    );
    assert_eq!(history.entries_of("two"), [""; 0]);
    assert_eq!(history.entries_of("three"), ["Resource update de"]);
}

#[test]
fn a_language_without_files_is_removed() {
    let history = store(&start().commit("two").delete(&file("de-DE/title.txt")));
    assert_eq!(
        history.entries_of("two"),
        [format!("Removed translation {ANDROID}/de-DE")]
    );
}

#[test]
fn a_document_with_a_language_in_its_name_has_a_source() {
    let commits = commit("one")
        .write("content/a/x.md", "Text")
        .write("content/a/x.de.md", "Wort")
        .commit("two")
        .write("content/a/x.md", "Texts");
    let history = docs("content/**.*.md", "content/**.md", &commits);
    let entries = history.entries_of("two");
    assert_eq!(entries[0], "Source string changed en a/x.md=Texts");
    let files = history.state.translations.iter();
    let files: Vec<_> = files.map(|it| (&*it.path, it.is_template)).collect();
    assert_eq!(
        files,
        [("content/**.de.md", false), ("content/**.md", true)]
    );
}

#[test]
fn a_source_is_what_no_language_has() {
    let commits = commit("one")
        .write("docs/a.md", "Text")
        .write("docs/guide/b.mdx", "More")
        .write("docs/de/guide/b.mdx", "Mehr")
        .commit("two")
        .write("docs/guide/b.mdx", "More text");
    let history = docs("docs/*/**", "docs", &commits);
    let template = history.state.translations.iter().find(|it| it.is_template);
    assert_eq!(template.unwrap().units.len(), 2);
    assert_eq!(
        history.entries_of("two")[0],
        "Source string changed en guide/b.mdx=More text"
    );
}
