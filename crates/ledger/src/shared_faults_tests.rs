//! Stores that lose, replace, truncate or hide objects: nothing is written after a missing batch.

use std::sync::Arc;

use super::batch_object::{BatchObject, StoredBatch, encode};
use super::shared::name;
use super::shared_tests::{append, batch_of, open};
use super::*;
use gitglot_store::ObjectStore;
use gitglot_testkit::{Faults, MemoryStore};

/// A store with some batches, and the replica that wrote them.
struct Fleet {
    store: Arc<MemoryStore>,
    writer: Ledger,
    _folder: tempfile::TempDir,
}

impl Fleet {
    fn with_batches(count: usize) -> Self {
        let (store, folder) = (Arc::<MemoryStore>::default(), tempfile::tempdir().unwrap());
        let mut writer = open(folder.path(), &(store.clone() as _));
        for at in 0..count {
            let from = (at > 0).then_some("parent");
            append(&mut writer, 1, from, &[at.to_string().as_bytes()]);
        }
        Self {
            store,
            writer,
            _folder: folder,
        }
    }

    /// The ledger as a process sees it that has not used it before.
    fn shared(&self) -> SharedLedger {
        SharedLedger::new(self.store.clone(), "store")
    }

    fn remove(&self, batch: u32) {
        self.store.delete(&name(batch)).unwrap();
    }

    fn names(&self) -> Vec<String> {
        let listed = self.store.list("batches").unwrap();
        listed.into_iter().map(|it| it.name).collect()
    }

    /// Tries to append a batch.
    fn append(&mut self) -> Result<Appended, LedgerError> {
        let (batch, ids) = batch_of(&self.writer, 1, Some("parent"));
        self.writer.append(batch, ids, BatchDetails::default())
    }

    /// Starts a replica without a copy of the ledger. Returns the number of batches that it reads.
    fn start(&self) -> Result<u32, LedgerError> {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path()).unwrap();
        ledger.share(self.shared());
        ledger.check(true)?;
        ledger.sync()
    }
}

fn verified(log: &dyn BatchLog) -> Result<LedgerHead, LedgerError> {
    verify(log, &mut |_, _| Ok(()))
}

fn assert_gap<T: std::fmt::Debug>(result: Result<T, LedgerError>, batch: u32, later: u32) {
    match result {
        Err(LedgerError::Gap { missing, found, .. }) => {
            assert_eq!((missing, found), (batch, later))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_missing_batch_is_found_by_every_reader() {
    let fleet = Fleet::with_batches(8);
    assert_eq!(verified(&fleet.shared()).unwrap().batches, 8);
    fleet.remove(5);
    assert_gap(verified(&fleet.shared()), 5, 6);
    assert_gap(named_packs(&fleet.shared()), 5, 6);
    assert_gap(fleet.start(), 5, 6);
    let backup = SharedLedger::new(Arc::<MemoryStore>::default(), "backup");
    assert_gap(copy_packs(&fleet.shared(), &backup), 5, 6);
    assert_gap(copy(&fleet.shared(), &backup), 5, 6);
    assert_eq!(verified(&backup).unwrap().batches, 0, "nothing was copied");
    assert_gap(compact(&fleet.shared(), std::time::SystemTime::now()), 5, 6);
    let good = Fleet::with_batches(8);
    assert_gap(copy(&good.shared(), &fleet.shared()), 5, 6);
}

#[test]
fn a_running_replica_finds_a_missing_batch() {
    let mut fleet = Fleet::with_batches(8);
    for _ in 0..8 {
        fleet.writer.recheck().unwrap();
    }
    fleet.remove(7);
    let checks: Vec<_> = (0..4).map(|_| fleet.writer.recheck()).collect();
    let found = checks.into_iter().find(Result::is_err).unwrap();
    assert_gap(found, 7, 8);
}

#[test]
fn nothing_is_written_before_a_later_batch() {
    let mut fleet = Fleet::with_batches(2);
    let shared = fleet.writer.shared().unwrap().clone();
    let third = StoredBatch {
        details: BatchDetails::default(),
        lines: shared.read(2).unwrap().unwrap().lines,
    };
    fleet
        .store
        .create(&name(5), &encode(&third, None).0)
        .unwrap();
    assert_gap(fleet.append(), 3, 5);
    assert_eq!(fleet.names(), [name(1), name(2), name(5)]);
}

#[test]
fn nothing_is_written_after_a_batch_that_the_store_has_lost() {
    let mut fleet = Fleet::with_batches(3);
    fleet.remove(3);
    let error = fleet.append().unwrap_err();
    assert!(
        matches!(error, LedgerError::Lost { batch: 3, .. }),
        "{error}"
    );
    assert!(error.to_string().contains("gitglot ledger copy"), "{error}");
    assert_eq!(fleet.names(), [name(1), name(2)]);
    // An empty store, as after its bucket was replaced.
    fleet.remove(2);
    fleet.remove(1);
    for result in [
        fleet.append().map(drop),
        fleet.writer.check(true),
        fleet.writer.recheck(),
    ] {
        let error = result.unwrap_err();
        assert!(error.is_damage(), "{error}");
    }
    assert_eq!(fleet.names(), [""; 0]);
}

#[test]
fn a_batch_that_the_store_accepts_and_drops_is_not_recorded() {
    let mut fleet = Fleet::with_batches(2);
    fleet.store.set(Faults {
        dropping: true,
        ..Faults::default()
    });
    let error = fleet.append().unwrap_err();
    assert!(error.is_damage(), "{error}");
    assert!(error.to_string().contains("does not return it"), "{error}");
    assert_eq!(fleet.writer.batches.len(), 2);
    fleet.store.set(Faults::default());
    assert_eq!(fleet.append().unwrap(), Appended::Recorded);
    assert_eq!(fleet.start().unwrap(), 3);
}

#[test]
fn a_store_that_hides_truncates_or_inflates_objects_is_refused() {
    let mut fleet = Fleet::with_batches(2);
    for faults in [
        Faults {
            hiding: true,
            ..Faults::default()
        },
        Faults {
            truncating: true,
            ..Faults::default()
        },
        Faults {
            inflating: true,
            ..Faults::default()
        },
    ] {
        fleet.store.set(faults);
        for result in [
            fleet.append().map(drop),
            fleet.start().map(drop),
            verified(&fleet.shared()).map(drop),
        ] {
            let error = result.unwrap_err();
            assert!(error.is_damage(), "{error}");
        }
        fleet.store.set(Faults::default());
    }
    assert_eq!(fleet.names().len(), 2);
}

#[test]
fn a_batch_that_never_existed_is_forgotten_after_a_check() {
    let mut fleet = Fleet::with_batches(2);
    fleet
        .store
        .create(&name(3), b"<html>sign in</html>")
        .unwrap();
    assert!(fleet.writer.shared().unwrap().has_news().unwrap());
    assert!(fleet.writer.sync().unwrap_err().is_damage());
    fleet.remove(3);
    fleet.writer.check(true).unwrap();
    assert_eq!(fleet.writer.sync().unwrap(), 0);
    assert_eq!(fleet.writer.shared().unwrap().batches_behind(), 0);
    assert_eq!(fleet.append().unwrap(), Appended::Recorded);
}

#[test]
fn a_store_that_creates_an_object_twice_is_refused() {
    let mut fleet = Fleet::with_batches(0);
    fleet.store.set(Faults {
        overwriting: true,
        ..Faults::default()
    });
    for result in [fleet.start().map(drop), fleet.shared().check_conditional()] {
        let error = result.unwrap_err();
        assert!(matches!(error, LedgerError::Unconditional(_)), "{error}");
        assert!(error.to_string().contains("If-None-Match"), "{error}");
    }
    // The replica that started while the store was good finds the batch of another one replaced.
    fleet.store.set(Faults::default());
    append(&mut fleet.writer, 1, None, &[]);
    let other = Fleet::with_batches(1);
    let replaced = other.store.get(&name(1), 10_000).unwrap().unwrap();
    let mut text = String::from_utf8(replaced).unwrap();
    text = text.replace("garden/app", "garden/web");
    let object = BatchObject::decode(text.as_bytes());
    assert!(object.is_err(), "its hash does not match");
    fleet.store.put(&name(1), text.as_bytes()).unwrap();
    assert!(fleet.append().unwrap_err().is_damage());
}

#[test]
fn batches_name_the_hash_of_the_object_before() {
    let mut fleet = Fleet::with_batches(3);
    let object = |number: u32| {
        let content = fleet.store.get(&name(number), 10_000).unwrap().unwrap();
        BatchObject::decode(&content).unwrap()
    };
    assert_eq!(object(1).previous, None);
    for number in 2..=3 {
        assert_eq!(object(number).previous.unwrap(), object(number - 1).hash);
    }
    // The lines and their checksums do not contain the packs of a batch.
    let mut changed = object(2);
    changed.batch.details.packs.clear();
    let (content, _) = encode(&changed.batch, changed.previous);
    fleet.store.put(&name(2), &content).unwrap();
    let error = verified(&fleet.shared()).unwrap_err().to_string();
    assert!(error.contains("continues a different batch"), "{error}");
    assert!(fleet.start().unwrap_err().is_damage());
    // A restarted replica continues the chain.
    let folder = fleet.writer.folder().to_owned();
    drop(fleet.writer);
    fleet.writer = Ledger::open(&folder).unwrap();
    fleet
        .writer
        .share(SharedLedger::new(fleet.store.clone(), "store"));
    fleet.append().unwrap();
    let last = |number: u32| {
        let content = fleet.store.get(&name(number), 10_000).unwrap().unwrap();
        BatchObject::decode(&content).unwrap()
    };
    assert_eq!(last(4).previous.unwrap(), last(3).hash);
}

#[test]
fn a_ledger_without_hashes_of_objects_is_read_and_continued() {
    let mut fleet = Fleet::with_batches(3);
    for number in 1..=3 {
        let content = fleet.store.get(&name(number), 10_000).unwrap().unwrap();
        let object = BatchObject::decode(&content).unwrap();
        let (old, _) = encode(&object.batch, None);
        assert!(!String::from_utf8_lossy(&old).contains("previous"));
        fleet.store.put(&name(number), &old).unwrap();
    }
    assert_eq!(fleet.start().unwrap(), 3);
    fleet.append().unwrap();
    assert_eq!(verified(&fleet.shared()).unwrap().batches, 4);
    let backup = SharedLedger::new(Arc::<MemoryStore>::default(), "backup");
    assert_eq!(copy(&fleet.shared(), &backup).unwrap(), 4);
    assert_eq!(
        verified(&backup).unwrap(),
        verified(&fleet.shared()).unwrap()
    );
}

#[test]
fn a_missing_pack_fails_verification_and_copy() {
    let fleet = Fleet::with_batches(2);
    let pack = named_packs(&fleet.shared())
        .unwrap()
        .needed
        .pop_first()
        .unwrap();
    fleet.store.delete(&pack).unwrap();
    let backup = SharedLedger::new(Arc::<MemoryStore>::default(), "backup");
    let error = copy_packs(&fleet.shared(), &backup)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(&pack) && error.contains("missing"),
        "{error}"
    );
}

#[test]
fn a_copy_of_a_state_directory_lacks_the_objects_that_readers_need() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    for from in [None, Some("parent")] {
        let (batch, ids) = batch_of(&ledger, 1, from);
        ledger.append(batch, ids, BatchDetails::default()).unwrap();
    }
    drop(ledger);
    let shared = SharedLedger::new(Arc::<MemoryStore>::default(), "store");
    let directory = DirectoryLog::open(folder.path()).unwrap();
    assert_eq!(copy(&directory, &shared).unwrap(), 2);
    let named = named_packs(&shared).unwrap();
    let error = named.check_complete(&shared).unwrap_err().to_string();
    assert!(error.contains("the git objects of garden/app"), "{error}");
    // A log that a replica has rebuilt is complete.
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    ledger.share(shared.clone());
    ledger.sync().unwrap();
    let (batch, ids) = batch_of(&ledger, 1, None);
    let branches = [("garden/app".to_owned(), "main".to_owned())].into();
    let details = BatchDetails {
        branches,
        ..BatchDetails::default()
    };
    ledger.append(batch, ids, details).unwrap();
    let named = named_packs(&shared).unwrap();
    named.check_complete(&shared).unwrap();
}
