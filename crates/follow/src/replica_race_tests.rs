//! Replicas that start, stop and poll while operations of others on the store are delayed. The interleavings are chosen by
//! the tests, without threads.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::replica_tests::{Replica, assert_equal};
use super::testing::{moved_project, moved_string};
use super::tests::Site;
use crate::ProjectConfig;
use gitglot_testkit::{MemoryStore, Repo, StoreOperation, branch_at};

/// Replicas of a store, each `None` while it does not run.
#[derive(Clone)]
struct Fleet(Arc<[Mutex<Option<Replica>>]>);

impl Fleet {
    fn start(store: &Arc<MemoryStore>, count: usize, projects: &[ProjectConfig]) -> Self {
        let replicas = (0..count).map(|_| Mutex::new(Some(Replica::start(store, projects.into()))));
        Self(replicas.collect())
    }

    /// Lets a replica do something, unless it is busy.
    fn act(&self, replica: usize, action: Action) {
        let Ok(mut slot) = self.0[replica % self.0.len()].try_lock() else {
            return;
        };
        let Some(mut replica) = slot.take() else {
            return;
        };
        match action {
            Action::Poll => replica.poll(),
            Action::ReadLedger => replica.read_ledger(),
            Action::Restart => replica = replica.restart(),
            Action::WriteCheckpoints => replica.write_checkpoints(),
        }
        *slot = Some(replica);
    }

    fn assert_equal(&self) {
        let replicas: Vec<_> = self.0.iter().map(|it| it.lock().unwrap()).collect();
        let replicas: Vec<&Replica> = replicas.iter().filter_map(|it| it.as_ref()).collect();
        assert_equal(&replicas);
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Poll,
    ReadLedger,
    Restart,
    WriteCheckpoints,
}

#[test]
fn a_replica_that_loses_a_race_at_its_start_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("garden.git"), &moved_string());
    let mut other = Site::new("other");
    other.push(1);
    let store = Arc::<MemoryStore>::default();
    let projects = [moved_project(&repo), other.project.clone()];
    let fleet = Fleet::start(&store, 2, &projects);
    for round in 0..2 {
        fleet.act(1, Action::WriteCheckpoints);
        other.push(2 + round);
        let (first, mut is_due) = (fleet.clone(), true);
        let next = format!("batches/{:010}", round + 2);
        // Just before the second replica creates the batch, the first one does.
        store.interrupt(Some(Box::new(move |operation, name| {
            let creates = operation == StoreOperation::Write && name == next;
            if creates && std::mem::take(&mut is_due) {
                first.act(0, Action::Poll);
            }
        })));
        fleet.act(1, Action::Restart);
        store.interrupt(None);
        fleet.assert_equal();
    }
    let replica = fleet.0[1].lock().unwrap();
    let responses = replica.as_ref().unwrap().responses();
    let renames = responses.iter().find(|it| it.contains("/renames/"));
    assert!(
        renames.is_some_and(|it| it.contains("\"old_key\":\".k\"")),
        "{renames:?}"
    );
}

/// A push to one of the repositories, what a replica then does, and what others do before its operations on the store.
#[derive(Clone, Debug)]
struct Round {
    pushes: Option<usize>,
    replica: usize,
    action: Action,
    interruptions: Vec<(usize, usize, Action)>,
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let action = || {
        prop_oneof![
            3 => Just(Action::Poll),
            1 => Just(Action::ReadLedger),
            2 => Just(Action::Restart),
            1 => Just(Action::WriteCheckpoints),
        ]
    };
    let interruption = (0..30_usize, 0..3_usize, action());
    let interruptions = prop::collection::vec(interruption, 0..4);
    let round = (
        prop::option::weighted(0.8, 0..2_usize),
        0..3_usize,
        action(),
        interruptions,
    );
    let round = round.prop_map(|(pushes, replica, action, interruptions)| Round {
        pushes,
        replica,
        action,
        interruptions,
    });
    prop::collection::vec(round, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        ..ProptestConfig::default()
    })]

    #[test]
    fn replicas_are_equal_whatever_the_delays_of_the_store(rounds in rounds()) {
        let folder = tempfile::tempdir().unwrap();
        let mut repo = Repo::with(&folder.path().join("garden.git"), &moved_string());
        let mut other = Site::new("other");
        other.push(1);
        let projects = [moved_project(&repo), other.project.clone()];
        let store = Arc::<MemoryStore>::default();
        let fleet = Fleet::start(&store, 3, &projects);
        // The string moves, is taken back, and moves again.
        let mut tips = ["b", "c", "a", "c"].into_iter().cycle();
        for (round, keys) in rounds.into_iter().zip(2..) {
            match round.pushes {
                Some(0) => repo.push(&branch_at("main", tips.next().unwrap())),
                Some(_) => other.push(keys),
                None => {}
            }
            let (others, mut operation) = (fleet.clone(), 0);
            let interruptions = round.interruptions;
            store.interrupt(Some(Box::new(move |_, _| {
                let due = interruptions.iter().filter(|it| it.0 == operation);
                due.for_each(|&(_, replica, action)| others.act(replica, action));
                operation += 1;
            })));
            fleet.act(round.replica, round.action);
            store.interrupt(None);
        }
        (0..3).for_each(|replica| fleet.act(replica, Action::Poll));
        (0..3).for_each(|replica| fleet.act(replica, Action::ReadLedger));
        fleet.assert_equal();
        fleet.act(0, Action::Restart);
        fleet.assert_equal();
        let late = Replica::start(&store, projects.to_vec());
        let replica = fleet.0[0].lock().unwrap();
        assert_equal(&[replica.as_ref().unwrap(), &late]);
    }
}
