//! Strings with equal source texts (docs/spec/renames.md#equal-source).

use std::hash::{BuildHasher, Hash, Hasher};

use super::matching::{Matching, RenameCandidate, RenameSide};
use super::similarity::{Best, ComparedKey};
use gitglot_model::{RenameEvidence, Seeded, SeededMap};

/// Most pairs of one group that are compared one by one.
const MAX_GROUP_PAIRS: usize = 4096;
/// Least similarity of two keys, and how much better it has to be than that of any other key.
const MIN_KEY_SIMILARITY: f64 = 0.5;
const MIN_KEY_MARGIN: f64 = 0.1;

/// The removed and the added strings of a property, in the order of the file.
type Group = (Vec<usize>, Vec<usize>);

/// Groups strings by a property; the groups are in the order of the removed strings. Groups with one side only are
/// left out.
fn groups<K: Eq + Hash>(
    removed: impl Iterator<Item = (K, usize)>,
    added: impl Iterator<Item = (K, usize)>,
) -> Vec<Group> {
    let mut index = SeededMap::default();
    let mut found: Vec<Group> = Vec::new();
    for (property, at) in removed {
        let group = *index.entry(property).or_insert_with(|| {
            found.push(Group::default());
            found.len() - 1
        });
        found[group].0.push(at);
    }
    for (property, at) in added {
        if let Some(&group) = index.get(&property) {
            found[group].1.push(at);
        }
    }
    found.retain(|(_, added)| !added.is_empty());
    found
}

/// Pairs strings of which the keys exist in one state only.
pub(super) fn match_equal_sources(matching: &mut Matching<'_>) {
    for (removed, added) in source_groups(matching, |string| string.twin.is_none()) {
        if let (&[removed], &[added]) = (&*removed, &*added) {
            let evidence = if matching.agreement(removed, added).supports() {
                RenameEvidence::SourceAndTranslations
            } else {
                RenameEvidence::Source
            };
            matching.pair(removed, added, evidence);
        } else {
            match_group(matching, removed, added);
        }
    }
}

/// Pairs the other strings, kept keys included. They need translations as evidence.
pub(super) fn match_exchanged(matching: &mut Matching<'_>) {
    for (removed, added) in source_groups(matching, |_| true) {
        match_translations(matching, &removed, &added);
    }
}

/// The groups of equal source texts among the strings that have no pair.
fn source_groups(
    matching: &Matching<'_>,
    selects: impl Fn(&RenameCandidate<'_>) -> bool,
) -> Vec<Group> {
    let has_source = |source: u32| !(matching.input.text)(source).trim().is_empty();
    let select = |(at, it): (usize, &RenameCandidate<'_>)| {
        (selects(it) && has_source(it.source)).then_some((it.source, at))
    };
    let removed = matching.input.removed.iter().enumerate();
    let removed = removed.filter(|&(at, _)| matching.to[at].is_none());
    let added = matching.input.added.iter().enumerate();
    let added = added.filter(|&(at, _)| matching.from[at].is_none());
    groups(removed.filter_map(select), added.filter_map(select))
}

/// Pairs strings with the same source: by translations, then by key and order.
fn match_group(matching: &mut Matching<'_>, removed: Vec<usize>, added: Vec<usize>) {
    let ties = match_translations(matching, &removed, &added);
    for (removed, added) in ties {
        match_keys(matching, &removed, &added);
    }
    match_keys(matching, &removed, &added);
}

/// Pairs strings of a group whose translations tell them apart. Returns the groups with equal translations.
fn match_translations(
    matching: &mut Matching<'_>,
    removed: &[usize],
    added: &[usize],
) -> Vec<Group> {
    let with_hash = |side: RenameSide, list: &[usize]| {
        let hash = |&at: &usize| Some((translations_hash(matching, side, at)?, at));
        list.iter().filter_map(hash).collect::<Vec<_>>().into_iter()
    };
    let removed_hashes = with_hash(RenameSide::Before, removed);
    let equal = groups(removed_hashes, with_hash(RenameSide::After, added));
    let mut ties = Vec::new();
    for (removed, added) in equal {
        match (&*removed, &*added) {
            (&[removed], &[added]) if matching.agreement(removed, added).supports() => {
                matching.pair(removed, added, RenameEvidence::SourceAndTranslations);
            }
            _ => ties.push((removed, added)),
        }
    }
    let (removed, added) = unpaired(matching, removed, added);
    let pairs = removed.len() * added.len();
    if pairs > MAX_GROUP_PAIRS || !matching.can_compare(pairs) {
        return ties;
    }
    let score = |row: usize, column: usize| {
        let found = matching.agreement(removed[row], added[column]);
        let score = f64::from(found.equal) - f64::from(found.different);
        found.supports().then_some(score)
    };
    for (removed, added) in mutual_best(&removed, &added, 1.0, &score) {
        matching.pair(removed, added, RenameEvidence::SourceAndTranslations);
    }
    ties
}

/// Pairs strings of which nothing but the keys and their order differs.
fn match_keys<'a>(matching: &mut Matching<'a>, removed: &[usize], added: &[usize]) {
    let (left, right) = unpaired(matching, removed, added);
    let pairs = left.len() * right.len();
    if pairs == 0 {
        return;
    }
    let input = matching.input;
    let removed_names = left.iter().map(|&at| input.removed[at].name);
    let added_names = right.iter().map(|&at| input.added[at].name);
    let longest = removed_names.chain(added_names).map(str::len).max();
    if pairs <= MAX_GROUP_PAIRS && matching.can_compare_keys(pairs, longest.unwrap_or_default()) {
        let keys = |list: &[RenameCandidate<'a>], strings: &[usize]| -> Vec<ComparedKey<'a>> {
            let key = |&at: &usize| ComparedKey::new(list[at].name);
            strings.iter().map(key).collect()
        };
        let removed_keys = keys(input.removed, &left);
        let added_keys = keys(input.added, &right);
        let score = |row: usize, column: usize| {
            let similarity = removed_keys[row].similarity(&added_keys[column]);
            let fits = similarity >= MIN_KEY_SIMILARITY
                && !matching.agreement(left[row], right[column]).contradicts();
            fits.then_some(similarity)
        };
        for (removed, added) in mutual_best(&left, &right, MIN_KEY_MARGIN, &score) {
            matching.pair(removed, added, RenameEvidence::Key);
        }
    }
    let (left, right) = unpaired(matching, removed, added);
    if left.len() != right.len() {
        return;
    }
    let pairs: Vec<_> = left.into_iter().zip(right).collect();
    let agree =
        |&(removed, added): &(usize, usize)| !matching.agreement(removed, added).contradicts();
    if pairs.iter().all(agree) {
        for (removed, added) in pairs {
            matching.pair(removed, added, RenameEvidence::Order);
        }
    }
}

fn unpaired(matching: &Matching<'_>, removed: &[usize], added: &[usize]) -> Group {
    let removed = removed.iter().copied();
    let added = added.iter().copied();
    (
        removed.filter(|&at| matching.to[at].is_none()).collect(),
        added.filter(|&at| matching.from[at].is_none()).collect(),
    )
}

/// A hash of all translations of a string; `None` if it has none.
fn translations_hash(matching: &Matching<'_>, side: RenameSide, at: usize) -> Option<u64> {
    let mut hasher = Seeded::default().build_hasher();
    let mut has_any = false;
    for language in 0..matching.input.languages {
        if let Some(text) = (matching.input.translation)(side, at, language) {
            (language, text).hash(&mut hasher);
            has_any = true;
        }
    }
    has_any.then(|| hasher.finish())
}

/// The pairs of which each is the best of the other, by a score that is at least `margin` above that of any other. The
/// score gets the positions of both in their lists.
fn mutual_best(
    removed: &[usize],
    added: &[usize],
    margin: f64,
    score: &dyn Fn(usize, usize) -> Option<f64>,
) -> Vec<(usize, usize)> {
    let mut best_of_removed = vec![Best::default(); removed.len()];
    let mut best_of_added = vec![Best::default(); added.len()];
    for (row, best_of_row) in best_of_removed.iter_mut().enumerate() {
        for (column, best_of_column) in best_of_added.iter_mut().enumerate() {
            if let Some(score) = score(row, column) {
                best_of_row.add(column, score);
                best_of_column.add(row, score);
            }
        }
    }
    let pair = |(row, best): (usize, &Best)| {
        let column = best.clear(margin)?;
        let is_mutual = best_of_added[column].clear(margin) == Some(row);
        is_mutual.then_some((removed[row], added[column]))
    };
    let best_of_removed = best_of_removed.iter().enumerate();
    best_of_removed.filter_map(pair).collect()
}
