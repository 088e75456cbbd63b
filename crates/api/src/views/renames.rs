//! Renamed keys (docs/spec/renames.md#recorded-renames).

use crate::encode::json::{int, optional, text, timestamp};
use crate::links::{Links, link, numbered};
use crate::schema::{Link, Nullable, Time, schema};
use gitglot_catalog::{ChangeView, StringArrival};
use gitglot_model::KeyRename;

/// A string that a commit gave a new key, or moved from a different component.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StringRename<'a> {
    Here(KeyRename),
    FromComponent(&'a StringArrival),
}

impl StringRename<'_> {
    /// The keys and why they are one string. The old key of a string from a different component is one of the log
    /// there.
    pub(crate) fn rename(&self) -> KeyRename {
        match self {
            Self::Here(of) => *of,
            Self::FromComponent(of) => of.rename,
        }
    }
}

schema! {
    /// A string that a commit gave a new key.
    Rename => rename(links: &Links, view: ChangeView<'_>, of: StringRename<'_>) {
        let (component, commit) = (view.component, view.commit().map(|row| row.id.to_string()));
        let renamed = of.rename();
        let (old_component, [old_key, new_key]) = match of {
            StringRename::Here(_) => {
                (component.path(), [component.old_name(renamed), component.new_name(renamed)])
            }
            StringRename::FromComponent(of) => {
                let names = [Some(&*of.old_name), component.name_of_key(renamed.to)];
                (of.from_path.to_string(), names)
            }
        };
        /// Id of the commit.
        commit: Nullable<String> = "ef78ced1c7991676e773ebe1e23bf8602bdc0034"
            => optional(commit.as_deref(), text),
        /// Time when the change reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z" => timestamp(view.entry.time),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &component.path()]),
        /// URL of the component that had the old key; a different one if the commit moved the string.
        old_component: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &old_component]),
        /// Old key; for a message with a new source text, the old source text.
        old_key: Nullable<String> = "appTitle" => optional(old_key, text),
        /// New key or source text.
        new_key: Nullable<String> = "appName" => optional(new_key, text),
        /// Why both are one string: `source-and-translations`, `source`, `key`, `order`, `previous-source`, `lines` or `translations`.
        evidence: String = "source-and-translations" => text(renamed.evidence.name()),
        /// Number of languages that had the text of the old key under the new key after the commit.
        languages: i64 = 12 => int(renamed.languages),
        /// URL of the first change of the new key in the commit.
        change: Link = "https://l10n.example.org/api/changes/42/"
            => numbered(links, "changes/", view.entry.id.0),
    }
}
