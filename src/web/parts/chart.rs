//! Pictures of the past, in SVG: lines for languages, bars for months. A table with the same stands behind each.

use askama::Template;
use askama::filters::HtmlSafe;

use super::figures::said;
use super::plain;
use crate::web::past::{Past, Track};

/// Width of the drawing, in its own units.
const WIDTH: usize = 1000;
/// Height of it.
const HEIGHT: usize = 300;
/// Lines up to which each is drawn to the tenth of a percent; of more only whole percents could be told apart.
const EXACT: usize = 24;
/// Names of years that fit below it.
const MOST_YEARS: usize = 10;

/// A line for each language, and one for all together.
#[derive(Template)]
#[template(path = "web/parts/lines.html")]
pub(in crate::web) struct Lines {
    said: String,
    lines: Vec<Line>,
    years: Vec<(i64, usize)>,
    /// The first month, as years times twelve plus months from 0 on, and how many there are.
    first: i64,
    months: usize,
    /// How much wider than one unit a month is drawn.
    scale: String,
    /// What the line that counts says of today, and how far down that is.
    today: Option<(String, usize)>,
}

impl HtmlSafe for Lines {}

struct Line {
    /// What it is of.
    name: String,
    /// Where it is at the end.
    today: String,
    /// Month and tenths of a percent from the top, where the line bends.
    points: String,
    /// The same, each with what is to be said of it; only of a line that is alone.
    dots: Vec<(usize, u32, String)>,
    /// Whether it is the one that counts.
    main: bool,
}

/// A bar for each month.
#[derive(Template)]
#[template(path = "web/parts/bars.html")]
pub(in crate::web) struct Bars {
    said: String,
    /// Place of the middle, height, and what is to be said.
    bars: Vec<(usize, usize, String)>,
    width: usize,
    years: Vec<(i64, usize)>,
    most: u32,
}

impl HtmlSafe for Bars {}

impl Lines {
    /// How far each language was.
    pub(in crate::web) fn of(past: &Past) -> Self {
        let alone = past.languages.len() == 1;
        let last = past.months() - 1;
        let step = if past.languages.len() > EXACT { 10 } else { 1 };
        let mut lines: Vec<Line> = past.languages.iter().map(|track| Line::of(past, track, step, alone)).collect();
        lines.extend(past.together.iter().map(|track| Line { main: true, ..Line::of(past, track, 1, false) }));
        let main = past.together.as_ref().or(past.languages.first());
        let said = format!(
            "How far {} languages were since {}; the table of numbers says the same",
            past.languages.len(),
            past.month(0)
        );
        Self {
            said,
            lines,
            years: years(past),
            first: past.first,
            months: past.months(),
            scale: format!("{:.3}", WIDTH as f64 / last.max(1) as f64),
            today: main.map(|track| (said_of(track, last), HEIGHT - track.tenths(last) as usize * HEIGHT / 1000)),
        }
    }
}

impl Line {
    /// The line of a language, drawn in steps of so many tenths of a percent.
    fn of(past: &Past, track: &Track, step: u32, alone: bool) -> Self {
        let (last, from_top) = (past.months() - 1, |at: usize| 1000 - track.tenths(at).min(1000) / step * step);
        // Between equal neighbours a point adds nothing.
        let bends = |at: &usize| {
            *at == 0 || *at == last || from_top(at - 1) != from_top(*at) || from_top(at + 1) != from_top(*at)
        };
        let bends: Vec<usize> = (0..=last).filter(bends).collect();
        let points: Vec<String> = bends.iter().map(|&at| format!("{at},{}", from_top(at))).collect();
        let dot = |&at: &usize| (at, from_top(at), format!("{}: {}", past.month(at), said_of(track, at)));
        Self {
            name: plain(&track.name),
            today: said_of(track, last),
            points: points.join(" "),
            dots: if alone { bends.iter().map(dot).collect() } else { Vec::new() },
            main: alone,
        }
    }
}

fn said_of(track: &Track, at: usize) -> String {
    said(track.tenths(at))
}

impl Bars {
    /// How much was written.
    pub(in crate::web) fn of(past: &Past) -> Self {
        let most = past.activity.iter().copied().max().unwrap_or_default().max(1);
        let bars = past.activity.iter().enumerate().filter(|(_, count)| **count > 0).map(|(at, &count)| {
            let height = (count as usize * HEIGHT / most as usize).max(2);
            let texts = if count == 1 { "text" } else { "texts" };
            ((2 * at + 1) * WIDTH / (2 * past.months()), height, format!("{}: {count} {texts}", past.month(at)))
        });
        let said = format!("Texts written in each month since {}; the table of numbers says the same", past.month(0));
        let width = (WIDTH / past.months()).saturating_sub(1).max(2);
        Self { said, bars: bars.collect(), width, years: years(past), most }
    }
}

/// The years that are named below a drawing.
fn years(past: &Past) -> Vec<(i64, usize)> {
    let all: Vec<(i64, usize)> = past.years().collect();
    let step = all.len().div_ceil(MOST_YEARS).max(1);
    let place = |at: usize| at * WIDTH / (past.months() - 1).max(1);
    all.into_iter().step_by(step).map(|(year, at)| (year, place(at))).collect()
}
