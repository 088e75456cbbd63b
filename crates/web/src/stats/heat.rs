//! The heat map: a row for each language, with a strip whose colour shows the progress at the end of each month.

use askama::Template;
use askama::filters::HtmlSafe;

use super::selection::Selection;
use crate::parts::{LocalizedText, percent_text};
use crate::paths;
use crate::request::PageRequest;
use gitglot_model::address::encoded;

/// A row for each language of a selection.
#[derive(Template)]
#[template(path = "stats/heat.html")]
pub(super) struct HeatMap {
    months: usize,
    /// The first and the last month.
    ends: (String, String),
    rows: Vec<HeatRow>,
}

impl HtmlSafe for HeatMap {}

struct HeatRow {
    name: LocalizedText,
    href: String,
    /// Months with the same colour, except for the one of nothing, in order: level, first month and number.
    runs: Vec<(u32, usize, usize)>,
    now: String,
    /// How much it rose in the twelve months before the last one that is shown.
    gain: String,
}

impl HeatMap {
    /// The map of a selection.
    pub(super) fn new(request: &PageRequest<'_>, slug: &str, selection: &Selection<'_>) -> Self {
        let (first, last) = (selection.months.start, selection.last());
        let history = selection.history;
        let rows = selection.languages().map(|of| {
            let mut runs: Vec<(u32, usize, usize)> = Vec::new();
            for at in selection.months.clone() {
                let level = of.tenths(at) / 100;
                match runs.last_mut().filter(|run| run.0 == level) {
                    Some(run) => run.2 += 1,
                    None => runs.push((level, at - first, 1)),
                }
            }
            let before = last.checked_sub(12).map_or(0, |at| of.tenths(at));
            let gain = i64::from(of.tenths(last)) - i64::from(before);
            HeatRow {
                name: LocalizedText::name(&of.name),
                href: request.link(paths::STATS_LANGUAGE, &[slug, &encoded(&of.code)]),
                runs: runs.into_iter().filter(|run| run.0 > 0).collect(),
                now: percent_text(of.tenths(last)),
                gain: match gain {
                    0 => "–".to_owned(),
                    _ => format!("{:+.1}", gain as f64 / 10.0),
                },
            }
        });
        Self {
            months: selection.months.len(),
            ends: (history.month(first), history.month(last)),
            rows: rows.collect(),
        }
    }
}
