//! The bodies of projects.

use super::{Language, Link, schema};

fn project(rest: &str) -> String {
    format!("https://l10n.example.org/api/projects/ublock/{rest}")
}

schema! {
    /// A project: a group of components.
    Project {
        /// Display name.
        name: String = "uBlock Origin",
        /// Name in URLs.
        slug: String = "ublock",
        /// URL of the web site; `""` if not configured.
        web: String = "https://example.org/",
        /// Language of the source texts.
        source_language: Language,
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/",
        /// URL of this object.
        url: Link = project(""),
        /// URL of the components.
        components_list_url: Link = project("components/"),
        /// URL of the repository status.
        repository_url: Link = project("repository/"),
        /// URL of the statistics.
        statistics_url: Link = project("statistics/"),
        /// URL of the change log.
        changes_list_url: Link = project("changes/"),
    }

    /// The statistics of a project in one language.
    LanguageStatistics {
        /// English name of the language.
        language: String = "Czech",
        /// Language code.
        code: String = "cs",
        /// Number of strings.
        total: i64 = 300,
        /// Number of translated strings.
        translated: i64 = 297,
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0,
        /// Number of source words.
        total_words: i64 = 1650,
        /// Number of source words of translated strings.
        translated_words: i64 = 1629,
        /// Percentage of translated words.
        words_percent: f64 = 98.7,
    }

    /// The status of a project's repositories.
    ProjectRepository {
        /// Always `false`.
        needs_commit: bool = false,
        /// Always `false`.
        needs_merge: bool = false,
        /// Always `false`.
        needs_push: bool = false,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/projects/ublock/repository/",
    }
}
