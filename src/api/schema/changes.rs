use poem_openapi::Object;
use poem_openapi::types::Example;

use super::{Link, Nullable, Time};

/// An entry of the change log.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Change {
    /// The unit, while it is there.
    unit: Nullable<Link>,
    /// The component.
    component: Nullable<Link>,
    /// The translation, while it is there.
    translation: Nullable<Link>,
    /// Always `null`.
    dictionary: Nullable<i64>,
    /// The number of who did it.
    user: Nullable<i64>,
    /// The number of who wrote the text.
    author: Nullable<i64>,
    /// When it reached the branch; grows inside a component.
    timestamp: Time,
    /// What happened, as a number.
    action: i64,
    /// The new text, `""` where there is none.
    target: String,
    /// Its number; grows with every entry.
    id: i64,
    /// What happened, in words.
    action_name: String,
    /// This object.
    url: Link,
}

impl Example for Change {
    fn example() -> Self {
        Self {
            unit: Nullable(Some("https://l10n.example.org/api/units/1/".into())),
            component: Nullable(Some("https://l10n.example.org/api/components/ublock/extension/".into())),
            translation: Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
            dictionary: Nullable(None),
            user: Nullable(Some(3)),
            author: Nullable(Some(3)),
            timestamp: "2019-01-20T18:39:20.082366Z".into(),
            action: 5,
            target: "Moje aplikace".into(),
            id: 42,
            action_name: "New translation".into(),
            url: "https://l10n.example.org/api/changes/42/".into(),
        }
    }
}

/// The commit that an entry of the change log comes from.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct ChangeCommit {
    /// Its id.
    id: String,
    /// Its page, where the repository's host is known.
    url: Nullable<Link>,
    /// First line of its message.
    subject: String,
    /// Its author's name.
    author_name: String,
    /// When it was written, with the author's offset.
    author_time: Time,
    /// When it was committed, with the committer's offset.
    committer_time: Time,
}

impl Example for ChangeCommit {
    fn example() -> Self {
        Self {
            id: "ef78ced1c7991676e773ebe1e23bf8602bdc0034".into(),
            url: Nullable(Some("https://github.com/a/b/commit/ef78ced1c7991676e773ebe1e23bf8602bdc0034".into())),
            subject: "Translate to Czech".into(),
            author_name: "Karel Novák".into(),
            author_time: "2019-01-20T19:35:00+01:00".into(),
            committer_time: "2019-01-20T18:39:20Z".into(),
        }
    }
}

/// What git knows of an entry of the change log, also when its string or file is gone.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct ChangeDetails {
    /// The entry's number.
    id: i64,
    /// This object.
    url: Link,
    /// The entry.
    change: Link,
    /// The component.
    component: Link,
    /// The translation, while it is there.
    translation: Nullable<Link>,
    /// The unit, while it is there.
    unit: Nullable<Link>,
    /// What happened, as a number.
    action: i64,
    /// What happened, in words.
    action_name: String,
    /// When it reached the branch.
    timestamp: Time,
    /// Code of the language, if the entry belongs to one.
    language: Nullable<String>,
    /// The file, if the entry belongs to one.
    path: Nullable<String>,
    /// The string's context, if the entry belongs to one.
    key: Nullable<String>,
    /// The text before.
    previous: String,
    /// The text after.
    target: String,
    /// The commit.
    commit: ChangeCommit,
}

impl Example for ChangeDetails {
    fn example() -> Self {
        Self {
            id: 42,
            url: "https://l10n.example.org/api/changes/42/details/".into(),
            change: "https://l10n.example.org/api/changes/42/".into(),
            component: "https://l10n.example.org/api/components/ublock/extension/".into(),
            translation: Nullable(Some("https://l10n.example.org/api/translations/ublock/extension/cs/".into())),
            unit: Nullable(Some("https://l10n.example.org/api/units/1/".into())),
            action: 5,
            action_name: "New translation".into(),
            timestamp: "2019-01-20T18:39:20.082366Z".into(),
            language: Nullable(Some("cs".into())),
            path: Nullable(Some("_locales/cs/messages.json".into())),
            key: Nullable(Some("appName".into())),
            previous: String::new(),
            target: "Moje aplikace".into(),
            commit: ChangeCommit::example(),
        }
    }
}
