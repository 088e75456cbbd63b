//! Languages (docs/spec/http.md#resources).

use crate::api::encode::json::text;
use crate::api::response::links::{Links, link, page};
use crate::api::schema::{Choice, Link, ValueKind, ValueType, schema};
use crate::catalog::Snapshot;
use crate::language::resolve;
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

/// The language of a code, if a translation is in it or a project is written in it. The latter is more than
/// 3.4 serves; without it the link in a project's body could be broken.
pub(crate) fn language_of_code(
    snapshot: &Snapshot,
    code: &str,
) -> Option<crate::language::Language> {
    let used = snapshot
        .languages()
        .iter()
        .find(|language| &*language.code == code)
        .cloned();
    used.or_else(|| {
        let mut sources = snapshot
            .projects()
            .map(|project| resolve(&project.source_language));
        sources.find(|language| &*language.code == code)
    })
}
