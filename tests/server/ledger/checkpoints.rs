//! Responses do not depend on checkpoints, even lost, damaged or outdated ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{APP, everything, garden, more};
use crate::common::{Server, TestSite, until};

impl TestSite {
    /// As [`Self::run`]; it crashes when this many components have a checkpoint.
    fn run_until_checkpoint(&self, components: usize) -> BTreeMap<String, String> {
        let server = self.serve();
        let responses = everything(&server);
        until("the checkpoints", || {
            (self.checkpoints().len() == components).then_some(())
        });
        server.kill();
        responses
    }

    /// The checkpoints that are written to their end.
    fn checkpoints(&self) -> Vec<PathBuf> {
        let Ok(files) = fs::read_dir(self.state().join("checkpoint")) else {
            return Vec::new();
        };
        let files = files.map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|it| it == "state"))
            .collect();
        files.sort();
        files
    }
}

#[test]
fn responses_survive_restarts_and_bad_checkpoints() {
    let garden = garden();
    let first = garden.run_until_checkpoint(2);
    let files = garden.checkpoints();
    assert_eq!(garden.run(), first, "with the checkpoints");
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    assert_eq!(garden.run_until_checkpoint(2), first, "without them");
    assert_eq!(garden.checkpoints(), files, "they are written again");
    for file in &files {
        let mut bytes = fs::read(file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(file, bytes).unwrap();
    }
    assert_eq!(garden.run(), first, "with a changed bit");
    for (file, length) in files.iter().zip([0, 100]) {
        fs::OpenOptions::new()
            .write(true)
            .open(file)
            .unwrap()
            .set_len(length)
            .unwrap();
    }
    assert_eq!(garden.run(), first, "with files cut off");
    fs::copy(&files[0], &files[1]).unwrap();
    assert_eq!(
        garden.run(),
        first,
        "with the checkpoint of another component"
    );
}

#[test]
fn a_push_between_runs_gives_the_same_with_and_without_a_checkpoint() {
    let mut garden = garden();
    garden.run_until_checkpoint(2);
    let without = garden.path("without");
    fs::create_dir(&without).unwrap();
    for file in ["ledger.jsonl", "ids.jsonl"] {
        fs::copy(garden.state().join(file), without.join(file)).unwrap();
    }
    garden.repository.push(&more());
    let server = garden.serve();
    let with = everything(&server);
    drop(server);
    let bodies: Vec<&String> = with.values().collect();
    assert!(bodies.iter().any(|body| body.contains("Seznam semen")));
    // The other server replays the first move and sees the second one at another time; commits decide the rest.
    let server = garden.serve_from(&without, &[]);
    assert_eq!(everything(&server), with);
}

#[test]
fn an_unusable_checkpoint_is_logged_once() {
    const NONSENSE: &[u8] = b"nonsense";
    let garden = garden();
    garden.configure(&[APP]);
    let first = garden.run_until_checkpoint(1);
    let file = &garden.checkpoints()[0];
    let (log, config) = (garden.path("log"), garden.path("gitglot.toml"));
    let warnings = || {
        let arguments = ["serve", "--config", config.to_str().unwrap()];
        let server = Server::start_logging(&arguments, &garden.state(), &log);
        assert_eq!(everything(&server), first);
        until("a good checkpoint", || {
            (!fs::read(file).unwrap().ends_with(NONSENSE)).then_some(())
        });
        server.kill();
        let log = fs::read_to_string(&log).unwrap();
        log.lines()
            .filter(|line| line.contains("checkpoint"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(warnings(), [""; 0]);
    fs::write(file, [b"gitglot checkpoint 5\n", NONSENSE].concat()).unwrap();
    let lines = warnings();
    assert!(
        lines.len() == 1 && lines[0].contains("garden/app") && lines[0].contains("corrupt"),
        "{lines:?}"
    );
    assert_eq!(warnings(), [""; 0], "it was rewritten");
}
