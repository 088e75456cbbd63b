//! Checkpoints: when they are written, and when they are used.

use super::*;
use crate::component::phase::SavedState;

fn saved(site: &Site) -> Option<SavedState> {
    site.component.phase.log()?.saved
}

/// A site that was followed to `b`, with a checkpoint, and restarted.
fn restarted() -> Site {
    let mut site = Site::new(&history());
    site.follow("a");
    site.follow("b");
    site.write_checkpoint();
    site.restart();
    site
}

#[test]
fn a_restored_component_is_served_before_its_repository_is_read() {
    let mut site = restarted();
    site.restore("b");
    assert!(matches!(site.component.phase, Phase::Restored(_)));
    assert_eq!(site.served(), Some("b"));
    let log = site.component.phase.log().unwrap();
    assert_eq!((log.applied, log.saved.unwrap().moves), (2, 0));
    let ids = site.change_ids();
    let replayed = site.follow("b");
    assert!(replayed.replayed && matches!(site.component.phase, Phase::Followed(_)));
    assert_eq!(site.change_ids(), ids);
    assert!(saved(&site).is_some(), "it is not written again");
}

#[test]
fn moves_after_a_checkpoint_are_replayed() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.write_checkpoint();
    site.follow("b");
    let ids = site.change_ids();
    site.restart();
    site.restore("b");
    assert_eq!(site.served(), Some("a"));
    site.follow("b");
    assert!(site.shows("b"));
    assert_eq!((site.change_ids(), saved(&site).unwrap().moves), (ids, 1));
}

#[test]
fn a_checkpoint_is_due_after_32_moves() {
    let mut site = Site::new(&history());
    site.follow("a");
    let checkpoints = site.checkpoints();
    let mut is_due = |saved| {
        let log = site.component.phase.log_mut().unwrap();
        let before = log.saved;
        log.saved = saved;
        let due = checkpoints.due(&site.component, &site.ledger);
        site.component.phase.log_mut().unwrap().saved = before;
        due.is_some()
    };
    let after = |moves, entries| Some(SavedState { moves, entries });
    assert!(is_due(None), "there is none");
    assert!(!is_due(after(31, 0)));
    assert!(is_due(after(32, 0)));
}

#[test]
fn a_checkpoint_is_written_only_of_a_state_that_is_shown() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.advance("b").unwrap().unwrap();
    site.write_checkpoint();
    assert_eq!(saved(&site), None, "the newest state is not shown");
    site.restart();
    site.follow("a");
    site.component.fail(Failure {
        reason: "no disk".to_owned(),
        lacks_objects: false,
    });
    site.write_checkpoint();
    assert_eq!(saved(&site), None, "the component has failed");
}

#[test]
fn a_checkpoint_of_other_settings_checks_or_moves_is_ignored() {
    for change in [
        |site: &mut Site| site.component.checks.flags = Some("ignore-same".to_owned()),
        |site: &mut Site| site.ledger.batches[1].seen += 1,
        |site: &mut Site| site.ledger.batches[0].moves[0].to = "5".repeat(40),
    ] {
        let mut site = restarted();
        change(&mut site);
        site.restore("b");
        assert!(site.is_unread());
        assert!(
            !site.component.wants_checkpoint(&site.ledger),
            "it is tried once"
        );
    }
}

#[test]
fn a_corrupt_checkpoint_is_ignored_and_the_history_read() {
    let mut site = restarted();
    let path = site.ledger.folder().join("checkpoint/garden.app.state");
    let mut content = std::fs::read(&path).unwrap();
    content.truncate(content.len() - 1);
    std::fs::write(&path, content).unwrap();
    site.restore("b");
    assert!(site.is_unread());
    site.follow("b");
    assert!(site.shows("b"));
}

#[test]
fn a_checkpoint_without_its_commit_in_the_mirror_is_ignored() {
    let mut site = restarted();
    let id = site.repo.id("b").to_string();
    let (folder, file) = id.split_at(2);
    let objects = site.repo.dir().join("objects");
    std::fs::remove_file(objects.join(folder).join(file)).unwrap();
    site.restore("a");
    assert!(site.is_unread());
}
