//! Damage to the files of the ledger, on disk.

use std::fs;
use std::path::Path;

use super::*;

/// Writes a ledger of three batches, the last of which allocates no ids.
fn write(folder: &Path) {
    let mut ledger = Ledger::open(folder).unwrap();
    for number in 1..=3 {
        let moves = vec![Move {
            component: "garden/app".to_owned(),
            fingerprint: "f".to_owned(),
            history: "full".to_owned(),
            from: None,
            to: format!("{number:040x}"),
        }];
        let mut ids = Assignments {
            batch: number,
            first_change: number,
            ..Assignments::default()
        };
        if number < 3 {
            ledger
                .ids
                .allocate_component("garden", &format!("app{number}"), &mut ids);
            ledger.ids.allocate_user(&format!("user{number}"), &mut ids);
        }
        ledger
            .append(
                Batch {
                    batch: number,
                    seen: 1_000_000,
                    rules: RULES,
                    moves,
                },
                ids,
                BatchDetails::default(),
            )
            .unwrap();
    }
}

fn files(folder: &Path) -> [Vec<u8>; 2] {
    ["ids.jsonl", "ledger.jsonl"].map(|name| fs::read(folder.join(name)).unwrap())
}

fn put(folder: &Path, files: &[Vec<u8>; 2]) {
    for (name, bytes) in ["ids.jsonl", "ledger.jsonl"].iter().zip(files) {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

fn without_checksums(bytes: &[u8]) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines = text
        .lines()
        .map(|line| format!("{}}}\n", line.split(",\"checksum\"").next().unwrap()));
    lines.collect::<String>().into_bytes()
}

#[test]
fn flipped_bits_never_change_the_content_of_a_ledger() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let good = files(folder.path());
    for file in 0..2 {
        // Each open takes milliseconds. `batch_lines` tests every bit.
        for bit in (0..good[file].len() * 8)
            .step_by(29)
            .chain([good[file].len() * 8 - 1])
        {
            let mut bad = good.clone();
            bad[file][bit / 8] ^= 1 << (bit % 8);
            put(folder.path(), &bad);
            let error = Ledger::open(folder.path())
                .map(|_| ())
                .unwrap_err()
                .to_string();
            let name = ["line ", "ids.jsonl", "ledger.jsonl"];
            assert!(
                error.contains(name[0]) && error.contains(name[file + 1]),
                "bit {bit} of file {file}: {error}"
            );
            assert_eq!(files(folder.path()), bad, "nothing is changed");
        }
    }
}

#[test]
fn a_line_that_a_crash_interrupted_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let full = files(folder.path());
    let last = |bytes: &[u8]| {
        bytes[..bytes.len() - 1]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .unwrap()
            + 1
    };
    let ends = [last(&full[0]), last(&full[1])];
    let ids = (ends[0]..=full[0].len()).map(|ids| [ids, ends[1]]);
    let moves = (ends[1]..full[1].len()).map(|moves| [full[0].len(), moves]);
    for lengths in ids.chain(moves) {
        put(
            folder.path(),
            &[
                full[0][..lengths[0]].to_vec(),
                full[1][..lengths[1]].to_vec(),
            ],
        );
        assert_eq!(
            Ledger::open(folder.path()).unwrap().batches.len(),
            2,
            "{lengths:?}"
        );
        assert_eq!(
            files(folder.path()),
            [full[0][..ends[0]].to_vec(), full[1][..ends[1]].to_vec()]
        );
    }
}

#[test]
fn missing_and_foreign_lines_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let full = files(folder.path());
    let first_line = |bytes: &[u8]| {
        bytes
            .split_inclusive(|&byte| byte == b'\n')
            .next()
            .unwrap()
            .to_vec()
    };
    let without_last = |bytes: &[u8]| {
        let lines: Vec<_> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        lines[..2].concat()
    };
    let cases = [
        (
            [full[0].clone(), first_line(&full[1])],
            "line 2 of ledger.jsonl: the line is missing",
        ),
        (
            [without_last(&full[0]), full[1].clone()],
            "line 3 of ids.jsonl: the line is missing",
        ),
        (
            [full[0].clone(), Vec::new()],
            "line 1 of ledger.jsonl: the line is missing",
        ),
        (
            [
                full[0].clone(),
                [without_last(&full[1]), first_line(&full[1])].concat(),
            ],
            "line 3 of ledger.jsonl",
        ),
    ];
    for (bad, expected) in cases {
        put(folder.path(), &bad);
        let error = Ledger::open(folder.path())
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(files(folder.path()), bad, "nothing is changed");
    }
    put(folder.path(), &full);
    fs::remove_file(folder.path().join("ledger.jsonl")).unwrap();
    let error = Ledger::open(folder.path())
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("ledger.jsonl is missing") && error.contains("backup"),
        "{error}"
    );
}

#[test]
fn an_upgrade_adds_the_same_checksums_at_any_interruption() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let sealed = files(folder.path());
    let plain = [without_checksums(&sealed[0]), without_checksums(&sealed[1])];
    assert_ne!(plain, sealed);
    for before in [
        plain.clone(),
        [sealed[0].clone(), plain[1].clone()],
        [plain[0].clone(), sealed[1].clone()],
    ] {
        put(folder.path(), &before);
        let mut ledger = Ledger::open(folder.path()).unwrap();
        assert_eq!(files(folder.path()), sealed);
        let batch = Batch {
            batch: 4,
            seen: 1,
            rules: RULES,
            moves: Vec::new(),
        };
        ledger
            .append(
                batch,
                Assignments {
                    batch: 4,
                    first_change: 4,
                    ..Assignments::default()
                },
                BatchDetails::default(),
            )
            .unwrap();
        drop(ledger);
        assert_eq!(Ledger::open(folder.path()).unwrap().batches.len(), 4);
    }
}

#[test]
fn a_removed_or_replaced_directory_is_detected() {
    let outer = tempfile::tempdir().unwrap();
    let (folder, aside) = (outer.path().join("state"), outer.path().join("aside"));
    write(&folder);
    let mut ledger = Ledger::open(&folder).unwrap();
    ledger.check_in_place().unwrap();
    let head = ledger.head();
    fs::rename(&folder, &aside).unwrap();
    let assert_replaced =
        |result: Result<(), LedgerError>| assert!(matches!(result, Err(LedgerError::Replaced(_))));
    assert_replaced(ledger.check_in_place());
    let batch = Batch {
        batch: 4,
        seen: 1,
        rules: RULES,
        moves: Vec::new(),
    };
    let appended = ledger.append(batch, Assignments::default(), BatchDetails::default());
    assert_replaced(appended.map(drop));
    assert_eq!(ledger.batches.len(), 3);
    drop(ledger);
    assert_replaced(Ledger::reopen(&folder, head).map(drop));
    assert!(!folder.exists(), "reopening creates nothing");
    drop(Ledger::open(&folder).unwrap());
    assert_replaced(Ledger::reopen(&folder, head).map(drop));
    fs::remove_dir_all(&folder).unwrap();
    fs::rename(&aside, &folder).unwrap();
    assert_eq!(Ledger::reopen(&folder, head).unwrap().head(), head);
}

#[test]
fn a_shortened_first_batch_is_an_error_once_it_was_published() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let first = files(folder.path()).map(|bytes| {
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        bytes[..=end].to_vec()
    });
    let half = first[1][..first[1].len() / 2].to_vec();
    for moves in [half, Vec::new()] {
        let bad = [first[0].clone(), moves];
        put(folder.path(), &bad);
        Checkpoints::new(folder.path(), None)
            .write("garden/app", &"state")
            .unwrap();
        let opened = Ledger::open(folder.path()).map(drop);
        let error = opened.unwrap_err().to_string();
        assert!(error.contains("line 1 of ledger.jsonl"), "{error}");
        assert!(error.contains("restore ids.jsonl"), "{error}");
        assert_eq!(files(folder.path()), bad, "nothing is changed");
        // Without a checkpoint, it was interrupted before it was published.
        fs::remove_dir_all(folder.path().join("checkpoint")).unwrap();
        assert_eq!(Ledger::open(folder.path()).unwrap().batches.len(), 0);
    }
}
