//! How complete a translation is: in numbers, as a bar, and as the summary at the top of a page.

use askama::Template;
use askama::filters::HtmlSafe;

use gitglot_catalog::{Count, Statistics, percent};
use gitglot_model::NO_FILES;

/// A bar of the states: translated, failing, stale; the rest is missing. Hidden from screen readers, because the same
/// numbers are next to it.
#[derive(Template)]
#[template(path = "parts/bar.html")]
pub(crate) struct Bar {
    good: u64,
    failing: u64,
    stale: u64,
}

impl HtmlSafe for Bar {}

/// Tenths of a percent without a sign: `57.9`.
fn share(tenths: &u64) -> String {
    let percent = percent_text(u32::try_from(*tenths).unwrap_or_default());
    percent.trim_end_matches(" %").to_owned()
}

/// Formats tenths of a percent: `57.9 %`.
pub(crate) fn percent_text(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        rest => format!("{}.{rest} %", tenths / 10),
    }
}

/// Formats a count with a narrow no-break space between groups of thousands.
pub(crate) fn group_thousands(count: impl std::borrow::Borrow<u64>) -> String {
    let digits = count.borrow().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups = groups.map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("\u{202f}")
}

/// The translated share as text.
pub(crate) fn percent_of(statistics: &Statistics) -> String {
    match statistics.all.units {
        0 => NO_FILES.to_owned(),
        _ => percent_text(statistics.tenths()),
    }
}

/// Strings that need attention: count, `type` of their list, CSS class and label. In the result of `progress_of`, a
/// string fails if it fails a modern check.
pub(super) fn marks(of: &Statistics) -> [(u64, &'static str, &'static str, &'static str); 3] {
    [
        (of.fuzzy.units, "fuzzy", "k-stale", "stale"),
        (of.failing.units, "allchecks", "k-bad", "failing a check"),
        (of.missing().units, "nottranslated", "k-none", "missing"),
    ]
}

impl Bar {
    /// The states of strings.
    pub(crate) fn of(statistics: &Statistics) -> Self {
        let share = |part: Count| u64::from(percent(part.units, statistics.all.units, 0));
        let failing = share(statistics.failing);
        let good = u64::from(statistics.tenths()).saturating_sub(failing);
        Self {
            good,
            failing,
            stale: share(statistics.fuzzy).min(1000 - good - failing),
        }
    }
}

/// A progress bar with the numbers behind it.
#[derive(Template)]
#[template(path = "parts/tiles.html")]
pub(crate) struct Tiles {
    pub(crate) progress: Statistics,
    /// The URL of the string list, for a single translation.
    pub(crate) strings: Option<String>,
    /// What the strings are, in the singular.
    pub(crate) noun: &'static str,
}

impl HtmlSafe for Tiles {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let texts = [0, 999, 1000, 1_234_567].map(group_thousands);
        assert_eq!(
            texts,
            ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]
        );
    }

    #[test]
    fn bar_segments_never_exceed_the_bar() {
        let count = |units| Count {
            units,
            words: units,
        };
        let cases = [
            (3, 1, 1, 1),
            (0, 0, 0, 0),
            (3000, 2999, 1, 2999),
            (7, 2, 5, 2),
        ];
        for (all, translated, fuzzy, failing) in cases {
            let statistics = Statistics {
                all: count(all),
                translated: count(translated),
                fuzzy: count(fuzzy),
                failing: count(failing),
            };
            let bar = Bar::of(&statistics);
            assert!(bar.good + bar.failing + bar.stale <= 1000, "{statistics:?}");
        }
    }
}
