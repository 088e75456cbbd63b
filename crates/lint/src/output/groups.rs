//! Findings of one string in many languages, as one row.

use std::cmp::Reverse;

use crate::Finding;
use gitglot_model::SeededMap;

/// The findings of one string, of any checks and in any number of languages.
pub struct Group<'a> {
    /// The first one.
    pub first: &'a Finding,
    /// All of them with the first, errors first, then by check.
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
        let mut places: Vec<Vec<&'a Finding>> = Vec::new();
        let mut known: SeededMap<&str, usize> = SeededMap::default();
        for finding in &self.findings {
            let at = *known.entry(&finding.file).or_insert(places.len());
            match places.get_mut(at) {
                Some(place) => place.push(finding),
                None => places.push(vec![finding]),
            }
        }
        places
    }

    /// The source text that a stale translation was written for, and the present one.
    pub fn sources(&self) -> [Option<&'a str>; 2] {
        let first = |text: fn(&Finding) -> Option<&str>| {
            let mut findings = self.findings.iter();
            findings.find_map(|finding| text(finding))
        };
        [
            first(|it| it.previous_source.as_deref()),
            first(|it| it.source.as_deref()),
        ]
    }
}

/// The groups of findings, those with errors first, otherwise in the order of the report.
pub fn groups<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut known: SeededMap<_, usize> = SeededMap::default();
    for finding in findings {
        // Findings of files have no key.
        let file = finding.key.is_empty().then_some(&*finding.file);
        let id = (&*finding.component, &*finding.key, file);
        let at = *known.entry(id).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group {
                first: finding,
                findings: vec![finding],
            }),
        }
    }
    for group in &mut groups {
        let order = |it: &&Finding| (Reverse(it.severity), it.check.id());
        group.findings.sort_by_key(order);
        group.first = group.findings.first().copied().unwrap_or(group.first);
    }
    groups.sort_by_key(|group| Reverse(group.first.severity));
    groups
}
