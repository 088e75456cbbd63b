use super::language;
use crate::api::json::{object, text};
use crate::api::links::{Links, link, page};
use crate::catalog::Snapshot;
use crate::language::resolve;
use crate::model::Project;

/// Writes the root: where the lists are (api.md 2.1).
pub(in crate::api) fn root(out: &mut Vec<u8>, links: &Links) {
    object!(out;
        "projects" => link(links, &["projects"]),
        "components" => link(links, &["components"]),
        "translations" => link(links, &["translations"]),
        "languages" => link(links, &["languages"]),
        "changes" => link(links, &["changes"]),
        "units" => link(links, &["units"]),
        "sources" => link(links, &["sources"]),
        "screenshots" => link(links, &["screenshots"]),
    );
}

/// Writes a project (api.md 2.3).
pub(in crate::api) fn project(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, project: &Project) {
    let slug = project.slug.as_str();
    object!(out;
        "name" => text(&project.name),
        "slug" => text(slug),
        "web" => text(&project.web),
        "source_language" => source_language(links, snapshot, &project.source_language),
        "web_url" => page(links, &["projects/", slug, "/"]),
        "url" => link(links, &["projects/", slug]),
        "components_list_url" => link(links, &["projects/", slug, "/components"]),
        "repository_url" => link(links, &["projects/", slug, "/repository"]),
        "statistics_url" => link(links, &["projects/", slug, "/statistics"]),
        "changes_list_url" => link(links, &["projects/", slug, "/changes"]),
    );
}

fn source_language(out: &mut Vec<u8>, links: &Links, snapshot: &Snapshot, code: &str) {
    match snapshot.languages().iter().find(|language| &*language.code == code) {
        Some(used) => language(out, links, used),
        None => language(out, links, &resolve(code)),
    }
}
