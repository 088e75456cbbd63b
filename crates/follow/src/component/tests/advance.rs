//! From tip to tip: where a log begins and continues, and what happens with a tip that cannot be shown.

use super::*;

#[test]
fn the_first_advance_begins_the_log_and_the_next_one_continues_it() {
    let mut site = Site::new(&history());
    let first = site.follow("a");
    assert_eq!(
        (first.from, first.first_entry, first.replayed),
        (None, 0, false)
    );
    let entries = site.change_ids().len();
    let next = site.follow("b");
    let (from, to) = (Some(site.repo.id("a")), site.repo.id("b"));
    assert_eq!((next.from, next.to, next.first_entry), (from, to, entries));
    assert!(site.shows("b") && site.change_ids().len() > entries);
}

#[test]
fn a_tip_that_is_shown_is_no_advance() {
    for mode in [HistoryMode::Full, HistoryMode::None] {
        let mut site = Site::with_mode(&history(), mode);
        site.follow("a");
        assert!(site.advance("a").unwrap().is_none(), "{mode:?}");
    }
}

#[test]
fn a_tip_that_was_reached_and_not_shown_is_projected_again() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.advance("b").unwrap().unwrap();
    let (again, _) = site.advance("b").unwrap().unwrap();
    assert!(again.replayed && again.to == site.repo.id("b"));
}

#[test]
fn a_force_push_continues_the_log() {
    let history = history()
        .branch_at("other", "a")
        .commit("d")
        .texts("cs", "one=jiná");
    let mut site = Site::new(&history);
    site.follow("c");
    let entries = site.change_ids().len();
    let rewritten = site.follow("d");
    assert_eq!(
        (rewritten.from, rewritten.first_entry),
        (Some(site.repo.id("c")), entries)
    );
}

#[test]
fn a_tip_without_a_usable_file_fails_until_the_tip_changes() {
    let broken = commit("broken").write("locales/en.json", "<<<<");
    let mut site = Site::new(&broken.commit("good").texts("en", "one=One"));
    let error = site.advance("broken").unwrap_err().to_string();
    assert!(
        error.starts_with("the template locales/en.json cannot be read"),
        "{error}"
    );
    assert!(site.is_unread());
    assert_eq!(site.advance("broken").unwrap_err().to_string(), error);
    assert_eq!(site.component.why_behind(), Some(&*error));
    let first = site.follow("good");
    assert_eq!((first.from, site.component.why_behind()), (None, None));
}

#[test]
fn the_last_state_stays_if_the_template_is_gone() {
    let gone = history().commit("gone").delete("locales/en.json");
    let back = gone.commit("back").texts("en", "one=Two");
    let mut site = Site::new(&back);
    site.follow("c");
    site.follow("gone");
    let reason = site.component.why_behind().unwrap();
    assert!(
        reason.starts_with("the template locales/en.json is gone from"),
        "{reason}"
    );
    assert!(site.shows("gone") && site.component.failure.is_none());
    site.follow("back");
    assert_eq!(site.component.why_behind(), None);
}

#[test]
fn a_tip_without_the_files_of_languages_is_told() {
    let gone = history().commit("gone").delete("locales/cs.json");
    let mut site = Site::new(&gone.commit("back").texts("cs", "one=Jedna"));
    site.follow("c");
    assert_eq!(site.component.why_behind(), None);
    site.follow("gone");
    let is_told = |site: &Site| {
        let reason = site.component.why_behind().unwrap().to_owned();
        let expected = "the file mask locales/*.json matches no file of a language at the tip";
        assert!(reason.starts_with(expected), "{reason}");
    };
    is_told(&site);
    site.restart();
    site.follow("gone");
    is_told(&site);
    site.follow("back");
    assert_eq!(site.component.why_behind(), None);
}

#[test]
fn a_loss_of_most_languages_is_told_until_they_return() {
    let all = commit("all").texts("en", "one=One");
    let all = ["cs", "de", "fr"]
        .iter()
        .fold(all, |all, code| all.texts(code, "one=A"));
    let few = all
        .commit("few")
        .delete("locales/cs.json")
        .delete("locales/de.json");
    let later = few.commit("later").texts("fr", "one=B");
    let mut site = Site::new(&later.commit("back").texts("cs", "one=C"));
    site.follow("all");
    for tip in ["few", "later"] {
        site.follow(tip);
        let reason = site.component.why_behind().unwrap();
        assert!(
            reason.starts_with("2 of 3 languages are gone from the branch main"),
            "{reason}"
        );
        assert!(site.shows(tip));
    }
    site.follow("back");
    assert_eq!(site.component.why_behind(), None);
}

#[test]
fn without_history_an_unusable_tip_keeps_the_recorded_one() {
    let broken = history().commit("broken").write("locales/en.json", "<<<<");
    let mut site = Site::with_mode(&broken, HistoryMode::None);
    site.follow("c");
    assert!(site.advance("broken").unwrap().is_none());
    assert!(site.shows("c") && site.component.why_behind().is_some());
    site.restart();
    let (restarted, _) = site.advance("broken").unwrap().unwrap();
    assert_eq!(
        (restarted.to, restarted.replayed),
        (site.repo.id("c"), true)
    );
}

#[test]
fn without_history_a_recorded_tip_is_not_recorded_again() {
    let mut site = Site::with_mode(&history(), HistoryMode::None);
    assert!(!site.follow("b").replayed);
    site.restart();
    assert!(site.follow("b").replayed);
    assert_eq!(site.ledger.next_batch(), 2);
}

#[test]
fn a_read_only_ledger_keeps_the_recorded_tip() {
    let mut site = Site::replica(&history(), &Arc::default());
    site.ledger.set_read_only(Some("no store".to_owned()));
    let error = site.advance("a").unwrap_err().to_string();
    assert_eq!(error, "it cannot be recorded: no store");
    site.ledger.set_read_only(None);
    site.follow("a");
    site.ledger.set_read_only(Some("no store".to_owned()));
    assert!(site.advance("b").unwrap().is_none());
    assert!(site.shows("a"));
}

#[test]
fn a_tip_of_an_earlier_poll_never_moves_a_component_back() {
    for freshness in [Freshness::Old, Freshness::Overtaken] {
        let mut site = Site::replica(&history(), &Arc::default());
        site.follow("b");
        let old = site.at("a");
        assert!(
            site.advance_to(old, freshness).unwrap().is_none(),
            "{freshness:?}"
        );
        assert!(site.shows("b"));
    }
}

#[test]
fn a_lost_advance_is_undone() {
    let mut site = Site::replica(&history(), &Arc::default());
    site.follow("a");
    site.advance("b").unwrap().unwrap();
    site.component.undo();
    assert_eq!(site.component.phase.tip(), Some(site.repo.id("a")));
    let next = site.follow("c");
    assert_eq!(next.from, Some(site.repo.id("a")));
}

#[test]
fn a_panic_is_an_error_of_this_tip_and_the_recorded_moves_are_replayed() {
    let mut site = Site::new(&history());
    site.follow("a");
    let before = site.change_ids();
    let state = site.at("b");
    let recorded = site.component.recorded_log(&site.ledger);
    let crashed = site.component.advance(&AdvanceInput {
        component: ComponentIndex::new(0),
        observed: state,
        freshness: Freshness::Current,
        recorded: &recorded,
        observed_at: Timestamp::from_seconds(1_900_000_009),
        progress: &|_| panic!("injected"),
    });
    let error = crashed.unwrap_err().to_string();
    assert!(
        error.starts_with("an internal error occurred at commit"),
        "{error}"
    );
    assert!(site.is_unread() && site.shows("a"));
    assert!(
        site.advance("b")
            .unwrap_err()
            .to_string()
            .contains("injected")
    );
    let next = site.follow("c");
    assert_eq!(next.from, Some(site.repo.id("a")));
    assert_eq!(site.change_ids()[..before.len()], before);
}

#[test]
fn a_component_whose_names_cannot_be_used_is_refused() {
    let mut site = Site::new(&history());
    site.component.refused = Some("two components have the same name".to_owned());
    let error = site.advance("a").unwrap_err().to_string();
    assert_eq!(error, "two components have the same name");
}

#[test]
fn a_state_is_projected_again_only_in_the_batch_that_observes_it() {
    let mut site = Site::new(&history());
    let index = ComponentIndex::new(0);
    assert!(site.component.project_again(index).unwrap().is_none());
    site.follow("a");
    let (again, _) = site.component.project_again(index).unwrap().unwrap();
    assert!(again.replayed && again.to == site.repo.id("a"));
    site.component.source = Source::Unknown;
    assert!(site.component.project_again(index).unwrap().is_none());
}
