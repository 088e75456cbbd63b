//! Writes components.

use super::project;
use crate::api::encode::json::{boolean, fields, null, object, offset_time, raw, text};
use crate::api::response::links::{Links, link, page};
use crate::catalog::{ComponentSnapshot, FileProblem, Snapshot};
use crate::git::Commit;
use crate::model::privacy::{name, without_addresses};
use crate::web::paths;

/// The value of `status`: the server only reads, so nothing is ever pending.
const STATUS: &str = "This server follows the branch and never writes: nothing is waiting to be committed or pushed.";
/// Number of digits of an abbreviated commit id.
const SHORT: usize = 7;

/// Writes a component (docs/spec/http.md#resources); `with_project` unless it is in a list of its project.
pub(crate) fn component(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    component: &ComponentSnapshot,
    with_project: bool,
) {
    let path = component.path();
    let of = &component.component;
    out.extend_from_slice(b"{\"name\":");
    text(out, &of.name);
    fields!(out; "slug" => text(of.slug.as_str()));
    if with_project {
        fields!(out; "project" => project(links, snapshot, &component.project));
    }
    fields!(out;
        "vcs" => text("git"),
        "repo" => text(&of.repo),
        "git_export" => text(&of.git_export),
        "branch" => text(&of.branch),
        "filemask" => text(of.filemask.as_str()),
        "template" => text(&of.template),
        "new_base" => text(&of.new_base),
        "file_format" => text(of.file_format.name()),
        "license" => text(&of.license),
        "license_url" => text(&of.license_url),
        "web_url" => page(links, paths::COMPONENT, &[&path]),
        "url" => link(links, &["components/", &path]),
        "repository_url" => link(links, &["components/", &path, "/repository"]),
        "translations_url" => link(links, &["components/", &path, "/translations"]),
        "statistics_url" => link(links, &["components/", &path, "/statistics"]),
        "lock_url" => link(links, &["components/", &path, "/lock"]),
        "changes_list_url" => link(links, &["components/", &path, "/changes"]),
    );
    out.push(b'}');
}

/// Writes the problem of a file that is excluded or does not parse.
pub(crate) fn problem(out: &mut Vec<u8>, problem: &FileProblem) {
    object!(out;
        "path" => text(&problem.path),
        "reason" => text(&problem.reason),
        "broken" => boolean(problem.broken),
    );
}

/// Writes the repository status of a component or translation (docs/spec/http.md#resources); `path` is that of its link.
pub(crate) fn repository(out: &mut Vec<u8>, links: &Links, tip: &Commit, path: &[&str]) {
    object!(out;
        "needs_commit" => raw(b"false"),
        "needs_merge" => raw(b"false"),
        "needs_push" => raw(b"false"),
        "remote_commit" => remote_commit(tip),
        "url" => link(links, path),
        "status" => text(STATUS),
        "merge_failure" => null(),
    );
}

/// The published commit. Contains names, but never email addresses.
fn remote_commit(out: &mut Vec<u8>, tip: &Commit) {
    let id = tip.id.to_string();
    let message = without_addresses(tip.message.trim_end());
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    let (author, committer) = (name(&tip.author.name), name(&tip.committer.name));
    out.extend_from_slice(b"{\"revision\":");
    text(out, &id);
    fields!(out; "shortrevision" => text(id.get(..SHORT).unwrap_or(&id)));
    if tip.parents.len() > 1 {
        let parents: Vec<String> = tip
            .parents
            .iter()
            .map(|id| id.to_string().chars().take(SHORT).collect())
            .collect();
        fields!(out; "merge" => text(&parents.join(" ")));
    }
    fields!(out;
        "author" => text(&author),
        "author_name" => text(&author),
        "author_email" => raw(b"\"\""),
        "authordate" => offset_time(tip.author.time),
        "commit" => text(&committer),
        "commit_name" => text(&committer),
        "commit_email" => raw(b"\"\""),
        "commitdate" => offset_time(tip.committer.time),
        "message" => text(&lines.join("\n")),
        "summary" => text(lines.first().copied().unwrap_or_default()),
    );
    out.push(b'}');
}
