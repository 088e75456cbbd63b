//! The bodies of translations.

use super::{
    Component, Language, Link, Nullable, Time, TranslationDetails, schema, with_and_without,
};

fn translation(rest: &str) -> Link {
    Link(format!(
        "https://l10n.example.org/api/translations/ublock/extension/cs/{rest}"
    ))
}

with_and_without! {
    /// A translation: one component in one language.
    Translation, TranslationOfComponent,
    {
        /// The language.
        language: Language = Language,
    }
    /// The component it belongs to.
    component: Component,
    {
        /// The language code as the file's path has it.
        language_code: String = "cs".into(),
        /// The file, from the repository's root.
        filename: String = "_locales/cs/messages.json".into(),
        /// Git's names of the contents of file and template, with a comma between; `""` when the file was never read.
        revision: String =
            "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/cs/".into(),
        /// A page to show around.
        share_url: Link = "https://l10n.example.org/engage/ublock/cs/".into(),
        /// The page of its strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/".into(),
        /// This object.
        url: Link = translation(""),
        /// Whether the file is the template.
        is_template: bool = false,
        /// How many strings there are.
        total: i64 = 300,
        /// How many words their sources have.
        total_words: i64 = 1650,
        /// How many are translated.
        translated: i64 = 297,
        /// How many words the sources of those have.
        translated_words: i64 = 1629,
        /// How many of 100 are translated; 100 when there is nothing to do.
        translated_percent: f64 = 99.0,
        /// How many were translated from a source that has changed since.
        fuzzy: i64 = 2,
        /// How many words the sources of those have.
        fuzzy_words: i64 = 14,
        /// How many of 100 those are.
        fuzzy_percent: f64 = 0.7,
        /// How many fail a check.
        failing_checks: i64 = 3,
        /// How many words the sources of those have.
        failing_checks_words: i64 = 12,
        /// How many of 100 those are.
        failing_checks_percent: f64 = 1.0,
        /// How many have a suggestion: none.
        have_suggestion: i64 = 0,
        /// How many have a comment: none.
        have_comment: i64 = 0,
        /// When a text last changed, if known.
        last_change: Nullable<Time> = Nullable(Some("2019-01-20T18:39:20.082366Z".into())),
        /// The author of that change.
        last_author: Nullable<String> = Nullable(Some("Karel Novák".into())),
        /// The state of its repository.
        repository_url: Link = translation("repository/"),
        /// The file itself.
        file_url: Link = translation("file/"),
        /// How far it is.
        statistics_url: Link = translation("statistics/"),
        /// Its change log.
        changes_list_url: Link = translation("changes/"),
        /// Its strings.
        units_list_url: Link = translation("units/"),
        /// For one translation with `expand=details`.
        details: Option<TranslationDetails> = None,
    }
}

schema! {
    /// How far a translation is.
    TranslationStatistics {
        /// Code of the language.
        code: String = "cs".into(),
        /// Its English name.
        name: String = "Czech".into(),
        /// How many strings there are.
        total: i64 = 300,
        /// How many words their sources have.
        total_words: i64 = 1650,
        /// When a text last changed, if known.
        last_change: Nullable<Time> = Nullable(Some("2019-01-20T18:39:20.082366Z".into())),
        /// The author of that change.
        last_author: Nullable<String> = Nullable(Some("Karel Novák".into())),
        /// How many strings are translated.
        translated: i64 = 297,
        /// How many words the sources of those have.
        translated_words: i64 = 1629,
        /// How many of 100 are translated; 100 when there is nothing to do.
        translated_percent: f64 = 99.0,
        /// How many were translated from a source that has changed since.
        fuzzy: i64 = 2,
        /// How many of 100 those are.
        fuzzy_percent: f64 = 0.7,
        /// How many fail a check.
        failing: i64 = 3,
        /// How many of 100 those are.
        failing_percent: f64 = 1.0,
        /// A page to show around.
        url: Link = "https://l10n.example.org/engage/ublock/cs/".into(),
        /// The translation's page for people.
        url_translate: Link = "https://l10n.example.org/projects/ublock/extension/cs/".into(),
    }
}
