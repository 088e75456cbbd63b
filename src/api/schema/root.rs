//! The bodies of the root and of the metrics.

use super::{Link, schema};

fn list(name: &str) -> Link {
    Link(format!("https://l10n.example.org/api/{name}/"))
}

schema! {
    /// The URLs of the lists.
    Root {
        /// All projects.
        projects: Link = list("projects"),
        /// All components.
        components: Link = list("components"),
        /// All translations.
        translations: Link = list("translations"),
        /// All languages that are translated to.
        languages: Link = list("languages"),
        /// The change log.
        changes: Link = list("changes"),
        /// All units.
        units: Link = list("units"),
        /// All sources.
        sources: Link = list("sources"),
        /// All screenshots: none.
        screenshots: Link = list("screenshots"),
    }
}

schema! {
    /// Totals.
    Metrics {
        /// Units.
        units: i64 = 19_200,
        /// Translated units.
        units_translated: i64 = 18_790,
        /// Users that the change log names, and the anonymous user.
        users: i64 = 19,
        /// Entries of the change log.
        changes: i64 = 67_082,
        /// Projects.
        projects: i64 = 1,
        /// Components.
        components: i64 = 1,
        /// Translations.
        translations: i64 = 64,
        /// Languages that are translated to.
        languages: i64 = 64,
        /// Units that fail a check.
        checks: i64 = 120,
        /// Always 0.
        suggestions: i64 = 0,
        /// Always 0.
        index_updates: i64 = 0,
        /// Always 0.
        celery_queue: i64 = 0,
        /// Always 0.
        celery_memory_queue: i64 = 0,
        /// The server's title.
        name: String = "gitglot".into(),
    }
}
