//! The bodies of languages.

use poem_openapi::Enum;

use serde_json::Value;

use super::object::SchemaExample;
use super::{Link, schema};

/// Which way a language is written.
#[derive(Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum Direction {
    /// Left to right.
    Ltr,
    /// Right to left.
    Rtl,
}

impl SchemaExample for Direction {
    fn to_value(&self) -> Value {
        match self {
            Self::Ltr => "ltr".into(),
            Self::Rtl => "rtl".into(),
        }
    }
}

schema! {
    /// A language.
    Language {
        /// Language code, such as `pt_BR`.
        code: String = "cs".into(),
        /// English name.
        name: String = "Czech".into(),
        /// Writing direction.
        direction: Direction = Direction::Ltr,
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/languages/cs/".into(),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/languages/cs/".into(),
    }
}
