use super::translation::last;
use super::{completed, share, translation_path};
use crate::api::json::{int, object, optional_millis, optional_moment, optional_text, tenths, text};
use crate::api::links::{Links, encoded, page};
use crate::catalog::{Snapshot, Statistics, TranslationView};
use crate::language::Language;
use crate::model::Timestamp;

/// Writes the statistics of a translation (api.md 2.9).
pub(in crate::api) fn statistics(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, view: TranslationView<'_>) {
    with_time(out, links, snapshot, view, optional_moment);
}

/// Writes the statistics of a translation as exports have them: times in milliseconds (human_pages.md 3).
pub(in crate::api) fn exported_statistics(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    view: TranslationView<'_>,
) {
    with_time(out, links, snapshot, view, optional_millis);
}

fn with_time(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    view: TranslationView<'_>,
    time: fn(&mut Vec<u8>, Option<Timestamp>),
) {
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
        "last_change" => time(last_change),
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

/// What the translations of each language of a project add up to, by name of the language.
pub(in crate::api) fn languages_of_project<'a>(
    snapshot: &'a Snapshot,
    project: &str,
) -> Vec<(&'a Language, Statistics)> {
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
    rows
}

/// Writes the statistics of one language of a project (api.md 2.9).
pub(in crate::api) fn statistics_of_language(out: &mut Vec<u8>, (language, sums): (&Language, Statistics)) {
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
}
