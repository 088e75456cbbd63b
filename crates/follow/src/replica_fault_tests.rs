//! Replicas whose store loses batches, drops writes or lacks packs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::handle::LedgerNews;
use super::replica_tests::{Replica, assert_equal, projects};
use super::tests::Site;
use gitglot_ledger::{Ledger, LedgerError, SharedLedger};
use gitglot_store::ObjectStore;
use gitglot_testkit::{Faults, MemoryStore};

fn batches(store: &MemoryStore) -> usize {
    store.list("batches").unwrap().len()
}

/// Polls all repositories; the error ends the follow loop.
fn failed_poll(replica: &mut Replica) -> LedgerError {
    replica.try_poll().unwrap_err()
}

/// A running replica is told to check the store.
fn check(replica: &mut Replica) -> Result<(), LedgerError> {
    replica.follow.ledger_news.push(LedgerNews::Check);
    replica.follow.apply_ledger_news(&replica.reports)
}

/// The responses without the times of their last change, which are not sent while they are in the future.
fn undated(replica: &Replica) -> Vec<String> {
    let responses = replica.responses().into_iter().map(|response| {
        let Some((before, rest)) = response.split_once("\"last-modified: ") else {
            return response;
        };
        let (_, after) = rest.split_once("GMT\\\"\", ").expect("a header after it");
        [before, after].concat()
    });
    responses.collect()
}

#[test]
fn a_dropped_batch_does_not_split_the_replicas() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    let before = a.responses();
    site.push(2);
    store.set(Faults {
        dropping: true,
        ..Faults::default()
    });
    let error = failed_poll(&mut a);
    assert!(error.is_damage(), "{error}");
    assert_eq!(
        a.responses(),
        before,
        "what is not recorded is not published"
    );
    store.set(Faults::default());
    let b = Replica::start(&store, projects(&[&site]));
    assert_eq!(b.batch(), 2);
    let a = a.restart();
    assert_equal(&[&a, &b]);
}

#[test]
fn nothing_is_published_or_written_behind_a_gap() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    for keys in 2..6 {
        site.push(keys);
        a.poll();
    }
    check(&mut a).unwrap();
    let before = a.responses();
    store.delete("batches/0000000005").unwrap();
    let error = check(&mut a).unwrap_err();
    assert!(
        matches!(error, LedgerError::Lost { batch: 5, .. }),
        "{error}"
    );
    site.push(7);
    assert!(failed_poll(&mut a).is_damage());
    assert_eq!((a.responses(), batches(&store)), (before, 4));
}

#[test]
fn a_replica_that_is_behind_a_gap_notices_it() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    let mut reader = Replica::start_with(&store, projects(&[&site]), false);
    for keys in 2..5 {
        site.push(keys);
        a.poll();
    }
    store.delete("batches/0000000002").unwrap();
    reader.read_ledger();
    assert_eq!(reader.batch(), 1);
    let error = check(&mut reader).unwrap_err();
    assert!(
        matches!(error, LedgerError::Gap { missing: 2, .. }),
        "{error}"
    );
}

#[test]
fn a_replica_does_not_start_with_a_store_that_overwrites() {
    let store = Arc::<MemoryStore>::default();
    store.set(Faults {
        overwriting: true,
        ..Faults::default()
    });
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(folder.path()).unwrap();
    ledger.share(SharedLedger::new(store.clone(), "memory://"));
    let error = ledger.check(true).unwrap_err();
    assert!(matches!(error, LedgerError::Unconditional(_)), "{error}");
    assert_eq!(batches(&store), 0);
    ledger.check(false).unwrap();
}

#[test]
fn a_reader_without_packs_reports_what_it_lacks_until_it_is_there() {
    let store = Arc::<MemoryStore>::default();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(2);
    two.push(3);
    let writer = Replica::start(&store, projects(&[&one, &two]));
    let packs = store.list("packs").unwrap();
    assert_eq!(packs.len(), 2);
    let contents: Vec<_> = packs
        .iter()
        .map(|pack| store.get(&pack.name, 100_000).unwrap().unwrap())
        .collect();
    for pack in &packs {
        store.delete(&pack.name).unwrap();
    }
    let mut reader = Replica::start_with(&store, projects(&[&one, &two]), false);
    let reason = reader.ledger_report().unwrap();
    assert!(
        reason.contains("the git objects of one/app, two/app"),
        "{reason}"
    );
    assert_eq!(reader.published.load().unwrap().unit_count(), 0);
    for (pack, content) in packs.iter().zip(contents) {
        store.create(&pack.name, &content).unwrap();
    }
    assert!(reader.follow.followed.outage.retry_at.is_some());
    reader.follow.followed.outage.retry_at = Some(Instant::now());
    let polls = reader.follow.poll(&reader.reports).unwrap();
    reader.follow.process(polls, &reader.reports).unwrap();
    assert_eq!(reader.ledger_report(), None);
    // The reader has published a part before: its dates are those of its own process.
    assert_eq!(undated(&writer), undated(&reader));
}

#[test]
fn the_waits_of_an_outage_grow_until_a_batch_is_written() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    store.set(Faults {
        failing: true,
        ..Faults::default()
    });
    site.push(2);
    a.poll();
    let wait = |a: &Replica| a.follow.followed.outage.retry_at.unwrap() - Instant::now();
    assert!(wait(&a) <= Duration::from_secs(2));
    (0..5).for_each(|_| a.poll());
    assert!(wait(&a) > Duration::from_secs(20));
    store.set(Faults::default());
    a.poll();
    assert_eq!((a.batch(), a.ledger_report()), (2, None));
    store.set(Faults {
        failing: true,
        ..Faults::default()
    });
    site.push(3);
    a.poll();
    assert!(wait(&a) <= Duration::from_secs(2));
}
