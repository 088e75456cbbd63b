//! Components, their repositories and problems (docs/spec/http.md#resources).

use super::{ComponentDetails, Project, project};
use crate::encode::json::{boolean, null, offset_time, raw, text};
use crate::response::links::{Links, link, page};
use crate::schema::{Link, Nullable, Time, schema};
use gitglot_catalog::{ComponentSnapshot, FileProblem, Snapshot};
use gitglot_model::Commit;
use gitglot_model::privacy::{name, without_addresses};
use gitglot_web::paths;

/// The value of `status`: the server only reads, so nothing is ever pending.
const STATUS: &str = "This server follows the branch and never writes: nothing is waiting to be committed or pushed.";
/// Number of digits of an abbreviated commit id.
const SHORT: usize = 7;

fn short(id: &str) -> &str {
    id.get(..SHORT).unwrap_or(id)
}

fn example(rest: &str) -> String {
    format!("https://l10n.example.org/api/components/ublock/extension/{rest}")
}

schema! {
    /// A component: the files that match one file mask on one branch of a repository.
    Component => component(
        links: &Links,
        snapshot: &Snapshot,
        component: &ComponentSnapshot,
        with_project: bool,
    ) {
        let path = component.path();
        let of = &component.component;
        /// Display name.
        name: String = "Extension" => text(&of.name),
        /// Name in URLs.
        slug: String = "extension" => text(of.slug.as_str()),
        /// Project of the component.
        project: Project => project(links, snapshot, &component.project) if with_project,
        /// Version control system; always `git`.
        vcs: String = "git" => text("git"),
        /// URL of the repository, without user name and password.
        repo: String = "https://git.example.org/ublock.git" => text(&of.repo),
        /// Public URL of the repository; `""` if not configured.
        git_export: String = "" => text(&of.git_export),
        /// Branch that gitglot follows.
        branch: String = "master" => text(&of.branch),
        /// File mask: a path pattern with `*` for the language code.
        filemask: String = "_locales/*/messages.json" => text(of.filemask.as_str()),
        /// Path of the template, the file with the source strings.
        template: String = "_locales/en/messages.json" => text(&of.template),
        /// Path of the file that new languages start from; `""` if not configured.
        new_base: String = "" => text(&of.new_base),
        /// Format of the files, such as `json`, `webextension` or `aresource`.
        file_format: String = "webextension" => text(of.file_format.name()),
        /// Licence of the translations; `""` if not configured.
        license: String = "GPL-3.0-or-later" => text(&of.license),
        /// URL of the licence; `""` if not configured.
        license_url: String = "" => text(&of.license_url),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/"
            => page(links, paths::COMPONENT, &[&path]),
        /// URL of this object.
        url: Link = example("") => link(links, &["components/", &path]),
        /// URL of the repository status.
        repository_url: Link = example("repository/")
            => link(links, &["components/", &path, "/repository"]),
        /// URL of the translations.
        translations_url: Link = example("translations/")
            => link(links, &["components/", &path, "/translations"]),
        /// URL of the statistics.
        statistics_url: Link = example("statistics/")
            => link(links, &["components/", &path, "/statistics"]),
        /// URL of the lock status.
        lock_url: Link = example("lock/") => link(links, &["components/", &path, "/lock"]),
        /// URL of the change log.
        changes_list_url: Link = example("changes/")
            => link(links, &["components/", &path, "/changes"]),
        /// Only for a single component with `expand=details`.
        details: Option<ComponentDetails>,
    }

    /// The lock status of a component.
    Lock {
        /// Always `false`.
        locked: bool = false,
    }

    /// A commit, with names but without email addresses.
    RemoteCommit => remote_commit(tip: &Commit) {
        let id = tip.id.to_string();
        let parents = tip.parents.iter().map(|id| short(&id.to_string()).to_owned());
        let message = without_addresses(tip.message.trim_end());
        let lines = message.lines().map(str::trim).collect::<Vec<_>>();
        let (author, committer) = (name(&tip.author.name), name(&tip.committer.name));
        /// Commit id.
        revision: String = "ef78ced1c7991676e773ebe1e23bf8602bdc0034" => text(&id),
        /// Abbreviated commit id.
        shortrevision: String = "ef78ced" => text(short(&id)),
        /// Abbreviated ids of the parents; only for merges.
        merge: Option<String>
            => text(&parents.collect::<Vec<_>>().join(" ")) if tip.parents.len() > 1,
        /// Name of the author.
        author: String = "Karel Novák" => text(&author),
        /// Name of the author.
        author_name: String = "Karel Novák" => text(&author),
        /// Always `""`.
        author_email: String = "" => raw(b"\"\""),
        /// Author date, with its UTC offset.
        authordate: Time = "2019-01-20T19:35:00+01:00" => offset_time(tip.author.time),
        /// Name of the committer.
        commit: String = "Karel Novák" => text(&committer),
        /// Name of the committer.
        commit_name: String = "Karel Novák" => text(&committer),
        /// Always `""`.
        commit_email: String = "" => raw(b"\"\""),
        /// Committer date, with its UTC offset.
        commitdate: Time = "2019-01-20T19:35:00+01:00" => offset_time(tip.committer.time),
        /// Full commit message.
        message: String = "Translate to Czech" => text(&lines.join("\n")),
        /// First line of the commit message.
        summary: String = "Translate to Czech" => text(lines.first().copied().unwrap_or_default()),
    }

    /// The status of a component's repository.
    Repository => repository(links: &Links, tip: &Commit, path: &[&str]) {
        /// Always `false`.
        needs_commit: bool = false => raw(b"false"),
        /// Always `false`.
        needs_merge: bool = false => raw(b"false"),
        /// Always `false`.
        needs_push: bool = false => raw(b"false"),
        /// Commit that gitglot serves.
        remote_commit: RemoteCommit => remote_commit(tip),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/components/ublock/extension/repository/"
            => link(links, path),
        /// A human-readable sentence.
        status: String = "This server follows the branch and never writes." => text(STATUS),
        /// Always `null`.
        merge_failure: Nullable<String> => null(),
    }

    /// A file that is excluded or does not parse.
    Problem => problem(problem: &FileProblem) {
        /// Path relative to the root of the repository.
        path: String = "_locales/pl/messages.json" => text(&problem.path),
        /// Reason, in one sentence.
        reason: String = "excluded: it is a symbolic link" => text(&problem.reason),
        /// Whether the file does not parse. If so, gitglot serves the last version that parsed, if there is one.
        broken: bool = false => boolean(problem.broken),
    }
}
