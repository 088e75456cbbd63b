//! Pictures of the past, in SVG: lines for languages, bars for months. A table with the same stands behind each.

use askama::Template;
use askama::filters::HtmlSafe;

use super::figures::said;
use super::plain;
use crate::web::past::Past;

/// Width of the drawing, in its own units.
const WIDTH: usize = 1000;
/// Height of it.
const HEIGHT: usize = 300;
/// Names of years that fit below it.
const MOST_YEARS: usize = 12;

/// A line for each language.
#[derive(Template)]
#[template(path = "web/parts/lines.html")]
pub(in crate::web) struct Lines {
    said: String,
    lines: Vec<Line>,
    years: Vec<(i64, usize)>,
}

impl HtmlSafe for Lines {}

struct Line {
    /// What it is of.
    name: String,
    points: String,
    /// Where it is, and what is to be said of that place; only of a line that is alone.
    dots: Vec<(usize, usize, String)>,
}

/// A bar for each month.
#[derive(Template)]
#[template(path = "web/parts/bars.html")]
pub(in crate::web) struct Bars {
    said: String,
    /// Place, width, top, height, and what is to be said.
    bars: Vec<(usize, usize, usize, usize, String)>,
    years: Vec<(i64, usize)>,
    most: u32,
}

impl HtmlSafe for Bars {}

impl Lines {
    /// How far each language was.
    pub(in crate::web) fn of(past: &Past) -> Self {
        let alone = past.languages.len() == 1;
        let lines = past.languages.iter().map(|track| {
            let place = |at: usize| (x(past, at), HEIGHT - track.tenths(at) as usize * HEIGHT / 1000);
            // Between equal neighbours a point adds nothing.
            let (last, height) = (past.months() - 1, |at: usize| place(at).1);
            let bends =
                |at: &usize| *at == 0 || *at == last || height(at - 1) != height(*at) || height(at + 1) != height(*at);
            let bends: Vec<usize> = (0..=last).filter(bends).collect();
            let points: Vec<String> = bends.iter().map(|&at| format!("{},{}", place(at).0, place(at).1)).collect();
            let dot = |&at: &usize| {
                let (x, y) = place(at);
                (x, y, format!("{}: {}", past.month(at), said(track.tenths(at))))
            };
            Line {
                name: format!("{}: {} today", plain(&track.name), said(track.tenths(last))),
                points: points.join(" "),
                dots: if alone { bends.iter().map(dot).collect() } else { Vec::new() },
            }
        });
        let said = format!(
            "How far {} languages were since {}; the table below has the numbers",
            past.languages.len(),
            past.month(0)
        );
        Self { said, lines: lines.collect(), years: years(past) }
    }
}

impl Bars {
    /// How much was written.
    pub(in crate::web) fn of(past: &Past) -> Self {
        let most = past.activity.iter().copied().max().unwrap_or_default().max(1);
        let width = (WIDTH / past.months()).max(2);
        let bars = past.activity.iter().enumerate().filter(|(_, count)| **count > 0).map(|(at, &count)| {
            let height = (count as usize * HEIGHT / most as usize).max(2);
            let texts = if count == 1 { "text" } else { "texts" };
            let place = at * WIDTH / past.months();
            (place, width, HEIGHT - height, height, format!("{}: {count} {texts}", past.month(at)))
        });
        let said = format!("Texts written in each month since {}; the table below has the numbers", past.month(0));
        Self { said, bars: bars.collect(), years: years(past), most }
    }
}

fn x(past: &Past, at: usize) -> usize {
    at * WIDTH / (past.months() - 1).max(1)
}

/// The years that are named below a drawing.
fn years(past: &Past) -> Vec<(i64, usize)> {
    let all: Vec<(i64, usize)> = past.years().collect();
    let step = all.len().div_ceil(MOST_YEARS).max(1);
    all.into_iter().step_by(step).map(|(year, at)| (year, x(past, at))).collect()
}
