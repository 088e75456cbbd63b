//! Translations and their statistics (docs/spec/http.md#resources).

use std::borrow::Cow;

use super::{Component, Language, TranslationDetails, completed, component, language, share};
use crate::apis::{Api, Legacy};
use crate::encode::json::{boolean, int, optional, tenths, text, timestamp};
use crate::links::{Links, download, link, page};
use crate::schema::{AlwaysZero, Link, Nullable, Time, schema};
use gitglot_catalog::{Snapshot, Statistics, TranslationView};
use gitglot_model::Timestamp;
use gitglot_model::address::encoded;
use gitglot_model::privacy::name;
use gitglot_web::paths;

fn example(rest: &str) -> String {
    format!("https://l10n.example.org/api/translations/ublock/extension/cs/{rest}")
}

schema! {
    /// A translation: one component in one language.
    Translation => translation<P>(
        links: &Links,
        snapshot: &Snapshot,
        view: TranslationView<'_>,
        with_component: bool,
    ) {
        let TranslationView { component: of, translation } = view;
        let shown = P::language_of(translation);
        let path = path_of::<P>(view);
        let at = |out: &mut Vec<u8>, rest| link(out, links, &["translations/", &path, rest]);
        let code = encoded(shown.code);
        let (last_change, last_author) = last::<P>(snapshot, view);
        /// Language of the translation.
        language: Language => language<P>(links, shown),
        /// Component of the translation.
        component: Component => component<P>(links, snapshot, of, true) if with_component,
        /// Language code in the path of the file.
        language_code: String = "cs" => text(&translation.file_code),
        /// Id of the translation.
        #[current] id: i64 = 1 => int(translation.id.0),
        /// Path of the file, relative to the root of the repository.
        filename: String = "_locales/cs/messages.json" => text(&translation.path),
        /// Blob ids of the file and the template, separated by a comma; `""` if the file was never read.
        revision: String = "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983"
            => text(&translation.revision(of.template_blob)),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/cs/"
            => page(links, paths::TRANSLATION, &[&path]),
        /// URL of the public page that invites contributors.
        #[legacy] share_url: Link = "https://l10n.example.org/engage/ublock/cs/"
            => page(links, paths::ENGAGE_LANGUAGE, &[of.project.slug.as_str(), &code]),
        /// URL of the public page that invites contributors.
        #[current] share_url: Link = "https://l10n.example.org/engage/ublock/-/cs/"
            => page(links, paths::ENGAGE_LANGUAGE, &[of.project.slug.as_str(), "-", &code]),
        /// URL of the HTML page with the strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/"
            => page(links, paths::STRINGS, &[&path]),
        /// URL of this object.
        url: Link = example("") => at(""),
        /// Whether the file is the template.
        is_template: bool = false => boolean(translation.is_template),
        /// Whether the translation contains the source texts.
        #[current] is_source: bool = false => boolean(view.is_source()),
        ..TranslationCounts<P>(&P::counts(view)),
        /// Number of strings with a suggestion; always 0.
        have_suggestion: AlwaysZero,
        /// Number of strings with a comment; always 0.
        have_comment: AlwaysZero,
        /// Time of the last change of a text, if known.
        last_change: Nullable<Time> = "2019-01-20T18:39:20.082366Z"
            => optional(last_change, timestamp),
        /// Name of the author of the last change, if known.
        last_author: Nullable<String> = "Karel Novák" => optional(last_author.as_deref(), text),
        /// URL of the repository status.
        repository_url: Link = example("repository/") => at("/repository"),
        /// URL of the file.
        file_url: Link = example("file/") => download(links, &["translations/", &path, "/file"]),
        /// URL of the statistics.
        statistics_url: Link = example("statistics/") => at("/statistics"),
        /// URL of the change log.
        changes_list_url: Link = example("changes/") => at("/changes"),
        /// URL of the units.
        units_list_url: Link = example("units/") => at("/units"),
        /// URL of the announcements.
        #[current] announcements_url: Link = example("announcements/") => at("/announcements"),
        /// Only for a single translation with `expand=details`.
        #[legacy] details: Option<TranslationDetails>,
    }

    /// The counts of a translation.
    TranslationCounts => fields<P>(counts: &Statistics) {
        /// Number of strings.
        total: i64 = 300 => int(counts.all.units),
        /// Number of source words.
        total_words: i64 = 1650 => int(counts.all.words),
        /// Number of translated strings.
        translated: i64 = 297 => int(counts.translated.units),
        /// Number of source words of translated strings.
        translated_words: i64 = 1629 => int(counts.translated.words),
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0
            => tenths(completed::<P>(counts.translated.units, counts.all.units)),
        /// Number of stale strings: their source changed after they were translated.
        fuzzy: i64 = 2 => int(counts.fuzzy.units),
        /// Number of source words of stale strings.
        fuzzy_words: i64 = 14 => int(counts.fuzzy.words),
        /// Percentage of stale strings.
        fuzzy_percent: f64 = 0.7 => tenths(share::<P>(counts.fuzzy.units, counts.all.units)),
        /// Number of strings that fail a check.
        failing_checks: i64 = 3 => int(counts.failing.units),
        /// Number of source words of strings that fail a check.
        failing_checks_words: i64 = 12 => int(counts.failing.words),
        /// Percentage of strings that fail a check.
        failing_checks_percent: f64 = 1.0
            => tenths(share::<P>(counts.failing.units, counts.all.units)),
    }

    /// The statistics of a translation.
    TranslationStatistics => statistics(
        links: &Links,
        snapshot: &Snapshot,
        view: TranslationView<'_>,
        time: fn(&mut Vec<u8>, Timestamp),
    ) {
        let TranslationView { component, translation } = view;
        let path = component.path_of(translation);
        let code = encoded(&translation.language.code);
        let counts = &translation.statistics;
        let (last_change, last_author) = last::<Legacy>(snapshot, view);
        /// Language code.
        code: String = "cs" => text(&translation.language.code),
        /// English name of the language.
        name: String = "Czech" => text(&translation.language.name),
        /// Number of strings.
        total: i64 = 300 => int(counts.all.units),
        /// Number of source words.
        total_words: i64 = 1650 => int(counts.all.words),
        /// Time of the last change of a text, if known.
        last_change: Nullable<Time> = "2019-01-20T18:39:20.082366Z" => optional(last_change, time),
        /// Name of the author of the last change, if known.
        last_author: Nullable<String> = "Karel Novák" => optional(last_author.as_deref(), text),
        /// Number of translated strings.
        translated: i64 = 297 => int(counts.translated.units),
        /// Number of source words of translated strings.
        translated_words: i64 = 1629 => int(counts.translated.words),
        /// Percentage of translated strings; 100 if there are no strings.
        translated_percent: f64 = 99.0
            => tenths(completed::<Legacy>(counts.translated.units, counts.all.units)),
        /// Number of stale strings: their source changed after they were translated.
        fuzzy: i64 = 2 => int(counts.fuzzy.units),
        /// Percentage of stale strings.
        fuzzy_percent: f64 = 0.7 => tenths(share::<Legacy>(counts.fuzzy.units, counts.all.units)),
        /// Number of strings that fail a check.
        failing: i64 = 3 => int(counts.failing.units),
        /// Percentage of strings that fail a check.
        failing_percent: f64 = 1.0 => tenths(share::<Legacy>(counts.failing.units, counts.all.units)),
        /// URL of the public page that invites contributors.
        url: Link = "https://l10n.example.org/engage/ublock/cs/"
            => page(links, paths::ENGAGE_LANGUAGE, &[component.project.slug.as_str(), &code]),
        /// URL of the HTML page of the translation.
        url_translate: Link = "https://l10n.example.org/projects/ublock/extension/cs/"
            => page(links, paths::TRANSLATION, &[&path]),
    }
}

/// `project/component/language` of a translation, percent-encoded.
pub(crate) fn path_of<P: Api>(view: TranslationView<'_>) -> String {
    let code = P::language_of(view.translation).code;
    [&*view.component.path(), "/", &encoded(code)].concat()
}

/// When a translation last changed, and the name of the author.
fn last<'a, P: Api>(
    snapshot: &'a Snapshot,
    view: TranslationView<'_>,
) -> (Option<Timestamp>, Option<Cow<'a, str>>) {
    let Some((moment, person)) = P::last_change(view) else {
        return (None, None);
    };
    let user = view.component.users.get(person.0 as usize);
    let user = user.and_then(|&user| snapshot.user(user));
    (Some(moment), user.map(|user| name(&user.full_name)))
}
