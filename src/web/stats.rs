//! A project, or a language of it, over its whole life: progress, activity, contributors, and a map of what is done.

use askama::Template;

use super::languages::known;
use super::parts::{Bars, Crumbs, Figures, Lines, Text, Time, plain, said};
use super::past::Past;
use super::sums::{by_language, of_project, way_to_project};
use super::visit::Visit;
use super::{Look, html};
use crate::model::address::encoded_value;
use crate::model::privacy::name;

/// People that are named.
const MOST_PEOPLE: usize = 100;
/// Years that the table of progress has.
const MOST_YEARS: usize = 10;

#[derive(Template)]
#[template(path = "web/stats.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    heading: Text,
    told: Option<Told>,
    map: Option<Map>,
}

/// What the log tells.
struct Told {
    lines: Option<Lines>,
    bars: Bars,
    years: Vec<i64>,
    /// For each language how far it was at the end of each year, and is today.
    progress: Vec<(Text, String, Vec<String>)>,
    /// Texts written in each year.
    activity: Vec<(i64, u32)>,
    people: Vec<Person>,
    more_people: usize,
}

struct Person {
    name: Text,
    href: String,
    new: u32,
    changed: u32,
    from: Time,
    to: Time,
}

/// Languages by components: how far each translation is.
struct Map {
    components: Vec<Text>,
    rows: Vec<(Text, Vec<Option<Cell>>)>,
}

struct Cell {
    href: String,
    percent: String,
    /// 0 to 10: which shade it has.
    shade: u32,
}

/// The page; `None` for an unknown project or a language that nothing here is in.
pub(super) fn page(visit: &Visit<'_>, slug: &str, code: Option<&str>) -> Option<String> {
    let project = visit.snapshot.project(slug)?;
    let language = match code {
        Some(code) => Some(known(visit, code)?),
        None => None,
    };
    let named = match &language {
        Some(language) => [&language.display_name(), " in ", &project.name].concat(),
        None => project.name.clone(),
    };
    let told = Past::of(visit, slug, code).map(|past| told(visit, &past));
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_project(visit, project),
        title: plain(&["History of ", &named].concat()),
        heading: Text::name(&named),
        told,
        map: if language.is_none() { map(visit, slug) } else { None },
    }))
}

fn told(visit: &Visit<'_>, past: &Past) -> Told {
    // The end of a year is the month before the next one's January.
    let mut ends: Vec<(i64, usize)> =
        past.years().filter(|(_, at)| *at > 0).map(|(year, at)| (year - 1, at - 1)).collect();
    let skipped = ends.len().saturating_sub(MOST_YEARS);
    ends.drain(..skipped);
    let progress = past.languages.iter().map(|track| {
        let years = ends.iter().map(|&(_, at)| said(track.tenths(at)));
        let today = std::iter::once(said(track.tenths(past.months() - 1)));
        (Text::name(&track.name), track.code.clone(), years.chain(today).collect())
    });
    let mut activity: Vec<(i64, u32)> = Vec::new();
    for (at, &count) in past.activity.iter().enumerate() {
        let year = (past.first + at as i64).div_euclid(12);
        match activity.last_mut().filter(|(last, _)| *last == year) {
            Some((_, sum)) => *sum += count,
            None => activity.push((year, count)),
        }
    }
    let people = past.people.iter().take(MOST_PEOPLE).filter_map(|person| {
        let user = visit.snapshot.user(person.user)?;
        Some(Person {
            name: Text::name(&name(&user.full_name)),
            href: visit.path(&["/changes/?user=", &encoded_value(&user.username)]),
            new: person.new,
            changed: person.changed,
            from: Time::new(person.from),
            to: Time::new(person.to),
        })
    });
    Told {
        lines: (!past.languages.is_empty()).then(|| Lines::of(past)),
        bars: Bars::of(past),
        years: ends.iter().map(|&(year, _)| year).collect(),
        progress: progress.collect(),
        activity,
        people: people.collect(),
        more_people: past.people.len().saturating_sub(MOST_PEOPLE),
    }
}

/// The map of a project with several components.
fn map(visit: &Visit<'_>, slug: &str) -> Option<Map> {
    let components: Vec<_> = visit.snapshot.components_of(slug).collect();
    if components.len() < 2 {
        return None;
    }
    let rows = by_language(of_project(visit, slug)).into_iter().map(|(language, views)| {
        let cells = components.iter().map(|component| {
            let view = views.iter().find(|view| view.component.component.id == component.component.id)?;
            let figures = Figures::from(view.translation.statistics);
            Some(Cell {
                href: visit.translation(view.component, view.translation),
                percent: figures.percent(),
                shade: figures.tenths() / 100,
            })
        });
        (Text::name(&language.display_name()), cells.collect())
    });
    Some(Map {
        rows: rows.collect(),
        components: components.iter().map(|component| Text::name(&component.component.name)).collect(),
    })
}
