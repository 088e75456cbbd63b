//! Projects and their statistics (docs/spec/http.md#resources).

use super::{Language, completed, language};
use crate::encode::json::{int, raw, tenths, text};
use crate::response::links::{Links, link, page};
use crate::schema::{Link, schema};
use gitglot_catalog::{Snapshot, Statistics};
use gitglot_model::language::resolve;
use gitglot_web::{group_by_language, paths};

fn example(rest: &str) -> String {
    format!("https://l10n.example.org/api/projects/ublock/{rest}")
}

schema! {
    /// A project: a group of components.
    Project => project(links: &Links, snapshot: &Snapshot, project: &gitglot_model::Project) {
        let slug = project.slug.as_str();
        /// Display name.
        name: String = "uBlock Origin" => text(&project.name),
        /// Name in URLs.
        slug: String = "ublock" => text(slug),
        /// URL of the web site; `""` if not configured.
        web: String = "https://example.org/" => text(&project.web),
        /// Language of the source texts.
        source_language: Language => source_language(links, snapshot, &project.source_language),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/"
            => page(links, paths::PROJECT, &[slug]),
        /// URL of this object.
        url: Link = example("") => link(links, &["projects/", slug]),
        /// URL of the components.
        components_list_url: Link = example("components/")
            => link(links, &["projects/", slug, "/components"]),
        /// URL of the repository status.
        repository_url: Link = example("repository/")
            => link(links, &["projects/", slug, "/repository"]),
        /// URL of the statistics.
        statistics_url: Link = example("statistics/")
            => link(links, &["projects/", slug, "/statistics"]),
        /// URL of the change log.
        changes_list_url: Link = example("changes/")
            => link(links, &["projects/", slug, "/changes"]),
    }

    /// The statistics of a project in one language.
    LanguageStatistics => statistics_of_language(of: (&gitglot_model::language::Language, Statistics)) {
        let (language, counts) = of;
        /// English name of the language.
        language: String = "Czech" => text(&language.name),
        /// Language code.
        code: String = "cs" => text(&language.code),
        /// Number of strings.
        total: i64 = 300 => int(counts.all.units),
        /// Number of translated strings.
        translated: i64 = 297 => int(counts.translated.units),
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0
            => tenths(completed(counts.translated.units, counts.all.units)),
        /// Number of source words.
        total_words: i64 = 1650 => int(counts.all.words),
        /// Number of source words of translated strings.
        translated_words: i64 = 1629 => int(counts.translated.words),
        /// Percentage of translated words.
        words_percent: f64 = 98.7 => tenths(completed(counts.translated.words, counts.all.words)),
    }

    /// The status of a project's repositories.
    ProjectRepository => repository_of_project(links: &Links, path: &[&str]) {
        /// Always `false`.
        needs_commit: bool = false => raw(b"false"),
        /// Always `false`.
        needs_merge: bool = false => raw(b"false"),
        /// Always `false`.
        needs_push: bool = false => raw(b"false"),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/projects/ublock/repository/" => link(links, path),
    }
}

fn source_language(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, code: &str) {
    match snapshot.language(code) {
        Some(used) => language(out, links, used),
        None => language(out, links, &resolve(code)),
    }
}

/// The totals of the translations of each language of a project, by language name.
pub(crate) fn languages_of_project<'a>(
    snapshot: &'a Snapshot,
    project: &str,
) -> Vec<(&'a gitglot_model::language::Language, Statistics)> {
    let components = snapshot.components_of(project);
    let groups = group_by_language(components.flat_map(|component| component.views()));
    let mut rows: Vec<(&gitglot_model::language::Language, Statistics)> = groups
        .into_iter()
        .map(|(language, views)| {
            let counts = views.iter().map(|view| view.translation.statistics);
            (language, counts.sum())
        })
        .collect();
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
