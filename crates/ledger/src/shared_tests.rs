//! The shared ledger: racing writers, damage, copies and compaction.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::*;
use gitglot_store::{DirectoryStore, ObjectStore};
use gitglot_testkit::MemoryStore;

pub(super) fn batch_of(ledger: &Ledger, writer: usize, from: Option<&str>) -> (Batch, Assignments) {
    let number = ledger.next_batch();
    let moves = vec![Move {
        component: "garden/app".to_owned(),
        fingerprint: "f".to_owned(),
        history: "full".to_owned(),
        from: from.map(str::to_owned),
        to: format!("{writer:020x}{number:020x}"),
    }];
    let ids = Assignments {
        batch: number,
        first_change: number,
        changes: vec![(0, 1)],
        ..Assignments::default()
    };
    let seen = number.into();
    let rules = RULES;
    (
        Batch {
            batch: number,
            seen,
            rules,
            moves,
        },
        ids,
    )
}

pub(super) fn open(folder: &Path, store: &Arc<dyn ObjectStore>) -> Ledger {
    let mut ledger = Ledger::open(folder).unwrap();
    ledger.share(SharedLedger::new(store.clone(), "store"));
    ledger.check(true).unwrap();
    ledger.sync().unwrap();
    ledger
}

pub(super) fn append(
    ledger: &mut Ledger,
    writer: usize,
    from: Option<&str>,
    packs: &[&[u8]],
) -> Appended {
    let (batch, ids) = batch_of(ledger, writer, from);
    let shared = ledger.shared().unwrap();
    let packs = packs.iter().map(|pack| shared.put_pack(pack).unwrap());
    let details = BatchDetails {
        packs: packs.collect(),
        ..BatchDetails::default()
    };
    ledger.append(batch, ids, details).unwrap()
}

/// An append with the times of its begin and end.
struct Event {
    begin: u64,
    end: u64,
    number: u32,
    to: String,
    appended: Appended,
}

/// Several writers append as fast as they can. Returns the history of their appends.
fn race(store: &Arc<dyn ObjectStore>, writers: usize, appends: usize) -> Vec<Event> {
    let clock = AtomicU64::new(0);
    let write = |writer: usize| {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = open(folder.path(), store);
        let mut events = Vec::new();
        while events.len() < appends {
            let (batch, ids) = batch_of(&ledger, writer, Some("parent"));
            let (number, to) = (batch.batch, batch.moves[0].to.clone());
            let begin = clock.fetch_add(1, Ordering::SeqCst);
            let before = ledger.ids.clone();
            let appended = ledger.append(batch, ids, BatchDetails::default()).unwrap();
            let end = clock.fetch_add(1, Ordering::SeqCst);
            if appended == Appended::Lost {
                ledger.ids = before;
                assert!(ledger.sync().unwrap() > 0);
            }
            events.push(Event {
                begin,
                end,
                number,
                to,
                appended,
            });
        }
        events
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..writers)
            .map(|writer| scope.spawn(move || write(writer)))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// Checks that there is an order of the appends that agrees with their results and with real time. A log allows one
/// order only: that of the numbers.
fn assert_linearizable(events: &[Event], ledger: &Ledger) {
    let won = |event: &&Event| event.appended == Appended::Recorded;
    let mut winners: Vec<&Event> = events.iter().filter(won).collect();
    winners.sort_by_key(|event| event.number);
    let recorded: Vec<(u32, &str)> = ledger
        .batches
        .iter()
        .map(|batch| (batch.batch, &*batch.moves[0].to))
        .collect();
    let claimed: Vec<(u32, &str)> = winners.iter().map(|it| (it.number, &*it.to)).collect();
    assert_eq!(
        recorded, claimed,
        "each number has one winner, and its batch"
    );
    for (at, earlier) in winners.iter().enumerate() {
        for later in &winners[at + 1..] {
            assert!(
                later.end > earlier.begin,
                "batch {} in the past",
                later.number
            );
        }
    }
    for lost in events.iter().filter(|it| it.appended == Appended::Lost) {
        let winner = winners[lost.number as usize - 1];
        assert!(
            winner.begin < lost.end,
            "batch {} was lost to nobody",
            lost.number
        );
    }
}

#[test]
fn racing_appends_are_linearizable() {
    let folder = tempfile::tempdir().unwrap();
    let stores: [Arc<dyn ObjectStore>; 2] = [
        Arc::<MemoryStore>::default(),
        Arc::new(DirectoryStore::new(folder.path().join("store"))),
    ];
    for store in stores {
        let events = race(&store, 4, 25);
        let copy = tempfile::tempdir().unwrap();
        assert_linearizable(&events, &open(copy.path(), &store));
    }
}

#[test]
fn every_flipped_bit_of_a_batch_object_is_detected() {
    let (folder, copy) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let store: Arc<dyn ObjectStore> = Arc::<MemoryStore>::default();
    append(&mut open(folder.path(), &store), 1, None, &[]);
    let good = store.get("batches/0000000001", 10_000).unwrap().unwrap();
    let mut ledger = Ledger::open(copy.path()).unwrap();
    ledger.share(SharedLedger::new(store.clone(), "store"));
    // The last byte is a newline.
    for bit in 0..(good.len() - 1) * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        store.put("batches/0000000001", &bad).unwrap();
        assert!(ledger.sync().is_err(), "bit {bit}");
    }
    store.put("batches/0000000001", &good).unwrap();
    assert_eq!(ledger.sync().unwrap(), 1);
}

#[test]
fn a_state_directory_of_a_different_ledger_is_refused() {
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let stores: Vec<Arc<dyn ObjectStore>> =
        vec![Arc::<MemoryStore>::default(), Arc::<MemoryStore>::default()];
    for (writer, (folder, store)) in folders.iter().zip(&stores).enumerate() {
        append(&mut open(folder.path(), store), writer, None, &[]);
    }
    let mut ledger = Ledger::open(folders[0].path()).unwrap();
    ledger.share(SharedLedger::new(stores[1].clone(), "other"));
    let error = ledger.check(true).unwrap_err().to_string();
    assert!(error.contains("different ledger than other"), "{error}");
}

#[test]
fn a_copy_has_the_same_batches_and_packs() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn ObjectStore> = Arc::<MemoryStore>::default();
    let mut ledger = open(folder.path(), &store);
    append(&mut ledger, 1, None, &[b"one"]);
    append(&mut ledger, 1, Some("a"), &[b"two"]);
    drop(ledger);
    let shared = SharedLedger::new(store, "store");
    let backup = SharedLedger::new(Arc::<MemoryStore>::default(), "backup");
    assert_eq!(copy_packs(&shared, &backup).unwrap().needed.len(), 2);
    assert_eq!(copy(&shared, &backup).unwrap(), 2);
    assert_eq!(copy(&shared, &backup).unwrap(), 0);
    let verified = |log: &dyn BatchLog| verify(log, &mut |_, _| Ok(())).unwrap();
    let expected = verified(&shared);
    assert_eq!(verified(&backup), expected);
    let named = named_packs(&backup).unwrap();
    assert_eq!(verify_packs(&backup, &named.needed).unwrap(), 6);

    let target = tempfile::tempdir().unwrap();
    let directory = DirectoryLog::open(target.path()).unwrap();
    assert_eq!(copy(&backup, &directory).unwrap(), 2);
    assert_eq!(verified(&directory), expected);
    drop(directory);
    for name in ["ids.jsonl", "ledger.jsonl"] {
        let read = |folder: &Path| std::fs::read(folder.join(name)).unwrap();
        assert_eq!(read(target.path()), read(folder.path()));
    }
    let other = SharedLedger::new(Arc::<MemoryStore>::default(), "other");
    let empty = tempfile::tempdir().unwrap();
    append(
        &mut open(empty.path(), &(Arc::<MemoryStore>::default() as _)),
        7,
        None,
        &[],
    );
    copy(&DirectoryLog::open(empty.path()).unwrap(), &other).unwrap();
    let error = copy(&shared, &other).unwrap_err();
    assert!(matches!(error, LedgerError::Different(1)), "{error}");
}

#[test]
fn compaction_removes_unneeded_objects() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn ObjectStore> = Arc::<MemoryStore>::default();
    let mut ledger = open(folder.path(), &store);
    append(&mut ledger, 1, None, &[b"of the old log"]);
    append(&mut ledger, 1, None, &[b"begin"]);
    for pack in 0..20_u8 {
        append(&mut ledger, 1, Some("a"), &[&[pack]]);
    }
    let shared = ledger.shared().unwrap().clone();
    shared.put_pack(b"without a batch").unwrap();
    let day = Duration::from_secs(24 * 3600);
    let soon = SystemTime::UNIX_EPOCH + day / 2;
    let removed = compact(&shared, soon).unwrap();
    assert_eq!((removed.objects, removed.bytes), (1, 14));
    assert_eq!(compact(&shared, soon + day).unwrap().objects, 1);
    assert_eq!(compact(&shared, soon + 100 * day).unwrap().objects, 0);
    assert_eq!(store.list("packs").unwrap().len(), 21);
    let named = named_packs(&shared).unwrap();
    verify_packs(&shared, &named.needed).unwrap();
}
