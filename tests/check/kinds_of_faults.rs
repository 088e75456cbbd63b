//! Faults of fifteen kinds in pull requests, in templates of any size, with and without a manifest that names the library.

use std::fmt::Write;
use std::fs;

use super::Run;
use super::common::{History, TestSite, commit};

/// A fault: its name, the manifest, the files, and a text with its right and its broken translation.
struct Kind {
    name: &'static str,
    manifest: (&'static str, &'static str),
    files: Files,
    texts: [&'static str; 3],
    /// What is found without the manifest, in a template of any size.
    without: &'static str,
}

/// The folder of the files.
#[derive(Clone, Copy)]
enum Files {
    Json(&'static str),
    Webextension,
}

const LOCALES: Files = Files::Json("locales");
const LANG: Files = Files::Json("lang");

const fn npm(dependencies: &'static str) -> (&'static str, &'static str) {
    ("package.json", dependencies)
}

/// The fifteen kinds.
const KINDS: [Kind; 15] = [
    Kind {
        name: "lost {name}",
        manifest: npm(r#"{"dependencies": {"vue-i18n": "^9"}}"#),
        files: LOCALES,
        texts: ["Delete {name}?", "{name} löschen?", "Datei PDF löschen?"],
        without: "error",
    },
    Kind {
        name: "lost {{name}}",
        manifest: npm(r#"{"dependencies": {"i18next": "^23"}}"#),
        files: LOCALES,
        texts: [
            "Delete {{name}}?",
            "{{name}} löschen?",
            "Datei PDF löschen?",
        ],
        without: "error",
    },
    Kind {
        name: "lost $t(key)",
        manifest: npm(r#"{"dependencies": {"i18next": "^23"}}"#),
        files: LOCALES,
        texts: ["Open $t(file)", "$t(file) öffnen", "Datei öffnen"],
        without: "error",
    },
    Kind {
        name: "lost %s",
        manifest: npm(r#"{"dependencies": {"y18n": "^5"}}"#),
        files: LOCALES,
        texts: ["Delete %s?", "%s löschen?", "Datei PDF löschen?"],
        without: "error",
    },
    Kind {
        name: "lost %2$s",
        manifest: ("build.gradle", "plugins { id 'fabric-loom' version '1.0' }"),
        files: LANG,
        texts: [
            "Copy %1$s to %2$s",
            "%1$s nach %2$s kopieren",
            "%1$s kopieren",
        ],
        without: "error",
    },
    Kind {
        name: "lost %(name)s",
        manifest: npm(r#"{"dependencies": {"counterpart": "^0.18"}}"#),
        files: LOCALES,
        texts: [
            "Delete %(name)s?",
            "%(name)s löschen?",
            "Datei PDF löschen?",
        ],
        without: "error",
    },
    Kind {
        name: "lost %{name}",
        manifest: npm(r#"{"dependencies": {"node-polyglot": "^2"}}"#),
        files: LOCALES,
        texts: ["Delete %{name}?", "%{name} löschen?", "Datei PDF löschen?"],
        without: "error",
    },
    Kind {
        name: "lost :name",
        manifest: (
            "composer.json",
            r#"{"require": {"laravel/framework": "^11"}}"#,
        ),
        files: LANG,
        texts: [
            "Delete :name now",
            ":name jetzt löschen",
            "Datei jetzt löschen",
        ],
        // One text alone does not show that a colon begins a value.
        without: "nothing",
    },
    Kind {
        name: "lost {0}",
        manifest: npm(r#"{"dependencies": {"vue-i18n": "^9"}}"#),
        files: LOCALES,
        texts: ["Delete {0}?", "{0} löschen?", "Datei PDF löschen?"],
        without: "error",
    },
    Kind {
        name: "lost $NAME$",
        manifest: ("manifest.json", r#"{"manifest_version": 3}"#),
        files: Files::Webextension,
        texts: ["Delete $NAME$?", "$NAME$ löschen?", "Datei PDF löschen?"],
        without: "error",
    },
    Kind {
        name: "lost <0>",
        manifest: npm(r#"{"dependencies": {"react-i18next": "^14"}}"#),
        files: LOCALES,
        texts: [
            "Read <0>this</0> first",
            "Erst <0>dies</0> lesen",
            "Erst dies lesen",
        ],
        without: "error",
    },
    Kind {
        name: "mistyped name",
        manifest: npm(r#"{"dependencies": {"i18next": "^23"}}"#),
        files: LOCALES,
        texts: ["Delete {{name}}?", "{{name}} löschen?", "{{nmae}} löschen?"],
        without: "error",
    },
    Kind {
        name: "swapped %s and %d",
        manifest: npm(r#"{"dependencies": {"y18n": "^5"}}"#),
        files: LOCALES,
        texts: ["%s has %d points", "%s hat %d Punkte", "%d Punkte hat %s"],
        without: "error",
    },
    Kind {
        name: "unclosed <b>",
        manifest: npm(r#"{"dependencies": {"react-intl": "^6"}}"#),
        files: LOCALES,
        texts: [
            "Read <b>this</b> first",
            "Erst <b>dies</b> lesen",
            "Erst <b>dies lesen",
        ],
        without: "error",
    },
    Kind {
        name: "broken ICU message",
        manifest: npm(r#"{"dependencies": {"next-intl": "^3"}}"#),
        files: LOCALES,
        texts: [
            "{n, plural, one {# file} other {# files}}",
            "{n, plural, one {# Datei} other {# Dateien}}",
            "{n, plural, one {# Datei} other {# Dateien}",
        ],
        without: "error",
    },
];

impl Files {
    fn folder(self) -> &'static str {
        match self {
            Self::Json(folder) => folder,
            Self::Webextension => "_locales",
        }
    }

    fn path(self, language: &str) -> String {
        match self {
            Self::Json(folder) => format!("{folder}/{language}.json"),
            Self::Webextension => format!("_locales/{language}/messages.json"),
        }
    }

    /// A file with these texts.
    fn content(self, texts: &[(String, &str)]) -> String {
        let value = |text: &str| match self {
            Self::Json(_) => format!("\"{text}\""),
            Self::Webextension => {
                let placeholders = r#", "placeholders": {"name": {"content": "$1"}}"#;
                format!("{{\"message\": \"{text}\"{placeholders}}}")
            }
        };
        let entries = texts
            .iter()
            .map(|(key, text)| format!("\"{key}\": {}", value(text)));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(",\n"))
    }
}

/// Writes the files of a kind: other texts, and these of the language pair.
fn write(history: History, at: usize, others: usize, texts: &[(&str, [&str; 2])]) -> History {
    let files = KINDS[at].files;
    let text = |side: usize| {
        let other = ["A plain text", "Ein schlichter Text"][side];
        let all = (0..others).map(|other| format!("other{other}"));
        let all = all.map(|key| (key, other));
        let all = all.chain(
            texts
                .iter()
                .map(|(key, pair)| ((*key).to_owned(), pair[side])),
        );
        files.content(&all.collect::<Vec<_>>())
    };
    ["en", "de"]
        .into_iter()
        .enumerate()
        .fold(history, |history, (side, language)| {
            history.write(&format!("k{at}/{}", files.path(language)), text(side))
        })
}

/// What a pull request with the faults gives: for each kind, the severities in a changed and in a new text.
fn found(others: usize, has_manifests: bool) -> Vec<[String; 2]> {
    let kinds = || KINDS.iter().enumerate();
    let base = kinds().fold(commit("one"), |history, (at, kind)| {
        let [source, right, _] = kind.texts;
        let (manifest, content) = kind.manifest;
        let history = match has_manifests {
            true => history.write(&format!("k{at}/{manifest}"), content),
            false => history,
        };
        write(history, at, others, &[("old", [source, right])])
    });
    let change = base.branch_at("change", "one").commit("two");
    let change = kinds().fold(change, |history, (at, kind)| {
        let [source, _, broken] = kind.texts;
        let texts = [("old", [source, broken]), ("new", [source, broken])];
        write(history, at, others, &texts)
    });
    let site = TestSite::new(&change);
    let mut config = "[[project]]\nslug = 'p'\n".to_owned();
    for (at, kind) in kinds() {
        let (format, mask) = match kind.files {
            Files::Json(_) => ("json", "*.json"),
            Files::Webextension => ("webextension", "*/messages.json"),
        };
        let (folder, template) = (kind.files.folder(), kind.files.path("en"));
        write!(
            config,
            "[[project.component]]\nslug = 'k{at}'\nrepo = '{}'\nbranch = 'main'\nfile_format = '{format}'\n\
             filemask = 'k{at}/{folder}/{mask}'\ntemplate = 'k{at}/{template}'\n",
            site.repository.dir().to_str().unwrap()
        )
        .unwrap();
    }
    fs::write(site.path("gitglot.toml"), config).unwrap();
    let config = site.path("gitglot.toml");
    let flags = [
        "--config",
        config.to_str().unwrap(),
        "--revision",
        "change",
        "--base",
        "main",
    ];
    let run = Run::new(
        site.repository.dir(),
        &[&flags[..], &["--format", "json"]].concat(),
    );
    let report = run.json();
    let findings = report["findings"].as_array().unwrap();
    kinds()
        .map(|(at, kind)| {
            // Other formats say themselves which syntax they have.
            let is_named = has_manifests && matches!(kind.files, Files::Json(_));
            let reason = format!("k{at}/{} depends on", kind.manifest.0);
            ["old", "new"].map(|key| {
                let of_text = findings.iter().filter(|it| {
                    it["component"] == format!("p/k{at}")
                        && it["key"].as_str().unwrap().trim_start_matches('.') == key
                        && it["new"] == true
                        && (!is_named || it["message"].as_str().unwrap().contains(&reason))
                });
                let severities: Vec<&str> =
                    of_text.map(|it| it["severity"].as_str().unwrap()).collect();
                let worst = ["error", "warning", "note"]
                    .into_iter()
                    .find(|it| severities.contains(it));
                worst.unwrap_or("nothing").to_owned()
            })
        })
        .collect()
}

#[test]
fn each_kind_of_fault_is_found_in_templates_of_any_size() {
    let mut wrong = String::new();
    for others in [0, 2, 60, 500] {
        for has_manifests in [true, false] {
            for (kind, found) in KINDS.iter().zip(found(others, has_manifests)) {
                let expected = if has_manifests { "error" } else { kind.without };
                if found != [expected, expected] {
                    let manifest = if has_manifests { "with" } else { "without" };
                    writeln!(
                        wrong,
                        "{}, {others} other texts, {manifest} a manifest: {found:?}, not {expected}",
                        kind.name
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
