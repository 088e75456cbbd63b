//! The strings that mainline commits remove from components and add to others, read from the logs.

use std::cmp::Reverse;
use std::ops::Range;

use super::ComponentLog;
use gitglot_model::{Action, CommitId, KeyId, MainlineRow, SeededMap, SeededSet, TextId};

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

/// The commits from `first` rows of each mainline on that remove strings from components and add strings to others, in the
/// order of the mainlines. `None` if a new row of a mainline belongs to an earlier one of a different mainline.
pub fn changed_commits(logs: &[ComponentLog<'_>], first: &[usize]) -> Option<Vec<CommitStrings>> {
    let all = logs.iter().zip(first).enumerate();
    let changed: Vec<Vec<(usize, CommitStrings)>> = all
        .map(|(component, (compared, &first))| changed_strings(component, compared, first))
        .collect();
    let arrivals = arrivals(logs, first, &changed)?;
    let mut commits: SeededMap<Arrival, CommitStrings> = SeededMap::default();
    for (changed, arrivals) in changed.into_iter().zip(arrivals) {
        for (row, strings) in changed {
            let Some(&arrival) = arrivals.get(&row) else {
                continue;
            };
            let commit = commits.entry(arrival).or_default();
            commit.from_end = commit.from_end.max(strings.from_end);
            commit.removed.extend(strings.removed);
            commit.added.extend(strings.added);
            commit.entries.extend(strings.entries);
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

/// The commits of the rows from `first` on that change strings, by row of each mainline. `None` if the mainlines had one of
/// them differently often before.
fn arrivals(
    logs: &[ComponentLog<'_>],
    first: &[usize],
    changed: &[Vec<(usize, CommitStrings)>],
) -> Option<Vec<SeededMap<usize, Arrival>>> {
    let rows = logs.iter().zip(changed).flat_map(|(compared, changed)| {
        let rows = changed.iter().map(|(row, _)| *row);
        rows.filter_map(|row| compared.log.mainline.get(row))
    });
    let commits: SeededSet<CommitId> = rows.map(|row| row.commit).collect();
    let mut before: Option<SeededMap<CommitId, u32>> = None;
    let mut found = Vec::new();
    for (ComponentLog { log, .. }, &first) in logs.iter().zip(first) {
        let mut times: SeededMap<CommitId, u32> = SeededMap::default();
        let is_wanted = |commit: &CommitId| commits.contains(commit);
        let rows = if commits.is_empty() { 0 } else { first };
        let known = log.mainline.iter().take(rows).map(|row| row.commit);
        for commit in known.filter(is_wanted) {
            *times.entry(commit).or_default() += 1;
        }
        if *before.get_or_insert_with(|| times.clone()) != times {
            return None;
        }
        let new = (first..).zip(log.mainline.iter_from(first));
        let new = new.filter(|(_, row)| is_wanted(&row.commit));
        let arrival = |(at, row): (usize, &MainlineRow)| {
            let times = times.entry(row.commit).or_default();
            *times += 1;
            (at, (row.commit, *times))
        };
        found.push(new.map(arrival).collect());
    }
    Some(found)
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
    let renames = log.renames().map(|rename| (rename.entry, rename.to));
    let renames: SeededSet<(u32, KeyId)> = renames.collect();
    let mut renamed_from: SeededMap<KeyId, Vec<u32>> = SeededMap::default();
    for rename in log.renames() {
        let of_key = renamed_from.entry(rename.from);
        of_key.or_default().push(rename.entry);
    }
    let mut found = Vec::new();
    // A commit whose strings all have the entries of renames moves none.
    let rows = log.mainline.len();
    for (nth, row) in (first..).zip(log.mainline.iter_from(first)) {
        let (end, removals_end) = (row.entries, row.removals);
        let from_end = rows - nth;
        let (range, removed) = (entries..end, removals..removals_end);
        (entries, removals) = (end, removals_end);
        let mut strings = CommitStrings {
            from_end,
            ..CommitStrings::default()
        };
        let mut added: SeededMap<KeyId, ChangedString> = SeededMap::default();
        for at in range.clone() {
            let Some(entry) = log.get(at as usize) else {
                continue;
            };
            if let (Action::NewSourceString, Some(key)) = (entry.action, entry.key)
                && !renames.contains(&(at, key))
            {
                let string = ChangedString {
                    component,
                    key,
                    source: TextId::EMPTY,
                    entry: at,
                };
                added.entry(key).or_insert(string);
            }
        }
        let is_renamed = |key| {
            let entries = renamed_from.get(&key);
            entries.is_some_and(|list| list.iter().any(|at| range.contains(at)))
        };
        if added.is_empty() && removed.is_empty() {
            continue;
        }
        for removal in removed.filter_map(|at| log.removals.get(at as usize)) {
            // A string that the commit adds, too, is neither.
            let is_back = added.remove(&removal.key).is_some();
            if !is_back && !is_renamed(removal.key) {
                strings.removed.push(ChangedString {
                    component,
                    key: removal.key,
                    source: removal.source,
                    entry: removal.entry,
                });
            }
        }
        strings.added = added.into_values().collect();
        strings.added.sort_by_key(|added| added.entry);
        if strings.removed.is_empty() && strings.added.is_empty() {
            continue;
        }
        strings.entries.insert(component, range);
        found.push((nth, strings));
    }
    found
}
