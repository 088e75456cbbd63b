use poem_openapi::Object;
use poem_openapi::types::Example;

use super::{Link, Nullable, Time};

/// How far a translation is.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct TranslationStatistics {
    /// Code of the language.
    code: String,
    /// Its English name.
    name: String,
    /// How many strings there are.
    total: i64,
    /// How many words their sources have.
    total_words: i64,
    /// When a text last changed, if the history says.
    last_change: Nullable<Time>,
    /// Who did it.
    last_author: Nullable<String>,
    /// How many strings are translated.
    translated: i64,
    /// How many words the sources of those have.
    translated_words: i64,
    /// How many of 100 are translated; 100 when there is nothing to do.
    translated_percent: f64,
    /// How many were translated from a source that has changed since.
    fuzzy: i64,
    /// How many of 100 those are.
    fuzzy_percent: f64,
    /// How many fail a check.
    failing: i64,
    /// How many of 100 those are.
    failing_percent: f64,
    /// A page to show around.
    url: Link,
    /// The translation's page for people.
    url_translate: Link,
}

impl Example for TranslationStatistics {
    fn example() -> Self {
        Self {
            code: "cs".into(),
            name: "Czech".into(),
            total: 300,
            total_words: 1650,
            last_change: Nullable(Some("2019-01-20T18:39:20.082366Z".into())),
            last_author: Nullable(Some("Karel Novák".into())),
            translated: 297,
            translated_words: 1629,
            translated_percent: 99.0,
            fuzzy: 2,
            fuzzy_percent: 0.7,
            failing: 3,
            failing_percent: 1.0,
            url: "https://l10n.example.org/engage/ublock/cs/".into(),
            url_translate: "https://l10n.example.org/projects/ublock/extension/cs/".into(),
        }
    }
}

/// How far a project is in one language.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct LanguageStatistics {
    /// English name of the language.
    language: String,
    /// Its code.
    code: String,
    /// How many strings there are.
    total: i64,
    /// How many are translated.
    translated: i64,
    /// How many of 100 those are; 100 when there is nothing to do.
    translated_percent: f64,
    /// How many words the sources have.
    total_words: i64,
    /// How many words the sources of translated strings have.
    translated_words: i64,
    /// How many of 100 those are.
    words_percent: f64,
}

impl Example for LanguageStatistics {
    fn example() -> Self {
        Self {
            language: "Czech".into(),
            code: "cs".into(),
            total: 300,
            translated: 297,
            translated_percent: 99.0,
            total_words: 1650,
            translated_words: 1629,
            words_percent: 98.7,
        }
    }
}

/// Whether a component is locked.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Lock {
    /// Always `false`.
    locked: bool,
}

impl Example for Lock {
    fn example() -> Self {
        Self { locked: false }
    }
}

/// The state of a project's repositories.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct ProjectRepository {
    /// Always `false`.
    needs_commit: bool,
    /// Always `false`.
    needs_merge: bool,
    /// Always `false`.
    needs_push: bool,
    /// This object.
    url: Link,
}

impl Example for ProjectRepository {
    fn example() -> Self {
        Self {
            needs_commit: false,
            needs_merge: false,
            needs_push: false,
            url: "https://l10n.example.org/api/projects/ublock/repository/".into(),
        }
    }
}

/// A commit, with the names of its people but without their addresses.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct RemoteCommit {
    /// Its id.
    revision: String,
    /// The beginning of its id.
    shortrevision: String,
    /// The beginnings of its parents' ids; only there for a merge.
    #[oai(skip_serializing_if_is_none)]
    merge: Option<String>,
    /// Its author.
    author: String,
    /// Its author's name.
    author_name: String,
    /// Always `""`.
    author_email: String,
    /// When it was written, with the author's offset.
    authordate: Time,
    /// Its committer.
    commit: String,
    /// Its committer's name.
    commit_name: String,
    /// Always `""`.
    commit_email: String,
    /// When it was committed, with the committer's offset.
    commitdate: Time,
    /// The whole message.
    message: String,
    /// First line of the message.
    summary: String,
}

impl Example for RemoteCommit {
    fn example() -> Self {
        Self {
            revision: "ef78ced1c7991676e773ebe1e23bf8602bdc0034".into(),
            shortrevision: "ef78ced".into(),
            merge: None,
            author: "Karel Novák".into(),
            author_name: "Karel Novák".into(),
            author_email: String::new(),
            authordate: "2019-01-20T19:35:00+01:00".into(),
            commit: "Karel Novák".into(),
            commit_name: "Karel Novák".into(),
            commit_email: String::new(),
            commitdate: "2019-01-20T19:35:00+01:00".into(),
            message: "Translate to Czech".into(),
            summary: "Translate to Czech".into(),
        }
    }
}

/// The state of a component's repository.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Repository {
    /// Always `false`.
    needs_commit: bool,
    /// Always `false`.
    needs_merge: bool,
    /// Always `false`.
    needs_push: bool,
    /// The commit that is shown.
    remote_commit: RemoteCommit,
    /// This object.
    url: Link,
    /// One sentence for people.
    status: String,
    /// Always `null`.
    merge_failure: Nullable<String>,
}

impl Example for Repository {
    fn example() -> Self {
        Self {
            needs_commit: false,
            needs_merge: false,
            needs_push: false,
            remote_commit: RemoteCommit::example(),
            url: "https://l10n.example.org/api/components/ublock/extension/repository/".into(),
            status: "This server follows the branch and never writes.".into(),
            merge_failure: Nullable(None),
        }
    }
}

/// How much there is of everything.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Metrics {
    /// Units.
    units: i64,
    /// Translated units.
    units_translated: i64,
    /// People whom the change log names, and the one who is signed out.
    users: i64,
    /// Entries of the change log.
    changes: i64,
    /// Projects.
    projects: i64,
    /// Components.
    components: i64,
    /// Translations.
    translations: i64,
    /// Languages that are translated to.
    languages: i64,
    /// Units that fail a check.
    checks: i64,
    /// Always 0.
    suggestions: i64,
    /// Always 0.
    index_updates: i64,
    /// Always 0.
    celery_queue: i64,
    /// Always 0.
    celery_memory_queue: i64,
    /// The server's title.
    name: String,
}

impl Example for Metrics {
    fn example() -> Self {
        Self {
            units: 19_200,
            units_translated: 18_790,
            users: 19,
            changes: 67_082,
            projects: 1,
            components: 1,
            translations: 64,
            languages: 64,
            checks: 120,
            suggestions: 0,
            index_updates: 0,
            celery_queue: 0,
            celery_memory_queue: 0,
            name: "gitglot".into(),
        }
    }
}

/// A file that is left out or cannot be read.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Problem {
    /// Path from the repository's root.
    path: String,
    /// Why, in one sentence.
    reason: String,
    /// Whether it should be readable: then the texts of its last good version are shown, where there is one.
    broken: bool,
}

impl Example for Problem {
    fn example() -> Self {
        Self {
            path: "_locales/pl/messages.json".into(),
            reason: "left out: it is a symbolic link".into(),
            broken: false,
        }
    }
}
