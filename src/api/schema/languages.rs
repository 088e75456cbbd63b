//! The bodies of languages.

use super::object::{Choice, ValueKind, ValueType};
use super::{Link, schema};

/// Writing direction of a language.
pub(crate) enum Direction {}

impl ValueType for Direction {
    fn kind() -> ValueKind {
        ValueKind::Choice(&Choice {
            name: "Direction",
            about: "Writing direction of a language.",
            values: &["ltr", "rtl"],
        })
    }
}

schema! {
    /// A language.
    Language {
        /// Language code, such as `pt_BR`.
        code: String = "cs",
        /// English name.
        name: String = "Czech",
        /// Writing direction.
        direction: Direction = "ltr",
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/languages/cs/",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/languages/cs/",
    }
}
