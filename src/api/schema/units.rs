//! The bodies of units.

use super::{Link, Nullable, schema};

schema! {
    /// A unit: one string in one language.
    Unit {
        /// The translation it belongs to.
        translation: Link = "https://l10n.example.org/api/translations/ublock/extension/cs/".into(),
        /// The template's text.
        source: String = "My App".into(),
        /// The source that was translated, when it has changed since; else `""`.
        previous_source: String = String::new(),
        /// The text, `""` when there is none.
        target: String = "Moje aplikace".into(),
        /// A hash of the context. It exceeds 2^53, the range of exact integers in JavaScript and of doubles.
        id_hash: i64 = -4830155381257635726,
        /// A hash of source and context. It exceeds 2^53, the range of exact integers in JavaScript and of doubles.
        content_hash: i64 = -3928872320179010586,
        /// Always `""`.
        location: String = String::new(),
        /// The key in the file; in nested files the path to it, with a dot in front.
        context: String = "appName".into(),
        /// The notes of template and translation.
        comment: String = "Name of the app ".into(),
        /// Always `""`.
        flags: String = String::new(),
        /// Whether the source has changed since it was translated.
        fuzzy: bool = false,
        /// Whether it is translated and not fuzzy.
        translated: bool = true,
        /// Its position in the template, from 1, possibly with gaps.
        position: i64 = 1,
        /// Always `false`.
        has_suggestion: bool = false,
        /// Always `false`.
        has_comment: bool = false,
        /// Whether a check fails.
        has_failing_check: bool = false,
        /// How many words the source has.
        num_words: i64 = 2,
        /// Always 100.
        priority: i64 = 100,
        /// Its id, which never changes.
        id: i64 = 1,
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872".into(),
        /// This object.
        url: Link = "https://l10n.example.org/api/units/1/".into(),
        /// Its source.
        source_info: Link = "https://l10n.example.org/api/sources/1/".into(),
        /// With `expand=details`.
        details: Option<UnitDetails> = None,
    }
}

schema! {
    /// The values that the links of a unit represent, and its failing checks.
    UnitDetails {
        /// The slug of the project.
        project: String = "ublock".into(),
        /// The slug of the component.
        component: String = "extension".into(),
        /// The code of the language.
        language: String = "cs".into(),
        /// The file.
        path: String = "_locales/cs/messages.json".into(),
        /// The ids of the failing checks of the set that decides `has_failing_check`.
        checks: Vec<String> = vec!["end_stop".into()],
        /// That set: `legacy` or `modern`.
        check_set: String = "legacy".into(),
        /// The ids of the failing modern checks.
        modern_checks: Vec<String> = vec!["end_stop".into(), "i18next_interpolation".into()],
        /// How much the source has changed since it was translated: `cosmetic`, `minor` or `major`; `null` unless `fuzzy`.
        source_change: Nullable<String> = Nullable(None),
    }
}
