//! Which page stands at which path (human_pages.md 1 and 2).

use super::visit::Visit;
use super::{
    about, badges, changes, checks, component, engage, languages, project, search, sitemap, start, stats, translate,
    translation,
};

/// What stands at a path.
#[derive(Debug)]
pub enum Found {
    /// A page.
    Page(String),
    /// A picture or list, with its content type.
    File(Vec<u8>, &'static str),
    /// It stands at another address: what follows the root, encoded.
    Moved(String),
}

/// The page that a request asks for; the path ends with a slash unless it is that of a file. `None` where there
/// is none.
pub fn find(visit: &Visit<'_>) -> Option<Found> {
    let path = visit.path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    let parts: Vec<&str> = path.split('/').collect();
    let page = match &parts[..] {
        [""] | ["projects"] => start::page(visit),
        ["projects", project] => project::page(visit, project)?,
        ["projects", project, component] => component::page(visit, project, component)?,
        ["projects", project, component, language] => translation::page(visit, project, component, language)?,
        ["translate", project, component, language] => translate::page(visit, project, component, language)?,
        ["languages"] => languages::all(visit),
        ["languages", language] => languages::one(visit, language)?,
        ["languages", language, project] => languages::in_project(visit, language, project)?,
        ["engage", project] => engage::page(visit, project, None)?,
        ["engage", project, language] => engage::page(visit, project, Some(language))?,
        ["stats", project] => stats::page(visit, project, None)?,
        ["stats", project, language] => stats::page(visit, project, Some(language))?,
        ["changes"] => changes::page(visit),
        ["checks"] => checks::all(visit),
        ["checks", check] => checks::one(visit, check, None)?,
        ["checks", check, project] => checks::one(visit, check, Some(project))?,
        ["search"] => search::page(visit),
        ["about"] => about::page(visit),
        ["widgets", rest @ ..] => return badges::find(visit, rest),
        ["sitemap.xml"] => return Some(sitemap::find(visit)),
        _ => return moved(&parts),
    };
    Some(Found::Page(page))
}

/// Whether a path without a final slash only lacks that.
pub fn lacks_slash(path: &str) -> bool {
    let is_picture = path.starts_with("/widgets/") && path.rsplit('/').next().is_some_and(|file| file.contains('.'));
    !path.ends_with('/') && !is_picture && path != "/sitemap.xml"
}

/// Where 3.4 sends who asks for an address that it had before.
fn moved(parts: &[&str]) -> Option<Found> {
    use crate::model::address::encoded;
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
    Some(Found::Moved(to))
}
