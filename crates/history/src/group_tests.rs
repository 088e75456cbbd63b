//! The log and the rows of components whose translations are groups of files.

use crate::testing::{ReadHistory, read_as};
use gitglot_model::{ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::{ANNA, History as Commits, commit};

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

/// A file for plurals with the forms of one string.
fn plurals(one: &str, other: &str) -> String {
    format!(
        "<plist><dict><key>files</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>\
         <key>one</key><string>{one}</string><key>other</key><string>{other}</string></dict></dict></dict></plist>\n"
    )
}

fn tables(commits: &Commits) -> ReadHistory {
    let (mask, template) = ("App/*.lproj/L.strings**", "App/en.lproj/L.strings");
    read_as(
        settings(mask, template, FileFormat::AppleStrings),
        commits,
        &[],
    )
}

fn strings() -> Commits {
    commit("one")
        .write("App/en.lproj/L.strings", "\"a\" = \"One\";\n")
        .write("App/en.lproj/L.stringsdict", plurals("%d file", "%d files"))
        .write("App/de.lproj/L.strings", "\"a\" = \"Eins\";\n")
        .write(
            "App/de.lproj/L.stringsdict",
            plurals("%d Datei", "%d Dateien"),
        )
}

#[test]
fn a_plural_next_to_a_strings_file_is_a_string_of_it() {
    let history = tables(
        &strings()
            .commit("two")
            .write(
                "App/de.lproj/L.stringsdict",
                plurals("eine Datei", "%d Dateien"),
            )
            .commit("three")
            .write("App/de.lproj/L.stringsdict", "<plist><dict><key>")
            .commit("four")
            .write("App/de.lproj/L.strings", "\"a\" = \"Uno\";\n")
            .delete("App/de.lproj/L.stringsdict"),
    );
    assert_eq!(
        history.entries_of("two"),
        [
            "Translation changed de files=eine Datei\u{1e}\u{1e}%d Dateien",
            "Resource update de"
        ]
    );
    assert_eq!(
        history.entries_of("three"),
        ["Parse error App/de.lproj/L.strings"]
    );
    assert_eq!(history.entries_of("four").len(), 3);
    let files = history.state.translations.iter();
    let files: Vec<_> = files.map(|it| (&*it.path, it.is_template)).collect();
    assert_eq!(
        files,
        [
            ("App/de.lproj/L.strings", false),
            ("App/en.lproj/L.strings", true)
        ]
    );
}

#[test]
fn strings_files_that_move_keep_their_history_with_their_plurals() {
    let mut commits = strings().commit("two");
    for (folder, words) in [
        ("en", ["One", "%d file", "%d files"]),
        ("de", ["Eins", "%d Datei", "%d Dateien"]),
    ] {
        let [text, one, other] = words;
        for (ending, bytes) in [
            ("strings", format!("\"a\" = \"{text}\";\n")),
            ("stringsdict", plurals(one, other)),
        ] {
            commits = commits
                .delete(&format!("App/{folder}.lproj/L.{ending}"))
                .write(&format!("Kit/{folder}.lproj/L.{ending}"), bytes);
        }
    }
    let (mask, template) = ("Kit/*.lproj/L.strings**", "Kit/en.lproj/L.strings");
    let history = read_as(
        settings(mask, template, FileFormat::AppleStrings),
        &commits,
        &[],
    );
    assert_eq!(history.entries_of("two"), [""; 0]);
    assert!(
        history
            .entries_of("one")
            .contains(&"New translation de files=%d Datei\u{1e}\u{1e}%d Dateien".to_owned()),
        "{:?}",
        history.entries_of("one")
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

/// The stale documents at the last commit, each with the source that it was made from.
fn stale(history: &ReadHistory) -> Vec<String> {
    let state = &history.state;
    let translations = state.translations.iter();
    let stale = translations.flat_map(|it| it.stale.iter());
    let stale = stale.map(|(row, source)| {
        let key = state.sources[*row as usize].context;
        [state.texts.get(key), "=", state.texts.get(*source)].concat()
    });
    stale.collect()
}

#[test]
fn the_commit_that_a_document_records_decides() {
    let folder = tempfile::tempdir().unwrap();
    let one = commit("one")
        .write("docs/en/a.md", "Text")
        .write("docs/en/b.md", "Text");
    let two = one
        .clone()
        .commit("two")
        .write("docs/en/a.md", "Texts")
        .write("docs/en/b.md", "Texts");
    let repo = gitglot_testkit::Repo::with(&folder.path().join("a.git"), &two);
    let document = |field: &str, name: &str| {
        let id = repo.id(name);
        format!("---\n{field}: {id}\n---\nWort")
    };
    let written = two
        .commit("three")
        .write("docs/de/a.md", document("sourceCommit", "one"))
        .write("docs/de/b.md", document("own", "two"))
        .commit("four")
        .write("docs/en/b.md", "More");
    let history = docs("docs/*/**", "docs/en", &written);
    assert_eq!(stale(&history), ["a.md=Text", "b.md=Texts"]);
    let written = written
        .commit("five")
        .write("docs/de/a.md", document("sourceCommit", "two"))
        .write("docs/de/b.md", document("own", "two"));
    let history = docs("docs/*/**", "docs/en", &written);
    assert_eq!(stale(&history), ["b.md=Texts"]);
    let other = "0123456789012345678901234567890123456789";
    let written = written.commit("six").write(
        "docs/de/b.md",
        format!("---\nsourceCommit: {other}\n---\nWort"),
    );
    let history = docs("docs/*/**", "docs/en", &written);
    assert_eq!(stale(&history), [""; 0], "the commit is not here");
    let mut own = settings("docs/*/**", "docs/en", FileFormat::Document);
    own.source_commits = vec!["own".to_owned()];
    let written = written
        .commit("seven")
        .write("docs/de/b.md", document("own", "two"));
    let history = read_as(own, &written, &[]);
    assert_eq!(stale(&history), ["b.md=Texts"], "a field of the settings");
}

#[test]
fn the_first_digits_of_a_commit_and_one_before_a_move_decide() {
    let folder = tempfile::tempdir().unwrap();
    let long = |last: &str| format!("one\ntwo\nthree\nfour\n{last}\n");
    let commits = commit("one")
        .write("docs/en/old/a.md", long("First"))
        .write("docs/en/b.md", "Text")
        .commit("two")
        .write("docs/en/old/a.md", long("Second"))
        .commit("three")
        .delete("docs/en/old/a.md")
        .write("docs/en/new/a.md", long("Third"));
    let repo = gitglot_testkit::Repo::with(&folder.path().join("a.git"), &commits);
    let document = |name: &str| {
        let id = repo.id(name).to_string();
        format!(
            "---\ndefault_lang_commit: {} # patched\n---\nWort",
            &id[..8]
        )
    };
    let written = commits
        .clone()
        .commit("four")
        .write("docs/de/new/a.md", document("two"));
    let history = docs("docs/*/**", "docs/en", &written);
    assert_eq!(stale(&history), [["new/a.md=", &long("Second")].concat()]);
    let written = commits
        .commit("four")
        .write("docs/de/new/a.md", document("three"));
    assert_eq!(stale(&docs("docs/*/**", "docs/en", &written)), [""; 0]);
}

#[test]
fn a_document_that_moves_and_changes_stays_stale() {
    let long = |last: &str| format!("one\ntwo\nthree\nfour\n{last}\n");
    let commits = commit("one")
        .write("docs/en/a.md", long("First"))
        .write("docs/de/a.md", long("Erster"))
        .commit("two")
        .delete("docs/en/a.md")
        .write("docs/en/b.md", long("Second"))
        .commit("three")
        .rename("docs/de/a.md", "docs/de/b.md");
    let history = docs("docs/*/**", "docs/en", &commits);
    assert_eq!(stale(&history), [["b.md=", &long("First")].concat()]);
}

#[test]
fn the_date_that_a_document_records_decides() {
    let document = |date: &str| format!("---\nsource-updated-at: {date}\n---\nWort {date}");
    let source = commit("one")
        .by_at(ANNA, "2024-01-01 10:00")
        .write("docs/en/a.md", "First")
        .commit("two")
        .by_at(ANNA, "2024-02-01 10:00")
        .write("docs/en/a.md", "Second")
        .commit("three")
        .by_at(ANNA, "2024-03-01 10:00")
        .write("docs/en/a.md", "Third")
        .commit("four")
        .by_at(ANNA, "2024-03-01 12:00")
        .write("docs/en/a.md", "Fourth");
    let made_from = |date: &str| {
        let written = source
            .clone()
            .commit("translation")
            .by_at(ANNA, "2024-04-01 10:00")
            .write("docs/de/a.md", document(date));
        stale(&docs("docs/*/**", "docs/en", &written))
    };
    assert_eq!(made_from("2024-01-20"), ["a.md=First"]);
    assert_eq!(made_from("2024-02-01T09:59:59+02:00"), ["a.md=First"]);
    assert_eq!(made_from("2024-02-01T08:00:00.000Z"), ["a.md=Second"]);
    assert_eq!(made_from("2024-02-01"), ["a.md=Second"], "changed that day");
    assert_eq!(made_from("2024-03-01T09:00:00Z"), ["a.md=Third"]);
    for ignored in ["2024-03-01", "2023-12-01", "2024-05-01", "01/20/2024"] {
        assert_eq!(made_from(ignored), [""; 0], "{ignored}");
    }
}

#[test]
fn a_document_of_its_own_records_its_source() {
    let folder = tempfile::tempdir().unwrap();
    let one = commit("one").write("README.md", "Text");
    let two = one.commit("two").write("README.md", "Texts");
    let repo = gitglot_testkit::Repo::with(&folder.path().join("a.git"), &two);
    let document = |name: &str| format!("---\nsource_commit: {}\n---\nWort", repo.id(name));
    let written = two
        .commit("three")
        .write("README.de.md", document("one"))
        .write("README.fr.md", document("two"));
    let history = docs("README.*.md", "README.md", &written);
    assert_eq!(stale(&history), ["document=Text"]);
}

#[test]
fn an_ignored_commit_changes_no_source() {
    let commits = commit("one")
        .write("docs/en/a.md", "Text")
        .write("docs/en/b.md", "Text")
        .write("docs/de/a.md", "Wort")
        .write("docs/de/b.md", "Wort")
        .commit("two")
        .write("docs/en/b.md", "Old")
        .commit("three\n\n[i18n ignore]")
        .write("docs/en/a.md", "text")
        .write("docs/en/b.md", "older");
    let mut own = settings("docs/*/**", "docs/en", FileFormat::Document);
    own.ignored_commits = vec!["[i18n ignore]".to_owned()];
    let history = read_as(own, &commits, &[]);
    assert_eq!(stale(&history), ["b.md=Text"]);
}

#[test]
fn a_stale_text_that_an_ignored_commit_changes_stays_stale() {
    let commits = commit("one")
        .write("docs/en/a.md", "Text")
        .write("docs/en/b.md", "Text")
        .write("docs/en/c.md", "Text")
        .write("docs/de/a.md", "Wort")
        .write("docs/de/b.md", "Wort")
        .write("docs/de/d.md", "Wort")
        .commit("two")
        .write("docs/en/b.md", "New")
        .commit("three [i18n ignore]")
        .write("docs/en/d.md", "Text")
        .write("docs/de/d.md", "Wort.")
        .write("docs/en/a.md", "Text.")
        .write("docs/de/a.md", "Wort.")
        .write("docs/de/b.md", "Wort.")
        .write("docs/de/c.md", "Wort.");
    let mut own = settings("docs/*/**", "docs/en", FileFormat::Document);
    own.ignored_commits = vec!["[i18n ignore]".to_owned()];
    let history = read_as(own.clone(), &commits, &[]);
    assert_eq!(stale(&history), ["b.md=Text"]);
    // The body of a squashed commit has the messages of others.
    for message in ["four", "four\n\n* more [i18n ignore]"] {
        let translated = commits.clone().commit(message);
        let translated = translated.write("docs/de/b.md", "Neu");
        let history = read_as(own.clone(), &translated, &[]);
        assert_eq!(stale(&history), [""; 0], "{message}");
    }
}

#[test]
fn a_document_of_a_branch_was_made_from_the_source_that_it_agrees_with() {
    let (old, new) = ("# A\n## What\nText\n", "# A\nText\n");
    let (own, followed) = ("# A\n## Was\nWort\n", "# A\nWort\n");
    let start = commit("one")
        .write("docs/en/a.md", old)
        .write("docs/de/a.md", own)
        .write("docs/en/b.md", old)
        .write("docs/de/b.md", own);
    let commits = start
        .commit("two")
        .write("docs/en/a.md", new)
        .write("docs/en/b.md", new)
        .branch_at("side", "one")
        .commit("three")
        .write("docs/de/a.md", followed)
        .write("docs/de/b.md", own.replace("Wort", "Worte"))
        .branch("main")
        .commit("four")
        .merge("three")
        .write("docs/de/a.md", followed)
        .write("docs/de/b.md", own.replace("Wort", "Worte"));
    let history = docs("docs/*/**", "docs/en", &commits);
    assert_eq!(stale(&history), [format!("b.md={old}")]);
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
