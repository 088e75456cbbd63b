//! Components, their repositories and problems (docs/spec/http.md#resources).

use super::projects::source_language;
use super::{ComponentDetails, Language, Project, project};
use crate::apis::{Api, Current};
use crate::encode::json::{boolean, int, null, offset_time, optional, raw, text};
use crate::files::convert::format_flags;
use crate::links::{Links, link, page};
use crate::schema::{
    AlwaysFalse, AlwaysHundred, AlwaysTrue, AlwaysZero, AnyObject, EffectiveEmpty, EmptyText,
    Inherited, Link, NotInherited, Nullable, Time, schema,
};
use gitglot_catalog::{ComponentSnapshot, FileProblem, Snapshot};
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Commit, Shape};
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

fn linked_url(out: &mut Vec<u8>, links: &Links, linked: Option<&ComponentSnapshot>) {
    optional(out, linked, |out, of| {
        link(out, links, &["components/", &of.path()])
    });
}

/// The URL of the licence: that of the configuration, or that of its SPDX identifier.
fn current_license_url(of: &gitglot_model::Component) -> Option<String> {
    match (&*of.license_url, &*of.license) {
        ("", "") => None,
        ("", id) => Some(format!("https://spdx.org/licenses/{id}.html")),
        (url, _) => Some(url.to_owned()),
    }
}

schema! {
    /// A component: the files that match one file mask on one branch of a repository.
    Component => component<P>(
        links: &Links,
        snapshot: &Snapshot,
        component: &ComponentSnapshot,
        with_project: bool,
    ) {
        let path = component.path();
        let at = |out: &mut Vec<u8>, rest| link(out, links, &["components/", &path, rest]);
        let of = &component.component;
        let linked = snapshot.linked_component(component);
        /// Display name.
        name: String = "Extension" => text(&of.name),
        /// Name in URLs.
        slug: String = "extension" => text(of.slug.as_str()),
        /// Id of the component.
        #[current] id: i64 = 1 => int(of.id.0),
        /// Language of the source texts.
        #[current] source_language: Language
            => source_language<P>(links, snapshot, &component.project.source_language),
        /// Project of the component.
        project: Project => project<P>(links, snapshot, &component.project) if with_project,
        /// Version control system; always `git`.
        vcs: String = "git" => text("git"),
        /// Always empty.
        #[current] vcs_params: AnyObject => raw(b"{}"),
        /// URL of the repository, without user name and password.
        repo: String = "https://git.example.org/ublock.git" => text(&of.repo),
        /// Public URL of the repository; `""` if not configured.
        git_export: String = "" => text(&of.git_export),
        /// Branch that gitglot follows.
        branch: String = "master" => text(&of.branch),
        #[current] push_branch: EmptyText,
        /// File mask: a path pattern with `*` for the language code.
        filemask: String = "_locales/*/messages.json" => text(of.filemask.as_str()),
        #[current] screenshot_filemask: EmptyText,
        /// Path of the template, the file with the source strings.
        template: String = "_locales/en/messages.json" => text(&of.template),
        #[current] edit_template: AlwaysTrue,
        #[current] intermediate: EmptyText,
        /// Path of the file that new languages start from; `""` if not configured.
        new_base: String = "" => text(&of.new_base),
        /// Format of the files, such as `json`, `webextension` or `aresource`.
        file_format: String = "webextension" => text(of.file_format.name()),
        /// Always empty.
        #[current] file_format_params: AnyObject => raw(b"{}"),
        /// Licence of the translations; `""` if not configured.
        license: String = "GPL-3.0-or-later" => text(&of.license),
        /// Whether the project sets the licence; always `false`.
        #[current] inherit_license: AlwaysFalse,
        /// Licence that applies.
        #[current] effective_license: String = "GPL-3.0-or-later" => text(&of.license),
        /// URL of the licence; `""` if not configured.
        #[legacy] license_url: String = "" => text(&of.license_url),
        /// URL of the licence; `null` if it is unknown.
        #[current] license_url: Nullable<String> = "https://spdx.org/licenses/GPL-3.0-or-later.html"
            => optional(current_license_url(of).as_deref(), text),
        /// URL of the announcements.
        #[current] announcements_url: Link = example("announcements/") => at("/announcements"),
        #[current] agreement: EmptyText,
        #[current] inherit_agreement: Inherited,
        #[current] effective_agreement: EffectiveEmpty,
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/"
            => page(links, paths::COMPONENT, &[&path]),
        /// URL of this object.
        url: Link = example("") => at(""),
        /// URL of the repository status.
        repository_url: Link = example("repository/") => at("/repository"),
        /// URL of the translations.
        translations_url: Link = example("translations/") => at("/translations"),
        /// URL of the statistics.
        statistics_url: Link = example("statistics/") => at("/statistics"),
        /// URL of the lock status.
        lock_url: Link = example("lock/") => at("/lock"),
        /// URL of the projects that share the component.
        #[current] links_url: Link = example("links/") => at("/links"),
        /// URL of the change log.
        changes_list_url: Link = example("changes/") => at("/changes"),
        /// Only for a single component with `expand=details`.
        #[legacy] details: Option<ComponentDetails>,
        /// Always `null`.
        #[current] task_url: Nullable<Link> => null(),
        /// URL of the reports.
        #[current] reports_url: Link = example("reports/") => at("/reports"),
        /// Always `none`: nobody can add languages here.
        #[current] new_lang: String = "none" => raw(b"\"none\""),
        #[current] inherit_new_lang: NotInherited,
        /// The value that applies.
        #[current] effective_new_lang: String = "none" => raw(b"\"none\""),
        #[current] language_code_style: EmptyText,
        #[current] inherit_language_code_style: Inherited,
        #[current] effective_language_code_style: EffectiveEmpty,
        #[current] push: EmptyText,
        /// Flags of checks; always `""`.
        #[current] check_flags: EmptyText,
        /// Flags of checks that the file format enables.
        #[current] effective_check_flags: String = "" => text(format_flags(of.file_format)),
        #[current] priority: AlwaysHundred,
        /// Always empty.
        #[current] enforced_checks: Vec<String> => raw(b"[]"),
        #[current] inherit_enforced_checks: Inherited,
        /// The value that applies.
        #[current] effective_enforced_checks: Vec<String> => raw(b"[]"),
        #[current] restricted: AlwaysFalse,
        /// URL of a line of a file at the repository host, with placeholders; `""` if not configured.
        #[current] repoweb: String = "" => text(&of.repoweb),
        #[current] repoweb_translations: EmptyText,
        #[current] report_source_bugs: EmptyText,
        /// Always `rebase`.
        #[current] merge_style: String = "rebase" => raw(b"\"rebase\""),
        /// Message of commits; always `""`.
        #[current] commit_message: EmptyText,
        #[current] inherit_commit_message: Inherited,
        #[current] effective_commit_message: EffectiveEmpty,
        /// Message of commits that add a language; always `""`.
        #[current] add_message: EmptyText,
        #[current] inherit_add_message: Inherited,
        #[current] effective_add_message: EffectiveEmpty,
        /// Message of commits that remove a language; always `""`.
        #[current] delete_message: EmptyText,
        #[current] inherit_delete_message: Inherited,
        #[current] effective_delete_message: EffectiveEmpty,
        /// Message of merges; always `""`.
        #[current] merge_message: EmptyText,
        #[current] inherit_merge_message: Inherited,
        #[current] effective_merge_message: EffectiveEmpty,
        /// Message of commits of add-ons; always `""`.
        #[current] addon_message: EmptyText,
        #[current] inherit_addon_message: Inherited,
        #[current] effective_addon_message: EffectiveEmpty,
        /// Message of pull requests; always `""`.
        #[current] pull_message: EmptyText,
        #[current] inherit_pull_message: Inherited,
        #[current] effective_pull_message: EffectiveEmpty,
        #[current] allow_translation_propagation: AlwaysTrue,
        #[current] hide_glossary_matches: AlwaysFalse,
        #[current] contribute_project_tm: AlwaysTrue,
        /// Whether strings can be added: `false` for bilingual files.
        #[current] manage_units: bool = true => boolean(of.file_format.shape() != Shape::Bilingual),
        #[current] enable_suggestions: AlwaysTrue,
        #[current] suggestion_voting: AlwaysFalse,
        #[current] suggestion_autoaccept: AlwaysZero,
        #[current] push_on_commit: AlwaysTrue,
        #[current] push_on_update: AlwaysTrue,
        /// Always 24.
        #[current] commit_pending_age: i64 = 24 => raw(b"24"),
        #[current] auto_lock_error: AlwaysTrue,
        /// Always `^[^.]+$`.
        #[current] language_regex: String = "^[^.]+$" => raw(b"\"^[^.]+$\""),
        #[current] key_filter: EmptyText,
        /// Always `null`.
        #[current] secondary_language: Nullable<Language> => null(),
        #[current] inherit_secondary_language: Inherited,
        /// The value that applies.
        #[current] effective_secondary_language: Nullable<Language> => null(),
        #[current] variant_regex: EmptyText,
        /// Always empty.
        #[current] addons: Vec<Link> => raw(b"[]"),
        #[current] is_glossary: AlwaysFalse,
        /// Always `silver`.
        #[current] glossary_color: String = "silver" => raw(b"\"silver\""),
        /// Always `null`.
        #[current] category: Nullable<Link> => null(),
        /// URL of the component with the same repository whose clone is used; `null` if it is this one.
        #[current] linked_component: Nullable<Link> => linked_url(links, linked),
        /// Whether gitglot cannot read a file.
        #[current] locked: bool = false => boolean(Current::is_locked(component)),
    }

    /// The lock status of a component.
    Lock => lock(is_locked: bool) {
        /// Whether gitglot cannot read a file; always `false` in the API of 3.4.
        locked: bool = false => boolean(is_locked),
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
        #[both] author_email: EmptyText,
        /// Author date, with its UTC offset.
        authordate: Time = "2019-01-20T19:35:00+01:00" => offset_time(tip.author.time),
        /// Name of the committer.
        commit: String = "Karel Novák" => text(&committer),
        /// Name of the committer.
        commit_name: String = "Karel Novák" => text(&committer),
        #[both] commit_email: EmptyText,
        /// Committer date, with its UTC offset.
        commitdate: Time = "2019-01-20T19:35:00+01:00" => offset_time(tip.committer.time),
        /// Full commit message.
        message: String = "Translate to Czech" => text(&lines.join("\n")),
        /// First line of the commit message.
        summary: String = "Translate to Czech" => text(lines.first().copied().unwrap_or_default()),
    }

    /// The status of a component's repository.
    Repository => repository(links: &Links, tip: &Commit, path: &[&str]) {
        #[both] needs_commit: AlwaysFalse,
        #[both] needs_merge: AlwaysFalse,
        #[both] needs_push: AlwaysFalse,
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

    /// A file that is excluded, does not parse, or has values that are no data; or an unknown name in an acknowledgement.
    Problem => problem(problem: &FileProblem) {
        /// Path relative to the root of the repository, or `commit` and the beginning of its id.
        path: String = "_locales/pl/messages.json" => text(&problem.path),
        /// Reason, in one sentence.
        reason: String = "excluded: it is a symbolic link" => text(&problem.reason),
        /// Whether the file does not parse. If so, gitglot serves the last version that parsed, if there is one.
        broken: bool = false => boolean(problem.broken),
    }
}
