//! The strings that mainline commits remove from components and add to others, read from the logs.

use std::cmp::Reverse;
use std::ops::Range;

use super::moved::ComponentLog;
use gitglot_model::{Action, CommitId, KeyId, SeededMap, SeededSet, TextId};

/// A string that a commit removes from a component, or adds to one.
pub struct ChangedString {
    pub component: usize,
    pub key: KeyId,
    /// Of an added string: the index of its first entry in the commit.
    pub entry: u32,
    /// Of a removed string: its last source.
    pub source: TextId,
}

/// The strings that a mainline commit removes from components or adds to them, and its entries in the log of each.
#[derive(Default)]
pub struct CommitStrings {
    pub removed: Vec<ChangedString>,
    pub added: Vec<ChangedString>,
    pub entries: SeededMap<usize, Range<u32>>,
    /// Number of mainline commits up to the tip.
    from_end: usize,
}

/// A commit, and how often a mainline has had it: a commit that was taken back can be pushed again.
type Arrival = (CommitId, u32);

/// The commits from `first` rows of each mainline on that remove strings from components and add strings to others, in
/// the order of the mainlines. `None` if a new row of a mainline belongs to an earlier one of a different mainline.
pub fn changed_commits(logs: &[ComponentLog<'_>], first: &[usize]) -> Option<Vec<CommitStrings>> {
    let all = logs.iter().zip(first).enumerate();
    let changed: Vec<Vec<(usize, CommitStrings)>> = all
        .map(|(component, (compared, &first))| changed_strings(component, compared, first))
        .collect();
    let rows = logs.iter().zip(&changed).flat_map(|(compared, changed)| {
        let rows = changed.iter().map(|(row, _)| *row);
        rows.filter_map(|row| compared.log.mainline.get(row))
    });
    let wanted: SeededSet<CommitId> = rows.map(|row| row.commit).collect();
    let mut commits: SeededMap<Arrival, CommitStrings> = SeededMap::default();
    if wanted.is_empty() {
        return Some(Vec::new());
    }
    let mut times_before: Option<SeededMap<CommitId, u32>> = None;
    for ((ComponentLog { log, .. }, &first), changed) in logs.iter().zip(first).zip(changed) {
        let mut times: SeededMap<CommitId, u32> = SeededMap::default();
        let before = log.mainline.iter().take(first).map(|row| row.commit);
        for commit in before.filter(|commit| wanted.contains(commit)) {
            *times.entry(commit).or_default() += 1;
        }
        // The mainlines must have had each of them equally often before.
        if *times_before.get_or_insert_with(|| times.clone()) != times {
            return None;
        }
        let mut changed = changed.into_iter().peekable();
        let new = (first..).zip(log.mainline.iter_from(first));
        for (at, row) in new.filter(|(_, row)| wanted.contains(&row.commit)) {
            let times = times.entry(row.commit).or_default();
            *times += 1;
            if let Some((_, strings)) = changed.next_if(|(row, _)| *row == at) {
                let commit = commits.entry((row.commit, *times)).or_default();
                commit.from_end = commit.from_end.max(strings.from_end);
                commit.removed.extend(strings.removed);
                commit.added.extend(strings.added);
                commit.entries.extend(strings.entries);
            }
        }
    }
    // Of most commits, one component changes.
    commits.retain(|_, CommitStrings { removed, added, .. }| {
        let mut all = removed.iter().chain(added.iter());
        let other = |first: &ChangedString| all.any(|other| other.component != first.component);
        !removed.is_empty() && added.first().is_some_and(other)
    });
    let mut commits: Vec<(Arrival, CommitStrings)> = commits.into_iter().collect();
    commits.sort_by_key(|(arrival, strings)| (Reverse(strings.from_end), *arrival));
    Some(commits.into_iter().map(|(_, strings)| strings).collect())
}

/// The strings that each commit removes from a component and adds to it, by row, without those that it renames there.
fn changed_strings(
    component: usize,
    compared: &ComponentLog<'_>,
    first: usize,
) -> Vec<(usize, CommitStrings)> {
    let log = compared.log;
    let before = first.checked_sub(1).and_then(|at| log.mainline.get(at));
    let (mut entries, mut removals) = before.map_or((0, 0), |row| (row.entries, row.removals));
    let mut renames = log
        .renames()
        .skip_while(move |rename| rename.entry < entries)
        .peekable();
    let mut found = Vec::new();
    let rows = log.mainline.len();
    for (nth, row) in (first..).zip(log.mainline.iter_from(first)) {
        let (range, removed) = (entries..row.entries, removals..row.removals);
        (entries, removals) = (row.entries, row.removals);
        let (mut renamed, mut old_keys) = (SeededSet::default(), SeededSet::default());
        while let Some(rename) = renames.next_if(|rename| range.contains(&rename.entry)) {
            renamed.insert(rename.entry);
            old_keys.insert(rename.from);
        }
        let mut added: SeededMap<KeyId, ChangedString> = SeededMap::default();
        for at in range.clone().filter(|at| !renamed.contains(at)) {
            if let Some(entry) = log.get(at as usize)
                && let (Action::NewSourceString, Some(key)) = (entry.action, entry.key)
            {
                added.entry(key).or_insert(ChangedString {
                    component,
                    key,
                    source: TextId::EMPTY,
                    entry: at,
                });
            }
        }
        let removed = removed.filter_map(|at| log.removals.get(at as usize));
        // A string that the commit adds, too, is neither.
        let removed = removed.filter(|removal| added.remove(&removal.key).is_none());
        let removed = removed.filter(|removal| !old_keys.contains(&removal.key));
        let removed = removed.map(|removal| ChangedString {
            component,
            key: removal.key,
            source: removal.source,
            entry: removal.entry,
        });
        let removed: Vec<ChangedString> = removed.collect();
        let mut added: Vec<ChangedString> = added.into_values().collect();
        added.sort_by_key(|added| added.entry);
        if !removed.is_empty() || !added.is_empty() {
            let strings = CommitStrings {
                removed,
                added,
                entries: std::iter::once((component, range)).collect(),
                from_end: rows - nth,
            };
            found.push((nth, strings));
        }
    }
    found
}
