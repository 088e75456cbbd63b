//! Writes translations and their statistics.

use std::borrow::Cow;

use super::{completed, component, language, share};
use crate::api::encode::json::{boolean, fields, int, moment, object, optional, raw, tenths, text};
use crate::api::response::links::{Links, download, link, page};
use crate::catalog::{Snapshot, Statistics, TranslationView};
use crate::model::Timestamp;
use crate::model::address::encoded;
use crate::model::privacy::name;
use crate::web::paths;

/// Writes a translation (docs/spec/http.md#resources); `with_component` unless it is in a list of its component.
pub(crate) fn translation(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    view: TranslationView<'_>,
    with_component: bool,
) {
    let TranslationView {
        component: of,
        translation,
    } = view;
    let path = of.path_of(translation);
    let code = encoded(&translation.language.code);
    let counts = &translation.statistics;
    let (last_change, last_author) = last(snapshot, view);
    out.extend_from_slice(b"{\"language\":");
    language(out, links, &translation.language);
    if with_component {
        fields!(out; "component" => component(links, snapshot, of, true));
    }
    fields!(out;
        "language_code" => text(&translation.file_code),
        "filename" => text(&translation.path),
        "revision" => text(&translation.revision(of.template_blob)),
        "web_url" => page(links, paths::TRANSLATION, &[&path]),
        "share_url" => page(links, paths::ENGAGE_LANGUAGE, &[of.project.slug.as_str(), &code]),
        "translate_url" => page(links, paths::STRINGS, &[&path]),
        "url" => link(links, &["translations/", &path]),
        "is_template" => boolean(translation.is_template),
    );
    self::counts(out, counts);
    fields!(out;
        "have_suggestion" => raw(b"0"),
        "have_comment" => raw(b"0"),
        "last_change" => optional(last_change, moment),
        "last_author" => optional(last_author.as_deref(), text),
        "repository_url" => link(links, &["translations/", &path, "/repository"]),
        "file_url" => download(links, &["translations/", &path, "/file"]),
        "statistics_url" => link(links, &["translations/", &path, "/statistics"]),
        "changes_list_url" => link(links, &["translations/", &path, "/changes"]),
        "units_list_url" => link(links, &["translations/", &path, "/units"]),
    );
    out.push(b'}');
}

/// Writes the fields with the counts of a translation.
pub(super) fn counts(out: &mut Vec<u8>, counts: &Statistics) {
    fields!(out;
        "total" => int(counts.all.units),
        "total_words" => int(counts.all.words),
        "translated" => int(counts.translated.units),
        "translated_words" => int(counts.translated.words),
        "translated_percent" => tenths(completed(counts.translated.units, counts.all.units)),
        "fuzzy" => int(counts.fuzzy.units),
        "fuzzy_words" => int(counts.fuzzy.words),
        "fuzzy_percent" => tenths(share(counts.fuzzy.units, counts.all.units)),
        "failing_checks" => int(counts.failing.units),
        "failing_checks_words" => int(counts.failing.words),
        "failing_checks_percent" => tenths(share(counts.failing.units, counts.all.units)),
    );
}

/// When a translation's content last changed, and the name of its author.
fn last<'a>(
    snapshot: &'a Snapshot,
    view: TranslationView<'_>,
) -> (Option<Timestamp>, Option<Cow<'a, str>>) {
    let Some((moment, person)) = view.translation.last_change else {
        return (None, None);
    };
    let user = view
        .component
        .users
        .get(person.0 as usize)
        .and_then(|&user| snapshot.user(user));
    (Some(moment), user.map(|user| name(&user.full_name)))
}

/// Writes the statistics of a translation (docs/spec/http.md#statistics), with times as `time` writes them.
pub(crate) fn statistics(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    view: TranslationView<'_>,
    time: fn(&mut Vec<u8>, Timestamp),
) {
    let TranslationView {
        component,
        translation,
    } = view;
    let path = component.path_of(translation);
    let code = encoded(&translation.language.code);
    let counts = &translation.statistics;
    let (last_change, last_author) = last(snapshot, view);
    object!(out;
        "code" => text(&translation.language.code),
        "name" => text(&translation.language.name),
        "total" => int(counts.all.units),
        "total_words" => int(counts.all.words),
        "last_change" => optional(last_change, time),
        "last_author" => optional(last_author.as_deref(), text),
        "translated" => int(counts.translated.units),
        "translated_words" => int(counts.translated.words),
        "translated_percent" => tenths(completed(counts.translated.units, counts.all.units)),
        "fuzzy" => int(counts.fuzzy.units),
        "fuzzy_percent" => tenths(share(counts.fuzzy.units, counts.all.units)),
        "failing" => int(counts.failing.units),
        "failing_percent" => tenths(share(counts.failing.units, counts.all.units)),
        "url" => page(links, paths::ENGAGE_LANGUAGE, &[component.project.slug.as_str(), &code]),
        "url_translate" => page(links, paths::TRANSLATION, &[&path]),
    );
}
