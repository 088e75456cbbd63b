//! Languages (docs/spec/http.md#resources).

use crate::api::encode::json::text;
use crate::api::response::links::{Links, link, page};
use crate::api::schema::{Choice, Link, ValueKind, ValueType, schema};
use crate::model::address::encoded;
use crate::web::paths;

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
    Language => language(links: &Links, language: &crate::language::Language) {
        let code = encoded(&language.code);
        /// Language code, such as `pt_BR`.
        code: String = "cs" => text(&language.code),
        /// English name.
        name: String = "Czech" => text(&language.name),
        /// Writing direction.
        direction: Direction = "ltr" => text(if language.rtl { "rtl" } else { "ltr" }),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/languages/cs/"
            => page(links, paths::LANGUAGE, &[&code]),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/languages/cs/"
            => link(links, &["languages/", &code]),
    }
}
