//! Languages (docs/spec/http.md#resources).

use crate::encode::json::text;
use crate::response::links::{Links, link, page};
use crate::schema::{Choice, Link, ValueKind, ValueType, schema};
use gitglot_model::address::encoded;
use gitglot_web::paths;

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
    Language => language(links: &Links, language: &gitglot_model::language::Language) {
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
