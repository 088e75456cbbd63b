use super::{component_path, project};
use crate::api::json::{fields, text};
use crate::api::links::{Links, link, page};
use crate::catalog::{ComponentSnapshot, Snapshot};

/// Writes a component (api.md 2.4); `with_project` unless it stands in a list of its project.
pub(in crate::api) fn component(
    out: &mut Vec<u8>,
    links: &Links,
    snapshot: &Snapshot,
    component: &ComponentSnapshot,
    with_project: bool,
) {
    let path = component_path(component);
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
        "web_url" => page(links, &["projects/", &path, "/"]),
        "url" => link(links, &["components/", &path]),
        "repository_url" => link(links, &["components/", &path, "/repository"]),
        "translations_url" => link(links, &["components/", &path, "/translations"]),
        "statistics_url" => link(links, &["components/", &path, "/statistics"]),
        "lock_url" => link(links, &["components/", &path, "/lock"]),
        "changes_list_url" => link(links, &["components/", &path, "/changes"]),
    );
    out.push(b'}');
}
