//! Writes the root and the metrics.

use crate::api::encode::json::{int, object, raw, text};
use crate::api::response::links::{Links, link};
use crate::catalog::{Snapshot, Statistics};

/// Writes the root: where the lists are (docs/spec/http.md#paths).
pub(crate) fn root(out: &mut Vec<u8>, links: &Links) {
    object!(out;
        "projects" => link(links, &["projects"]),
        "components" => link(links, &["components"]),
        "translations" => link(links, &["translations"]),
        "languages" => link(links, &["languages"]),
        "changes" => link(links, &["changes"]),
        "units" => link(links, &["units"]),
        "sources" => link(links, &["sources"]),
        "screenshots" => link(links, &["screenshots"]),
    );
}

/// Writes the metrics (docs/spec/http.md#resources). The anonymous user counts as a user, too.
pub(crate) fn metrics(out: &mut Vec<u8>, snapshot: &Snapshot, title: &str) {
    let translations = snapshot
        .components()
        .iter()
        .flat_map(|component| &component.translations);
    let totals: Statistics = translations.map(|translation| translation.statistics).sum();
    object!(out;
        "units" => int(snapshot.unit_count()),
        "units_translated" => int(totals.translated.units),
        "users" => int(snapshot.users().len() + 1),
        "changes" => int(snapshot.changes().len()),
        "projects" => int(snapshot.projects().len()),
        "components" => int(snapshot.components().len()),
        "translations" => int(snapshot.translation_count()),
        "languages" => int(snapshot.languages().len()),
        "checks" => int(totals.failing.units),
        "suggestions" => raw(b"0"),
        "index_updates" => raw(b"0"),
        "celery_queue" => raw(b"0"),
        "celery_memory_queue" => raw(b"0"),
        "name" => text(title),
    );
}
