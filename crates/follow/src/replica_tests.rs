//! Replicas that share a ledger: races, lost responses, outages, different configurations.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::handle::LedgerNews;
use super::poll::TrackedRepo;
use super::testing::responses;
use super::tests::Site;
use super::{FollowEvents, FollowedComponents, LedgerProblem, PollLoop};
use crate::{HistoryMode, ProjectConfig};
use gitglot_catalog::Published;
use gitglot_checks::Words;
use gitglot_ledger::{Assignments, Batch, BatchDetails, Ledger, LedgerError, RULES, SharedLedger};
use gitglot_store::ObjectStore;
use gitglot_testkit::{Faults, MemoryStore};

/// Collects the problems that a replica reports.
#[derive(Default)]
pub(super) struct Reports {
    ledger: std::sync::Mutex<BTreeMap<&'static str, String>>,
    failed: std::sync::Mutex<BTreeMap<String, String>>,
}

impl FollowEvents for Reports {
    fn published(&self, component: &str) {
        self.failed.lock().unwrap().remove(component);
    }
    fn failed(&self, component: &str, reason: &str) {
        let mut failed = self.failed.lock().unwrap();
        failed.insert(component.to_owned(), reason.to_owned());
    }
    fn behind(&self, _: &str, _: Option<&str>) {}
    fn ledger(&self, problem: LedgerProblem, reason: Option<&str>) {
        let mut problems = self.ledger.lock().unwrap();
        match reason {
            Some(reason) => problems.insert(problem.as_str(), reason.to_owned()),
            None => problems.remove(problem.as_str()),
        };
    }
}

pub(super) struct Replica {
    pub follow: PollLoop,
    pub published: Arc<Published>,
    pub reports: Reports,
    store: Arc<MemoryStore>,
    polls: bool,
    state: tempfile::TempDir,
}

impl Replica {
    pub fn start(store: &Arc<MemoryStore>, projects: Vec<ProjectConfig>) -> Self {
        Self::start_with(store, projects, true)
    }

    pub fn start_with(store: &Arc<MemoryStore>, projects: Vec<ProjectConfig>, polls: bool) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), store, projects.into(), polls)
    }

    /// Starts again in the same state directory.
    pub fn restart(self) -> Self {
        let Self {
            follow,
            store,
            polls,
            state,
            ..
        } = self;
        let projects = follow.followed.projects.clone();
        drop(follow);
        Self::start_in(state, &store, projects, polls)
    }

    fn start_in(
        state: tempfile::TempDir,
        store: &Arc<MemoryStore>,
        projects: Arc<[ProjectConfig]>,
        polls: bool,
    ) -> Self {
        let mirrors = state.path().join("mirrors");
        std::fs::create_dir_all(&mirrors).unwrap();
        let mut ledger = Ledger::open(state.path()).unwrap();
        ledger.share(SharedLedger::new(store.clone(), "memory://"));
        ledger.check(polls).unwrap();
        ledger.sync().unwrap();
        let published = Arc::new(Published::new());
        let followed = FollowedComponents::new(
            ledger,
            projects,
            HistoryMode::Full,
            Words::default(),
            published.clone(),
        );
        let interval = Duration::from_secs(3600);
        let watches: super::WatchFactory = Arc::new(|_| Box::new(()));
        let mut follow = PollLoop::new(followed, &mirrors, interval, watches);
        if !polls {
            follow = follow.without_polls();
        }
        let reports = Reports::default();
        follow.first_batch(&reports).unwrap();
        Self {
            follow,
            published,
            reports,
            store: store.clone(),
            polls,
            state,
        }
    }

    /// Polls all repositories and publishes the result.
    pub fn poll(&mut self) {
        self.try_poll().unwrap();
    }

    pub fn try_poll(&mut self) -> Result<(), LedgerError> {
        self.follow.tracked.update_all(TrackedRepo::schedule_now);
        let polls = self.follow.poll(&self.reports).unwrap();
        self.follow.process(polls, &self.reports)
    }

    pub fn write_checkpoints(&mut self) {
        let deadline = Instant::now() + Duration::from_secs(3600);
        self.follow.followed.write_checkpoints(deadline);
    }

    /// Reads the shared ledger, as after news.
    pub fn read_ledger(&mut self) {
        self.follow.ledger_news.push(LedgerNews::Batches);
        self.follow.apply_ledger_news(&self.reports).unwrap();
    }

    pub fn batch(&self) -> u32 {
        self.published.load().unwrap().batch()
    }

    pub fn ledger_report(&self) -> Option<String> {
        let problems = self.reports.ledger.lock().unwrap();
        problems.values().next().cloned()
    }

    pub fn responses(&self) -> Vec<String> {
        responses(&self.published)
    }
}

pub(super) fn assert_equal(replicas: &[&Replica]) {
    let first = replicas[0].responses();
    for replica in &replicas[1..] {
        for (one, other) in first.iter().zip(replica.responses()) {
            assert_eq!(*one, other);
        }
    }
}

pub(super) fn projects(sites: &[&Site]) -> Vec<ProjectConfig> {
    sites.iter().map(|site| site.project.clone()).collect()
}

#[test]
fn replicas_that_start_at_different_times_are_equal() {
    let store = Arc::<MemoryStore>::default();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(2);
    two.push(1);
    let mut first = Replica::start(&store, projects(&[&one, &two]));
    one.push(3);
    first.poll();
    two.push(4);
    first.poll();
    assert_eq!(first.batch(), 3);
    let late = Replica::start(&store, projects(&[&one, &two]));
    assert_eq!(late.batch(), 3);
    assert_equal(&[&first, &late]);
}

#[test]
fn a_lost_race_is_undone_and_the_winning_batch_replayed() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut replicas: Vec<_> = (0..3)
        .map(|_| Replica::start(&store, projects(&[&site])))
        .collect();
    for round in 0..12 {
        if round % 4 == 3 {
            // A force push.
            site.tip = None;
        }
        site.push(2 + round % 5);
        // Whoever polls second has not read the batch of the first.
        for at in 0..3 {
            replicas[(round + at) % 3].poll();
        }
        let [a, b, c] = &replicas[..] else {
            unreachable!()
        };
        assert_equal(&[a, b, c]);
        assert_eq!(a.batch() as usize, round + 2);
    }
    assert_eq!(store.list("batches").unwrap().len(), 13);
}

#[test]
fn pushes_to_two_repositories_race_and_both_are_recorded() {
    let store = Arc::<MemoryStore>::default();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(1);
    let mut a = Replica::start(&store, projects(&[&one, &two]));
    let mut b = Replica::start(&store, projects(&[&one, &two]));
    for keys in 2..8 {
        one.push(keys);
        a.poll();
        two.push(keys);
        // This replica sees both pushes, and loses the race for the first.
        b.poll();
        b.poll();
        a.read_ledger();
        assert_equal(&[&a, &b]);
        assert_eq!(a.published.load().unwrap().unit_count(), 2 * keys);
    }
}

#[test]
fn a_batch_whose_answer_is_lost_is_recorded_once() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    let mut b = Replica::start(&store, projects(&[&site]));
    site.push(2);
    store.set(Faults {
        losing_answers: true,
        ..Faults::default()
    });
    a.poll();
    assert!(a.ledger_report().is_some());
    store.set(Faults::default());
    a.read_ledger();
    a.poll();
    b.read_ledger();
    assert_equal(&[&a, &b]);
    assert_eq!(a.batch(), 2);
}

#[test]
fn an_outage_stops_new_batches_and_nothing_else() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(1);
    let mut a = Replica::start(&store, projects(&[&site]));
    let before = a.responses();
    store.set(Faults {
        failing: true,
        ..Faults::default()
    });
    site.push(3);
    a.poll();
    assert_eq!(a.responses(), before, "only recorded pushes are published");
    assert!(
        a.ledger_report().unwrap().contains("store"),
        "{:?}",
        a.ledger_report()
    );
    store.set(Faults::default());
    a.poll();
    assert_eq!((a.batch(), a.ledger_report()), (2, None));
    let b = Replica::start(&store, projects(&[&site]));
    assert_equal(&[&a, &b]);
}

#[test]
fn tips_of_unserved_components_are_skipped_and_ids_not_reused() {
    let store = Arc::<MemoryStore>::default();
    let (mut one, mut two) = (Site::new("one"), Site::new("two"));
    one.push(1);
    two.push(5);
    let mut a = Replica::start(&store, projects(&[&one]));
    let mut b = Replica::start(&store, projects(&[&one, &two]));
    a.read_ledger();
    assert_eq!(a.published.load().unwrap().unit_count(), 1);
    one.push(3);
    a.poll();
    b.read_ledger();
    let ids = |replica: &Replica| -> Vec<u32> {
        let snapshot = replica.published.load().unwrap();
        snapshot.units_from(0).map(|unit| unit.unit.id.0).collect()
    };
    assert_eq!(ids(&a), [1, 7, 8]);
    assert_eq!(ids(&b), [1, 2, 3, 4, 5, 6, 7, 8]);
    let c = Replica::start(&store, projects(&[&one, &two]));
    assert_equal(&[&b, &c]);
}

#[test]
fn the_replica_that_starts_last_decides_on_the_settings() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(2);
    let mut old = Replica::start(&store, projects(&[&site]));
    let unit = |replica: &Replica| {
        let snapshot = replica.published.load().unwrap();
        snapshot.units_from(0).next().unwrap().unit.id
    };
    let id = unit(&old);
    let mut changed = site.project.clone();
    changed.components[0].settings.platforms = vec!["Weblate".to_owned()];
    let mut new = Replica::start(&store, vec![changed.clone()]);
    assert_eq!((new.batch(), unit(&new)), (2, id));
    old.read_ledger();
    site.push(4);
    old.poll();
    assert_eq!(
        old.published.load().unwrap().unit_count(),
        2,
        "it does not write"
    );
    let failed = old.reports.failed.lock().unwrap().clone();
    assert!(
        failed["one/app"].contains("different settings"),
        "{failed:?}"
    );
    new.poll();
    assert_eq!((new.batch(), unit(&new)), (3, id));
    let restarted = Replica::start(&store, vec![changed]);
    assert_equal(&[&new, &restarted]);
}

#[test]
fn replicas_with_different_repositories_do_not_move_a_component_for_ever() {
    let store = Arc::<MemoryStore>::default();
    let (mut site, mut other) = (Site::new("one"), Site::new("one"));
    site.push(2);
    other.push(3);
    let mut first = Replica::start(&store, projects(&[&site]));
    let mut second = Replica::start(&store, projects(&[&other]));
    let mut batches = Vec::new();
    for _ in 0..8 {
        for replica in [&mut first, &mut second] {
            replica.read_ledger();
            replica.poll();
            batches.push(replica.batch());
        }
    }
    let last = *batches.last().unwrap();
    assert!(batches[8..].iter().all(|it| *it == last), "{batches:?}");
    let failed = [&first, &second].map(|it| it.reports.failed.lock().unwrap().clone());
    let mut failed = failed.iter().flat_map(BTreeMap::values);
    assert!(failed.any(|it| it.contains("use the same repository")));
    // The one with the wrong repository gets the right one.
    let second = Replica::start(&store, projects(&[&site]));
    first.read_ledger();
    first.poll();
    assert_equal(&[&first, &second]);
    site.push(4);
    first.poll();
    assert_eq!(first.published.load().unwrap().unit_count(), 4);
}

#[test]
fn an_older_replica_never_writes_after_a_newer_one() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(2);
    let mut old = Replica::start(&store, projects(&[&site]));
    let newer = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::open(newer.path()).unwrap();
    ledger.share(SharedLedger::new(store.clone(), "memory://"));
    ledger.sync().unwrap();
    let batch = Batch {
        batch: ledger.next_batch(),
        seen: 1,
        rules: RULES + 1,
        moves: Vec::new(),
    };
    let ids = Assignments {
        batch: ledger.next_batch(),
        first_change: ledger.ids.next_change(),
        ..Assignments::default()
    };
    ledger.append(batch, ids, BatchDetails::default()).unwrap();
    site.push(3);
    old.poll();
    let report = old.ledger_report().unwrap();
    assert!(report.contains("newer gitglot"), "{report}");
    assert_eq!(old.published.load().unwrap().unit_count(), 2);
    assert_eq!(store.list("batches").unwrap().len(), 2);
    let restarted = Replica::start(&store, projects(&[&site]));
    assert_eq!(
        restarted.published.load().unwrap().unit_count(),
        2,
        "it serves and does not write"
    );
    assert_eq!(store.list("batches").unwrap().len(), 2);
}

#[test]
fn a_replica_without_repositories_returns_the_same_bytes() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(2);
    let mut writer = Replica::start(&store, projects(&[&site]));
    let mut reader = Replica::start_with(&store, projects(&[&site]), false);
    assert_equal(&[&writer, &reader]);
    for keys in [3, 1, 4] {
        if keys == 1 {
            site.tip = None;
        }
        site.push(keys);
        writer.poll();
        reader.read_ledger();
        assert_equal(&[&writer, &reader]);
    }
    let gone = site.project.clone();
    drop(site);
    let late = Replica::start_with(&store, vec![gone], false);
    assert_eq!(late.batch(), 4);
    assert_equal(&[&writer, &late]);
}

#[test]
fn a_late_replica_gets_removed_objects_from_the_store() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(2);
    let lost = site.tip.unwrap().to_string();
    let mut first = Replica::start(&store, projects(&[&site]));
    site.tip = None;
    site.push(3);
    first.poll();
    site.remove_object(&lost);
    let late = Replica::start(&store, projects(&[&site]));
    assert_eq!(late.batch(), 2);
    assert_equal(&[&first, &late]);
}

#[test]
fn a_new_replica_starts_from_a_shared_checkpoint() {
    let store = Arc::<MemoryStore>::default();
    let mut site = Site::new("one");
    site.push(2);
    let mut first = Replica::start(&store, projects(&[&site]));
    while first.follow.followed.catch_up() {}
    let shared = || store.list("checkpoints").unwrap().len();
    while shared() == 0 {
        std::thread::yield_now();
    }
    site.push(4);
    first.poll();
    let late = Replica::start_with(&store, projects(&[&site]), false);
    assert_equal(&[&first, &late]);
    let folder = late.follow.followed.ledger.folder().join("checkpoint");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}
