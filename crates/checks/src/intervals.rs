//! The intervals before the alternatives of a plural text, as Symfony and Laravel write them: `{0} none|{1} one|]1,Inf] many`.
//! They are no placeholders.

use std::ops::Range;

use crate::input::CheckInput;
use crate::lazy_regex::LazyRegex;

/// `{0}`, `{2,3,4}` and `{1,*}`; `[2,4]`, `]1,Inf]` and `[5,*]`.
static INTERVAL: LazyRegex = LazyRegex::new(
    r"^[ \n]*(\{ *-?[0-9]+ *(, *(-?[0-9]+|\*) *)*\}|[\[\]] *(-?(Inf|[0-9]+)|\*) *, *(\+?Inf|-?[0-9]+|\*) *[\[\]])",
);

/// The bytes of the intervals of a text.
fn ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split('|').filter_map(move |alternative| {
        let at = start;
        start += alternative.len() + 1;
        let interval = INTERVAL.captures(alternative)?.get(1)?;
        Some(at + interval.start()..at + interval.end())
    })
}

/// Whether an alternative of a text certainly has an interval: one of several numbers. `{0} | {1}` shows two values,
/// and so does `{0,-10} | {1,8}` of .NET, with their widths.
pub(super) fn has_some(text: &str) -> bool {
    let is_certain = |interval: &str| match interval.matches(',').count() {
        0 => false,
        1 => !interval.starts_with('{') || interval.contains('*'),
        _ => true,
    };
    text.contains('|') && ranges(text).any(|range| is_certain(&text[range]))
}

/// Runs a check on texts without the intervals.
pub(super) fn without<T>(unit: &CheckInput, check: impl FnOnce(&CheckInput) -> T) -> T {
    if !unit.source.iter().any(|source| has_some(source)) {
        return check(unit);
    }
    let blank = |text: &str| {
        let mut plain = text.to_owned();
        for range in ranges(text) {
            plain.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        plain
    };
    unit.with_texts(blank, check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CheckInput, Checker, Words};

    #[test]
    fn intervals_are_those_of_alternatives() {
        for text in [
            "{0} none|{1} one|]1,Inf] many",
            "{0} none | {1} one | [2,*] many",
            "[0,4] few|[5,*] many",
            "{1,*} many|{0} none",
        ] {
            assert!(has_some(text), "{text}");
        }
        for text in [
            "{0} car | {0} cars",
            "none | one | {0} cars",
            "{n} car|{n} cars",
            "{0} files | {1} folders",
            "{0} and {1}",
            "{0,-10} | {1,8}",
            "[a,b]|[c,d]",
            "[1,2] x",
        ] {
            assert!(!has_some(text), "{text}");
        }
    }

    #[test]
    fn alternatives_may_have_other_intervals_and_repeat_tags() {
        let source =
            "{0} No results|{1} <b>1</b> result of {name}|]1,Inf] <b>%count%</b> results of {name}";
        let failing = |target: &str| -> Vec<&str> {
            let checker = Checker::inferred("php", Words::default());
            let checker = checker.for_translation("sl", "en");
            let found = checker.check(&CheckInput::new(&[source], &[target]));
            found.iter().map(|it| it.check.id()).collect()
        };
        for target in [
            "{0} Nič|{1} <b>1</b> a {name}|{2} <b>2</b> b {name}|{3,4} <b>%count%</b> c|[5,Inf] <b>%count%</b> d",
            "{0} Nič|[1,Inf] <b>%count%</b> {name}",
            "<b>%count%</b> a {name}|<b>%count%</b> b {name}|<b>%count%</b> c {name}|{0} Nič",
        ] {
            assert_eq!(failing(target), [""; 0], "{target}");
        }
        assert_eq!(failing("{0} Nič|[1,Inf] %count% {name}"), ["xml-tags"]);
        assert_eq!(failing("{0} Nič|[1,Inf] <b>%count%</b>"), ["brace_format"]);
        assert_eq!(
            failing("{0} Nič|[1,Inf] <b>%cuont%</b> {name}"),
            ["percent_placeholders"]
        );
        assert_eq!(failing("{0} Nič|<b>%count%</b> {name} }"), ["brace_format"]);
    }
}
