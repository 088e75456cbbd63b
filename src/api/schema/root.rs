use poem_openapi::Object;
use poem_openapi::types::Example;

use super::Link;

/// Where the lists are.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Root {
    /// All projects.
    projects: Link,
    /// All components.
    components: Link,
    /// All translations.
    translations: Link,
    /// All languages that are translated to.
    languages: Link,
    /// The change log.
    changes: Link,
    /// All units.
    units: Link,
    /// All sources.
    sources: Link,
    /// All screenshots: none.
    screenshots: Link,
}

impl Example for Root {
    fn example() -> Self {
        let list = |name: &str| Link(format!("https://l10n.example.org/api/{name}/"));
        Self {
            projects: list("projects"),
            components: list("components"),
            translations: list("translations"),
            languages: list("languages"),
            changes: list("changes"),
            units: list("units"),
            sources: list("sources"),
            screenshots: list("screenshots"),
        }
    }
}

/// How much there is of everything.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Metrics {
    /// Units.
    units: i64,
    /// Translated units.
    units_translated: i64,
    /// People whom the change log names, and the one who is signed out.
    users: i64,
    /// Entries of the change log.
    changes: i64,
    /// Projects.
    projects: i64,
    /// Components.
    components: i64,
    /// Translations.
    translations: i64,
    /// Languages that are translated to.
    languages: i64,
    /// Units that fail a check.
    checks: i64,
    /// Always 0.
    suggestions: i64,
    /// Always 0.
    index_updates: i64,
    /// Always 0.
    celery_queue: i64,
    /// Always 0.
    celery_memory_queue: i64,
    /// The server's title.
    name: String,
}

impl Example for Metrics {
    fn example() -> Self {
        Self {
            units: 19_200,
            units_translated: 18_790,
            users: 19,
            changes: 67_082,
            projects: 1,
            components: 1,
            translations: 64,
            languages: 64,
            checks: 120,
            suggestions: 0,
            index_updates: 0,
            celery_queue: 0,
            celery_memory_queue: 0,
            name: "gitglot".into(),
        }
    }
}
