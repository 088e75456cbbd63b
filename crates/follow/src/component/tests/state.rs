//! Settings and the served state.

use super::*;
use gitglot_model::{FileMask, Slug};

#[test]
fn only_an_unread_component_with_recorded_moves_wants_its_checkpoint() {
    let wants = |site: &Site| site.component.wants_checkpoint(&site.ledger);
    let mut site = Site::new(&history());
    assert!(!wants(&site), "nothing is recorded");
    site.follow("a");
    assert!(!wants(&site), "the log is in memory");
    site.restart();
    assert!(wants(&site));
    site.restore("a");
    assert!(!wants(&site), "there is no checkpoint");
    site.restart();
    site.component.fingerprint = "other".to_owned();
    assert!(!wants(&site), "the log must be rebuilt");
    let mut site = Site::with_mode(&history(), HistoryMode::None);
    site.follow("a");
    site.restart();
    assert!(!wants(&site), "there is no log");
}

#[test]
fn the_previous_state_is_served_until_the_component_is_read() {
    let mut site = Site::new(&history());
    site.follow("a");
    let config = &site.project.components[0];
    let new = ComponentState::new(&site.project, config, HistoryMode::Full);
    let before = std::mem::replace(&mut site.component, new);
    site.component.serve_previous(before);
    assert!(site.component.served().is_some() && site.component.snapshot().is_none());
    assert!(!site.shows("a"), "it has different settings");
    site.follow("b");
    assert!(site.shows("b"));
}

#[test]
fn a_failure_keeps_the_served_state() {
    let mut site = Site::new(&history());
    site.follow("a");
    site.component.fail(Failure {
        reason: "no network".to_owned(),
        lacks_objects: false,
    });
    assert_eq!(site.component.why_failed(), Some("no network"));
    assert!(site.shows("a"));
    site.follow("b");
    assert_eq!(site.component.why_failed(), None);
}

#[test]
fn the_fingerprint_depends_on_the_settings_of_the_log_alone() {
    let site = Site::new(&history());
    let mut project = site.project.clone();
    let fingerprint = |project: &ProjectConfig| {
        ComponentState::new(project, &project.components[0], HistoryMode::Full).fingerprint
    };
    project.name = "Other".to_owned();
    project.components[0].settings.slug = Slug::new("other").unwrap();
    project.components[0].branch = Some("other".to_owned());
    assert_eq!(fingerprint(&project), site.component.fingerprint);
    let changes: [fn(&mut ProjectConfig); 10] = [
        |it| it.source_language = "de".to_owned(),
        |it| it.components[0].settings.filemask = FileMask::new("texts/*.json").unwrap(),
        |it| it.components[0].settings.template = "locales/de.json".to_owned(),
        |it| it.components[0].settings.file_format = FileFormat::JsonNested,
        |it| {
            it.components[0]
                .settings
                .previous_filemasks
                .push(FileMask::new("old/*.json").unwrap())
        },
        |it| {
            it.components[0]
                .settings
                .platforms
                .push("Weblate".to_owned())
        },
        |it| it.components[0].settings.renames = false,
        |it| it.components[0].settings.changelogs = false,
        |it| it.components[0].settings.source_commits = vec!["of".to_owned()],
        |it| it.components[0].settings.ignored_commits = vec!["of".to_owned()],
    ];
    let mut known = vec![site.component.fingerprint.clone()];
    for change in changes {
        let mut project = site.project.clone();
        change(&mut project);
        let changed = fingerprint(&project);
        assert!(!known.contains(&changed));
        known.push(changed);
    }
}

#[test]
fn a_replica_observes_the_last_repository_again_without_a_poll() {
    let mut site = Site::new(&history());
    let index = ComponentIndex::new(0);
    assert!(site.component.last_observation(index).is_none());
    site.follow("a");
    let Source::Open(repository) = &site.component.source else {
        panic!("the batch is in progress");
    };
    site.component.source = Source::Closed(repository.clone().close());
    let observed = site.component.last_observation(index).unwrap();
    assert_eq!(observed.freshness, Freshness::Old);
    assert_eq!(observed.state.unwrap().tip, site.repo.id("a"));
}
