//! Changes that rebuild a log: ids of units stay, entries of the log get new ids.

use super::*;

#[test]
fn a_new_template_rebuilds_the_log_and_keeps_unit_ids() {
    let garden = garden();
    garden.configure(&[APP]);
    let server = garden.serve();
    let (before, log) = (units(&server), ids(&changes(&server)));
    server.kill();
    garden.configure(&[&APP.replace(
        "template = 'app/locales/en.json'",
        "template = 'app/locales/cs.json'",
    )]);
    let server = garden.serve();
    let after = units(&server);
    assert_same_ids(&before, &after);
    assert!(before.keys().any(|name| after.contains_key(name)));
    let now = ids(&changes(&server));
    assert!(now[0] > *log.last().unwrap());
    assert_eq!(server.get(&format!("/api/changes/{}/", log[0])).0, 404);
}

#[test]
fn without_history_and_with_it_again_the_ids_of_units_stay() {
    let garden = garden();
    let server = garden.serve();
    let (before, log) = (units(&server), ids(&changes(&server)));
    server.kill();
    let server = garden.serve_with(&["--history", "none"]);
    assert_eq!(units(&server), before);
    assert_eq!(changes(&server).len(), 0);
    server.kill();
    let server = garden.serve();
    assert_eq!(units(&server), before);
    let now = ids(&changes(&server));
    assert_eq!(now.len(), log.len());
    assert!(now[0] > *log.last().unwrap(), "the log was rebuilt");
}

#[test]
fn new_rules_rebuild_the_log_and_keep_unit_ids() {
    let garden = garden();
    let server = garden.serve();
    let (before, log) = (units(&server), ids(&changes(&server)));
    server.kill();
    let path = garden.state().join("ledger.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let older = text.replace("\"rules\":5", "\"rules\":4");
    assert_ne!(text, older);
    // A line without a checksum is one of an older version.
    let older: String = older.lines().map(without_checksum).collect();
    fs::write(&path, older).unwrap();
    let server = garden.serve();
    assert_eq!(units(&server), before);
    let now = ids(&changes(&server));
    assert_eq!(now.len(), log.len());
    assert!(now[0] > *log.last().unwrap());
    assert_eq!(server.get(&format!("/api/changes/{}/", log[0])).0, 404);
}

#[test]
fn a_new_mask_rebuilds_the_log_and_keeps_remaining_ids() {
    let garden = garden();
    garden.configure(&[APP]);
    let server = garden.serve();
    let (before, log) = (units(&server), changes(&server));
    server.kill();
    let narrower =
        "slug = 'app'\nfilemask = 'app/locales/*s.json'\ntemplate = 'app/locales/en.json'\n";
    garden.configure(&[narrower]);
    let server = garden.serve();
    let after = units(&server);
    assert!(!after.is_empty() && after.len() < before.len());
    assert_same_ids(&after, &before);
    let last = ids(&log).into_iter().max().unwrap();
    assert!(
        ids(&changes(&server)).iter().all(|id| *id > last),
        "the old entries are gone, the new ones have new ids"
    );
}

#[test]
fn a_lost_history_rebuilds_the_log_and_keeps_ids() {
    let mut garden = garden();
    garden.configure(&[APP]);
    let server = garden.serve();
    let (before, log) = (units(&server), changes(&server));
    server.kill();
    // The branch restarts with a root commit, and its old objects are gone.
    let other = Repo::with(&garden.path("other.git"), &start_with("Jiná"));
    fs::remove_dir_all(garden.path("garden.git")).unwrap();
    fs::rename(garden.path("other.git"), garden.path("garden.git")).unwrap();
    fs::remove_dir_all(garden.state().join("mirrors")).unwrap();
    let _ = fs::remove_dir_all(garden.state().join("checkpoint"));
    let server = garden.serve();
    assert_same_ids(&before, &units(&server));
    let last = ids(&log).into_iter().max().unwrap();
    assert!(ids(&changes(&server)).iter().all(|id| *id > last));
    let responses = everything(&server);
    server.kill();
    garden.repository = other;
    assert_eq!(garden.run(), responses);
}
