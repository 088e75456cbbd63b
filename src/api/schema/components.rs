//! The bodies of components.

use super::{ComponentDetails, Link, Nullable, Project, Time, schema};

fn component(rest: &str) -> String {
    format!("https://l10n.example.org/api/components/ublock/extension/{rest}")
}

schema! {
    /// A component: the files that match one file mask on one branch of a repository.
    Component {
        /// Display name.
        name: String = "Extension",
        /// Name in URLs.
        slug: String = "extension",
        /// Project of the component.
        project: Project,
        /// Version control system; always `git`.
        vcs: String = "git",
        /// URL of the repository, without user name and password.
        repo: String = "https://git.example.org/ublock.git",
        /// Public URL of the repository; `""` if not configured.
        git_export: String = "",
        /// Branch that gitglot follows.
        branch: String = "master",
        /// File mask: a path pattern with `*` for the language code.
        filemask: String = "_locales/*/messages.json",
        /// Path of the template, the file with the source strings.
        template: String = "_locales/en/messages.json",
        /// Path of the file that new languages start from; `""` if not configured.
        new_base: String = "",
        /// Format of the files, such as `json`, `webextension` or `aresource`.
        file_format: String = "webextension",
        /// Licence of the translations; `""` if not configured.
        license: String = "GPL-3.0-or-later",
        /// URL of the licence; `""` if not configured.
        license_url: String = "",
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/",
        /// URL of this object.
        url: Link = component(""),
        /// URL of the repository status.
        repository_url: Link = component("repository/"),
        /// URL of the translations.
        translations_url: Link = component("translations/"),
        /// URL of the statistics.
        statistics_url: Link = component("statistics/"),
        /// URL of the lock status.
        lock_url: Link = component("lock/"),
        /// URL of the change log.
        changes_list_url: Link = component("changes/"),
        /// Only for a single component with `expand=details`.
        details: Option<ComponentDetails>,
    }

    /// The lock status of a component.
    Lock {
        /// Always `false`.
        locked: bool = false,
    }

    /// A commit, with names but without email addresses.
    RemoteCommit {
        /// Commit id.
        revision: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034",
        /// Abbreviated commit id.
        shortrevision: String = "ef78ced",
        /// Abbreviated ids of the parents; only for merges.
        merge: Option<String>,
        /// Name of the author.
        author: String = "Karel Novák",
        /// Name of the author.
        author_name: String = "Karel Novák",
        /// Always `""`.
        author_email: String = "",
        /// Author date, with its UTC offset.
        authordate: Time = "2019-01-20T19:35:00+01:00",
        /// Name of the committer.
        commit: String = "Karel Novák",
        /// Name of the committer.
        commit_name: String = "Karel Novák",
        /// Always `""`.
        commit_email: String = "",
        /// Committer date, with its UTC offset.
        commitdate: Time = "2019-01-20T19:35:00+01:00",
        /// Full commit message.
        message: String = "Translate to Czech",
        /// First line of the commit message.
        summary: String = "Translate to Czech",
    }

    /// The status of a component's repository.
    Repository {
        /// Always `false`.
        needs_commit: bool = false,
        /// Always `false`.
        needs_merge: bool = false,
        /// Always `false`.
        needs_push: bool = false,
        /// Commit that gitglot serves.
        remote_commit: RemoteCommit,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/components/ublock/extension/repository/",
        /// A human-readable sentence.
        status: String = "This server follows the branch and never writes.",
        /// Always `null`.
        merge_failure: Nullable<String>,
    }

    /// A file that is excluded or does not parse.
    Problem {
        /// Path relative to the root of the repository.
        path: String = "_locales/pl/messages.json",
        /// Reason, in one sentence.
        reason: String = "excluded: it is a symbolic link",
        /// Whether the file does not parse. If so, gitglot serves the last version that parsed, if there is one.
        broken: bool = false,
    }
}
