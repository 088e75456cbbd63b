//! How far a translation is, in numbers and as a bar.

use askama::Template;
use askama::filters::HtmlSafe;

use crate::catalog::{Statistics, percent};

/// What strings add up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::web) struct Figures {
    /// All strings.
    pub(in crate::web) all: u64,
    /// Translated and up to date.
    pub(in crate::web) translated: u64,
    /// Translated from a source that has changed since.
    pub(in crate::web) stale: u64,
    /// Translated, with a check that fails.
    pub(in crate::web) failing: u64,
    /// Not translated at all.
    pub(in crate::web) missing: u64,
    /// Words of all sources.
    pub(in crate::web) words: u64,
    /// Words of the sources that are translated.
    pub(in crate::web) words_translated: u64,
}

/// A bar of the parts: translated, failing, stale; what is left is missing. The numbers stand beside it, so it is
/// hidden from who cannot see it.
#[derive(Template)]
#[template(path = "web/parts/bar.html")]
pub(in crate::web) struct Bar {
    good: u64,
    failing: u64,
    stale: u64,
}

impl HtmlSafe for Bar {}

impl From<Statistics> for Figures {
    fn from(sums: Statistics) -> Self {
        let done = sums.translated.units + sums.fuzzy.units;
        Self {
            all: sums.all.units,
            translated: sums.translated.units,
            stale: sums.fuzzy.units,
            failing: sums.failing.units,
            missing: sums.all.units.saturating_sub(done),
            words: sums.all.words,
            words_translated: sums.translated.words,
        }
    }
}

/// Tenths of a percent, as people read them.
pub(in crate::web) fn said(tenths: u32) -> String {
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        rest => format!("{}.{rest} %", tenths / 10),
    }
}

/// A count with its thousands set apart by a narrow space, as people read it.
pub(in crate::web) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("\u{202f}")
}

impl Figures {
    /// Translated, in tenths of a percent; nothing to do is all done.
    pub(in crate::web) fn tenths(&self) -> u32 {
        percent(self.translated, self.all, 1000)
    }

    /// Translated, as people read it.
    pub(in crate::web) fn percent(&self) -> String {
        said(self.tenths())
    }

    /// Strings that want somebody's attention: stale or missing.
    pub(in crate::web) fn left(&self) -> u64 {
        self.stale + self.missing
    }

    /// What is not in order, each with the `type` of its list: stale, failing, missing.
    pub(in crate::web) fn marks(&self) -> [(u64, &'static str); 3] {
        [(self.stale, "fuzzy"), (self.failing, "allchecks"), (self.missing, "nottranslated")]
    }

    /// The parts as a bar.
    pub(in crate::web) fn bar(&self) -> Bar {
        let share = |part: u64| u64::from(percent(part, self.all, 0));
        let failing = share(self.failing);
        let good = u64::from(self.tenths()).saturating_sub(failing);
        Bar { good, failing, stale: share(self.stale).min(1000 - good - failing) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Count;

    #[test]
    fn thousands_are_set_apart() {
        let said = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(said, ["0", "999", "1\u{202f}000", "1\u{202f}234\u{202f}567"]);
    }

    #[test]
    fn the_parts_of_a_bar_never_are_longer_than_it() {
        let count = |units| Count { units, words: units };
        let cases = [(3, 1, 1, 1), (0, 0, 0, 0), (3000, 2999, 1, 2999), (7, 2, 5, 2)];
        for (all, translated, fuzzy, failing) in cases {
            let sums = Statistics {
                all: count(all),
                translated: count(translated),
                fuzzy: count(fuzzy),
                failing: count(failing),
            };
            let bar = Figures::from(sums).bar();
            assert!(bar.good + bar.failing + bar.stale <= 1000, "{sums:?}");
        }
    }
}
