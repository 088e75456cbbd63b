use poem_openapi::Object;
use poem_openapi::types::Example;

use super::Link;

/// A unit: one string in one language.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Unit {
    /// The translation it belongs to.
    translation: Link,
    /// The template's text.
    source: String,
    /// The source that was translated, when it has changed since; else `""`.
    previous_source: String,
    /// The text, `""` when there is none.
    target: String,
    /// A hash of the context.
    id_hash: i64,
    /// A hash of source and context.
    content_hash: i64,
    /// Always `""`.
    location: String,
    /// The key in the file; in nested files the path to it, with a dot in front.
    context: String,
    /// The notes of template and translation.
    comment: String,
    /// Always `""`.
    flags: String,
    /// Whether the source has changed since it was translated.
    fuzzy: bool,
    /// Whether it is translated and not fuzzy.
    translated: bool,
    /// Its place in the template, from 1 on, perhaps with gaps.
    position: i64,
    /// Always `false`.
    has_suggestion: bool,
    /// Always `false`.
    has_comment: bool,
    /// Whether a check fails.
    has_failing_check: bool,
    /// How many words the source has.
    num_words: i64,
    /// Always 100.
    priority: i64,
    /// Its number, which never changes.
    id: i64,
    /// Its page for people.
    web_url: Link,
    /// This object.
    url: Link,
    /// Its source.
    source_info: Link,
}

impl Example for Unit {
    fn example() -> Self {
        Self {
            translation: "https://l10n.example.org/api/translations/ublock/extension/cs/".into(),
            source: "My App".into(),
            previous_source: String::new(),
            target: "Moje aplikace".into(),
            id_hash: -4830155381257635726,
            content_hash: -3928872320179010586,
            location: String::new(),
            context: "appName".into(),
            comment: "Name of the app ".into(),
            flags: String::new(),
            fuzzy: false,
            translated: true,
            position: 1,
            has_suggestion: false,
            has_comment: false,
            has_failing_check: false,
            num_words: 2,
            priority: 100,
            id: 1,
            web_url: "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872".into(),
            url: "https://l10n.example.org/api/units/1/".into(),
            source_info: "https://l10n.example.org/api/sources/1/".into(),
        }
    }
}
