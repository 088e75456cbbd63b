//! SVG charts: one line per language, one bar per month. `?show=numbers` has the same data as tables, `data` as JSON and CSV.

use askama::Template;
use askama::filters::HtmlSafe;

use super::selection::Selection;
use super::states::MonthStates;
use crate::parts::{group_thousands, percent_text, plain};
use crate::project_history::LanguageHistory;
use gitglot_model::counted;

/// Size of the plot area, in user units.
const WIDTH: usize = 1000;
const HEIGHT: usize = 300;
/// More lines cannot be told apart; the heat map has a row for each language.
pub(super) const MAX_LINES: usize = 8;
/// Labels on the time axis.
const MAX_YEARS: usize = 10;

/// Progress over time: a line for each language and one for all languages.
#[derive(Template)]
#[template(path = "stats/progress_chart.html")]
pub(super) struct ProgressChart {
    label: String,
    lines: Vec<ChartLine>,
    /// Year and x position.
    years: Vec<(i64, usize)>,
    /// The first month, counted from January of year 0, and the number of months.
    first: i64,
    months: usize,
    /// Width of a month, in user units.
    scale: String,
    /// The last value of all languages, and its y position.
    today: (String, usize),
}

impl HtmlSafe for ProgressChart {}

struct ChartLine {
    name: String,
    /// The current value.
    today: String,
    /// Months and percents from the top: the first point, and the way from each point where the line bends to the next.
    path: String,
    /// The same points with a tooltip, of a line that is alone.
    dots: Vec<(usize, String, String)>,
    /// Whether the line is emphasized.
    main: bool,
}

/// Activity over time: a bar for each month.
#[derive(Template)]
#[template(path = "stats/activity_chart.html")]
pub(super) struct ActivityChart {
    label: String,
    bars: Vec<ActivityBar>,
    width: usize,
    years: Vec<(i64, usize)>,
    /// The number at the top.
    most: String,
}

struct ActivityBar {
    /// Position of the centre.
    x: usize,
    height: usize,
    title: String,
    /// The number of a bar that is higher than the chart.
    cut: Option<String>,
    /// The page of the state at the end of the month.
    href: Option<String>,
}

impl HtmlSafe for ActivityChart {}

impl ProgressChart {
    /// Draws the chart of a selection. Of many languages, it has only the line of all.
    pub(super) fn new(selection: &Selection<'_>) -> Self {
        let (history, months) = (selection.history, &selection.months);
        let (count, last) = (selection.languages.len(), selection.last());
        let is_single = count == 1;
        let mut lines = Vec::new();
        if count <= MAX_LINES {
            let line = |of: &LanguageHistory| {
                ChartLine::new(selection, &of.name, &|at| of.tenths(at), is_single)
            };
            lines.extend(selection.languages().map(line));
        }
        if !is_single {
            let tenths = |at| selection.tenths(at);
            lines.push(ChartLine {
                main: true,
                ..ChartLine::new(selection, "All languages", &tenths, count > MAX_LINES)
            });
        }
        let today = selection.tenths(last);
        Self {
            label: format!(
                "Progress of {} from {} to {}",
                counted(count, "language"),
                history.month(months.start),
                history.month(last)
            ),
            lines,
            years: years(selection),
            first: history.first + months.start as i64,
            months: months.len(),
            scale: format!("{:.3}", WIDTH as f64 / (months.len() - 1).max(1) as f64),
            today: (percent_text(today), HEIGHT - today as usize * HEIGHT / 1000),
        }
    }
}

impl ChartLine {
    /// Draws the line of a language; `has_dots` if it shows its values without a script.
    fn new(
        selection: &Selection<'_>,
        name: &str,
        tenths: &dyn Fn(usize) -> u32,
        has_dots: bool,
    ) -> Self {
        let (first, last) = (selection.months.start, selection.last());
        let from_top = |at: usize| 1000 - tenths(at).min(1000);
        // Points between equal neighbours are left out.
        let is_bend = |at: &usize| {
            *at == first
                || *at == last
                || from_top(at - 1) != from_top(*at)
                || from_top(at + 1) != from_top(*at)
        };
        let bends: Vec<usize> = selection.months.clone().filter(is_bend).collect();
        let points = bends.iter().map(|&at| (at - first, from_top(at)));
        let dot = |&at: &usize| {
            let (month, value) = (selection.history.month(at), percent_text(tenths(at)));
            let y = tenth(i64::from(from_top(at)));
            (at - first, y, format!("{month}: {value}"))
        };
        Self {
            name: plain(name),
            today: percent_text(tenths(last)),
            path: path(points),
            dots: bends.iter().filter(|_| has_dots).map(dot).collect(),
            main: has_dots,
        }
    }
}

impl ActivityChart {
    fn has_cut(&self) -> bool {
        self.bars.iter().any(|bar| bar.cut.is_some())
    }

    pub(super) fn new(selection: &Selection<'_>, states: &MonthStates) -> Self {
        let (history, first) = (selection.history, selection.months.start);
        let months = selection.months.len();
        let counts = selection.months.clone().map(|at| selection.texts(at));
        let counts: Vec<u32> = counts.collect();
        let most = scale_of(&counts);
        let bars = (first..).zip(counts).filter(|(_, count)| *count > 0);
        let bars = bars.map(|(at, count)| {
            let height = (count.min(most) as usize * HEIGHT / most as usize).max(2);
            ActivityBar {
                x: (2 * (at - first) + 1) * WIDTH / (2 * months),
                height,
                title: format!("{}: {}", history.month(at), counted(count as usize, "text")),
                cut: (count > most).then(|| group_thousands(u64::from(count))),
                href: states.href(at),
            }
        });
        Self {
            label: format!(
                "Texts changed per month from {} to {}",
                history.month(first),
                history.month(selection.last())
            ),
            bars: bars.collect(),
            width: (WIDTH / months).saturating_sub(1).clamp(2, 40),
            years: years(selection),
            most: group_thousands(u64::from(most)),
        }
    }
}

/// The number at the top of a chart: the highest bar, or if few months have far more than the others, such as the one of an
/// import, twice what nine of ten months with changes have.
fn scale_of(counts: &[u32]) -> u32 {
    let mut counts: Vec<u32> = counts.iter().copied().filter(|&count| count > 0).collect();
    counts.sort_unstable();
    let most = counts.last().copied().unwrap_or(1);
    let usual = counts.get(counts.len().saturating_sub(1) * 9 / 10);
    let usual = usual.map_or(most, |&usual| usual.saturating_mul(2));
    if most / 2 > usual { usual } else { most }
}

/// A path through points in tenths of a percent. Differences are short, and a sign needs no space before it.
fn path(points: impl Iterator<Item = (usize, u32)>) -> String {
    let mut path = String::from("m");
    let (mut from, mut height) = (0, 0);
    for (at, y) in points {
        let separator = if path.len() > 1 { " " } else { "" };
        let rise = i64::from(y) - height;
        let space = if rise < 0 { "" } else { " " };
        path += &format!("{separator}{}{space}{}", at - from, tenth(rise));
        (from, height) = (at, i64::from(y));
    }
    path
}

/// Writes a number of tenths.
fn tenth(number: i64) -> String {
    match number % 10 {
        0 => (number / 10).to_string(),
        _ => format!("{:.1}", number as f64 / 10.0),
    }
}

/// The labels of the time axis with their x positions.
fn years(selection: &Selection<'_>) -> Vec<(i64, usize)> {
    let all: Vec<(i64, usize)> = selection.years().collect();
    let step = all.len().div_ceil(MAX_YEARS).max(1);
    let (first, months) = (selection.months.start, selection.months.len());
    let x = |at: usize| (at - first) * WIDTH / (months - 1).max(1);
    let labels = all.into_iter().step_by(step);
    labels.map(|(year, at)| (year, x(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::{path, scale_of};

    #[test]
    fn the_bar_of_an_import_does_not_flatten_the_others() {
        let counts = |import| [vec![import], vec![10; 18], vec![0, 14]].concat();
        assert_eq!(scale_of(&counts(5000)), 20, "the import is cut");
        assert_eq!(scale_of(&counts(30)), 30, "the highest bar fits");
        assert_eq!((scale_of(&[]), scale_of(&[0, 7])), (1, 7));
    }

    #[test]
    fn a_line_is_written_as_its_bends() {
        let points = [(0, 1000), (12, 1000), (13, 455), (20, 460), (21, 0)];
        assert_eq!(path(points.into_iter()), "m0 100 12 0 1-54.5 7 0.5 1-46");
    }
}
