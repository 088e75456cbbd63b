//! The bodies of the root and of the metrics.

use super::{Link, schema};

fn list(name: &str) -> String {
    format!("https://l10n.example.org/api/{name}/")
}

schema! {
    /// The URLs of the lists.
    Root {
        /// URL of the projects.
        projects: Link = list("projects"),
        /// URL of the components.
        components: Link = list("components"),
        /// URL of the translations.
        translations: Link = list("translations"),
        /// URL of the languages.
        languages: Link = list("languages"),
        /// URL of the change log.
        changes: Link = list("changes"),
        /// URL of the units.
        units: Link = list("units"),
        /// URL of the sources.
        sources: Link = list("sources"),
        /// URL of the screenshots (always empty).
        screenshots: Link = list("screenshots"),
    }

    /// Counts of all objects.
    Metrics {
        /// Number of units.
        units: i64 = 19_200,
        /// Number of translated units.
        units_translated: i64 = 18_790,
        /// Number of users in the change log, including the anonymous user.
        users: i64 = 19,
        /// Number of entries of the change log.
        changes: i64 = 67_082,
        /// Number of projects.
        projects: i64 = 1,
        /// Number of components.
        components: i64 = 1,
        /// Number of translations.
        translations: i64 = 64,
        /// Number of languages with a translation.
        languages: i64 = 64,
        /// Number of units that fail a check.
        checks: i64 = 120,
        /// Always 0.
        suggestions: i64 = 0,
        /// Always 0.
        index_updates: i64 = 0,
        /// Always 0.
        celery_queue: i64 = 0,
        /// Always 0.
        celery_memory_queue: i64 = 0,
        /// Title of the server.
        name: String = "gitglot",
    }
}
