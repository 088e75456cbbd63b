use poem_openapi::Object;
use poem_openapi::types::Example;

use super::{Link, Nullable, Project, Time, with_and_without};

fn component(rest: &str) -> Link {
    Link(format!("https://l10n.example.org/api/components/ublock/extension/{rest}"))
}

with_and_without! {
    /// A component: the files of one mask in one branch of one repository.
    Component, ComponentOfProject,
    {
        /// Its name for people.
        name: String = "Extension".into(),
        /// Its name in URLs.
        slug: String = "extension".into(),
    }
    /// The project it belongs to.
    project: Project,
    {
        /// The version control system, always `git`.
        vcs: String = "git".into(),
        /// The address of the repository, without user and password.
        repo: String = "https://git.example.org/ublock.git".into(),
        /// A public address for export, `""` when none is given.
        git_export: String = String::new(),
        /// The branch that is followed.
        branch: String = "master".into(),
        /// Which files are translations; `*` stands for the language.
        filemask: String = "_locales/*/messages.json".into(),
        /// The file with the source texts.
        template: String = "_locales/en/messages.json".into(),
        /// The file that new languages start from, `""` when none is given.
        new_base: String = String::new(),
        /// How the files are written: `json` or `webextension`.
        file_format: String = "webextension".into(),
        /// The licence of the translations, `""` when none is given.
        license: String = "GPL-3.0-or-later".into(),
        /// Where the licence can be read, `""` when none is given.
        license_url: String = String::new(),
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/".into(),
        /// This object.
        url: Link = component(""),
        /// The state of its repository.
        repository_url: Link = component("repository/"),
        /// Its translations.
        translations_url: Link = component("translations/"),
        /// How far each translation is.
        statistics_url: Link = component("statistics/"),
        /// Whether it is locked.
        lock_url: Link = component("lock/"),
        /// Its change log.
        changes_list_url: Link = component("changes/"),
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
