//! The bodies of projects.

use super::{Language, Link, schema};

fn project(rest: &str) -> Link {
    Link(format!(
        "https://l10n.example.org/api/projects/ublock/{rest}"
    ))
}

schema! {
    /// A project: a name over components.
    Project {
        /// Its name for people.
        name: String = "uBlock Origin".into(),
        /// Its name in URLs.
        slug: String = "ublock".into(),
        /// Its web site, `""` when none is given.
        web: String = "https://example.org/".into(),
        /// The language that the source texts are in.
        source_language: Language = Language,
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/projects/ublock/".into(),
        /// This object.
        url: Link = project(""),
        /// Its components.
        components_list_url: Link = project("components/"),
        /// The state of its repositories.
        repository_url: Link = project("repository/"),
        /// How far each language is.
        statistics_url: Link = project("statistics/"),
        /// Its change log.
        changes_list_url: Link = project("changes/"),
    }
}

schema! {
    /// How far a project is in one language.
    LanguageStatistics {
        /// English name of the language.
        language: String = "Czech".into(),
        /// Its code.
        code: String = "cs".into(),
        /// How many strings there are.
        total: i64 = 300,
        /// How many are translated.
        translated: i64 = 297,
        /// How many of 100 those are; 100 when there is nothing to do.
        translated_percent: f64 = 99.0,
        /// How many words the sources have.
        total_words: i64 = 1650,
        /// How many words the sources of translated strings have.
        translated_words: i64 = 1629,
        /// How many of 100 those are.
        words_percent: f64 = 98.7,
    }
}

schema! {
    /// The state of a project's repositories.
    ProjectRepository {
        /// Always `false`.
        needs_commit: bool = false,
        /// Always `false`.
        needs_merge: bool = false,
        /// Always `false`.
        needs_push: bool = false,
        /// This object.
        url: Link = "https://l10n.example.org/api/projects/ublock/repository/".into(),
    }
}
