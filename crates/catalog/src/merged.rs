//! Merges the logs of several components by id or by time. A new snapshot reuses the order of the previous one and
//! inserts new entries, also those of new components, usually near the end.

use std::collections::HashSet;

use gitglot_model::{ComponentId, Log, LogEntry, PersistentVec};

/// Index of a component and of an entry in its log.
type At = (u32, u32);

/// The sort key. Ties are broken by component, then by entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MergeOrder {
    Id,
    Time,
}

impl MergeOrder {
    fn key(self, entry: &LogEntry) -> i64 {
        match self {
            Self::Id => i64::from(entry.id.0),
            Self::Time => entry.time.0,
        }
    }
}

/// The components of a snapshot with their logs.
pub(super) type Logs<'a> = [(ComponentId, &'a Log)];

/// The order in an older snapshot.
pub(super) struct PreviousOrder<'a> {
    /// That snapshot's components.
    pub logs: &'a Logs<'a>,
    /// Indexes of the merged components.
    pub indexes: &'a [u32],
    pub order: &'a PersistentVec<At>,
}

/// Merges the logs of the components at `indexes`; empty for a single one, whose log is already in order.
pub(super) fn merged(
    logs: &Logs<'_>,
    indexes: &[u32],
    by: MergeOrder,
    older: Option<PreviousOrder<'_>>,
) -> PersistentVec<At> {
    if indexes.len() < 2 {
        return PersistentVec::default();
    }
    let older = older.filter(|older| is_continued(logs, indexes, older));
    let of_older = older.iter().flat_map(|older| older.indexes);
    let of_older: HashSet<u32> = of_older.copied().collect();
    let mut fresh: Vec<(i64, At)> = Vec::new();
    for &at in indexes {
        let log = logs[at as usize].1;
        let known = older.as_ref().filter(|_| of_older.contains(&at));
        let known = known.map_or(0, |older| older.logs[at as usize].1.len());
        let entries = (known..log.len())
            .filter_map(|entry| Some((by.key(&log.get(entry)?), (at, entry as u32))));
        fresh.extend(entries);
    }
    fresh.sort_unstable();
    let mut order = older.map_or_else(PersistentVec::default, |older| older.order.clone());
    let Some(&first) = fresh.first() else {
        return order;
    };
    let key = |&(at, entry): &At| {
        let entry = logs[at as usize].1.get(entry as usize);
        entry.map_or(i64::MAX, |entry| by.key(&entry))
    };
    let shared = order.partition_point(|position| (key(position), *position) < first);
    let later: Vec<At> = order.iter_from(shared).copied().collect();
    order.truncate(shared);
    fresh.extend(later.into_iter().map(|position| (key(&position), position)));
    fresh.sort_unstable();
    order.extend(fresh.into_iter().map(|(_, position)| position));
    order
}

/// Whether all components of the older order still have the same indexes, and their logs only grew.
fn is_continued(logs: &Logs<'_>, indexes: &[u32], older: &PreviousOrder<'_>) -> bool {
    let wanted: HashSet<u32> = indexes.iter().copied().collect();
    // The order of a single component is not kept.
    older.indexes.len() > 1
        && older.indexes.iter().all(|&at| {
            let pair = logs.get(at as usize).zip(older.logs.get(at as usize));
            wanted.contains(&at)
                && pair.is_some_and(|((id, log), (then_id, then))| {
                    id == then_id && log.continues(then)
                })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gitglot_model::{Action, ChangeId, TextId, Timestamp};
    use proptest::prelude::*;

    const COMPONENTS: usize = 3;

    /// Appends an entry with the next id to a log.
    fn grow(logs: &mut [Log], at: usize, time: i64, ids: &mut u32) {
        *ids += 1;
        let log = &mut logs[at];
        let last = log.len().checked_sub(1).and_then(|last| log.get(last));
        log.push(LogEntry {
            id: ChangeId(*ids),
            time: Timestamp(last.map_or(time, |last| time.max(last.time.0 + 1))),
            action: Action::ResourceUpdate,
            lineage: None,
            key: None,
            target: TextId::EMPTY,
            previous: TextId::EMPTY,
            source: TextId::EMPTY,
            commit: 0,
            moved: false,
            fuzzy: false,
            was_fuzzy: false,
        });
    }

    fn named(logs: &[Log]) -> Vec<(ComponentId, &Log)> {
        (1..).map(ComponentId).zip(logs).collect()
    }

    proptest! {
        #[test]
        fn an_extended_order_equals_a_rebuilt_one(
            batches in prop::collection::vec(
                (
                    prop::collection::vec((0..COMPONENTS, 0i64..2000), 0..900),
                    any::<bool>(),
                    1..=COMPONENTS,
                ),
                1..5,
            ),
        ) {
            let mut logs = vec![Log::default(); COMPONENTS];
            let mut ids = 0;
            let mut before = (Vec::new(), PersistentVec::default(), PersistentVec::default());
            for (entries, is_remade, count) in batches {
                if is_remade {
                    logs[0] = Log::default();
                }
                for (at, time) in entries {
                    grow(&mut logs, at, time, &mut ids);
                }
                let shown = logs[..count].to_vec();
                let (now, then) = (named(&shown), named(&before.0));
                let [indexes, known] = [&shown, &before.0].map(|logs| (0..logs.len() as u32).collect::<Vec<_>>());
                let mut orders = Vec::new();
                for (by, order) in [(MergeOrder::Id, &before.1), (MergeOrder::Time, &before.2)] {
                    let grown = merged(&now, &indexes, by, Some(PreviousOrder { logs: &then, indexes: &known, order }));
                    prop_assert!(grown.iter().eq(merged(&now, &indexes, by, None).iter()));
                    let all = shown.iter().map(Log::len).sum::<usize>();
                    prop_assert_eq!(grown.len(), if count > 1 { all } else { 0 });
                    orders.push(grown);
                }
                let by_time = orders.remove(1);
                before = (shown, orders.remove(0), by_time);
            }
        }
    }
}
