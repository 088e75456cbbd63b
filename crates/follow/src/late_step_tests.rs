//! Steps that take longer than their slice. Source: `docs/spec/ids-and-ledger.md#late-steps`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::component::LATE;
use super::tests::{Site, follow_sites};
use super::{FollowEvents, PollLoop};
use crate::FollowConfig;
use gitglot_catalog::Published;
use gitglot_model::steps;

/// Keeps what is reported of each component.
#[derive(Default)]
struct Reports(Mutex<BTreeMap<String, Option<String>>>);

impl Reports {
    fn of(&self, component: &str) -> Option<String> {
        self.0.lock().unwrap().get(component).cloned().flatten()
    }

    fn set(&self, component: &str, reason: Option<&str>) {
        let mut known = self.0.lock().unwrap();
        known.insert(component.to_owned(), reason.map(str::to_owned));
    }
}

impl FollowEvents for Reports {
    fn published(&self, component: &str) {
        self.set(component, None);
    }
    fn failed(&self, component: &str, reason: &str) {
        self.set(component, Some(reason));
    }
    fn behind(&self, component: &str, reason: Option<&str>) {
        self.set(component, reason);
    }
}

/// Two repositories, of which the first is read only while its gate is open.
struct Garden {
    one: Site,
    two: Site,
    state: tempfile::TempDir,
    follow: PollLoop,
    published: Arc<Published>,
    reports: Reports,
    /// Ends the reading of the first one.
    gate: Sender<()>,
}

impl Garden {
    /// Both have one string, which is published.
    fn new() -> Self {
        Self::with_strings(1)
    }

    /// As [`Self::new`], but the first one has more strings.
    fn with_strings(count: usize) -> Self {
        let (mut one, mut two) = (Site::new("one"), Site::new("two"));
        one.push(count);
        two.push(1);
        let state = tempfile::tempdir().unwrap();
        let reports = Reports::default();
        let (mut follow, published) = follow_sites(state.path(), &[&one, &two]);
        follow.first_batch(&reports).unwrap();
        let gate = close(&mut follow);
        Self {
            one,
            two,
            state,
            follow,
            published,
            reports,
            gate,
        }
    }

    /// Polls both.
    fn poll(&mut self) {
        self.follow.handle().poll_now("one/app");
        self.follow.handle().poll_now("two/app");
        self.pass();
        self.pass();
    }

    /// One pass of the loop, which does not wait if there is work.
    fn pass(&mut self) {
        let polls = self.follow.poll(&self.reports).unwrap();
        self.follow.process(polls, &self.reports).unwrap();
    }

    /// Passes until this number of strings is published.
    fn pass_until(&mut self, units: usize) {
        while self.published.load().unwrap().unit_count() != units {
            self.pass();
        }
    }

    /// The batches of the ledger on disk: when each was seen, and what it moved.
    fn batches(&self) -> Vec<(i64, Vec<String>)> {
        batches(self.state.path())
    }
}

fn batches(state: &Path) -> Vec<(i64, Vec<String>)> {
    let text = std::fs::read_to_string(state.join("ledger.jsonl")).unwrap();
    let batch = |line: &str| {
        let batch: serde_json::Value = serde_json::from_str(line).unwrap();
        let moves = batch["moves"].as_array().unwrap().iter();
        let moves = moves.map(|it| it["component"].as_str().unwrap().to_owned());
        (batch["seen"].as_i64().unwrap(), moves.collect())
    };
    text.lines().map(batch).collect()
}

/// Makes each step late that reads commits of `one/app`, until something is sent.
pub(super) fn close(follow: &mut PollLoop) -> Sender<()> {
    let (gate, opened) = mpsc::channel();
    let opened: Mutex<Receiver<()>> = Mutex::new(opened);
    follow.followed.steps.slice = Some(Duration::ZERO);
    follow.followed.steps.progress = Arc::new(move |component, _| {
        if component == "one/app" {
            // A closed channel opens the gate, too.
            let _ = opened.lock().unwrap().recv();
        }
    });
    gate
}

#[test]
fn a_push_is_visible_while_another_repository_is_read() {
    let mut garden = Garden::new();
    garden.one.push(5);
    garden.two.push(3);
    garden.poll();
    garden.pass_until(1 + 3);
    assert_eq!(garden.reports.of("one/app").as_deref(), Some(LATE));
    assert_eq!(garden.reports.of("two/app"), None);
    // It is not polled meanwhile, and a newer tip waits.
    garden.one.push(10);
    garden.two.push(4);
    garden.poll();
    garden.pass_until(1 + 4);
    let only_two = vec!["two/app".to_owned()];
    assert_eq!(garden.batches().len(), 3);
    assert!(garden.batches()[1..].iter().all(|it| it.1 == only_two));

    drop(garden.gate);
    garden.gate = mpsc::channel().0;
    garden.pass_until(10 + 4);
    assert_eq!(garden.reports.of("one/app"), None);
    let batches = garden.batches();
    let only_one = vec!["one/app".to_owned()];
    assert!(
        batches[3..].iter().all(|it| it.1 == only_one),
        "{batches:?}"
    );
    assert!(batches[3].0 <= batches[1].0, "its tip was observed earlier");
    assert!(
        batches[4].0 > batches[2].0,
        "the newer tip was observed later"
    );
    garden.follow.shut_down();
}

#[test]
fn a_push_costs_the_same_next_to_a_large_repository() {
    let work = |strings: usize| {
        let mut garden = Garden::with_strings(strings);
        garden.one.push(2 * strings);
        garden.two.push(3);
        let work = steps::of(|| {
            garden.poll();
            garden.pass_until(strings + 3);
        });
        assert_eq!(garden.reports.of("one/app").as_deref(), Some(LATE));
        drop(garden.gate);
        garden.gate = mpsc::channel().0;
        garden.pass_until(2 * strings + 3);
        garden.follow.shut_down();
        work
    };
    let (small, large) = (work(50), work(500));
    assert!(small > 0 && large == small, "{small} {large}");
}

#[test]
fn a_stop_during_a_late_step_loses_nothing() {
    let mut garden = Garden::new();
    garden.one.push(5);
    garden.two.push(3);
    garden.poll();
    garden.pass_until(1 + 3);
    garden.follow.shut_down();
    let Garden {
        one,
        two,
        state,
        follow,
        ..
    } = garden;
    // A state directory has one owner.
    drop(follow);
    let (mut follow, published) = follow_sites(state.path(), &[&one, &two]);
    follow.first_batch(&Reports::default()).unwrap();
    assert_eq!(published.load().unwrap().unit_count(), 5 + 3);
    let moves: Vec<_> = batches(state.path()).into_iter().map(|it| it.1).collect();
    let [all, one, two] = [&["one/app", "two/app"][..], &["one/app"], &["two/app"]];
    assert_eq!(moves, [all, two, one]);
    follow.shut_down();
}

#[test]
fn a_new_configuration_discards_the_late_step_of_what_it_changes() {
    for removes in [false, true] {
        let mut garden = Garden::new();
        garden.one.push(5);
        garden.poll();
        garden.pass();
        assert_eq!(garden.reports.of("one/app").as_deref(), Some(LATE));
        let mut changed = garden.one.project.clone();
        changed.name = "Changed".to_owned();
        let mut projects = vec![garden.two.project.clone()];
        if !removes {
            projects.push(changed);
        }
        let interval = Duration::from_secs(3600);
        let projects = projects.into();
        garden
            .follow
            .handle()
            .reload(FollowConfig { projects, interval });
        garden.pass();
        drop(garden.gate);
        garden.gate = mpsc::channel().0;
        garden.pass_until(if removes { 1 } else { 5 + 1 });
        let snapshot = garden.published.load().unwrap();
        let names: Vec<&str> = snapshot.projects().map(|it| &*it.name).collect();
        if removes {
            assert_eq!(names, ["two"])
        } else {
            assert_eq!(names, ["two", "Changed"])
        }
        garden.follow.shut_down();
    }
}
