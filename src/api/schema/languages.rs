//! The bodies of languages.

use poem_openapi::Enum;

use serde_json::Value;

use super::object::SchemaExample;
use super::{Link, schema};

/// Which way a language is written.
#[derive(Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
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
        /// Its code, e.g. `pt_BR`.
        code: String = "cs".into(),
        /// Its English name.
        name: String = "Czech".into(),
        /// Which way it is written.
        direction: Direction = Direction::Ltr,
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/languages/cs/".into(),
        /// This object.
        url: Link = "https://l10n.example.org/api/languages/cs/".into(),
    }
}
