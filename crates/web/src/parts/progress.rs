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

/// Numbers for pages. In the result of `progress_of`, a string fails if it fails a modern check.
pub(crate) trait Progress {
    /// The translated share in tenths of a percent; 100 % when there are no strings.
    fn tenths(&self) -> u32;
    /// Strings to translate: stale or missing.
    fn to_do(&self) -> u64;
    /// Words of the strings to translate.
    fn words_left(&self) -> u64;
    /// Strings that need attention: count, `type` of their list, CSS class and label.
    fn marks(&self) -> [(u64, &'static str, &'static str, &'static str); 3];
    /// The states as a bar.
    fn bar(&self) -> Bar;

    /// The translated share as text.
    fn percent(&self) -> String;
}

impl Progress for Statistics {
    fn tenths(&self) -> u32 {
        percent(self.translated.units, self.all.units, 1000)
    }

    fn percent(&self) -> String {
        match self.all.units {
            0 => NO_FILES.to_owned(),
            _ => percent_text(self.tenths()),
        }
    }

    fn to_do(&self) -> u64 {
        self.fuzzy.units + self.missing().units
    }

    fn words_left(&self) -> u64 {
        (self.all - self.translated).words
    }

    fn marks(&self) -> [(u64, &'static str, &'static str, &'static str); 3] {
        [
            (self.fuzzy.units, "fuzzy", "k-stale", "stale"),
            (self.failing.units, "allchecks", "k-bad", "failing a check"),
            (self.missing().units, "nottranslated", "k-none", "missing"),
        ]
    }

    fn bar(&self) -> Bar {
        let share = |part: Count| u64::from(percent(part.units, self.all.units, 0));
        let failing = share(self.failing);
        let good = u64::from(self.tenths()).saturating_sub(failing);
        Bar {
            good,
            failing,
            stale: share(self.fuzzy).min(1000 - good - failing),
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
            let bar = statistics.bar();
            assert!(bar.good + bar.failing + bar.stale <= 1000, "{statistics:?}");
        }
    }
}
