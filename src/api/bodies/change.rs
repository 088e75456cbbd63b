use super::{component_path, translation_path};
use crate::api::json::{int, moment, null, object, optional_int, text};
use crate::api::links::{Links, link, numbered};
use crate::catalog::ChangeView;

/// Writes an entry of the change log (api.md 2.7).
pub(in crate::api) fn change(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let entry = &view.entry;
    object!(out;
        "unit" => unit_link(links, view),
        "component" => link(links, &["components/", &component_path(view.component)]),
        "translation" => translation_link(links, view),
        "dictionary" => null(),
        "user" => optional_int(view.user()),
        "author" => optional_int(view.author()),
        "timestamp" => moment(entry.time),
        "action" => int(entry.action.code()),
        "target" => text(view.component.texts.get(entry.target)),
        "id" => int(entry.id.0),
        "action_name" => text(entry.action.label()),
        "url" => numbered(links, "changes/", entry.id.0),
    );
}

/// Writes the link to the unit of an entry, or `null` when it is not there.
pub(super) fn unit_link(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let unit = view
        .unit()
        .and_then(|(translation, row)| view.component.translations.get(translation as usize)?.units.get(row as usize));
    match unit {
        Some(unit) => numbered(out, links, "units/", unit.id.0),
        None => null(out),
    }
}

/// Writes the link to the translation of an entry, or `null` when it is not there.
pub(super) fn translation_link(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let translation = view.translation().and_then(|at| view.component.translations.get(at as usize));
    match translation {
        Some(translation) => {
            link(out, links, &["translations/", &translation_path(view.component, translation)]);
        }
        None => null(out),
    }
}
