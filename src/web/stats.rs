//! A project, or a language of it, over its whole life, in views (`show=`): pictures of progress and activity, the same
//! in numbers, a map of what is done, and who did it.

use askama::Template;

use super::languages::known;
use super::map::Map;
use super::parts::{Bars, Crumbs, Lines, Text, Time, plain};
use super::past::Past;
use super::sums::way_to_project;
use super::visit::Visit;
use super::{Look, html};
use crate::model::Project;
use crate::model::address::encoded_value;
use crate::model::privacy::name;

/// People that are named.
const MOST_PEOPLE: usize = 100;
/// Years that the table of progress has.
const MOST_YEARS: usize = 8;

#[derive(Template)]
#[template(path = "web/stats.html")]
struct Page {
    look: Look,
    crumbs: Crumbs,
    title: String,
    heading: Text,
    tabs: Vec<Tab>,
    /// The address of the view of numbers.
    numbers: String,
    shown: Shown,
}

/// A view that can be chosen.
struct Tab {
    name: &'static str,
    href: String,
    chosen: bool,
}

/// What `show` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum View {
    Pictures,
    Numbers,
    Map,
    People,
}

/// A view, filled.
enum Shown {
    /// There is nothing to tell.
    Nothing,
    Pictures {
        lines: Option<Lines>,
        bars: Bars,
    },
    Numbers {
        years: Vec<i64>,
        /// For each language how far it was at the end of each year, and is today.
        progress: Vec<(Text, Vec<u32>)>,
        /// For each year how much was written in its months, and in all.
        activity: Vec<(i64, Vec<u32>, u32)>,
    },
    Map(Map),
    People {
        people: Vec<Person>,
        more: usize,
    },
}

struct Person {
    name: Text,
    href: String,
    new: u32,
    changed: u32,
    from: Time,
    to: Time,
}

impl View {
    /// Those there are, with what stands in `show` and what people read.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Pictures, "", "Pictures"),
        (Self::Numbers, "numbers", "Numbers"),
        (Self::Map, "map", "Map"),
        (Self::People, "people", "Contributors"),
    ];

    fn of(visit: &Visit<'_>) -> Self {
        let wanted = visit.value("show").unwrap_or_default();
        Self::ALL.into_iter().find(|(_, id, _)| *id == wanted).map_or(Self::Pictures, |(view, ..)| view)
    }
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
    let view = View::of(visit);
    // A map of one language would be a line.
    let offered = View::ALL.into_iter().filter(|(view, ..)| *view != View::Map || language.is_none());
    let tabs = offered.map(|(it, id, name)| Tab { name, href: visit.with("show", id), chosen: it == view });
    Some(html(&Page {
        look: visit.look().clone(),
        crumbs: way_to_project(visit, project),
        title: plain(&["History of ", &named].concat()),
        heading: Text::name(&named),
        tabs: tabs.collect(),
        numbers: visit.with("show", "numbers"),
        shown: shown(visit, project, code, view).unwrap_or(Shown::Nothing),
    }))
}

fn shown(visit: &Visit<'_>, project: &Project, code: Option<&str>, view: View) -> Option<Shown> {
    let slug = project.slug.as_str();
    if view == View::Map {
        return match visit.value("component") {
            Some(component) => Map::of_component(visit, visit.snapshot.component(slug, component)?),
            None => Map::of_project(visit, project),
        }
        .map(Shown::Map);
    }
    let past = Past::of(visit, slug, code)?;
    Some(match view {
        View::Numbers => numbers(&past),
        View::People => {
            Shown::People { people: people(visit, &past), more: past.people.len().saturating_sub(MOST_PEOPLE) }
        }
        _ => Shown::Pictures { lines: (!past.languages.is_empty()).then(|| Lines::of(&past)), bars: Bars::of(&past) },
    })
}

fn numbers(past: &Past) -> Shown {
    // The end of a year is the month before the next one's January.
    let mut ends: Vec<(i64, usize)> =
        past.years().filter(|(_, at)| *at > 0).map(|(year, at)| (year - 1, at - 1)).collect();
    let skipped = ends.len().saturating_sub(MOST_YEARS);
    ends.drain(..skipped);
    let progress = past.together.iter().chain(&past.languages).map(|track| {
        let places = ends.iter().map(|&(_, at)| at).chain([past.months() - 1]);
        (Text::name(&track.name), places.map(|at| track.tenths(at) / 10).collect())
    });
    let mut activity: Vec<(i64, Vec<u32>, u32)> = Vec::new();
    for (at, &count) in past.activity.iter().enumerate() {
        let month = past.first + at as i64;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) as usize);
        if activity.last().is_none_or(|(last, ..)| *last != year) {
            activity.push((year, vec![0; 12], 0));
        }
        if let Some((_, months, sum)) = activity.last_mut() {
            months[month] = count;
            *sum += count;
        }
    }
    activity.reverse();
    Shown::Numbers { years: ends.iter().map(|&(year, _)| year).collect(), progress: progress.collect(), activity }
}

fn people(visit: &Visit<'_>, past: &Past) -> Vec<Person> {
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
    people.collect()
}
