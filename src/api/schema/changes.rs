//! The bodies of changes.

use super::{Link, Nullable, Time, schema};

schema! {
    /// An entry of the change log.
    Change {
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = "https://l10n.example.org/api/units/1/",
        /// URL of the component.
        component: Nullable<Link> = "https://l10n.example.org/api/components/ublock/extension/",
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/",
        /// Always `null`.
        dictionary: Nullable<i64>,
        /// Id of the user who made the change.
        user: Nullable<i64> = 3,
        /// Id of the author of the text.
        author: Nullable<i64> = 3,
        /// Time when the change reached the branch. Increases within a component.
        timestamp: Time = "2019-01-20T18:39:20.082366Z",
        /// Action, as a number.
        action: i64 = 5,
        /// New text; `""` if there is none.
        target: String = "Moje aplikace",
        /// Id of the entry. Increases with every entry.
        id: i64 = 42,
        /// Action, as a name.
        action_name: String = "New translation",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/",
        /// Only in lists with `expand=details`.
        details: Option<ChangeDetails>,
    }

    /// The commit of an entry of the change log.
    ChangeCommit {
        /// Commit id.
        id: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034",
        /// URL of the commit at the repository host, if the host is known.
        url: Nullable<Link> = "https://github.com/a/b/commit/ef78ced1c7991676e773ebe1e23bf8602bdc0034",
        /// First line of the commit message.
        subject: String = "Translate to Czech",
        /// Name of the author.
        author_name: String = "Karel Novák",
        /// Author date, with its UTC offset.
        author_time: Time = "2019-01-20T19:35:00+01:00",
        /// Committer date, with its UTC offset.
        committer_time: Time = "2019-01-20T18:39:20Z",
    }

    /// The details of an entry of the change log, available even if the string or file no longer exists.
    ChangeDetails {
        /// Id of the entry.
        id: i64 = 42,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/details/",
        /// URL of the entry.
        change: Link = "https://l10n.example.org/api/changes/42/",
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/",
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = "https://l10n.example.org/api/translations/ublock/extension/cs/",
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = "https://l10n.example.org/api/units/1/",
        /// Action, as a number.
        action: i64 = 5,
        /// Action, as a name.
        action_name: String = "New translation",
        /// Time when the change reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z",
        /// Language code, if the entry has one.
        language: Nullable<String> = "cs",
        /// Path of the file, if the entry has one.
        path: Nullable<String> = "_locales/cs/messages.json",
        /// Key of the string, if the entry has one.
        key: Nullable<String> = "appName",
        /// Text before the change.
        previous: String = "",
        /// Text after the change.
        target: String = "Moje aplikace",
        /// Commit of the change.
        commit: ChangeCommit,
    }
}
