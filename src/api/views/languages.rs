//! Writes languages.

use crate::api::encode::json::{object, text};
use crate::api::response::links::{Links, link, page};
use crate::catalog::Snapshot;
use crate::language::{Language, resolve};
use crate::model::address::encoded;
use crate::web::paths;

/// Writes a language (docs/spec/http.md#resources).
pub(crate) fn language(out: &mut Vec<u8>, links: &Links, language: &Language) {
    let code = encoded(&language.code);
    object!(out;
        "code" => text(&language.code),
        "name" => text(&language.name),
        "direction" => text(if language.rtl { "rtl" } else { "ltr" }),
        "web_url" => page(links, paths::LANGUAGE, &[&code]),
        "url" => link(links, &["languages/", &code]),
    );
}

/// The language of a code, if a translation is in it or a project is written in it. The latter is more than
/// 3.4 serves; without it the link in a project's body could be broken.
pub(crate) fn language_of_code(snapshot: &Snapshot, code: &str) -> Option<Language> {
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
