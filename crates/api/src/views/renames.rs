//! Renamed keys (docs/spec/renames.md#recorded-renames).

use crate::encode::json::{int, optional, text, timestamp};
use crate::links::{Links, link, numbered};
use crate::schema::{Link, Nullable, Time, schema};
use gitglot_catalog::{ChangeView, StringArrival};
use gitglot_model::{KeyRename, RenameEvidence};

/// A string that a commit gave a new key, or moved from a different component.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StringRename<'a> {
    Here(KeyRename),
    FromComponent(&'a StringArrival),
}

impl<'a> StringRename<'a> {
    /// Index of the first entry of the new key in the commit.
    pub(crate) fn entry(&self) -> u32 {
        match self {
            Self::Here(of) => of.entry,
            Self::FromComponent(of) => of.entry,
        }
    }

    fn old_component(&self, view: ChangeView<'a>) -> String {
        match self {
            Self::Here(_) => view.component.path(),
            Self::FromComponent(of) => of.from_path.to_string(),
        }
    }

    fn old_key(&self, view: ChangeView<'a>) -> Option<&'a str> {
        match self {
            Self::Here(of) => view.component.old_name(*of),
            Self::FromComponent(of) => Some(&of.old_name),
        }
    }

    fn new_key(&self, view: ChangeView<'a>) -> Option<&'a str> {
        match self {
            Self::Here(of) => view.component.new_name(*of),
            Self::FromComponent(of) => view.component.name_of_key(of.key),
        }
    }

    fn evidence(&self) -> RenameEvidence {
        match self {
            Self::Here(of) => of.evidence,
            Self::FromComponent(of) => of.evidence,
        }
    }

    fn languages(&self) -> u32 {
        match self {
            Self::Here(of) => of.languages,
            Self::FromComponent(of) => of.languages,
        }
    }
}

schema! {
    /// A string that a commit gave a new key.
    Rename => rename(links: &Links, view: ChangeView<'_>, of: StringRename<'_>) {
        let (component, commit) = (view.component, view.commit().map(|row| row.id.to_string()));
        let (old_key, new_key, languages) = (of.old_key(view), of.new_key(view), of.languages());
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
            => link(links, &["components/", &of.old_component(view)]),
        /// Old key; for a message with a new source text, the old source text.
        old_key: Nullable<String> = "appTitle" => optional(old_key, text),
        /// New key or source text.
        new_key: Nullable<String> = "appName" => optional(new_key, text),
        /// Why both are one string: `source-and-translations`, `source`, `key`, `order`, `previous-source`, `lines` or `translations`.
        evidence: String = "source-and-translations" => text(of.evidence().name()),
        /// Number of languages that had the text of the old key under the new key after the commit.
        languages: i64 = 12 => int(languages),
        /// URL of the first change of the new key in the commit.
        change: Link = "https://l10n.example.org/api/changes/42/"
            => numbered(links, "changes/", view.entry.id.0),
    }
}
