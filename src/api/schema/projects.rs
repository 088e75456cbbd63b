use poem_openapi::Object;
use poem_openapi::types::Example;

use super::languages::Direction;
use super::{Language, Link};

/// A project: a name over components.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Project {
    /// Its name for people.
    name: String,
    /// Its name in URLs.
    slug: String,
    /// Its web site, `""` when none is given.
    web: String,
    /// The language that the source texts are in.
    source_language: Language,
    /// Its page for people.
    web_url: Link,
    /// This object.
    url: Link,
    /// Its components.
    components_list_url: Link,
    /// The state of its repositories.
    repository_url: Link,
    /// How far each language is.
    statistics_url: Link,
    /// Its change log.
    changes_list_url: Link,
}

impl Example for Project {
    fn example() -> Self {
        let of = |name: &str| Link(format!("https://l10n.example.org/api/projects/ublock/{name}"));
        Self {
            name: "uBlock Origin".into(),
            slug: "ublock".into(),
            web: "https://example.org/".into(),
            source_language: Language {
                code: "en".into(),
                name: "English".into(),
                direction: Direction::Ltr,
                web_url: "https://l10n.example.org/languages/en/".into(),
                url: "https://l10n.example.org/api/languages/en/".into(),
            },
            web_url: "https://l10n.example.org/projects/ublock/".into(),
            url: of(""),
            components_list_url: of("components/"),
            repository_url: of("repository/"),
            statistics_url: of("statistics/"),
            changes_list_url: of("changes/"),
        }
    }
}

/// How far a project is in one language.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct LanguageStatistics {
    /// English name of the language.
    language: String,
    /// Its code.
    code: String,
    /// How many strings there are.
    total: i64,
    /// How many are translated.
    translated: i64,
    /// How many of 100 those are; 100 when there is nothing to do.
    translated_percent: f64,
    /// How many words the sources have.
    total_words: i64,
    /// How many words the sources of translated strings have.
    translated_words: i64,
    /// How many of 100 those are.
    words_percent: f64,
}

impl Example for LanguageStatistics {
    fn example() -> Self {
        Self {
            language: "Czech".into(),
            code: "cs".into(),
            total: 300,
            translated: 297,
            translated_percent: 99.0,
            total_words: 1650,
            translated_words: 1629,
            words_percent: 98.7,
        }
    }
}

/// The state of a project's repositories.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct ProjectRepository {
    /// Always `false`.
    needs_commit: bool,
    /// Always `false`.
    needs_merge: bool,
    /// Always `false`.
    needs_push: bool,
    /// This object.
    url: Link,
}

impl Example for ProjectRepository {
    fn example() -> Self {
        Self {
            needs_commit: false,
            needs_merge: false,
            needs_push: false,
            url: "https://l10n.example.org/api/projects/ublock/repository/".into(),
        }
    }
}
