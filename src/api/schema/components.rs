//! The bodies of components.

use super::{ComponentDetails, Link, Nullable, Project, Time, schema, with_and_without};

fn component(rest: &str) -> Link {
    Link(format!(
        "https://l10n.example.org/api/components/ublock/extension/{rest}"
    ))
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
        /// The pattern of the translation files; `*` matches the language code.
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
        /// For one component with `expand=details`.
        details: Option<ComponentDetails> = None,
    }
}

schema! {
    /// Whether a component is locked.
    Lock {
        /// Always `false`.
        locked: bool = false,
    }
}

schema! {
    /// A commit, with the names of its people but without their addresses.
    RemoteCommit {
        /// Its id.
        revision: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034".into(),
        /// The beginning of its id.
        shortrevision: String = "ef78ced".into(),
        /// The beginnings of its parents' ids; only there for a merge.
        merge: Option<String> = None,
        /// Its author.
        author: String = "Karel Novák".into(),
        /// Its author's name.
        author_name: String = "Karel Novák".into(),
        /// Always `""`.
        author_email: String = String::new(),
        /// When it was written, with the author's offset.
        authordate: Time = "2019-01-20T19:35:00+01:00".into(),
        /// Its committer.
        commit: String = "Karel Novák".into(),
        /// Its committer's name.
        commit_name: String = "Karel Novák".into(),
        /// Always `""`.
        commit_email: String = String::new(),
        /// When it was committed, with the committer's offset.
        commitdate: Time = "2019-01-20T19:35:00+01:00".into(),
        /// The whole message.
        message: String = "Translate to Czech".into(),
        /// First line of the message.
        summary: String = "Translate to Czech".into(),
    }
}

schema! {
    /// The state of a component's repository.
    Repository {
        /// Always `false`.
        needs_commit: bool = false,
        /// Always `false`.
        needs_merge: bool = false,
        /// Always `false`.
        needs_push: bool = false,
        /// The commit that is shown.
        remote_commit: RemoteCommit = RemoteCommit,
        /// This object.
        url: Link = "https://l10n.example.org/api/components/ublock/extension/repository/".into(),
        /// One sentence for people.
        status: String = "This server follows the branch and never writes.".into(),
        /// Always `null`.
        merge_failure: Nullable<String> = Nullable(None),
    }
}

schema! {
    /// A file that is left out or cannot be read.
    Problem {
        /// Path from the repository's root.
        path: String = "_locales/pl/messages.json".into(),
        /// Why, in one sentence.
        reason: String = "left out: it is a symbolic link".into(),
        /// Whether it should be readable: then the texts of its last good version are shown, where there is one.
        broken: bool = false,
    }
}
