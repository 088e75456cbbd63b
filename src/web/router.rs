//! Maps paths to pages, badges and redirects (docs/spec/pages.md#paths).

use super::pages::{
    about, changes, checks, component, engage, languages, project, search, sitemap, start, strings, translation,
};
use super::{PageRequest, PageResponse, badges, stats};
use crate::model::address::encoded;

/// Responds to a request; `None` for an unknown path. Paths of pages end with a slash (see [`lacks_slash`]).
pub fn find(request: &PageRequest<'_>) -> Option<PageResponse> {
    let path = request.path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    let page = match &parts[..] {
        [""] | ["projects"] => start::page(request),
        ["projects", project] => project::page(request, project)?,
        ["projects", project, component] => component::page(request, project, component)?,
        ["projects", project, component, language] => translation::page(request, project, component, language)?,
        ["translate", project, component, language] => strings::page(request, project, component, language)?,
        ["languages"] => languages::all(request),
        ["languages", language] => languages::one(request, language)?,
        ["languages", language, project] => languages::in_project(request, language, project)?,
        ["engage", project] => engage::page(request, project, None)?,
        ["engage", project, language] => engage::page(request, project, Some(language))?,
        ["stats", project] => stats::page(request, project, None)?,
        ["stats", project, language] => stats::page(request, project, Some(language))?,
        ["changes"] => changes::page(request),
        ["checks"] => checks::all(request),
        ["checks", check] => checks::one(request, check, None)?,
        ["checks", check, project] => checks::one(request, check, Some(project))?,
        ["search"] => search::page(request),
        ["about"] => about::page(request),
        ["widgets", rest @ ..] => return badges::find(request, rest),
        ["sitemap.xml"] => return Some(sitemap::page(request)),
        _ => return redirect(&parts),
    };
    Some(PageResponse::Html(page))
}

/// Whether a path should redirect to itself with a final slash.
pub fn lacks_slash(path: &str) -> bool {
    let is_badge = path.starts_with("/widgets/") && path.rsplit('/').next().is_some_and(|file| file.contains('.'));
    !path.ends_with('/') && !is_badge && path != "/sitemap.xml"
}

/// Redirects of Weblate 3.4 (docs/spec/pages.md#redirects).
fn redirect(parts: &[&str]) -> Option<PageResponse> {
    let to = match parts {
        ["data" | "stats"] => "/projects/".to_owned(),
        ["data", project] => ["/projects/", &encoded(project), "/"].concat(),
        ["projects", project, component, language, "translate" | "zen" | "auto" | "upload"] => {
            ["/translate/", &encoded(project), "/", &encoded(component), "/", &encoded(language), "/"].concat()
        }
        ["projects", project, component, language, "download"] => {
            ["/download/", &encoded(project), "/", &encoded(component), "/", &encoded(language), "/"].concat()
        }
        _ => return None,
    };
    Some(PageResponse::Redirect(to))
}
