//! Findings of one string in many languages, as one row.

use rustc_hash::FxHashMap;

use crate::Finding;

/// Findings of one string and check, in any number of languages.
pub struct Group<'a> {
    /// The first one.
    pub first: &'a Finding,
    /// All of them, with the first.
    pub findings: Vec<&'a Finding>,
}

/// The groups of findings, errors first, otherwise in the order of the report.
pub fn groups<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut known: FxHashMap<_, usize> = FxHashMap::default();
    for finding in findings {
        let id = (
            finding.severity,
            finding.check,
            &*finding.component,
            &*finding.key,
        );
        // Findings of files have no key.
        let id = (id, finding.key.is_empty().then_some(&*finding.file));
        let at = *known.entry(id).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group {
                first: finding,
                findings: vec![finding],
            }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.first.severity));
    groups
}
