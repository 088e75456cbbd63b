//! Sums over units (docs/spec/units.md#statistics).

use std::iter::Sum;
use std::ops::{AddAssign, Sub};

use super::rows::{FAILING, FUZZY, TRANSLATED};
use gitglot_model::{Origin, percent};

/// Adds counts up field by field.
macro_rules! sums {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)*
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
                parts.fold(Self::default(), |mut sum, part| {
                    sum += part;
                    sum
                })
            }
        }
    )*};
}

sums! {
    Count { units, words }
    Statistics { all, translated, fuzzy, failing }
    CurrentCount { units, words, chars }
    CurrentStatistics { all, translated, fuzzy, failing, read_only }
}

/// A number of units and the words of their sources.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// Number of units.
    pub units: u64,
    /// Number of source words.
    pub words: u64,
}

impl Count {
    /// A unit whose source has this many words.
    pub fn one(words: u32) -> Self {
        Self {
            units: 1,
            words: words.into(),
        }
    }
}

impl Sub for Count {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            units: self.units.saturating_sub(other.units),
            words: self.words.saturating_sub(other.words),
        }
    }
}

/// Counts of units by state.
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
    /// Counts a unit with these flags, whose source has this many words.
    pub(super) fn add(&mut self, flags: u8, words: u32) {
        let one = Count::one(words);
        self.all += one;
        let counts = [
            (TRANSLATED, &mut self.translated),
            (FUZZY, &mut self.fuzzy),
            (FAILING, &mut self.failing),
        ];
        for (flag, count) in counts {
            if flags & flag != 0 {
                *count += one;
            }
        }
    }

    /// Units without a translation.
    pub fn missing(&self) -> Count {
        self.all - self.translated - self.fuzzy
    }

    /// The translated share in tenths of a percent; 100 % when there are no strings.
    pub fn tenths(&self) -> u32 {
        percent(self.translated.units, self.all.units, 1000)
    }

    /// Strings to translate: stale or missing.
    pub fn to_do(&self) -> u64 {
        self.fuzzy.units + self.missing().units
    }

    /// Words of the strings to translate.
    pub fn words_left(&self) -> u64 {
        (self.all - self.translated).words
    }
}

/// A number of units, and the words and characters of their sources.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CurrentCount {
    /// Number of units.
    pub units: u64,
    /// Words of all forms of their sources.
    pub words: u64,
    /// Characters of their sources, with the separators of forms.
    pub chars: u64,
}

/// Counts of units by state in current Weblate.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CurrentStatistics {
    /// All units.
    pub all: CurrentCount,
    /// Translated, with a current source.
    pub translated: CurrentCount,
    /// Translated, but marked or with an older source.
    pub fuzzy: CurrentCount,
    /// With a failing check.
    pub failing: CurrentCount,
    /// Sources of bilingual files, which are translated, too.
    pub read_only: CurrentCount,
}

/// Numbers of texts and source words by origin, in the order of [`Origin::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OriginCounts([Count; Origin::ALL.len()]);

impl OriginCounts {
    /// The number of texts and words with an origin.
    pub fn of(&self, origin: Origin) -> Count {
        let counts = Origin::ALL.into_iter().zip(self.0);
        let own = counts.filter(|(of, _)| *of == origin);
        own.map(|(_, count)| count).sum()
    }

    /// All texts.
    pub fn all(&self) -> Count {
        self.0.into_iter().sum()
    }

    /// The texts of which commits show that no person has touched them.
    pub fn untouched(&self) -> Count {
        let origins = [Origin::Platform, Origin::Machine].into_iter();
        origins.map(|origin| self.of(origin)).sum()
    }

    /// Counts a text with this origin, whose source has this many words.
    pub(super) fn add(&mut self, origin: Origin, words: u32) {
        for (of, count) in Origin::ALL.into_iter().zip(&mut self.0) {
            if of == origin {
                *count += Count::one(words);
            }
        }
    }
}

impl Sum for OriginCounts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        let mut sum = Self::default();
        for part in parts {
            for (own, other) in sum.0.iter_mut().zip(part.0) {
                *own += other;
            }
        }
        sum
    }
}

/// Returns `part` as a share of `whole` in tenths of a percent as current Weblate does: cut, but neither 0 of something nor
/// everything of less (docs/spec/current-api.md#percentages). An empty whole gives `if_empty`.
pub fn cut_percent(part: u64, whole: u64, if_empty: u32) -> u32 {
    if whole == 0 {
        return if_empty;
    }
    if part >= whole {
        return 1000;
    }
    let tenths = u128::from(part) * 1000 / u128::from(whole);
    match tenths as u32 {
        0 if part != 0 => 1,
        tenths => tenths.min(999),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_of_current_weblate_are_cut() {
        let cut = [(11, 19), (1, 3000), (2999, 3000), (0, 5), (5, 5), (0, 0)];
        let cut = cut.map(|(part, whole)| cut_percent(part, whole, 1000));
        assert_eq!(cut, [578, 1, 999, 0, 1000, 1000]);
    }
}
