//! Late steps of replicas, whose batches lose the race against those of other replicas.

use std::sync::Arc;
use std::time::Duration;

use super::late_step_tests::close;
use super::replica_tests::{Replica, projects};
use super::tests::Site;
use crate::FollowConfig;
use gitglot_model::Slug;
use gitglot_testkit::MemoryStore;

/// One pass of the loop.
fn pass(replica: &mut Replica) {
    let polls = replica.follow.poll(&replica.reports).unwrap();
    replica.follow.process(polls, &replica.reports).unwrap();
}

/// Passes until no step is late.
fn finish(replica: &mut Replica) {
    while replica.follow.followed.steps.wait() {
        pass(replica);
    }
}

/// The commits to which batches move a component.
fn moves(replica: &Replica, component: &str) -> Vec<String> {
    let batches = replica.follow.followed.ledger.batches.iter();
    let moves = batches.flat_map(|batch| &batch.moves);
    let own = moves.filter(|it| *it.component == *component);
    own.map(|it| it.to.to_string()).collect()
}

fn tip(site: &Site) -> String {
    site.tip.unwrap().to_string()
}

#[test]
fn a_late_step_after_a_reload_moves_its_own_components() {
    let store = Arc::<MemoryStore>::default();
    let [mut one, mut two, mut three] = ["one", "two", "three"].map(Site::new);
    for site in [&mut one, &mut two, &mut three] {
        site.push(1);
    }
    let mut late = Replica::start(&store, projects(&[&one, &two]));
    let mut other = Replica::start(&store, projects(&[&three]));
    late.read_ledger();
    let gate = close(&mut late.follow);
    one.push(5);
    late.poll();
    late.follow.followed.steps.slice = None;
    late.follow.handle().reload(FollowConfig {
        projects: projects(&[&two, &one]).into(),
        interval: Duration::from_secs(3600),
    });
    pass(&mut late);
    three.push(2);
    other.poll();
    drop(gate);
    finish(&mut late);
    assert_eq!(late.published.load().unwrap().unit_count(), 5 + 1);
    assert_eq!(moves(&late, "one/app").last(), Some(&tip(&one)));
    assert_eq!(moves(&late, "two/app"), [tip(&two)]);
}

#[test]
fn a_late_step_moves_no_component_back_that_is_further() {
    let store = Arc::<MemoryStore>::default();
    let [mut one, mut two] = ["one", "two"].map(Site::new);
    one.push(1);
    two.push(1);
    let mut other = Replica::start(&store, projects(&[&one, &two]));
    let mut second = one.project.components[0].clone();
    second.settings.slug = Slug::new("second").unwrap();
    one.project.components.push(second);
    let first = tip(&one);
    let mut late = Replica::start(&store, projects(&[&one, &two]));
    other.read_ledger();
    let gate = close(&mut late.follow);
    one.push(2);
    let between = tip(&one);
    late.poll();
    late.follow.followed.steps.slice = None;
    one.push(3);
    other.poll();
    late.read_ledger();
    two.push(2);
    other.poll();
    drop(gate);
    finish(&mut late);
    assert_eq!(moves(&late, "one/app"), [first.clone(), tip(&one)]);
    late.poll();
    assert_eq!(moves(&late, "one/app"), [first.clone(), tip(&one)]);
    assert_eq!(moves(&late, "one/second"), [first, between, tip(&one)]);
    assert_eq!(late.published.load().unwrap().unit_count(), 2 * 3 + 2);
}
