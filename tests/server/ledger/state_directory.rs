//! Faults of the state directory: older formats, and a directory that is removed or replaced at runtime.

use std::fs;

use super::{changes, garden, ids, more, units, without_checksum};
use crate::common::{ClosedPort, Server, until};

/// The state directory that commit 07aca6b wrote: a ledger of two batches from before lines had checksums, checkpoints
/// of an older version, and the ids that it allocated.
const OLD_IDS: &str = include_str!("../../data/ledger/ids.jsonl");
const OLD_MOVES: &str = include_str!("../../data/ledger/ledger.jsonl");
const OLD_UNITS: &str = include_str!("../../data/ledger/units.json");
const OLD_CHECKPOINTS: [(&str, &[u8]); 2] = [
    (
        "garden.app.state",
        include_bytes!("../../data/ledger/checkpoint/garden.app.state"),
    ),
    (
        "garden.web.state",
        include_bytes!("../../data/ledger/checkpoint/garden.web.state"),
    ),
];

#[test]
fn an_old_state_directory_is_upgraded_and_keeps_every_id() {
    let mut garden = garden();
    garden.repository.push(&more());
    fs::create_dir_all(garden.state().join("checkpoint")).unwrap();
    for (name, old) in OLD_CHECKPOINTS {
        fs::write(garden.state().join("checkpoint").join(name), old).unwrap();
    }
    fs::write(garden.state().join("ids.jsonl"), OLD_IDS).unwrap();
    fs::write(garden.state().join("ledger.jsonl"), OLD_MOVES).unwrap();
    let server = garden.serve();
    let expected: serde_json::Value = serde_json::from_str(OLD_UNITS).unwrap();
    assert_eq!(
        serde_json::to_value(units(&server)).unwrap(),
        expected["units"]
    );
    assert_eq!(
        serde_json::to_value(ids(&changes(&server))).unwrap(),
        expected["changes"]
    );
    server.kill();
    for (name, old) in [("ids.jsonl", OLD_IDS), ("ledger.jsonl", OLD_MOVES)] {
        let upgraded = fs::read_to_string(garden.state().join(name)).unwrap();
        assert_eq!(
            upgraded
                .lines()
                .filter(|line| line.contains(",\"checksum\":\""))
                .count(),
            2,
            "{upgraded}"
        );
        assert_eq!(
            upgraded.lines().map(without_checksum).collect::<String>(),
            old
        );
    }
    assert_eq!(
        serde_json::to_value(units(&garden.serve())).unwrap(),
        expected["units"]
    );
}

fn reasons(server: &Server) -> String {
    server.json("/readyz")["behind"].to_string()
}

#[test]
fn nothing_is_published_while_the_state_directory_is_gone() {
    for replaced in [false, true] {
        let mut garden = garden();
        let (aside, log) = (garden.path("aside"), garden.path("log"));
        let config = garden.path("gitglot.toml");
        let arguments = ["serve", "--config", config.to_str().unwrap()];
        let server = Server::start_logging(&arguments, &garden.state(), &log);
        let (before, entries) = (units(&server), changes(&server));
        fs::rename(garden.state(), &aside).unwrap();
        if replaced {
            fs::create_dir(garden.state()).unwrap();
            fs::write(garden.state().join("lock"), "").unwrap();
        }
        garden.repository.push(&more());
        until("the reason", || {
            reasons(&server)
                .contains("was removed, replaced or changed")
                .then_some(())
        });
        assert_eq!(
            (units(&server), changes(&server)),
            (before.clone(), entries.clone())
        );
        // The report can be there before its line.
        until("the log line", || {
            fs::read_to_string(&log)
                .unwrap()
                .contains("was removed, replaced or changed")
                .then_some(())
        });
        // A clone that runs may create the new directory once more, for a reference.
        let mut others = (0..).map(|number| garden.path(&format!("other{number}")));
        until("the old directory", || {
            if garden.state().exists() {
                fs::rename(garden.state(), others.next()?).unwrap();
            }
            fs::rename(&aside, garden.state()).ok()
        });
        until("the push", || {
            (changes(&server).len() > entries.len()).then_some(())
        });
        until("no complaint", || (reasons(&server) == "[]").then_some(()));
        let after = units(&server);
        assert!(before.iter().all(|(name, id)| after[name] == *id));
        server.kill();
        assert_eq!(units(&garden.serve()), after);
    }
}

#[test]
fn readyz_names_an_unreachable_repository() {
    let folder = tempfile::tempdir().unwrap();
    let closed = ClosedPort::new();
    let address = format!("git://{}/a", closed.address());
    let server = Server::start_unready(&["serve", &address], folder.path());
    let report = until("the reason", || {
        let (status, body) = server.get("/readyz");
        assert_eq!(status, 503);
        body.contains("\"repository\":").then_some(body)
    });
    assert!(
        report.contains(&format!("\"repository\":\"{address}\"")),
        "{report}"
    );
    assert!(report.contains("cannot be reached"), "{report}");
}
