//! Badges: images that show how complete a project, component or language is (docs/spec/pages.md#badges).

mod colour;
mod page;
mod png;
mod svg;
mod words;

pub(super) use page::page;

use askama::Template;

use self::colour::colour_of;
use self::png::PngBadge;
use self::svg::{MultiBadge, PercentBadge};
use crate::aggregates::{statistics_of, translations_of_project};
use crate::layout::render;
use crate::parts::percent_of;
use crate::paths;
use crate::request::{PageRequest, PageResponse};
use gitglot_catalog::Statistics;
use gitglot_model::address::encoded;
use gitglot_model::language::resolve;

/// The badge of a project or component; `values` are those of the pattern.
pub(super) fn badge(request: &PageRequest<'_>, values: &[&str]) -> Option<PageResponse> {
    let (project, language, component, file) = match *values {
        [project, language, file] => (project, language, None, file),
        [project, language, of, file] => {
            let component = request.snapshot.component(project, of)?;
            (project, language, Some(component), file)
        }
        _ => return None,
    };
    request.snapshot.project(project)?;
    // Unlike 3.4, redirects to the right colour or extension keep the component.
    let redirect = |file: &str| {
        let language = encoded(language);
        Some(PageResponse::Redirect(match component {
            Some(of) => {
                let values = [project, &language, of.component.slug.as_str(), file];
                paths::link(paths::BADGE_OF_COMPONENT, &values)
            }
            None => paths::link(paths::BADGE, &[project, &language, file]),
        }))
    };
    let (name, ext) = file.rsplit_once('.')?;
    let (widget, colour) = name.split_once('-').unwrap_or((name, ""));
    if !matches!(ext, "svg" | "png" | "bin" | "json") {
        return None;
    }
    let language = Some(language).filter(|language| *language != "-");
    if let Some(code) = language {
        request.snapshot.language(code)?;
    }
    let views = translations_of_project(request, project)
        .filter(|view| component.is_none_or(|of| view.component.component.id == of.component.id))
        .filter(|view| match language {
            Some(code) => *view.translation.language.code == *code,
            None => !view.is_source(),
        });
    match (widget, colour, ext) {
        ("svg", "badge", "svg") => {
            let lang = language.filter(|_| !request.has("native")).unwrap_or("en");
            Some(svg(&PercentBadge::new(&statistics_of(views), lang)))
        }
        ("multi", "red" | "green" | "blue" | "auto", "svg") => {
            Some(svg(&MultiBadge::new(request, project, colour, views)))
        }
        ("shields", "", "json") => Some(shields(statistics_of(views))),
        (.., "json") => None,
        (size, colour, "png") if png::is_known(size, colour) => {
            let names = match component {
                Some(of) => [&of.component.name, of.component.slug.as_str()],
                None => [&request.snapshot.project(project)?.name, project],
            };
            let image = draw(names, language, statistics_of(views), size, colour)?;
            Some(PageResponse::File(image, "image/png"))
        }
        ("287x66" | "88x31", ..) => redirect(&[widget, "-grey.png"].concat()),
        ("svg" | "status" | "shields", ..) => redirect("svg-badge.svg"),
        ("multi", "red" | "green" | "blue" | "auto", _) => {
            redirect(&["multi-", colour, ".svg"].concat())
        }
        ("multi", ..) => redirect("multi-red.svg"),
        _ => None,
    }
}

/// A PNG badge of a project or component with this name and slug. The slug replaces a name that the font lacks, and the
/// code the name of a language.
fn draw(
    [name, slug]: [&str; 2],
    language: Option<&str>,
    progress: Statistics,
    size: &str,
    colour: &str,
) -> Option<Vec<u8>> {
    let language_name = language.map(|code| resolve(code).display_name());
    let drawable = language_name
        .as_deref()
        .filter(|name| png::is_drawable(name));
    let badge = PngBadge {
        name: if png::is_drawable(name) { name } else { slug },
        language: drawable.or(language),
        progress,
    };
    badge.encode(size, colour)
}

/// The response to the endpoint badge of shields.io (docs/spec/pages.md#badges).
fn shields(progress: Statistics) -> PageResponse {
    let colour = colour_of(&progress).trim_start_matches('#');
    let message = percent_of(&progress);
    let json = format!(
        "{{\"schemaVersion\":1,\"label\":\"translated\",\"message\":\"{message}\",\"color\":\"{colour}\"}}"
    );
    PageResponse::File(json.into_bytes(), "application/json")
}

fn svg(badge: &impl Template) -> PageResponse {
    PageResponse::File(render(badge).into_bytes(), "image/svg+xml; charset=utf-8")
}
