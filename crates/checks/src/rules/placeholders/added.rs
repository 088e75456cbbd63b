//! Placeholders in the translation of a source that has none: those of other texts of the template
//! (`docs/spec/checks.md#own-placeholders`).

use std::collections::HashSet;
use std::ops::Range;

use crate::finding::{PartialFinding, named};
use crate::input::CheckInput;
use crate::lazy_regex::LazyRegex;

/// The most placeholders of a template that are kept.
const MAX_KNOWN: usize = 4096;

/// Placeholders of the usual styles.
static PLACEHOLDER: LazyRegex = LazyRegex::new(
    r"\{\{\s*[\w.]+\s*\}\}|[%$]?\{\w+\}|%\(\w+\)[a-z]|%[A-Za-z_]\w*%|%(?:\d+\$)?(?:[sd]\b|@)",
);

fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    let may_occur = text.contains(['{', '%']);
    let found = may_occur.then(|| PLACEHOLDER.find_iter(text));
    found.into_iter().flatten().map(|found| found.range())
}

/// Whether a source text may have placeholders of any style.
fn has_mark(source: &str) -> bool {
    source.contains(['{', '%', '$'])
}

/// The placeholders of a template.
#[derive(Clone, Default, Debug)]
pub(crate) struct KnownPlaceholders(HashSet<String>);

impl KnownPlaceholders {
    pub(crate) fn of<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let all = texts.flat_map(|text| find(text).filter_map(|range| text.get(range)));
        Self(all.take(MAX_KNOWN).map(str::to_owned).collect())
    }

    /// Those of one template only.
    pub(crate) fn difference(&self, other: &Self) -> Self {
        Self(self.0.symmetric_difference(&other.0).cloned().collect())
    }

    /// Whether a translation may have one of them that is no placeholder of its source.
    pub(crate) fn may_be_added(&self, source: &str, target: &str) -> bool {
        let has_one = |text: &str| find(text).any(|range| self.0.contains(&text[range]));
        !self.0.is_empty() && !has_mark(source) && has_one(target)
    }

    /// The finding of a translation with known placeholders whose source has none of any style.
    /// `given` are placeholders that the program gives to each text.
    pub(crate) fn added(&self, unit: &CheckInput, given: &[&str]) -> Option<PartialFinding> {
        if self.0.is_empty() || unit.source.iter().any(|source| has_mark(source)) {
            return None;
        }
        let findings = unit.pairs().filter_map(|pair| {
            let is_known = |range: &Range<usize>| {
                let before = &pair.target[..range.start];
                if before.ends_with('%') {
                    return false;
                }
                let text = pair.target.get(range.clone());
                text.is_some_and(|text| self.0.contains(text) && !given.contains(&text))
            };
            let extra = named(pair.target, find(pair.target).filter(is_known));
            let finding = PartialFinding::of_parts("placeholders", &pair, &[], &extra)?;
            Some(finding)
        });
        PartialFinding::of_forms(findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_of_another_text_is_extra_where_the_source_has_none() {
        let known = KnownPlaceholders::of(
            ["Hi {name}", "%s of %s", "100 %", "%{attribute} is"].into_iter(),
        );
        let is_extra = |source, target| {
            let found = known.added(&CheckInput::new(&[source], &[target]), &["%{attribute}"]);
            found.is_some()
        };
        assert!(is_extra("Hello", "Hallo {name}") && is_extra("All", "Alle %s"));
        for (source, target) in [
            ("Hello", "Hallo {other}"),
            ("Hello {you}", "Hallo {name}"),
            ("All", "Alle 5 %"),
            ("50 %", "50 %s"),
            ("is even", "%{attribute} ist gerade"),
        ] {
            assert!(!is_extra(source, target), "{target}");
        }
    }
}
