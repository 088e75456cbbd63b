//! The bodies of units.

use super::{Link, Nullable, schema};

schema! {
    /// A unit: one string in one language.
    Unit {
        /// URL of the translation.
        translation: Link = "https://l10n.example.org/api/translations/ublock/extension/cs/",
        /// Source text.
        source: String = "My App",
        /// Source text that was translated, if the unit is stale; otherwise `""`.
        previous_source: String = "",
        /// Translated text; `""` if there is none.
        target: String = "Moje aplikace",
        /// Hash of the context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726_i64,
        /// Hash of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        content_hash: i64 = -3928872320179010586_i64,
        /// Always `""`.
        location: String = "",
        /// Key of the string. In nested files, the path of the key with a leading dot.
        context: String = "appName",
        /// Notes from the template and the translation.
        comment: String = "Name of the app ",
        /// Always `""`.
        flags: String = "",
        /// Whether the unit is stale: its source changed after it was translated.
        fuzzy: bool = false,
        /// Whether the unit is translated and not stale.
        translated: bool = true,
        /// Position in the template, from 1, possibly with gaps.
        position: i64 = 1,
        /// Always `false`.
        has_suggestion: bool = false,
        /// Always `false`.
        has_comment: bool = false,
        /// Whether the unit fails a check.
        has_failing_check: bool = false,
        /// Number of words in the source text.
        num_words: i64 = 2,
        /// Always 100.
        priority: i64 = 100,
        /// Id of the unit; it never changes.
        id: i64 = 1,
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/units/1/",
        /// URL of the source.
        source_info: Link = "https://l10n.example.org/api/sources/1/",
        /// Only with `expand=details`.
        details: Option<UnitDetails>,
    }

    /// The slugs, language and path of a unit, and its failing checks.
    UnitDetails {
        /// Slug of the project.
        project: String = "ublock",
        /// Slug of the component.
        component: String = "extension",
        /// Language code.
        language: String = "cs",
        /// Path of the file.
        path: String = "_locales/cs/messages.json",
        /// Ids of the failing checks of the set that determines `has_failing_check`.
        checks: Vec<String> = ["end_stop"],
        /// Set of checks that determines `has_failing_check`: `legacy` or `modern`.
        check_set: String = "legacy",
        /// Ids of the failing modern checks.
        modern_checks: Vec<String> = ["end_stop", "i18next_interpolation"],
        /// Class of the source change since the translation: `cosmetic`, `minor` or `major`; `null` if the unit is not stale.
        source_change: Nullable<String>,
    }
}
