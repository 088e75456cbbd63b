//! Renamed keys (docs/spec/renames.md#recorded-renames).

use crate::encode::json::{int, moment, optional, text};
use crate::response::links::{Links, link, numbered};
use crate::schema::{Link, Nullable, Time, schema};
use gitglot_catalog::ChangeView;
use gitglot_model::KeyRename;

schema! {
    /// A string that a commit gave a new key.
    Rename => rename(links: &Links, view: ChangeView<'_>, of: KeyRename) {
        let (component, commit) = (view.component, view.commit().map(|row| row.id.to_string()));
        /// Id of the commit.
        commit: Nullable<String> = "ef78ced1c7991676e773ebe1e23bf8602bdc0034"
            => optional(commit.as_deref(), text),
        /// Time when the change reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z" => moment(view.entry.time),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &component.path()]),
        /// Old key; for a message with a new source text, the old source text.
        old_key: Nullable<String> = "appTitle" => optional(component.old_name(of), text),
        /// New key or source text.
        new_key: Nullable<String> = "appName" => optional(component.new_name(of), text),
        /// Why both are one string: `source-and-translations`, `source`, `key`, `order` or `translations`.
        evidence: String = "source-and-translations" => text(of.evidence.name()),
        /// Number of languages that had the text of the old key under the new key after the commit.
        languages: i64 = 12 => int(of.languages),
        /// URL of the first change of the new key in the commit.
        change: Link = "https://l10n.example.org/api/changes/42/"
            => numbered(links, "changes/", view.entry.id.0),
    }
}
