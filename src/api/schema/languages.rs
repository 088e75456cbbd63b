use poem_openapi::types::Example;
use poem_openapi::{Enum, Object};

use super::Link;

/// Which way a language is written.
#[derive(Enum)]
#[oai(rename_all = "lowercase")]
pub(super) enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
    Rtl,
}

/// A language.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Language {
    /// Its code, e.g. `pt_BR`.
    pub(super) code: String,
    /// Its English name.
    pub(super) name: String,
    /// Which way it is written.
    pub(super) direction: Direction,
    /// Its page for people.
    pub(super) web_url: Link,
    /// This object.
    pub(super) url: Link,
}

impl Example for Language {
    fn example() -> Self {
        Self {
            code: "cs".into(),
            name: "Czech".into(),
            direction: Direction::Ltr,
            web_url: "https://l10n.example.org/languages/cs/".into(),
            url: "https://l10n.example.org/api/languages/cs/".into(),
        }
    }
}
