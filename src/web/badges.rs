//! Badges: pictures of how far something is, for READMEs and other sites (human_pages.md 2).

use askama::Template;

use super::badge_words::Words;
use super::pages::Found;
use super::parts::{Crumbs, Figures, Text, plain};
use super::plates::{self, Plate};
use super::sums::{by_language, figures, of_project, way_to_project};
use super::visit::Visit;
use super::{Look, html};
use crate::catalog::TranslationView;
use crate::model::address::encoded;

/// Height of a row of the picture with a bar for each language.
const ROW: usize = 20;

#[derive(Template)]
#[template(path = "web/badges.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    name: Text,
    title: String,
    slug: String,
    percent: String,
    /// What each badge is of, its path below the root, and its own address and that of the page it leads to.
    badges: Vec<Badge>,
}

struct Badge {
    of: Text,
    path: String,
    picture: String,
    page: String,
    percent: String,
}

#[derive(Template)]
#[template(path = "web/badge.svg", escape = "html")]
struct Picture {
    lang: String,
    word: &'static str,
    percent: String,
    colour: &'static str,
    /// Widths of the boxes, in pixels.
    left: u32,
    right: u32,
}

#[derive(Template)]
#[template(path = "web/multi.svg", escape = "html")]
struct Multi {
    height: usize,
    rows: Vec<MultiRow>,
}

struct MultiRow {
    name: String,
    href: String,
    percent: String,
    width: u32,
    colour: &'static str,
    top: usize,
}

/// The pictures, and the page that shows them; parts of the path after `widgets`.
pub(super) fn find(visit: &Visit<'_>, parts: &[&str]) -> Option<Found> {
    let (scope, file) = match parts {
        [""] | [] => return Some(Found::Moved("/projects/".into())),
        [file] if !visit.path.ends_with('/') => return joined(visit, file),
        [project] => return page(visit, project).map(Found::Page),
        [scope @ .., file] => (scope, file),
    };
    let &project = scope.first()?;
    visit.snapshot.project(project)?;
    let (language, component) = match scope {
        [_] => return old(visit, project, file, ""),
        [_, widget] if visit.path.ends_with('/') => return old(visit, project, widget, file),
        [_, language] => (*language, None),
        [_, language, component] => (*language, Some(*component)),
        _ => return None,
    };
    if let Some(component) = component {
        visit.snapshot.component(project, component)?;
    }
    // 3.4 loses the component on the way to the right address; here it is kept.
    let right = |file: &str| {
        let component = component.map(|it| [it, "/"].concat()).unwrap_or_default();
        Some(Found::Moved(["/widgets/", project, "/", &encoded(language), "/", &component, file].concat()))
    };
    let (name, ext) = file.rsplit_once('.')?;
    let (widget, colour) = name.split_once('-').unwrap_or((name, ""));
    if !matches!(ext, "svg" | "png" | "bin") {
        return None;
    }
    let language = Some(language).filter(|language| *language != "-");
    let known = language.filter(|code| visit.snapshot.languages().iter().any(|known| &*known.code == *code));
    let views = of_project(visit, project)
        .filter(|view| component.is_none_or(|slug| view.component.component.slug.as_str() == slug))
        .filter(|view| known.is_none_or(|code| &*view.translation.language.code == code));
    match (widget, colour, ext) {
        ("svg", "badge", "svg") => {
            let native = visit.has("native");
            Some(svg(&Picture::of(&figures(views), language.filter(|_| !native).unwrap_or("en"))))
        }
        ("multi", "red" | "green" | "blue" | "auto", "svg") => Some(svg(&Multi::of(visit, project, colour, views))),
        (size, colour, "png") if plates::is_known(size, colour) => {
            let of = component.and_then(|slug| visit.snapshot.component(project, slug));
            let (name, slug) = match of {
                Some(of) => (&of.component.name, of.component.slug.as_str()),
                None => (&visit.snapshot.project(project)?.name, project),
            };
            let name = if plates::is_drawable(name) { name } else { slug };
            let language = known.map(|code| crate::language::resolve(code).display_name());
            let language = language.as_deref().filter(|name| plates::is_drawable(name)).or(known);
            let plate = Plate { name, language, figures: figures(views) };
            plate.picture(size, colour).map(|picture| Found::File(picture, "image/png"))
        }
        ("287x66" | "88x31", ..) => right(&[widget, "-grey.png"].concat()),
        ("svg" | "status" | "shields", ..) => right("svg-badge.svg"),
        ("multi", "red" | "green" | "blue" | "auto", _) => right(&["multi-", colour, ".svg"].concat()),
        ("multi", ..) => right("multi-red.svg"),
        _ => None,
    }
}

/// A picture in SVG.
fn svg(picture: &impl Template) -> Found {
    Found::File(html(picture).into_bytes(), "image/svg+xml; charset=utf-8")
}

/// Addresses of before 3.4: `/widgets/PROJECT/WIDGET/`, perhaps with a colour behind it.
fn old(visit: &Visit<'_>, project: &str, widget: &str, colour: &str) -> Option<Found> {
    if !visit.path.ends_with('/') {
        return None;
    }
    let file = match (widget, colour) {
        ("svg" | "status" | "shields", _) => "svg-badge.svg".to_owned(),
        ("multi", "green" | "blue" | "auto") => ["multi-", colour, ".svg"].concat(),
        ("multi", _) => "multi-red.svg".to_owned(),
        ("287x66" | "88x31", "white" | "black") => [widget, "-", colour, ".png"].concat(),
        ("287x66" | "88x31", _) => [widget, "-grey.png"].concat(),
        _ => return None,
    };
    Some(Found::Moved(["/widgets/", &encoded(project), "/-/", &file].concat()))
}

/// Addresses still older: `/widgets/PROJECT-WIDGET-COLOUR.EXT` and `/widgets/PROJECT-WIDGET-COLOUR-LANGUAGE.EXT`. The
/// longest project that fits is meant.
fn joined(visit: &Visit<'_>, file: &str) -> Option<Found> {
    let (name, ext) = file.rsplit_once('.')?;
    let of = |slug: &str| name.strip_prefix(slug)?.strip_prefix('-').map(str::to_owned);
    let mut projects: Vec<_> = visit.snapshot.projects().map(|project| project.slug.as_str()).collect();
    projects.sort_by_key(|slug| std::cmp::Reverse(slug.len()));
    let (project, rest) = projects.into_iter().find_map(|slug| Some((slug, of(slug)?)))?;
    let mut parts = rest.splitn(3, '-');
    let (widget, colour, language) = (parts.next()?, parts.next()?, parts.next().unwrap_or("-"));
    find(visit, &[project, language, &[widget, "-", colour, ".", ext].concat()])
}

/// The colour of a percentage in tenths, by its name in SVG and as red, green and blue.
pub(super) fn colour(tenths: u32) -> (&'static str, [u8; 3]) {
    match tenths {
        900.. => ("#4c1", [0x44, 0xcc, 0x11]),
        750.. => ("#dfb317", [0xdf, 0xb3, 0x17]),
        _ => ("#e05d44", [0xe0, 0x5d, 0x44]),
    }
}

impl Picture {
    /// What is said of `figures`, in the language `lang`.
    fn of(figures: &Figures, lang: &str) -> Self {
        let words = Words::of(lang);
        let (percent, width) = words.percent(figures.tenths() / 10);
        let colour = colour(figures.tenths()).0;
        Self { lang: plain(lang), word: words.word, percent, colour, left: words.width + 12, right: width + 7 }
    }
}

impl Multi {
    fn of<'a>(
        visit: &Visit<'_>,
        project: &str,
        wanted: &str,
        views: impl Iterator<Item = TranslationView<'a>>,
    ) -> Self {
        let languages = by_language(views);
        let height = ROW * (languages.len() + 1);
        let rows = languages.into_iter().enumerate().map(|(at, (language, views))| {
            let tenths = figures(views).tenths();
            let colour = match wanted {
                "red" => "#e05d44",
                "green" => "#4c1",
                "blue" => "#0b7ec4",
                _ => colour(tenths).0,
            };
            MultiRow {
                name: plain(&language.display_name()),
                href: visit.absolute(&["/languages/", &encoded(&language.code), "/", project, "/"]),
                percent: format!("{}.{}%", tenths / 10, tenths % 10),
                // int(percent × 1.5), with percent in tenths.
                width: tenths * 3 / 20,
                colour,
                top: ROW * at + ROW / 2,
            }
        });
        Self { height, rows: rows.collect() }
    }
}

/// The page with all badges of a project.
fn page(visit: &Visit<'_>, slug: &str) -> Option<String> {
    let project = visit.snapshot.project(slug)?;
    let badge = |of: &str, scope: &str, page: &str, figures: Figures| {
        let path = ["/widgets/", slug, "/", scope, "/svg-badge.svg"].concat();
        Badge {
            of: Text::name(of),
            picture: visit.absolute(&[&path]),
            path,
            page: visit.absolute(&[page]),
            percent: figures.percent(),
        }
    };
    let mut badges =
        vec![badge("The whole project", "-", &["/projects/", slug, "/"].concat(), figures(of_project(visit, slug)))];
    badges.extend(visit.snapshot.components_of(slug).map(|component| {
        let name = component.component.slug.as_str();
        let views = component.named(0..component.by_name.len());
        let page = ["/projects/", slug, "/", name, "/"].concat();
        badge(&component.component.name, &["-/", name].concat(), &page, figures(views))
    }));
    badges.extend(by_language(of_project(visit, slug)).into_iter().map(|(language, views)| {
        let code = encoded(&language.code);
        let page = ["/languages/", &code, "/", slug, "/"].concat();
        badge(&language.display_name(), &code, &page, figures(views))
    }));
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_project(visit, project),
        name: Text::name(&project.name),
        title: plain(&["Badges of ", &project.name].concat()),
        slug: slug.to_owned(),
        percent: figures(of_project(visit, slug)).percent(),
        badges,
    }))
}
