//! The moves in the ledger: which are replayed, and when a log is rebuilt.

use super::*;
use crate::component::{hides, unapplied_moves};

fn recorded(site: &Site) -> Vec<u32> {
    let moves = site.component.current_moves(&site.ledger);
    moves.into_iter().flatten().map(|it| it.batch).collect()
}

#[test]
fn a_restart_replays_the_recorded_moves_with_their_ids() {
    let mut site = Site::new(&history());
    for tip in ["a", "b", "c"] {
        site.follow(tip);
    }
    let ids = site.change_ids();
    site.restart();
    let (advance, _) = site.advance("c").unwrap().unwrap();
    assert!(advance.replayed);
    assert_eq!(site.change_ids(), ids);
    assert_eq!(site.component.phase.log().unwrap().applied, 3);
}

#[test]
fn a_push_during_the_stop_continues_the_replayed_log() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.restart();
    let next = site.follow("c");
    assert_eq!((next.from, next.replayed), (Some(site.repo.id("a")), false));
}

#[test]
fn a_log_with_a_different_number_of_entries_is_rebuilt() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.ledger.batches[0].moves[0].to = site.repo.id("b").to_string();
    site.restart();
    let rebuilt = site.follow("c");
    assert_eq!((rebuilt.from, rebuilt.first_entry), (None, 0));
    assert_eq!(recorded(&site), [2], "only the new log counts");
}

#[test]
fn a_missing_commit_is_gone_only_after_a_new_clone() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.ledger.batches[0].moves[0].to = "5".repeat(40);
    site.restart();
    let error = site.advance("b").unwrap_err();
    assert!(error.is_damage() && site.is_unread(), "{error}");
    assert_eq!(recorded(&site), [1]);
    let state = site.recloned_at("b");
    let (rebuilt, _) = site.advance_to(state, Freshness::Current).unwrap().unwrap();
    assert_eq!((rebuilt.from, rebuilt.replayed), (None, false));
}

#[test]
fn moves_with_other_settings_do_not_continue_the_log() {
    let mut site = Site::new(&history());
    site.follow("a");
    assert!(site.component.last_move(&site.ledger).is_some());
    for change in [
        |site: &mut Site| site.component.mode = HistoryMode::None,
        |site: &mut Site| site.component.fingerprint = "other".to_owned(),
        |site: &mut Site| site.ledger.batches[0].rules -= 1,
    ] {
        let mut site = Site::new(&history());
        site.follow("a");
        change(&mut site);
        assert!(site.component.last_move(&site.ledger).is_none());
    }
}

#[test]
fn a_replica_reads_the_moves_of_another_one() {
    let store = Arc::<MemoryStore>::default();
    let mut sites = [(); 2].map(|()| Site::replica(&history(), &store));
    let [one, two] = &mut sites;
    one.follow("a");
    two.ledger.sync().unwrap();
    two.follow("a");
    one.follow("b");
    two.ledger.sync().unwrap();
    let batch = two.ledger.batches[1].clone();
    assert!(hides(&two.component, &batch, &batch.moves[0]));
    assert_eq!(
        unapplied_moves(&two.component, &two.ledger),
        [(2, two.repo.id("b"))]
    );
    let advance = two.follow("b");
    assert!(advance.replayed);
    assert!(!hides(&two.component, &batch, &batch.moves[0]));
    assert!(unapplied_moves(&two.component, &two.ledger).is_empty());
    assert_eq!(one.change_ids(), two.change_ids());
}

#[test]
fn a_later_replica_with_other_settings_supersedes_this_one() {
    let store = Arc::<MemoryStore>::default();
    let mut sites = [(); 2].map(|()| Site::replica(&history(), &store));
    let [old, new] = &mut sites;
    old.follow("a");
    new.ledger.sync().unwrap();
    new.component.since = 1;
    new.component.fingerprint = "other".to_owned();
    new.follow("b");
    assert_eq!(new.component.phase.log().unwrap().applied, 2);
    old.ledger.sync().unwrap();
    let error = old.advance("c").unwrap_err().to_string();
    assert!(
        error.contains("with different settings since batch 2"),
        "{error}"
    );
    new.follow("c");
}
