//! Counting units, and percents as Weblate 3.4 rounds them (`units.md` 7).

use super::UnitRow;

/// Units of one kind and the words of their sources.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// How many units.
    pub units: u64,
    /// How many words their sources have.
    pub words: u64,
}

impl Count {
    fn add(&mut self, words: u32) {
        self.units += 1;
        self.words += u64::from(words);
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.units += other.units;
        self.words += other.words;
    }
}

/// What a translation's units add up to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// All units.
    pub all: Count,
    /// Translated and not stale.
    pub translated: Count,
    /// Stale.
    pub fuzzy: Count,
    /// With a failing check.
    pub failing: Count,
}

impl Statistics {
    /// Counts units, each with the words of its source.
    pub fn of<'a>(units: impl Iterator<Item = (&'a UnitRow, u32)>) -> Self {
        let mut sum = Self::default();
        for (unit, words) in units {
            sum.all.add(words);
            if unit.translated() {
                sum.translated.add(words);
            }
            if unit.fuzzy() {
                sum.fuzzy.add(words);
            }
            if unit.failing() {
                sum.failing.add(words);
            }
        }
        sum
    }
}

impl std::ops::AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.translated += other.translated;
        self.fuzzy += other.fuzzy;
        self.failing += other.failing;
    }
}

impl std::iter::Sum for Statistics {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut sum = Self::default();
        parts.for_each(|part| sum += part);
        sum
    }
}

/// Percent of `part` in `whole` in tenths: 579 is 57.9 %. An empty whole is `if_empty` (1000 or 0).
pub fn percent(part: u64, whole: u64, if_empty: u32) -> u32 {
    if whole == 0 {
        return if_empty;
    }
    let exact = 1000.0 * part as f64 / whole as f64;
    let tenths = exact.round_ties_even() as u32;
    match tenths {
        0 if part != 0 => 1,
        1000 if part < whole => 999,
        tenths => tenths,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_rounded_as_weblate_rounds_them() {
        let cases = [
            ((11, 19), 579),
            ((1, 8), 125),
            ((1, 3000), 1),
            ((2999, 3000), 999),
            ((1, 16), 62),
            ((3, 16), 188),
            ((0, 5), 0),
            ((5, 5), 1000),
        ];
        for ((part, whole), tenths) in cases {
            assert_eq!(percent(part, whole, 0), tenths, "{part} of {whole}");
        }
        assert_eq!(percent(0, 0, 1000), 1000);
    }
}
