//! Compares the quality checks with recorded results of Weblate 3.4 for every unit of real repositories. The records
//! are not part of this repository.
//!
//! `GITGLOT_CORPORA=DIRECTORY cargo test -p gitglot-checks --test recorded weblate34 -- --ignored`; the directory has `groundtruth`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use gitglot_checks::{CheckId, CheckIds, CheckInput, Checker, Words};
use serde::Deserialize;

/// The directory that `GITGLOT_CORPORA` names.
fn root() -> PathBuf {
    let root = std::env::var_os("GITGLOT_CORPORA");
    PathBuf::from(root.expect("set GITGLOT_CORPORA to the directory with the corpora and records"))
}

#[derive(Deserialize)]
struct Recorded {
    translations: Vec<Translation>,
    units: BTreeMap<String, Vec<Unit>>,
}

#[derive(Deserialize)]
struct Translation {
    code: String,
    is_template: bool,
}

#[derive(Deserialize)]
struct Unit {
    context: String,
    source: String,
    target: String,
    comment: String,
    translated: bool,
    has_failing_check: bool,
    checks: Vec<String>,
}

/// Name and content of every record in the directory `groundtruth` of `GITGLOT_CORPORA`.
fn recorded() -> impl Iterator<Item = (String, Recorded)> {
    let folder = root().join("groundtruth");
    let entries = folder
        .read_dir()
        .expect("GITGLOT_CORPORA has a directory groundtruth");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".json.gz"));
    paths.sort();
    assert!(!paths.is_empty(), "GITGLOT_CORPORA names no records");
    paths.into_iter().map(|path| {
        let text = BufReader::with_capacity(1 << 20, GzDecoder::new(File::open(&path).unwrap()));
        let name = path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .trim_end_matches(".json.gz")
            .to_owned();
        (
            name,
            serde_json::from_reader(BufReader::with_capacity(1 << 20, text)).unwrap(),
        )
    })
}

/// The units on which we and Weblate differ: language, key, our checks, its checks. And the number of all units.
fn differences(
    recorded: &Recorded,
    checker: &Checker,
) -> (Vec<(String, String, CheckIds, CheckIds)>, usize) {
    let mut found = Vec::new();
    let mut count = 0;
    for (code, units) in &recorded.units {
        let is_template = recorded
            .translations
            .iter()
            .any(|translation| translation.code == *code && translation.is_template);
        let checker = checker.for_translation(code, "en");
        for unit in units {
            count += 1;
            let ours = if is_template || !unit.translated {
                CheckIds::default()
            } else {
                checker.failing(&CheckInput {
                    comment: &unit.comment,
                    ..CheckInput::new(&[&unit.source], &[&unit.target])
                })
            };
            // Batch checks, which no single unit decides, are no ids of ours.
            let theirs: CheckIds = unit
                .checks
                .iter()
                .filter_map(|id| CheckId::from_id(id))
                .collect();
            assert_eq!(
                theirs.is_empty(),
                !unit.has_failing_check,
                "{code} {}",
                unit.context
            );
            if ours != theirs {
                found.push((code.clone(), unit.context.clone(), ours, theirs));
            }
        }
    }
    (found, count)
}

#[test]
#[ignore = "needs the recorded results"]
fn every_unit_fails_the_checks_of_weblate() {
    let words = root().join("reference/same_blacklist.json");
    let given = words
        .exists()
        .then(|| Checker::weblate34(Words::from_file(&words).unwrap()));
    let built_in = Checker::weblate34(Words::default());
    for (name, recorded) in recorded() {
        if let Some(given) = &given {
            let (found, count) = differences(&recorded, given);
            println!(
                "{name}: {} of {count} units differ with the words of Weblate",
                found.len()
            );
            assert!(
                found.is_empty(),
                "{name}: {:#?}",
                found.get(..found.len().min(20))
            );
        }
        let (found, count) = differences(&recorded, &built_in);
        println!(
            "{name}: {} of {count} units differ with the built-in words",
            found.len()
        );
        let without_same = |failing: CheckIds| {
            failing
                .iter()
                .filter(|&check| check != CheckId::Same)
                .collect::<Vec<_>>()
        };
        for (code, key, ours, theirs) in &found {
            assert_eq!(
                without_same(*ours),
                without_same(*theirs),
                "{name}: {code} {key}"
            );
        }
        assert!(
            found.len() * 500 < count,
            "{name}: {} of {count} units differ",
            found.len()
        );
    }
}
