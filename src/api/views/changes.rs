//! Writes changes.

use super::with_details;
use crate::api::encode::json::{int, moment, null, object, offset_time, optional, raw, text};
use crate::api::response::links::{Links, link, numbered};
use crate::catalog::ChangeView;
use crate::model::address::commit_page;
use crate::model::privacy::{name, without_addresses};
use crate::model::{CommitRow, ComponentId, OffsetTime};

/// Writes an entry of the change log (docs/spec/http.md#resources).
pub(crate) fn change(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let entry = &view.entry;
    object!(out;
        "unit" => unit_link(links, view),
        "component" => link(links, &["components/", &view.component.path()]),
        "translation" => translation_link(links, view),
        "dictionary" => null(),
        "user" => optional(view.user(), int),
        "author" => optional(view.author(), int),
        "timestamp" => moment(entry.time),
        "action" => int(entry.action.code()),
        "target" => text(&view.target()),
        "id" => int(entry.id.0),
        "action_name" => text(entry.action.label()),
        "url" => numbered(links, "changes/", entry.id.0),
    );
}

/// Writes entries of the change log with their details. Consecutive entries of the same commit share its text.
pub(crate) struct DetailedChanges<'a> {
    links: &'a Links,
    /// The component and the row of the commit that `commit` describes.
    of: Option<(ComponentId, u32)>,
    commit: Vec<u8>,
}

impl<'a> DetailedChanges<'a> {
    /// A writer with these links.
    pub(crate) fn new(links: &'a Links) -> Self {
        Self {
            links,
            of: None,
            commit: Vec::new(),
        }
    }

    /// Writes an entry.
    pub(crate) fn write(&mut self, out: &mut Vec<u8>, view: ChangeView<'_>) {
        let of = (view.component.component.id, view.entry.commit);
        if self.of != Some(of) {
            self.commit.clear();
            commit(&mut self.commit, view);
            self.of = Some(of);
        }
        change(out, self.links, view);
        with_details(out, |out| {
            details_with(out, self.links, view, |out, _| raw(out, &self.commit));
        });
    }
}

/// Writes the link to the unit of an entry, or `null` when it is not there.
fn unit_link(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    match view.unit() {
        Some(of) => numbered(out, links, "units/", of.unit.id.0),
        None => null(out),
    }
}

/// Writes the link to the translation of an entry, or `null` when it is not there.
fn translation_link(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    match view.translation() {
        Some(of) => {
            let path = of.component.path_of(of.translation);
            link(out, links, &["translations/", &path]);
        }
        None => null(out),
    }
}

/// Writes the details of an entry of the change log: which string of which file, in which commit, from which
/// text to which. Also available when the string or file is gone.
pub(crate) fn details(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    details_with(out, links, view, commit);
}

fn details_with(
    out: &mut Vec<u8>,
    links: &Links,
    view: ChangeView<'_>,
    commit: impl FnOnce(&mut Vec<u8>, ChangeView<'_>),
) {
    let (component, entry) = (view.component, &view.entry);
    let (log, texts) = (&component.log, &component.texts);
    let lineage = entry
        .lineage
        .and_then(|lineage| log.lineages.get(usize::from(lineage.0)));
    let translation = view.translation().map(|view| view.translation);
    let path = translation
        .map(|translation| &*translation.path)
        .or_else(|| lineage.map(|lineage| texts.get(lineage.path)));
    object!(out;
        "id" => int(entry.id.0),
        "url" => numbered_details(links, entry.id.0),
        "change" => numbered(links, "changes/", entry.id.0),
        "component" => link(links, &["components/", &component.path()]),
        "translation" => translation_link(links, view),
        "unit" => unit_link(links, view),
        "action" => int(entry.action.code()),
        "action_name" => text(entry.action.label()),
        "timestamp" => moment(entry.time),
        "language" => optional(view.language(), text),
        "path" => optional(path, text),
        "key" => optional(view.context(), text),
        "previous" => text(texts.get(entry.previous)),
        "target" => text(&view.target()),
        "commit" => commit(view),
    );
}

fn numbered_details(out: &mut Vec<u8>, links: &Links, id: u32) {
    link(
        out,
        links,
        &["changes/", itoa::Buffer::new().format(id), "/details"],
    );
}

fn commit(out: &mut Vec<u8>, view: ChangeView<'_>) {
    let texts = &view.component.texts;
    let row: Option<&CommitRow> = view.commit();
    let id = row.map_or(view.component.tip.id, |row| row.id);
    let time =
        |pick: fn(&CommitRow) -> OffsetTime| row.map_or(view.component.tip.committer.time, pick);
    object!(out;
        "id" => text(&id.to_string()),
        "url" => optional(commit_page(&view.component.component.repo, id).as_deref(), text),
        "subject" => text(&without_addresses(row.map_or("", |row| texts.get(row.subject)))),
        "author_name" => text(&name(row.map_or("", |row| texts.get(row.author_name)))),
        "author_time" => offset_time(time(|row| row.authored)),
        "committer_time" => offset_time(time(|row| row.committed)),
    );
}
