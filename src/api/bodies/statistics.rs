use super::translation::last;
use super::{completed, share, translation_path};
use crate::api::json::{int, list, object, optional_moment, optional_text, tenths, text};
use crate::api::links::{Links, encoded, page};
use crate::catalog::{Snapshot, Statistics, TranslationView};
use crate::language::Language;

/// Writes the statistics of a translation (api.md 2.9).
pub(in crate::api) fn statistics(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, view: TranslationView<'_>) {
    let TranslationView { component, translation } = view;
    let path = translation_path(component, translation);
    let code = encoded(&translation.language.code);
    let sums = &translation.statistics;
    let (last_change, last_author) = last(snapshot, view);
    object!(out;
        "code" => text(&translation.language.code),
        "name" => text(&translation.language.name),
        "total" => int(sums.all.units),
        "total_words" => int(sums.all.words),
        "last_change" => optional_moment(last_change),
        "last_author" => optional_text(last_author.as_deref()),
        "translated" => int(sums.translated.units),
        "translated_words" => int(sums.translated.words),
        "translated_percent" => tenths(completed(sums.translated.units, sums.all.units)),
        "fuzzy" => int(sums.fuzzy.units),
        "fuzzy_percent" => tenths(share(sums.fuzzy.units, sums.all.units)),
        "failing" => int(sums.failing.units),
        "failing_percent" => tenths(share(sums.failing.units, sums.all.units)),
        "url" => page(links, &["engage/", component.project.slug.as_str(), "/", &code, "/"]),
        "url_translate" => page(links, &["projects/", &path, "/"]),
    );
}

/// Writes the statistics of a project: one object for each language, by name (api.md 2.9).
pub(in crate::api) fn statistics_of_project(out: &mut Vec<u8>, snapshot: &Snapshot, project: &str) {
    let mut rows: Vec<(&Language, Statistics)> = Vec::new();
    for translation in snapshot.components_of(project).flat_map(|component| &component.translations) {
        match rows.iter_mut().find(|(language, _)| language.code == translation.language.code) {
            Some((_, sums)) => *sums += translation.statistics,
            None => rows.push((&translation.language, translation.statistics)),
        }
    }
    // Equal names: in the order of `/api/languages/`.
    let rank = |code: &str| snapshot.languages().iter().position(|language| &*language.code == code);
    rows.sort_by_cached_key(|(language, _)| (language.name.clone(), rank(&language.code)));
    list(out, rows, |out, (language, sums)| {
        object!(out;
            "language" => text(&language.name),
            "code" => text(&language.code),
            "total" => int(sums.all.units),
            "translated" => int(sums.translated.units),
            "translated_percent" => tenths(completed(sums.translated.units, sums.all.units)),
            "total_words" => int(sums.all.words),
            "translated_words" => int(sums.translated.words),
            "words_percent" => tenths(completed(sums.translated.words, sums.all.words)),
        );
    });
}
