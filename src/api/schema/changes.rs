//! The bodies of changes.

use super::{Link, Nullable, Time, schema};

schema! {
    /// An entry of the change log.
    Change {
        /// The unit, while it is there.
        unit: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// The component.
        component: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/components/ublock/extension/".into())),
        /// The translation, while it is there.
        translation: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// Always `null`.
        dictionary: Nullable<i64> = Nullable(None),
        /// The id of the user who made the change.
        user: Nullable<i64> = Nullable(Some(3)),
        /// The id of the author of the text.
        author: Nullable<i64> = Nullable(Some(3)),
        /// When it reached the branch; grows inside a component.
        timestamp: Time = "2019-01-20T18:39:20.082366Z".into(),
        /// The action, as a number.
        action: i64 = 5,
        /// The new text, `""` if there is none.
        target: String = "Moje aplikace".into(),
        /// Its id; grows with every entry.
        id: i64 = 42,
        /// The action, in words.
        action_name: String = "New translation".into(),
        /// This object.
        url: Link = "https://l10n.example.org/api/changes/42/".into(),
        /// In lists with `expand=details`.
        details: Option<ChangeDetails> = None,
    }
}

schema! {
    /// The commit of an entry of the change log.
    ChangeCommit {
        /// Its id.
        id: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034".into(),
        /// Its page, where the repository's host is known.
        url: Nullable<Link> = Nullable(Some("https://github.com/a/b/commit/ef78ced1c7991676e773ebe1e23bf8602bdc0034".into())),
        /// First line of its message.
        subject: String = "Translate to Czech".into(),
        /// Its author's name.
        author_name: String = "Karel Novák".into(),
        /// When it was written, with the author's offset.
        author_time: Time = "2019-01-20T19:35:00+01:00".into(),
        /// When it was committed, with the committer's offset.
        committer_time: Time = "2019-01-20T18:39:20Z".into(),
    }
}

schema! {
    /// The details of an entry of the change log, also when its string or file is gone.
    ChangeDetails {
        /// The entry's number.
        id: i64 = 42,
        /// This object.
        url: Link = "https://l10n.example.org/api/changes/42/details/".into(),
        /// The entry.
        change: Link = "https://l10n.example.org/api/changes/42/".into(),
        /// The component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/".into(),
        /// The translation, while it is there.
        translation: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
        /// The unit, while it is there.
        unit: Nullable<Link> = Nullable(Some("https://l10n.example.org/api/units/1/".into())),
        /// The action, as a number.
        action: i64 = 5,
        /// The action, in words.
        action_name: String = "New translation".into(),
        /// When it reached the branch.
        timestamp: Time = "2019-01-20T18:39:20.082366Z".into(),
        /// Code of the language, if the entry belongs to one.
        language: Nullable<String> = Nullable(Some("cs".into())),
        /// The file, if the entry belongs to one.
        path: Nullable<String> = Nullable(Some("_locales/cs/messages.json".into())),
        /// The string's context, if the entry belongs to one.
        key: Nullable<String> = Nullable(Some("appName".into())),
        /// The text before.
        previous: String = String::new(),
        /// The text after.
        target: String = "Moje aplikace".into(),
        /// The commit.
        commit: ChangeCommit = ChangeCommit,
    }
}
