//! A replica of an older version next to one whose rules are newer (docs/spec/ids-and-ledger.md).

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gitglot_ledger::{
    Appended, Assignments, Batch, BatchDetails, Ledger, Move, RULES, SharedLedger,
};
use gitglot_store::DirectoryStore;

use super::{garden, more, units};
use crate::common::until;

/// Records a batch as a version with newer rules would.
fn write_newer_batch(store: &Path, state: &Path) {
    let mut ledger = Ledger::open(state).unwrap();
    let address = format!("file://{}", store.display());
    let shared = SharedLedger::new(Arc::new(DirectoryStore::new(store.into())), &address);
    ledger.share(shared);
    ledger.sync().unwrap();
    let last = ledger.batches.last().unwrap().clone();
    let number = last.batch + 1;
    let batch = Batch {
        batch: number,
        rules: RULES + 1,
        moves: vec![Move {
            from: Some(last.moves[0].to.clone()),
            ..last.moves[0].clone()
        }],
        ..last
    };
    let ids = Assignments {
        batch: number,
        first_change: ledger.ids.next_change(),
        changes: vec![(0, 1)],
        ..Assignments::default()
    };
    let appended = ledger.append(batch, ids, BatchDetails::default()).unwrap();
    assert_eq!(appended, Appended::Recorded);
}

fn batches(store: &Path) -> usize {
    fs::read_dir(store.join("batches")).unwrap().count()
}

#[test]
fn an_older_replica_never_writes_after_one_with_newer_rules() {
    let mut garden = garden();
    let store = garden.path("store");
    let ledger = format!("file://{}", store.display());
    let flags = ["--ledger", &*ledger, "--ledger-poll-interval", "50ms"];
    let server = garden.serve_with(&flags);
    let before = units(&server);
    let recorded = batches(&store);

    write_newer_batch(&store, &garden.path("newer"));
    until("/readyz names the newer rules", || {
        let (status, body) = server.get("/readyz");
        assert_eq!(status, 200, "{body}");
        body.contains("newer gitglot").then_some(())
    });
    server.kill();
    garden.repository.push(&more());
    // A start reads the repository once.
    let server = garden.serve_with(&flags);
    assert_eq!(units(&server), before, "it serves its last state");
    server.kill();
    assert_eq!(
        batches(&store),
        recorded + 1,
        "nothing was written after the newer batch"
    );
}
