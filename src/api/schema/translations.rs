//! The bodies of translations.

use super::{Component, Language, Link, Nullable, Time, TranslationDetails, schema};

fn translation(rest: &str) -> String {
    format!("https://l10n.example.org/api/translations/ublock/extension/cs/{rest}")
}

schema! {
    /// A translation: one component in one language.
    Translation {
        /// Language of the translation.
        language: Language,
        /// Component of the translation.
        component: Component,
        /// Language code in the path of the file.
        language_code: String = "cs",
        /// Path of the file, relative to the root of the repository.
        filename: String = "_locales/cs/messages.json",
        /// Blob ids of the file and the template, separated by a comma; `""` if the file was never read.
        revision: String = "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983",
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/cs/",
        /// URL of the public page that invites contributors.
        share_url: Link = "https://l10n.example.org/engage/ublock/cs/",
        /// URL of the HTML page with the strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/",
        /// URL of this object.
        url: Link = translation(""),
        /// Whether the file is the template.
        is_template: bool = false,
        ..TranslationCounts,
        /// Number of strings with a suggestion; always 0.
        have_suggestion: i64 = 0,
        /// Number of strings with a comment; always 0.
        have_comment: i64 = 0,
        /// Time of the last change of a text, if known.
        last_change: Nullable<Time> = "2019-01-20T18:39:20.082366Z",
        /// Name of the author of the last change, if known.
        last_author: Nullable<String> = "Karel Novák",
        /// URL of the repository status.
        repository_url: Link = translation("repository/"),
        /// URL of the file.
        file_url: Link = translation("file/"),
        /// URL of the statistics.
        statistics_url: Link = translation("statistics/"),
        /// URL of the change log.
        changes_list_url: Link = translation("changes/"),
        /// URL of the units.
        units_list_url: Link = translation("units/"),
        /// Only for a single translation with `expand=details`.
        details: Option<TranslationDetails>,
    }

    /// The counts of a translation.
    TranslationCounts {
        /// Number of strings.
        total: i64 = 300,
        /// Number of source words.
        total_words: i64 = 1650,
        /// Number of translated strings.
        translated: i64 = 297,
        /// Number of source words of translated strings.
        translated_words: i64 = 1629,
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0,
        /// Number of stale strings: their source changed after they were translated.
        fuzzy: i64 = 2,
        /// Number of source words of stale strings.
        fuzzy_words: i64 = 14,
        /// Percentage of stale strings.
        fuzzy_percent: f64 = 0.7,
        /// Number of strings that fail a check.
        failing_checks: i64 = 3,
        /// Number of source words of strings that fail a check.
        failing_checks_words: i64 = 12,
        /// Percentage of strings that fail a check.
        failing_checks_percent: f64 = 1.0,
    }

    /// The statistics of a translation.
    TranslationStatistics {
        /// Language code.
        code: String = "cs",
        /// English name of the language.
        name: String = "Czech",
        /// Number of strings.
        total: i64 = 300,
        /// Number of source words.
        total_words: i64 = 1650,
        /// Time of the last change of a text, if known.
        last_change: Nullable<Time> = "2019-01-20T18:39:20.082366Z",
        /// Name of the author of the last change, if known.
        last_author: Nullable<String> = "Karel Novák",
        /// Number of translated strings.
        translated: i64 = 297,
        /// Number of source words of translated strings.
        translated_words: i64 = 1629,
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0,
        /// Number of stale strings: their source changed after they were translated.
        fuzzy: i64 = 2,
        /// Percentage of stale strings.
        fuzzy_percent: f64 = 0.7,
        /// Number of strings that fail a check.
        failing: i64 = 3,
        /// Percentage of strings that fail a check.
        failing_percent: f64 = 1.0,
        /// URL of the public page that invites contributors.
        url: Link = "https://l10n.example.org/engage/ublock/cs/",
        /// URL of the HTML page of the translation.
        url_translate: Link = "https://l10n.example.org/projects/ublock/extension/cs/",
    }
}
