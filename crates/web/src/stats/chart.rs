//! SVG charts: one line per language, one bar per month. `?show=numbers` has the same data as tables.

use askama::Template;
use askama::filters::HtmlSafe;

use super::history::{LanguageHistory, ProjectHistory};
use super::states::MonthStates;
use crate::parts::{percent_text, plain};
use gitglot_model::counted;

/// Size of the plot area, in user units.
const WIDTH: usize = 1000;
const HEIGHT: usize = 300;
/// Charts with more lines are drawn in steps of whole percents.
const MAX_EXACT_LINES: usize = 24;
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
    /// For each month its name and the page of the state at its end, if there is one.
    states: Vec<(usize, String, Option<String>)>,
    /// The current value of the main line, and its y position.
    today: Option<(String, usize)>,
}

impl HtmlSafe for ProgressChart {}

struct ChartLine {
    name: String,
    /// The current value.
    today: String,
    /// Months and percents from the top: the first point, and the way from each point where the line bends to the next.
    path: String,
    /// The same points with a tooltip, if this is the only line.
    dots: Vec<(usize, String, String)>,
    /// Whether the line is emphasized.
    main: bool,
}

/// Activity over time: a bar for each month.
#[derive(Template)]
#[template(path = "stats/activity_chart.html")]
pub(super) struct ActivityChart {
    label: String,
    /// X position of the centre, height and tooltip.
    bars: Vec<(usize, usize, String)>,
    width: usize,
    years: Vec<(i64, usize)>,
    most: u32,
}

impl HtmlSafe for ActivityChart {}

impl ProgressChart {
    /// Draws the chart of a project.
    pub(super) fn new(history: &ProjectHistory, states: &MonthStates) -> Self {
        let last = history.months() - 1;
        let is_single = history.languages.len() == 1;
        let step = if history.languages.len() > MAX_EXACT_LINES {
            10
        } else {
            1
        };
        let line = |of| ChartLine::new(history, of, step, is_single);
        let mut lines: Vec<ChartLine> = history.languages.iter().map(line).collect();
        let all = history.all_languages.as_ref();
        lines.extend(all.map(|of| ChartLine {
            main: true,
            ..ChartLine::new(history, of, 1, false)
        }));
        let main = all.or(history.languages.first());
        Self {
            label: format!(
                "Progress of {} since {}",
                counted(history.languages.len(), "language"),
                history.month(0)
            ),
            lines,
            years: years(history),
            first: history.first,
            months: history.months(),
            states: states
                .iter()
                .map(|(at, href)| (at, history.month(at), href))
                .collect(),
            scale: format!("{:.3}", WIDTH as f64 / last.max(1) as f64),
            today: main.map(|of| {
                (
                    percent_text(of.tenths(last)),
                    HEIGHT - of.tenths(last) as usize * HEIGHT / 1000,
                )
            }),
        }
    }
}

impl ChartLine {
    /// Draws a line in steps of `step` tenths of a percent.
    fn new(history: &ProjectHistory, of: &LanguageHistory, step: u32, is_single: bool) -> Self {
        let last = history.months() - 1;
        let from_top = |at: usize| 1000 - of.tenths(at).min(1000) / step * step;
        // Points between equal neighbours are left out.
        let is_bend = |at: &usize| {
            *at == 0
                || *at == last
                || from_top(at - 1) != from_top(*at)
                || from_top(at + 1) != from_top(*at)
        };
        let bends: Vec<usize> = (0..=last).filter(is_bend).collect();
        let points = bends.iter().map(|&at| (at, from_top(at)));
        let value = |at: usize| percent_text(of.tenths(at));
        let dot = |&at: &usize| {
            (
                at,
                tenth(i64::from(from_top(at))),
                format!("{}: {}", history.month(at), value(at)),
            )
        };
        Self {
            name: plain(&of.name),
            today: value(last),
            path: path(points),
            dots: if is_single {
                bends.iter().map(dot).collect()
            } else {
                Vec::new()
            },
            main: is_single,
        }
    }
}

impl ActivityChart {
    pub(super) fn new(history: &ProjectHistory) -> Self {
        let months = history.months();
        let most = history
            .activity
            .iter()
            .copied()
            .max()
            .unwrap_or_default()
            .max(1);
        let bars = history
            .activity
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(at, &count)| {
                let height = (count as usize * HEIGHT / most as usize).max(2);
                (
                    (2 * at + 1) * WIDTH / (2 * months),
                    height,
                    format!("{}: {}", history.month(at), counted(count as usize, "text")),
                )
            });
        Self {
            label: format!("Texts changed per month since {}", history.month(0)),
            bars: bars.collect(),
            width: (WIDTH / months).saturating_sub(1).max(2),
            years: years(history),
            most,
        }
    }
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
fn years(history: &ProjectHistory) -> Vec<(i64, usize)> {
    let all: Vec<(i64, usize)> = history.years().collect();
    let step = all.len().div_ceil(MAX_YEARS).max(1);
    let x = |at: usize| at * WIDTH / (history.months() - 1).max(1);
    all.into_iter()
        .step_by(step)
        .map(|(year, at)| (year, x(at)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_line_is_written_as_its_bends() {
        let points = [(0, 1000), (12, 1000), (13, 455), (20, 460), (21, 0)];
        assert_eq!(path(points.into_iter()), "m0 100 12 0 1-54.5 7 0.5 1-46");
    }
}
