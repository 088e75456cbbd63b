//! `/stats/PROJECT/`: the history of a project or of one of its languages. The parameter `show` selects charts, tables,
//! a map of the current state, or contributors (docs/spec/pages.md#statistics).

mod chart;
mod history;
mod map;
mod month;
mod moved;
mod states;

use askama::Template;

use self::chart::{ActivityChart, ProgressChart};
use self::history::Contributor;
pub(crate) use self::history::ProjectHistory;
use self::map::Map;
use self::states::MonthStates;
use crate::aggregates::breadcrumbs_to_project;
use crate::parts::{Breadcrumbs, LocalizedText, Time, plain};
use crate::paths;
use crate::{PageLayout, PageRequest, render};
use gitglot_model::Project;
use gitglot_model::address::encoded_value;
use gitglot_model::privacy::name;

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
    /// The URL of the tables.
    tables: String,
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
    Charts {
        progress: Option<ProgressChart>,
        activity: ActivityChart,
    },
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

impl StatsContent {
    fn has_charts(&self) -> bool {
        matches!(self, Self::Charts { .. })
    }

    fn has_map(&self) -> bool {
        matches!(self, Self::Map(_))
    }
}

struct ContributorRow {
    name: LocalizedText,
    href: String,
    person: Contributor,
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
        Self::ALL
            .into_iter()
            .find(|(_, id, _)| *id == wanted)
            .map_or(Self::Charts, |(view, ..)| view)
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
    let views = StatsView::ALL
        .into_iter()
        .filter(|(view, ..)| *view != StatsView::Map || language.is_none());
    let tabs = views.map(|(it, id, name)| StatsTab {
        name,
        href: request.with("show", id),
        chosen: it == view,
    });
    Some(render(&StatsPage {
        layout: request.layout.clone(),
        breadcrumbs: breadcrumbs_to_project(request, project),
        name: match &language {
            Some(language) => [&language.display_name(), " in ", &project.name].concat(),
            None => project.name.clone(),
        },
        tabs: tabs.collect(),
        tables: request.with("show", "numbers"),
        content: content(request, project, code, view).unwrap_or(StatsContent::Empty),
    }))
}

fn content(
    request: &PageRequest<'_>,
    project: &Project,
    code: Option<&str>,
    view: StatsView,
) -> Option<StatsContent> {
    let slug = project.slug.as_str();
    if view == StatsView::Map {
        return match request.value("component") {
            Some(component) => {
                Map::of_component(request, request.snapshot.component(slug, component)?)
            }
            None => Map::of_project(request, project),
        }
        .map(StatsContent::Map);
    }
    let history = request.history(slug, code)?;
    let states = MonthStates::of(request, slug, &history);
    Some(match view {
        StatsView::Tables => tables(&history, &states),
        StatsView::Contributors => contributors(request, &history.contributors),
        _ => StatsContent::Charts {
            progress: (!history.languages.is_empty())
                .then(|| ProgressChart::new(&history, &states)),
            activity: ActivityChart::new(&history),
        },
    })
}

fn tables(history: &ProjectHistory, states: &MonthStates) -> StatsContent {
    // A year ends with the month before the next January.
    let mut ends: Vec<(i64, usize)> = history
        .years()
        .filter(|(_, at)| *at > 0)
        .map(|(year, at)| (year - 1, at - 1))
        .collect();
    ends.drain(..ends.len().saturating_sub(MAX_YEARS));
    let progress = history
        .all_languages
        .iter()
        .chain(&history.languages)
        .map(|language| {
            let months = ends.iter().map(|&(_, at)| at).chain([history.months() - 1]);
            (
                LocalizedText::name(&language.name),
                months.map(|at| language.tenths(at) / 10).collect(),
            )
        });
    let mut activity: Vec<YearActivity> = Vec::new();
    for (at, &count) in history.activity.iter().enumerate() {
        let month = history.first + at as i64;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) as usize);
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
        progress: progress.collect(),
        activity,
        has_gaps: states.has_gaps(),
    }
}

fn contributors(request: &PageRequest<'_>, all: &[Contributor]) -> StatsContent {
    let more = all.len().saturating_sub(MAX_CONTRIBUTORS);
    let rows = all.iter().take(MAX_CONTRIBUTORS).filter_map(|person| {
        let user = request.snapshot.user(person.user)?;
        Some(ContributorRow {
            name: LocalizedText::name(name(&user.full_name)),
            href: request.link(paths::CHANGES, &[]) + "?user=" + &encoded_value(&user.username),
            person: *person,
        })
    });
    StatsContent::Contributors {
        rows: rows.collect(),
        more,
    }
}
