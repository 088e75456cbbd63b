//! The log and the rows of components whose file has all languages.

use crate::testing::{ReadHistory, read_as};
use gitglot_model::{ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::{History as Commits, commit};

const FILE: &str = "App/L.xcstrings";

fn read_steps(commits: &Commits, tips: &[&str]) -> ReadHistory {
    let (slug, mask) = (Slug::new("app").unwrap(), FileMask::new(FILE).unwrap());
    let settings = ComponentSettings::new(slug, mask, FILE, FileFormat::StringCatalog);
    read_as(settings, commits, tips)
}

fn read(commits: &Commits) -> ReadHistory {
    read_steps(commits, &[])
}

/// A key with the code, the state and the text of each language.
type KeyTexts<'a> = (&'a str, &'a [(&'a str, &'a str, &'a str)]);

/// A catalog of strings.
fn catalog(strings: &[KeyTexts<'_>]) -> String {
    let strings = strings.iter().map(|(key, languages)| {
        let languages = languages.iter().map(|(code, state, text)| {
            format!("\"{code}\" : {{\"stringUnit\" : {{\"state\" : \"{state}\", \"value\" : \"{text}\"}}}}")
        });
        let languages = languages.collect::<Vec<_>>().join(",\n");
        format!("\"{key}\" : {{\"localizations\" : {{\n{languages}\n}}}}")
    });
    let strings = strings.collect::<Vec<_>>().join(",\n");
    format!(
        "{{\n\"sourceLanguage\" : \"en\",\n\"strings\" : {{\n{strings}\n}},\n\"version\" : \"1.0\"\n}}"
    )
}

fn start() -> Commits {
    let text = catalog(&[
        (
            "Open",
            &[("de", "translated", "Auf"), ("fr", "translated", "Ouvrir")],
        ),
        ("Close", &[("de", "translated", "Zu")]),
    ]);
    commit("one").write(FILE, &text)
}

#[test]
fn a_text_of_one_language_changes_that_language_only() {
    let text = catalog(&[
        (
            "Open",
            &[
                ("de", "translated", "Öffnen"),
                ("fr", "translated", "Ouvrir"),
            ],
        ),
        ("Close", &[("de", "translated", "Zu")]),
    ]);
    let history = read(&start().commit("two").write(FILE, &text));
    let entries = history.entries_of("two");
    assert_eq!(
        entries,
        ["Translation changed de Open=Öffnen", "Resource update de"]
    );
    let files = history.state.translations.iter();
    let files: Vec<_> = files
        .map(|it| (&*it.file_code, &*it.path, it.is_template))
        .collect();
    assert_eq!(
        files,
        [("en", FILE, true), ("de", FILE, false), ("fr", FILE, false)]
    );
}

#[test]
fn another_order_and_other_spaces_write_nothing() {
    let text = catalog(&[
        ("Close", &[("de", "translated", "Zu")]),
        (
            "Open",
            &[("fr", "translated", "Ouvrir"), ("de", "translated", "Auf")],
        ),
    ]);
    let history = start().commit("two").write(FILE, text.replace('\n', " "));
    assert_eq!(read(&history).entries_of("two"), [""; 0]);
}

#[test]
fn languages_and_strings_come_and_go() {
    let text = catalog(&[
        (
            "Close",
            &[("cs", "translated", "Zavřít"), ("de", "new", "")],
        ),
        (
            "Open",
            &[
                ("de", "needs_review", "Auf"),
                ("en", "translated", "Open it"),
            ],
        ),
    ]);
    let history = read(&start().commit("two").write(FILE, &text));
    assert_eq!(
        history.entries_of("two"),
        [
            "Source string changed en Open=Open it",
            "Resource update en",
            "New translation cs Close=Zavřít",
            "Resource update cs",
            "Translation changed de Close=",
            "Resource update de",
            "Removed translation App/L.xcstrings (fr)",
        ]
    );
    assert_eq!(history.stale("de"), ["Open="]);
}

#[test]
fn a_broken_catalog_is_reported_once_and_keeps_its_texts() {
    let whole = catalog(&[("Open", &[("de", "translated", "Öffnen")])]);
    let history = start()
        .commit("two")
        .write(FILE, &whole[..whole.len() - 2])
        .commit("three")
        .write("other", "x")
        .commit("four")
        .write(FILE, &whole);
    for tips in [&["four"][..], &["one", "two", "three", "four"]] {
        let history = read_steps(&history, tips);
        assert_eq!(history.entries_of("two"), ["Parse error App/L.xcstrings"]);
        assert_eq!(history.entries_of("three"), [""; 0]);
        let changed = "Translation changed de Open=Öffnen".to_owned();
        assert!(history.entries_of("four").contains(&changed));
    }
    for tips in [&["three"][..], &["one", "two", "three"]] {
        let state = read_steps(&history, tips).state;
        assert_eq!((state.sources.len(), state.translations.len()), (2, 3));
        let problems: Vec<_> = state
            .problems
            .iter()
            .map(|it| (&*it.path, it.broken))
            .collect();
        assert_eq!(problems, [(FILE, true)]);
        let reason = &state.problems[0].reason;
        assert!(
            reason.starts_with("line 8, column 18: expected"),
            "{reason}"
        );
    }
}

#[test]
fn a_moved_catalog_keeps_the_history_of_its_texts() {
    let history = start()
        .commit("two")
        .rename(FILE, "Other/Strings.xcstrings");
    let (slug, mask) = (
        Slug::new("app").unwrap(),
        FileMask::new("Other/Strings.xcstrings").unwrap(),
    );
    let settings = ComponentSettings::new(
        slug,
        mask,
        "Other/Strings.xcstrings",
        FileFormat::StringCatalog,
    );
    let history = read_as(settings, &history, &[]);
    assert_eq!(history.entries_of("two"), [""; 0]);
    assert!(
        history
            .entries_of("one")
            .contains(&"New translation de Open=Auf".to_owned())
    );
    let older: Vec<_> = history.state.translations[1]
        .older_paths
        .iter()
        .map(|it| &**it)
        .collect();
    assert_eq!(older, [FILE]);
}
