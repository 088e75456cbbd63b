//! Compares the parsers with reference vectors: files and the units that Weblate reads from them.
//!
//! `GITGLOT_FORMAT_VECTORS=DIRECTORY cargo test --test format_vectors -- --ignored --nocapture`. The directory has
//! `formats.jsonl.gz` (the files), `weblate34_units.jsonl.gz` (Weblate 3.4) and `weblate_units.jsonl.gz` (today's
//! Weblate, for formats that 3.4 lacks).

#![expect(clippy::unwrap_used, reason = "a failed precondition fails the test")]

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;

use gitglot::formats::{Outline, PLURAL_SEPARATOR, reader_by_name};
use serde_json::Value;

type Vectors = HashMap<(String, String), Value>;

fn load(directory: &Path, file: &str) -> Vec<Value> {
    let bytes = std::fs::File::open(directory.join(file)).unwrap();
    let lines = BufReader::new(flate2::read::GzDecoder::new(bytes)).lines();
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

fn by_name(rows: Vec<Value>) -> Vectors {
    rows.into_iter()
        .map(|row| ((text(&row, "format"), text(&row, "name")), row))
        .collect()
}

fn bytes(row: &Value) -> Vec<u8> {
    match row["file_base64"].as_str() {
        Some(encoded) => base64(encoded),
        None => text(row, "file").into_bytes(),
    }
}

fn base64(encoded: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut out, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in encoded
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte))
    {
        bits = bits << 6 | u32::try_from(digit).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// A unit of a file that is its own template: context, source, target, note, translated.
type Unit = (String, String, String, String, bool);

/// The units that gitglot makes of a file.
fn units(name: &str, row: &Value) -> Result<Vec<Unit>, String> {
    let language = text(row, "language");
    let single_form = matches!(language.as_str(), "ja" | "ko" | "zh" | "vi" | "th" | "id");
    let reader = reader_by_name(name, single_form).unwrap();
    let mut all: Vec<Unit> = Vec::new();
    let mut index = HashMap::new();
    let read = reader.read(&bytes(row), &mut Outline::default(), &mut |entry| {
        if !entry.translatable {
            return;
        }
        let at = *index.entry(entry.context.to_owned()).or_insert(all.len());
        if at == all.len() {
            all.push((
                entry.context.into(),
                entry.text.into(),
                String::new(),
                entry.note.into(),
                false,
            ));
        }
        all[at].2 = entry.text.into();
        all[at].4 = entry.translated;
    });
    read.map(|()| all).map_err(|error| error.to_string())
}

/// The reference's units. `forms`: plural targets are compared as in the file.
fn reference(row: &Value, context: &str, note: &str, translated: &str) -> Vec<Unit> {
    let mut seen = HashMap::new();
    let mut all: Vec<Unit> = Vec::new();
    for unit in row["units"].as_array().unwrap() {
        if unit["is_readonly"] == true && row["format"] == "aresource" {
            continue;
        }
        let id = text(unit, context);
        if seen.insert(id.clone(), ()).is_some() {
            continue;
        }
        let in_file = unit
            .get("target_in_file")
            .map(|_| text(unit, "target_in_file"));
        let target = in_file.unwrap_or_else(|| text(unit, "target"));
        let note = match &unit[note] {
            Value::String(note) => note.clone(),
            other => other.to_string(),
        };
        all.push((
            id,
            text(unit, "source"),
            target,
            note,
            unit[translated] == true,
        ));
    }
    all
}

/// A plural target that Weblate pads to the forms of the language has empty forms at the end.
fn unpadded(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    let parts = unit.1.matches(PLURAL_SEPARATOR).count();
    while unit.2.matches(PLURAL_SEPARATOR).count() > parts && unit.2.ends_with(PLURAL_SEPARATOR) {
        unit.2.truncate(unit.2.len() - PLURAL_SEPARATOR.len());
    }
    unit
}

#[test]
#[ignore = "needs the reference vectors"]
fn parsers_agree_with_the_reference_vectors() {
    let Some(directory) = std::env::var_os("GITGLOT_FORMAT_VECTORS") else {
        return;
    };
    let directory = Path::new(&directory);
    let files = load(directory, "formats.jsonl.gz");
    let old = by_name(load(directory, "weblate34_units.jsonl.gz"));
    let new = by_name(load(directory, "weblate_units.jsonl.gz"));
    let only = std::env::var("ONLY").ok();
    let mut tally: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for row in &files {
        let (format, name) = (text(row, "format"), text(row, "name"));
        let ours = if format == "properties-latin1" {
            "properties"
        } else {
            &format
        };
        if reader_by_name(ours, false).is_none()
            || only.as_ref().is_some_and(|only| *only != format)
        {
            continue;
        }
        let key = (format.clone(), name.clone());
        let (expected, is_old) = match old.get(&key) {
            Some(row) => (row, true),
            None => match new.get(&key) {
                Some(row) => (row, false),
                None => continue,
            },
        };
        let found = units(ours, row);
        let difference = match (
            &found,
            expected.get("error").filter(|error| !error.is_null()),
        ) {
            (_, Some(_)) if expected["refused_at"] == "import" => None,
            (Err(_), Some(_)) => None,
            (Ok(_), Some(error)) => Some(format!("read, the reference refuses it: {error}")),
            (Err(error), None) => Some(format!("refused: {error}")),
            (Ok(found), None) => {
                let reference = match is_old {
                    true => reference(expected, "context", "comment", "translated"),
                    false => reference(expected, "context", "notes", "is_translated"),
                };
                let reference: Vec<Unit> = reference.iter().map(unpadded).collect();
                (*found != reference)
                    .then(|| format!("\n    found     {found:?}\n    reference {reference:?}"))
            }
        };
        let count = tally.entry(format.clone()).or_default();
        count.0 += 1;
        if let Some(difference) = difference {
            count.1 += 1;
            println!("{format} {name}: {difference}");
        }
    }
    for (format, (vectors, differences)) in &tally {
        println!("{format}: {vectors} vectors, {differences} differences");
    }
}
