//! Identifies the content of a snapshot for entity tags, equally on all replicas and in all runs of the program.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::snapshot::Snapshot;

/// A hash of the ledger, the batch, the configuration and the state of each component. Snapshots with different content
/// have different ones; [`Snapshot::failures`] do not count.
pub fn digest(snapshot: &Snapshot) -> u64 {
    *snapshot.digest.get_or_init(|| compute(snapshot))
}

fn compute(snapshot: &Snapshot) -> u64 {
    // Its keys are the same in all processes.
    let mut hasher = DefaultHasher::new();
    let position = (snapshot.ledger(), snapshot.batch(), snapshot.last_change);
    (position, snapshot.held_back_from.map(|id| id.0)).hash(&mut hasher);
    for project in snapshot.projects() {
        format!("{project:?}").hash(&mut hasher);
    }
    for of in snapshot.components() {
        format!("{:?}", of.component).hash(&mut hasher);
        of.checks().settings().fingerprint().hash(&mut hasher);
        (of.tip.id.0, of.log.len(), of.sources.len()).hash(&mut hasher);
        for translation in &of.translations {
            // Settings of checks and word lists change them.
            let sums = translation.statistics;
            let sums = [sums.all, sums.translated, sums.fuzzy, sums.failing];
            let sums = sums.map(|sum| (sum.units, sum.words));
            (translation.id.0, sums).hash(&mut hasher);
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::digest;
    use crate::restricted;
    use crate::test_snapshot::{snapshot, snapshot_with};

    #[test]
    fn equal_snapshots_of_different_processes_have_the_same_digest() {
        let recorded = |ledger: &str, batch| snapshot().recorded_in(Some(ledger.into()), batch);
        let expected = digest(&recorded("0123", 7));
        assert_eq!(digest(&recorded("0123", 7)), expected);
        let others = [
            snapshot(),
            recorded("0123", 8),
            recorded("4567", 7),
            snapshot_with(1).recorded_in(Some("0123".into()), 7),
            restricted(
                &recorded("0123", 7),
                1,
                |slug| slug.as_str() == "empty",
                None,
            ),
        ];
        for (at, other) in others.into_iter().enumerate() {
            assert_ne!(digest(&other), expected, "{at}");
        }
    }
}
