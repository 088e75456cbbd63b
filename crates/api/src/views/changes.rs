//! Entries of the change log (docs/spec/http.md#resources).

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::translations::path_of;
use super::with_details;
use crate::apis::{Api, Legacy};
use crate::encode::json::{int, null, object, offset_time, optional, raw, text, timestamp};
use crate::links::{Links, link, numbered};
use crate::request::filters::CURRENT_ACCOUNT;
use crate::schema::{AnyObject, Link, Nullable, Time, schema};
use gitglot_catalog::query::action_name;
use gitglot_catalog::{ChangeView, CurrentChange, RowDetails, UnitView};
use gitglot_model::address::commit_page;
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{CommitRow, ComponentId, OffsetTime};

schema! {
    /// An entry of the change log.
    Change => change<P>(links: &Links, view: ChangeView<'_>, row: Option<&CurrentChange<'_>>) {
        let entry = &view.entry;
        let id = row.map_or(u64::from(entry.id.0), |row| row.id);
        let action = row.map_or(0, |row| row.action);
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = "https://l10n.example.org/api/units/1/" => unit_link<P>(links, view),
        /// URL of the component.
        component: Nullable<Link> = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &view.component.path()]),
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/"
            => translation_link<P>(links, view),
        /// Always `null`.
        #[legacy] dictionary: Nullable<i64> => null(),
        /// Always `null`.
        #[current] addon: Nullable<AnyObject> => null(),
        /// Id of the user who made the change.
        #[legacy] user: Nullable<i64> = 3 => optional(view.user(), int),
        /// Id of the author of the text.
        #[legacy] author: Nullable<i64> = 3 => optional(view.author(), int),
        /// URL of the account of updates, which cannot be opened.
        #[current] user: Nullable<Link> = "https://l10n.example.org/api/users/weblate:update/"
            => account(links, row),
        /// URL of the account of updates, which cannot be opened.
        #[current] author: Nullable<Link> = "https://l10n.example.org/api/users/weblate:update/"
            => account(links, row),
        /// What is wrong with the files, of the action *Alert triggered*.
        #[current] alert: Nullable<AnyObject> => optional(row, alert),
        /// Time when the change reached the branch. Increases within a component.
        timestamp: Time = "2019-01-20T18:39:20.082366Z" => timestamp(entry.time),
        /// Action, as a number.
        #[legacy] action: i64 = 5 => int(entry.action.code()),
        /// Action, as a number of current Weblate.
        #[current] action: i64 = 59 => int(action),
        /// New text; `""` if there is none.
        #[legacy] target: String = "Moje aplikace" => text(&view.target()),
        /// New text; `""` if there is none.
        #[current] target: String = "Moje aplikace" => text_of(row, CurrentChange::target),
        /// Text before the change.
        #[current] old: String = "" => text_of(row, CurrentChange::old),
        /// States, source and context of the string, or what changed.
        #[current] details: AnyObject => current_details(row),
        /// Id of the entry. Increases with every entry.
        #[legacy] id: i64 = 42 => int(id),
        /// Id of the entry.
        #[current] id: i64 = 42 => int(id),
        /// Action, as a name.
        #[legacy] action_name: String = "New translation" => text(entry.action.label()),
        /// Action, as a name.
        #[current] action_name: String = "String updated in the repository" => text(action_name(action)),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/"
            => link(links, &["changes/", itoa::Buffer::new().format(id)]),
        /// Only in lists with `expand=details`.
        #[legacy] details: Option<ChangeDetails>,
    }

    /// The commit of an entry of the change log.
    ChangeCommit => commit(view: ChangeView<'_>) {
        let texts = &view.component.texts;
        let row = view.commit();
        let tip = &view.component.tip;
        let id = row.map_or(tip.id, |row| row.id);
        let time = |pick: fn(&CommitRow) -> OffsetTime| row.map_or(tip.committer.time, pick);
        /// Commit id.
        id: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034" => text(&id.to_string()),
        /// URL of the commit at the repository host, if the host is known.
        url: Nullable<Link> = "https://github.com/a/b/commit/ef78ced1c7991676e773ebe1e23bf8602bdc0034"
            => optional(commit_page(&view.component.component.repo, id).as_deref(), text),
        /// First line of the commit message.
        subject: String = "Translate to Czech"
            => text(&without_addresses(row.map_or("", |row| texts.get(row.subject)))),
        /// Name of the author.
        author_name: String = "Karel Novák"
            => text(&name(row.map_or("", |row| texts.get(row.author_name)))),
        /// Author date, with its UTC offset.
        author_time: Time = "2019-01-20T19:35:00+01:00" => offset_time(time(|row| row.authored)),
        /// Committer date, with its UTC offset.
        committer_time: Time = "2019-01-20T18:39:20Z" => offset_time(time(|row| row.committed)),
    }

    /// The details of an entry of the change log, available even if the string or file no longer exists.
    ChangeDetails => details_with(links: &Links, view: ChangeView<'_>, commit: &[u8]) {
        let (component, entry) = (view.component, &view.entry);
        let (log, texts) = (&component.log, &component.texts);
        let lineage = entry.lineage.and_then(|lineage| log.lineages.get(usize::from(lineage.0)));
        let translation = view.translation().map(|view| view.translation);
        let path = translation.map(|translation| &*translation.path);
        let path = path.or_else(|| lineage.map(|lineage| texts.get(lineage.path)));
        let states = view.states();
        /// Id of the entry.
        id: i64 = 42 => int(entry.id.0),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/details/"
            => link(links, &["changes/", itoa::Buffer::new().format(entry.id.0), "/details"]),
        /// URL of the entry.
        change: Link = "https://l10n.example.org/api/changes/42/"
            => numbered(links, "changes/", entry.id.0),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &component.path()]),
        /// Slug of the project.
        project_slug: String = "ublock" => text(component.project.slug.as_str()),
        /// Slug of the component.
        component_slug: String = "extension" => text(component.component.slug.as_str()),
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/"
            => translation_link<Legacy>(links, view),
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = "https://l10n.example.org/api/units/1/" => unit_link<Legacy>(links, view),
        /// Action, as a number.
        action: i64 = 5 => int(entry.action.code()),
        /// Action, as a name.
        action_name: String = "New translation" => text(entry.action.label()),
        /// Time when the change reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z" => timestamp(entry.time),
        /// Language code, if the entry has one.
        language: Nullable<String> = "cs" => optional(view.language(), text),
        /// Path of the file, if the entry has one.
        path: Nullable<String> = "_locales/cs/messages.json" => optional(path, text),
        /// Key of the string, if the entry has one.
        key: Nullable<String> = "appName" => optional(view.context(), text),
        /// Source text at the entry, if it is about a string; in a bilingual file, part of the key.
        source: Nullable<String> = "My app" => optional(view.source_text(), text),
        /// Older key, if the entry renames the string or has a text that moved with it.
        renamed_from: Nullable<String> = "appTitle" => optional(view.renamed_from(), text),
        /// Text before the change.
        previous: String = "" => text(texts.get(entry.previous)),
        /// Text after the change.
        target: String = "Moje aplikace" => text(&view.text_after()),
        /// State of the text before: 0 is empty, 10 fuzzy, 20 translated.
        previous_state: Nullable<i64> = 0 => optional(states.map(|states| states[1]), int),
        /// State of the text after.
        state: Nullable<i64> = 20 => optional(states.map(|states| states[0]), int),
        /// Commit of the change.
        commit: ChangeCommit => raw(commit),
    }
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
    pub fn new(links: &'a Links) -> Self {
        Self {
            links,
            of: None,
            commit: Vec::new(),
        }
    }

    pub(crate) fn write(&mut self, out: &mut Vec<u8>, view: ChangeView<'_>) {
        let of = (view.component.component.id, view.entry.commit);
        if self.of != Some(of) {
            self.commit.clear();
            commit(&mut self.commit, view);
            self.of = Some(of);
        }
        change::<Legacy>(out, self.links, view, None);
        with_details(out, |out| {
            details_with(out, self.links, view, &self.commit);
        });
    }
}

/// Writes the account that current Weblate names for updates of the repository; other entries have none.
fn account(out: &mut Vec<u8>, links: &Links, row: Option<&CurrentChange<'_>>) {
    let is_named = row.is_some_and(|row| row.has_account);
    optional(out, is_named.then_some(CURRENT_ACCOUNT), |out, name| {
        link(out, links, &["users/", name]);
    });
}

/// Writes a text of an entry of the current API.
fn text_of<'a>(
    out: &mut Vec<u8>,
    row: Option<&CurrentChange<'a>>,
    of: fn(&CurrentChange<'a>) -> Cow<'a, str>,
) {
    text(out, &row.map(of).unwrap_or_default());
}

/// Severity of an error in alerts of current Weblate.
const ALERT_OF_ERROR: u8 = 100;

/// Writes the alert of an entry of the current API.
fn alert(out: &mut Vec<u8>, row: &CurrentChange<'_>) {
    let RowDetails::Alert(name) = row.details else {
        return null(out);
    };
    let time = row.view.entry.time;
    object!(out;
        "name" => text(name),
        "timestamp" => timestamp(time),
        "updated" => timestamp(time),
        "severity" => int(ALERT_OF_ERROR),
        "details" => raw(b"{}"),
        "category" => text("files"),
        "dismissed_at" => null(),
        "dismissed_by" => null(),
        "dismissal_reason" => text(""),
    );
}

/// Writes `details` of the current API (docs/spec/current-api.md#changes).
fn current_details(out: &mut Vec<u8>, row: Option<&CurrentChange<'_>>) {
    let Some(row) = row else { return };
    let unit = row.view.unit().and_then(UnitView::revised);
    match row.details {
        RowDetails::None => out.extend_from_slice(b"{}"),
        RowDetails::States(new, old) => object!(out;
            "state" => int(new),
            "source" => text(row.source()),
            "context" => text(unit.map_or("", |unit| unit.current_context())),
            "old_state" => int(old),
        ),
        RowDetails::File(path, is_new) => object!(out;
            "reason" => text(if is_new { "new file" } else { "content changed" }),
            "filename" => text(path),
        ),
        RowDetails::Broken(path) => object!(out;
            "filename" => text(path),
            "error_message" => text("The file could not be parsed."),
        ),
        RowDetails::Alert(name) => {
            let place = [name, "\0", &*row.view.component.path()].concat();
            let fingerprint = Sha256::digest(place);
            let digits = fingerprint.iter().map(|byte| format!("{byte:02x}"));
            object!(out;
                "alert" => text(name),
                "fingerprint" => text(&digits.collect::<String>()),
            );
        }
        RowDetails::Locked => out.extend_from_slice(b"{\"auto\":true}"),
        RowDetails::Heads(old, new) => object!(out;
            "new_head" => text(&new.to_string()),
            "previous_head" => text(&old.to_string()),
        ),
        RowDetails::Branch(old, new) => object!(out;
            "branch" => text(&row.view.component.component.branch),
            "remote_revision" => text(&new.to_string()),
            "previous_remote_revision" => text(&old.to_string()),
        ),
    }
}

/// Writes the link to the unit of an entry, or `null` if it does not exist.
fn unit_link<P: Api>(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    optional(out, P::unit_of(view), |out, of| {
        numbered(out, links, "units/", of.unit.id.0);
    });
}

/// Writes the link to the translation of an entry, or `null` if it does not exist.
fn translation_link<P: Api>(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    optional(out, view.translation(), |out, of| {
        link(out, links, &["translations/", &path_of::<P>(of)]);
    });
}

/// Writes the details of an entry of the change log: which string of which file, in which commit, from which
/// text to which. Also available if the string or file no longer exists.
pub(crate) fn details(out: &mut Vec<u8>, links: &Links, view: ChangeView<'_>) {
    let mut text = Vec::new();
    commit(&mut text, view);
    details_with(out, links, view, &text);
}
