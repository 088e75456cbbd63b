//! The bodies of changes.

use super::{Link, Nullable, Time, schema};

schema! {
    /// An entry of the change log.
    Change {
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// URL of the component.
        component: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/components/ublock/extension/".into())),
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// Always `null`.
        dictionary: Nullable<i64> = Nullable(None),
        /// Id of the user who made the change.
        user: Nullable<i64> = Nullable(Some(3)),
        /// Id of the author of the text.
        author: Nullable<i64> = Nullable(Some(3)),
        /// Time when the change reached the branch. Increases within a component.
        timestamp: Time = "2019-01-20T18:39:20.082366Z".into(),
        /// Action, as a number.
        action: i64 = 5,
        /// New text; `""` if there is none.
        target: String = "Moje aplikace".into(),
        /// Id of the entry. Increases with every entry.
        id: i64 = 42,
        /// Action, as a name.
        action_name: String = "New translation".into(),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/".into(),
        /// Only in lists with `expand=details`.
        details: Option<ChangeDetails> = None,
    }
}

schema! {
    /// The commit of an entry of the change log.
    ChangeCommit {
        /// Commit id.
        id: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034".into(),
        /// URL of the commit at the repository host, if the host is known.
        url: Nullable<Link> = Nullable(Some("https://github.com/a/b/commit/ef78ced1c7991676e773ebe1e23bf8602bdc0034".into())),
        /// First line of the commit message.
        subject: String = "Translate to Czech".into(),
        /// Name of the author.
        author_name: String = "Karel Novák".into(),
        /// Author date, with its UTC offset.
        author_time: Time = "2019-01-20T19:35:00+01:00".into(),
        /// Committer date, with its UTC offset.
        committer_time: Time = "2019-01-20T18:39:20Z".into(),
    }
}

schema! {
    /// The details of an entry of the change log, available even if the string or file no longer exists.
    ChangeDetails {
        /// Id of the entry.
        id: i64 = 42,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/changes/42/details/".into(),
        /// URL of the entry.
        change: Link = "https://l10n.example.org/api/changes/42/".into(),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// URL of the translation, if it still exists.
        translation: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// URL of the unit, if it still exists.
        unit: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// Action, as a number.
        action: i64 = 5,
        /// Action, as a name.
        action_name: String = "New translation".into(),
        /// Time when the change reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z".into(),
        /// Language code, if the entry has one.
        language: Nullable<String> = Nullable(Some("cs".into())),
        /// Path of the file, if the entry has one.
        path: Nullable<String> = Nullable(Some("_locales/cs/messages.json".into())),
        /// Key of the string, if the entry has one.
        key: Nullable<String> = Nullable(Some("appName".into())),
        /// Text before the change.
        previous: String = String::new(),
        /// Text after the change.
        target: String = "Moje aplikace".into(),
        /// Commit of the change.
        commit: ChangeCommit = ChangeCommit,
    }
}
