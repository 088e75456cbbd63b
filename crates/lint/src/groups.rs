//! The order of all reports (`docs/spec/lint.md#order`): findings of one string in many languages are together, the most
//! relevant strings are first.

use std::cmp::Reverse;
use std::hash::Hash;

use crate::finding::Finding;
use gitglot_model::{SeededMap, SeededSet, language};

/// The findings of one string, of any checks and in any number of languages.
pub struct Group<'a> {
    /// The first one.
    pub first: &'a Finding,
    /// All of them with the first, errors first, then those of the source file, then by check.
    pub findings: Vec<&'a Finding>,
}

impl<'a> Group<'a> {
    /// The findings of each check, errors first.
    pub fn checks(&self) -> impl Iterator<Item = &[&'a Finding]> {
        let is_same = |one: &&Finding, other: &&Finding| {
            (one.severity, one.check) == (other.severity, other.check)
        };
        self.findings.chunk_by(is_same)
    }

    /// The findings of each file, in the order of its first one.
    pub fn places(&self) -> Vec<Vec<&'a Finding>> {
        grouped_by(self.findings.iter().copied(), |finding| &*finding.file)
    }

    /// The source text that a stale translation was written for, and the present one.
    pub fn sources(&self) -> [Option<&'a str>; 2] {
        let first = |text: fn(&Finding) -> Option<&str>| {
            let mut findings = self.findings.iter();
            findings.find_map(|finding| text(finding))
        };
        [
            first(|finding| finding.previous_source.as_deref()),
            first(|finding| finding.source.as_deref()),
        ]
    }
}

/// The languages of findings in words, such as `German`, `German and Czech` or `57 languages`; `None` for findings that
/// have no language.
pub fn languages_of(findings: &[&Finding]) -> Option<String> {
    let name = |code: &str| language::resolve(code).name.to_string();
    match &codes_of(findings)[..] {
        [] => None,
        [code] => Some(name(code)),
        [one, other] => Some(format!("{} and {}", name(one), name(other))),
        codes => Some(format!("{} languages", codes.len())),
    }
}

/// The codes of the languages of findings, in their order.
pub(super) fn codes_of<'a>(findings: &[&'a Finding]) -> Vec<&'a str> {
    let mut known = SeededSet::default();
    let codes = findings.iter().map(|finding| &*finding.language);
    codes
        .filter(|code| !code.is_empty() && known.insert(*code))
        .collect()
}

/// The findings of each file after its path, in the order of its first one.
pub(super) fn by_file(findings: &[Finding]) -> Vec<(&str, Vec<&Finding>)> {
    let files = grouped_by(findings.iter(), |finding| &*finding.file).into_iter();
    files.map(|of_file| (&*of_file[0].file, of_file)).collect()
}

/// The items of each key, in the order of its first one.
fn grouped_by<T, K: Hash + Eq>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    let mut known: SeededMap<K, usize> = SeededMap::default();
    for item in items {
        let at = *known.entry(key(&item)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

/// The groups of findings, in the order of reports.
pub fn groups<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Group<'a>> {
    let findings: Vec<&Finding> = findings.into_iter().collect();
    let group = |indexes: Vec<usize>| {
        let findings: Vec<&Finding> = indexes.into_iter().map(|at| findings[at]).collect();
        Group {
            first: findings[0],
            findings,
        }
    };
    grouped(&findings).into_iter().map(group).collect()
}

/// The indexes of findings in the order of reports, those of each string together.
pub(super) fn grouped(findings: &[&Finding]) -> Vec<Vec<usize>> {
    let mut groups = grouped_by(0..findings.len(), |&at| {
        let finding = findings[at];
        // Findings of files have no key.
        let file = finding.key.is_empty().then_some(&*finding.file);
        (&*finding.component, finding.key.id(), file)
    });
    for group in &mut groups {
        let of_source = group.iter().map(|&at| findings[at]);
        let of_source = of_source.filter(|finding| finding.relevance.is_source);
        let of_source = of_source.map(|finding| (finding.severity, finding.check));
        let of_source: SeededSet<_> = of_source.collect();
        group.sort_by_key(|&at| {
            let finding = findings[at];
            let (severity, check) = (finding.severity, finding.check);
            let is_source = of_source.contains(&(severity, check));
            let relevance = &finding.relevance;
            let rank = (!relevance.is_source, !finding.new, !relevance.is_changed);
            (Reverse(severity), !is_source, check.id(), rank)
        });
    }
    groups.sort_by_cached_key(|group| {
        let all = || group.iter().map(|&at| findings[at]);
        let severity = all().map(|finding| finding.severity).max();
        let worst = || all().filter(|finding| Some(finding.severity) == severity);
        let is_new = worst().any(|finding| finding.new);
        let is_changed = worst().any(|finding| finding.relevance.is_changed);
        (Reverse(severity), !is_new, !is_changed)
    });
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::FindingKey;
    use crate::{FindingKind, Relevance};
    use gitglot_checks::{CheckId, Severity};
    use gitglot_model::FileFormat;

    /// A warning or an error.
    fn finding(file: &str, key: &str, check: FindingKind) -> Finding {
        Finding {
            key: FindingKey::new(FileFormat::Json, key),
            check,
            severity: check.severity(),
            language: file.into(),
            relevance: Relevance {
                is_source: file == "en",
                ..Relevance::default()
            },
            ..Finding::of_configuration(file, String::new())
        }
    }

    /// The groups as `KEY: FILE CHECK, …`.
    fn shown(findings: &[Finding]) -> Vec<String> {
        let one = |it: &&Finding| format!("{} {}", it.file, it.check.id());
        let group = |it: &Group<'_>| {
            let all: Vec<_> = it.findings.iter().map(one).collect();
            format!("{}: {}", it.first.key.shown(), all.join(", "))
        };
        groups(findings).iter().map(group).collect()
    }

    #[test]
    fn errors_are_first_then_new_ones_then_files_of_the_change() {
        let brace = FindingKind::Check(CheckId::BraceFormat);
        let mut old = finding("de", "old", FindingKind::Missing);
        old.new = false;
        let mut changed = finding("fr", "changed", FindingKind::Missing);
        changed.relevance.is_changed = true;
        let other = finding("de", "other", FindingKind::Missing);
        let error = finding("sv", "error", brace);
        assert_eq!(error.severity, Severity::Error);
        assert_eq!(
            shown(&[old, other, changed, error]),
            [
                "error: sv brace_format",
                "changed: fr missing",
                "other: de missing",
                "old: de missing"
            ]
        );
    }

    #[test]
    fn a_removed_string_leads_with_the_source_file() {
        let left = |file| finding(file, "a", FindingKind::LeftOver);
        let removed = finding("en", "a", FindingKind::Removed);
        assert_eq!(
            shown(&[left("cs"), left("de"), removed]),
            ["a: en removed, cs left-over, de left-over"]
        );
    }

    #[test]
    fn languages_are_names_or_their_number() {
        let all: Vec<_> = ["de", "fr", "de", "cs"]
            .iter()
            .map(|file| finding(file, "a", FindingKind::Missing))
            .collect();
        let all: Vec<&Finding> = all.iter().collect();
        let of = |count: usize| languages_of(&all[..count]).unwrap();
        assert_eq!(
            [of(1), of(3), of(4)],
            ["German", "German and French", "3 languages"]
        );
    }
}
