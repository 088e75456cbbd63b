//! Percentages, rounded as in Weblate 3.4 (docs/spec/units.md#percentages): never everything for less, nor nothing for more.

/// The text instead of the percentage of nothing.
pub const NO_FILES: &str = "no files";

/// Returns `part` as a share of `whole` in tenths of a percent: 579 is 57.9 %. An empty whole gives `if_empty`.
pub fn percent(part: u64, whole: u64, if_empty: u32) -> u32 {
    if whole == 0 {
        return if_empty;
    }
    let exact = 1000.0 * part as f64 / whole as f64;
    match exact.round_ties_even() as u32 {
        0 if part != 0 => 1,
        1000 if part < whole => 999,
        tenths => tenths,
    }
}

/// Returns tenths of a percent as a whole percentage, cut; not 0 for more than nothing.
pub fn whole_percent(tenths: u32) -> u32 {
    (tenths / 10).max(u32::from(tenths > 0))
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

    #[test]
    fn whole_percents_are_neither_all_of_less_nor_0_of_more() {
        assert_eq!([0, 1, 99, 999, 1000].map(whole_percent), [0, 1, 9, 99, 100]);
    }
}
