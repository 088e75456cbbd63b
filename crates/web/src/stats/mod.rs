//! `/stats/PROJECT/`: the history of a project or of one of its languages. The parameter `show` selects charts, tables,
//! a map of the current state, or contributors (docs/spec/pages.md#statistics).

mod chart;
mod choice;
pub(crate) mod data;
mod heat;
mod map;
mod selection;
mod states;

use askama::Template;

use self::chart::{ActivityChart, ProgressChart};
use self::choice::Choice;
use self::heat::HeatMap;
use self::map::Map;
use self::selection::Selection;
use self::states::MonthStates;
use crate::aggregates::breadcrumbs_to_project;
use crate::layout::{PageLayout, render};
use crate::parts::{self, Breadcrumbs, LocalizedText, Time, plain};
use crate::paths;
use crate::project_history::Work;
use crate::request::PageRequest;
use gitglot_model::address::query_string;
use gitglot_model::{Project, whole_percent};

/// Number of contributors listed.
const MAX_CONTRIBUTORS: usize = 100;
/// Columns of the progress table.
const MAX_YEARS: usize = 8;

#[derive(Template)]
#[template(path = "stats/stats.html")]
struct StatsPage {
    layout: PageLayout,
    breadcrumbs: Breadcrumbs,
    /// The name of the project or language.
    name: String,
    tabs: Vec<StatsTab>,
    /// The form that selects months and languages.
    choice: Option<Choice>,
    /// The URL of the tables, and those of the data as JSON and CSV.
    tables: String,
    data: [String; 2],
    content: StatsContent,
}

struct StatsTab {
    name: &'static str,
    href: String,
    chosen: bool,
}

/// A value of the parameter `show`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StatsView {
    Charts,
    Tables,
    Map,
    Contributors,
}

/// Year, texts changed in each month with the page of the state at its end, and their sum.
type YearActivity = (i64, [(u32, Option<String>); 12], u32);

enum StatsContent {
    /// The log has no changes.
    Empty,
    /// A map would have a single column.
    NoMap,
    Charts(Box<Charts>),
    Tables {
        years: Vec<i64>,
        /// Percent at the end of each year and today, by language.
        progress: Vec<(LocalizedText, Vec<u32>)>,
        activity: Vec<YearActivity>,
        /// Whether a month has no page of its state.
        has_gaps: bool,
    },
    Map(Map),
    Contributors {
        rows: Vec<ContributorRow>,
        /// Number of contributors that are not listed.
        more: usize,
    },
}

struct Charts {
    progress: Option<ProgressChart>,
    heat: Option<HeatMap>,
    activity: ActivityChart,
}

impl StatsContent {
    fn has_charts(&self) -> bool {
        matches!(self, Self::Charts(_))
    }

    fn has_map(&self) -> bool {
        matches!(self, Self::Map(_))
    }
}

struct ContributorRow {
    name: LocalizedText,
    href: String,
    person: Work,
}

impl StatsView {
    /// All views with the value of `show` and the label.
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Charts, "", "Charts"),
        (Self::Tables, "numbers", "Tables"),
        (Self::Map, "map", "Map"),
        (Self::Contributors, "people", "Contributors"),
    ];

    fn of(request: &PageRequest<'_>) -> Self {
        let wanted = request.value("show").unwrap_or_default();
        let found = Self::ALL.into_iter().find(|(_, id, _)| *id == wanted);
        found.map_or(Self::Charts, |(view, ..)| view)
    }
}

/// Renders the page of a project, or of one of its languages; `None` for an unknown one.
pub(super) fn page(request: &PageRequest<'_>, values: &[&str]) -> Option<String> {
    let (&slug, code) = values.split_first()?;
    let code = code.first().copied();
    let project = request.snapshot.project(slug)?;
    let language = match code {
        Some(code) => Some(request.snapshot.language_or_source(code)?),
        None => None,
    };
    let view = StatsView::of(request);
    // A map of one language would be a single row.
    let views = StatsView::ALL.into_iter();
    let views = views.filter(|(view, ..)| *view != StatsView::Map || language.is_none());
    let tabs = views.map(|(listed, id, name)| StatsTab {
        name,
        href: request.with("show", id),
        chosen: listed == view,
    });
    let (choice, content) = content(request, project, code, view);
    Some(render(&StatsPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        name: match &language {
            Some(language) => [&language.display_name(), " in ", &project.name].concat(),
            None => project.name.clone(),
        },
        tabs: tabs.collect(),
        choice,
        tables: request.with("show", "numbers"),
        data: ["json", "csv"].map(|format| data_url(request, slug, code, format)),
        content,
    }))
}

/// The address of the data behind the charts.
fn data_url(request: &PageRequest<'_>, slug: &str, code: Option<&str>, format: &str) -> String {
    let kept = request.parameters(&["from", "to", "lang"]);
    let language = code.map(|code| ("lang", code));
    let pairs = [("step", "month"), ("format", format)].into_iter();
    request.link(paths::PROGRESS, &[slug]) + &query_string(pairs.chain(language).chain(kept))
}

fn content(
    request: &PageRequest<'_>,
    project: &Project,
    code: Option<&str>,
    view: StatsView,
) -> (Option<Choice>, StatsContent) {
    let slug = project.slug.as_str();
    if view == StatsView::Map {
        let map = match request.value("component") {
            Some(component) => {
                let component = request.snapshot.component(slug, component);
                component.and_then(|of| Map::of_component(request, of))
            }
            None => Map::of_project(request, project),
        };
        return (None, map.map_or(StatsContent::NoMap, StatsContent::Map));
    }
    let Some(history) = request.history(slug) else {
        return (None, StatsContent::Empty);
    };
    let selection = Selection::of(request, &history, code);
    // The source language has no history.
    if code.is_some() && selection.languages.is_empty() {
        return (None, StatsContent::Empty);
    }
    let states = || MonthStates::of(request, slug, &history);
    let content = match view {
        StatsView::Tables => tables(&selection, &states()),
        StatsView::Contributors => contributors(request, selection.contributors()),
        _ => StatsContent::Charts(Box::new(Charts {
            progress: (!selection.languages.is_empty()).then(|| ProgressChart::new(&selection)),
            heat: (selection.languages.len() > 1).then(|| HeatMap::new(request, slug, &selection)),
            activity: ActivityChart::new(&selection, &states()),
        })),
    };
    (Choice::of(request, &selection, code), content)
}

fn tables(selection: &Selection<'_>, states: &MonthStates) -> StatsContent {
    let history = selection.history;
    // A year ends with the month before the next January.
    let years = selection.years();
    let begun = years.filter(|(_, at)| *at > selection.months.start);
    let ends = begun.map(|(year, at)| (year - 1, at - 1));
    let mut ends: Vec<(i64, usize)> = ends.collect();
    ends.drain(..ends.len().saturating_sub(MAX_YEARS));
    let shares = |tenths: &dyn Fn(usize) -> u32| {
        let months = ends.iter().map(|&(_, at)| at).chain([selection.last()]);
        months.map(|at| whole_percent(tenths(at))).collect()
    };
    let mut progress: Vec<(LocalizedText, Vec<u32>)> = Vec::new();
    if selection.languages.len() > 1 {
        let all = shares(&|at| selection.tenths(at));
        progress.push((LocalizedText::name("All languages"), all));
    }
    progress.extend(selection.languages().map(|of| {
        let own = shares(&|at| of.tenths(at));
        (LocalizedText::name(&of.name), own)
    }));
    let mut activity: Vec<YearActivity> = Vec::new();
    for at in selection.months.clone() {
        let ((year, month), count) = (history.year_of(at), selection.texts(at));
        if activity.last().is_none_or(|(last, ..)| *last != year) {
            activity.push((year, Default::default(), 0));
        }
        if let Some((_, months, sum)) = activity.last_mut() {
            months[month] = (count, states.href(at));
            *sum += count;
        }
    }
    activity.reverse();
    StatsContent::Tables {
        years: ends.iter().map(|&(year, _)| year).collect(),
        progress,
        activity,
        has_gaps: states.has_gaps(),
    }
}

fn contributors(request: &PageRequest<'_>, all: Vec<Work>) -> StatsContent {
    let more = all.len().saturating_sub(MAX_CONTRIBUTORS);
    let rows = all.into_iter().take(MAX_CONTRIBUTORS).filter_map(|person| {
        let (name, href) = parts::person(request, person.user)?;
        Some(ContributorRow { name, href, person })
    });
    StatsContent::Contributors {
        rows: rows.collect(),
        more,
    }
}
