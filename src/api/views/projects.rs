//! Writes projects.

use rustc_hash::FxHashMap;

use super::{completed, language};
use crate::api::encode::json::{int, object, raw, tenths, text};
use crate::api::response::links::{Links, link, page};
use crate::catalog::{Snapshot, Statistics};
use crate::language::{Language, resolve};
use crate::model::Project;
use crate::web::paths;

/// Writes a project (docs/spec/http.md#resources).
pub(crate) fn project(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, project: &Project) {
    let slug = project.slug.as_str();
    object!(out;
        "name" => text(&project.name),
        "slug" => text(slug),
        "web" => text(&project.web),
        "source_language" => source_language(links, snapshot, &project.source_language),
        "web_url" => page(links, paths::PROJECT, &[slug]),
        "url" => link(links, &["projects/", slug]),
        "components_list_url" => link(links, &["projects/", slug, "/components"]),
        "repository_url" => link(links, &["projects/", slug, "/repository"]),
        "statistics_url" => link(links, &["projects/", slug, "/statistics"]),
        "changes_list_url" => link(links, &["projects/", slug, "/changes"]),
    );
}

fn source_language(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, code: &str) {
    match snapshot
        .languages()
        .iter()
        .find(|language| &*language.code == code)
    {
        Some(used) => language(out, links, used),
        None => language(out, links, &resolve(code)),
    }
}

/// The totals of the translations of each language of a project, by language name.
pub(crate) fn languages_of_project<'a>(
    snapshot: &'a Snapshot,
    project: &str,
) -> Vec<(&'a Language, Statistics)> {
    let mut rows: Vec<(&Language, Statistics)> = Vec::new();
    let mut index_of = FxHashMap::default();
    for translation in snapshot
        .components_of(project)
        .flat_map(|component| &component.translations)
    {
        let index = *index_of
            .entry(&*translation.language.code)
            .or_insert(rows.len());
        match rows.get_mut(index) {
            Some((_, counts)) => *counts += translation.statistics,
            None => rows.push((&translation.language, translation.statistics)),
        }
    }
    // Equal names: in the order of `/api/languages/`.
    let rank = |code: &str| {
        snapshot
            .languages()
            .iter()
            .position(|language| &*language.code == code)
    };
    rows.sort_by_cached_key(|(language, _)| (language.name.clone(), rank(&language.code)));
    rows
}

/// Writes the statistics of one language of a project (docs/spec/http.md#statistics).
pub(crate) fn statistics_of_language(
    out: &mut Vec<u8>,
    (language, counts): (&Language, Statistics),
) {
    object!(out;
        "language" => text(&language.name),
        "code" => text(&language.code),
        "total" => int(counts.all.units),
        "translated" => int(counts.translated.units),
        "translated_percent" => tenths(completed(counts.translated.units, counts.all.units)),
        "total_words" => int(counts.all.words),
        "translated_words" => int(counts.translated.words),
        "words_percent" => tenths(completed(counts.translated.words, counts.all.words)),
    );
}

/// Writes the repository status of a project (docs/spec/http.md#resources); `path` is that of its link.
pub(crate) fn repository_of_project(out: &mut Vec<u8>, links: &Links, path: &[&str]) {
    object!(out;
        "needs_commit" => raw(b"false"),
        "needs_merge" => raw(b"false"),
        "needs_push" => raw(b"false"),
        "url" => link(links, path),
    );
}
